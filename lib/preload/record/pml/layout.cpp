#include "record/pml/pml.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <type_traits>

#include "mpi/library.hpp"

namespace kith::record {
namespace {

// Predefined communicators are padded to this size, so that much may be looked at.
constexpr std::size_t communicator_words = 64;
constexpr std::size_t table_words = 64;
constexpr int least_collectives = 12;  // that a communicator has, between groups fewer

using Words = std::array<void*, communicator_words>;

// Where process_vm_readv is forbidden, as in some containers.
bool read_through_file(const void* from, void* to, std::size_t size) {
  const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  if (memory < 0) return false;
  const auto address = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(from));
  const bool whole = pread(memory, to, size, address) == static_cast<ssize_t>(size);
  close(memory);
  return whole;
}

// Reads our own memory; an address without memory gives an error instead of a signal.
template <std::size_t n>
bool read_words(const void* from, std::array<void*, n>& words) {
  iovec here{words.data(), sizeof words};
  iovec there{const_cast<void*>(from), sizeof words};
  const ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  if (got < 0 && errno != EFAULT) return read_through_file(from, words.data(), sizeof words);
  return got == static_cast<ssize_t>(sizeof words);
}

template <class Handle>
const void* object_of(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>) return handle;
  return nullptr;  // handles that are numbers: not Open MPI
}

// "tuned" for ".../mca_coll_tuned.so".
std::string_view component_in(const char* path) {
  if (path == nullptr) return {};
  std::string_view file(path);
  constexpr std::string_view prefix = "mca_coll_";
  const std::size_t at = file.rfind(prefix);
  if (at == std::string_view::npos) return {};
  file.remove_prefix(at + prefix.size());
  return file.substr(0, file.find('.'));
}

std::string_view component_of(void* function) {
  Dl_info info{};
  if (function == nullptr || dladdr(function, &info) == 0) return {};
  return component_in(info.dli_fname);
}

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view component) {
  return std::ranges::find(names, component) != names.end();
}

constexpr std::array<std::string_view, 6> senders{"tuned", "basic", "libnbc",
                                                  "self",  "inter", "adapt"};
// They stand before others and call them, or hand parts to them.
constexpr std::array<std::string_view, 4> wrapping{"sync", "monitoring", "han", "cuda"};

int find_other(dl_phdr_info* info, std::size_t, void* found) {
  const std::string_view component = component_in(info->dlpi_name);
  const bool other = !component.empty() && component != "sm" && !is_one_of(senders, component) &&
                     !is_one_of(wrapping, component);
  *static_cast<bool*>(found) = other;
  return other ? 1 : 0;
}

// No component in this process could take a communicator without sending messages: coll/sm is
// there but off unless its priority was raised.
bool only_senders_loaded() {
  bool other = false;
  dl_iterate_phdr(find_other, &other);
  return !other && mpi::library_number("coll_sm_priority").value_or(0) <= 0;
}

bool sends_messages(std::string_view component) {
  static const bool nothing_hides = only_senders_loaded();
  return is_one_of(senders, component) || (nothing_hides && is_one_of(wrapping, component));
}

enum class Function : std::uintptr_t { unknown, other, sends, does_not_send };

Function look_at(void* function) {
  const std::string_view component = component_of(function);
  if (component.empty()) return Function::other;
  return sends_messages(component) ? Function::sends : Function::does_not_send;
}

// What a word of a table is. Remembered, as programs make and free communicators by the thousand:
// functions are aligned, so the answer fits into the low bits of their address.
Function kind_of(void* word) {
  static constinit std::array<std::atomic<std::uintptr_t>, 512> known{};
  constexpr std::uintptr_t answer_bits = 3;
  const auto address = reinterpret_cast<std::uintptr_t>(word);
  if (address == 0) return Function::other;
  if ((address & answer_bits) != 0) return look_at(word);
  auto& slot = known[(address >> 4) % known.size()];
  const std::uintptr_t remembered = slot.load(std::memory_order_relaxed);
  if ((remembered & ~answer_bits) == address)
    return static_cast<Function>(remembered & answer_bits);
  const Function kind = look_at(word);
  slot.store(address | static_cast<std::uintptr_t>(kind), std::memory_order_relaxed);
  return kind;
}

bool is_collective(void* word) {
  const Function kind = kind_of(word);
  return kind == Function::sends || kind == Function::does_not_send;
}

// A table of collective functions: each followed by its module, the blocking ones first.
bool is_collective_table(const void* table) {
  constexpr std::size_t blocking = 16;
  std::array<void*, table_words> words{};
  const auto address = reinterpret_cast<std::uintptr_t>(table);
  if (address == 0 || address % sizeof(void*) != 0 || !read_words(table, words)) return false;
  for (std::size_t i = 0; i < 2 * blocking; i += 2) {
    if (!is_collective(words[i])) return false;
  }
  return true;
}

// The word of the second of two neighbouring pointers to the group, or -1.
int find_group(const Words& words, MPI_Group group) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == object_of(group) && words[i + 1] == object_of(group)) {
      return static_cast<int>(i) + 1;
    }
  }
  return -1;
}

int find_collectives(const Words& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_collective_table(words[i])) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

bool CommunicatorLayout::find() {
  int group_word = -1;
  int collectives_word = -1;
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    Words words{};
    if (object_of(comm) == nullptr || !read_words(object_of(comm), words)) return false;
    MPI_Group group = MPI_GROUP_NULL;
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS) return false;
    const int group_here = find_group(words, group);
    PMPI_Group_free(&group);
    const int collectives_here = find_collectives(words);
    const bool first = comm == MPI_COMM_WORLD;
    if (group_here < 0 || collectives_here < 0) return false;
    if (!first && (group_here != group_word || collectives_here != collectives_word)) return false;
    group_word = group_here;
    collectives_word = collectives_here;
  }
  group_word_ = group_word;
  collectives_word_ = collectives_word;
  return true;
}

MPI_Group CommunicatorLayout::destinations(MPI_Comm comm) const {
  if constexpr (std::is_pointer_v<MPI_Comm>) {
    return reinterpret_cast<const MPI_Group*>(comm)[group_word_];
  } else {
    return MPI_GROUP_NULL;
  }
}

bool CommunicatorLayout::sends_through_message_layer(MPI_Comm comm) const {
  if constexpr (std::is_pointer_v<MPI_Comm>) {
    std::array<void*, table_words> words{};
    if (!read_words(reinterpret_cast<void* const*>(comm)[collectives_word_], words)) return false;
    int seen = 0;
    for (std::size_t i = 0; i < words.size(); i += 2) {
      const Function kind = kind_of(words[i]);
      if (kind == Function::does_not_send) return false;
      if (kind == Function::sends) ++seen;
    }
    return seen >= least_collectives;
  } else {
    return false;
  }
}

}  // namespace kith::record
