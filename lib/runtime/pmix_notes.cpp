#include "runtime/pmix_notes.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "core/parse_number.hpp"
#include "core/split.hpp"
#include "mpi/late_binding.hpp"

namespace kith::runtime {
namespace {

// What we use of PMIx, whose layout has been the same since version 2. Its header may not be there
// where Kith is built.
struct Proc {
  std::array<char, 256> job;
  std::uint32_t rank;
};
struct Value {
  std::uint16_t type;
  union {
    bool flag;
    std::uint8_t byte;
    int number;
    char* text;
    std::array<std::uint64_t, 3> room;
  } data;
};
struct Info {
  std::array<char, 512> key;
  std::uint32_t flags;
  Value value;
};
constexpr std::uint16_t type_bool = 1;
constexpr std::uint16_t type_byte = 2;
constexpr std::uint16_t type_string = 3;
constexpr std::uint16_t type_int = 6;
constexpr std::uint8_t scope_global = 3;
constexpr std::uint32_t any_rank = UINT32_MAX - 1;
constexpr int success = 0;

constexpr char note_key[] = "kith.present";
/// For a note that has to be asked for; that of a rank without one never comes.
constexpr int patience_seconds = 5;

struct Pmix {
  int (*init)(Proc*, Info*, std::size_t);
  int (*put)(std::uint8_t, const char*, Value*);
  int (*get)(const Proc*, const char*, const Info*, std::size_t, Value**);
  int (*finalize)(const Info*, std::size_t);
};

std::optional<Pmix> pmix;  // set where the note was left
Proc self;

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Whether the MPI library beside `folder` talks to the launcher through the system's PMIx, and not
/// through one of its own.
bool uses_external_pmix(const std::filesystem::path& folder) {
  // The last two: Debian's.
  for (const char* const plugins :
       {"openmpi", "openmpi3", "openmpi/lib/openmpi", "openmpi/lib/openmpi3"}) {
    for (const char* const plugin : {"mca_pmix_ext3x.so", "mca_pmix_ext4x.so"}) {
      if (access((folder / plugins / plugin).c_str(), F_OK) == 0) return true;
    }
  }
  return false;
}

/// The PMIx that is loaded, or that Open MPI 4.1 will load. Never another one than that.
void* pmix_library() {
  constexpr char name[] = "libpmix.so.2";
  if (void* const loaded = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) return loaded;
  Dl_info library{};
  void* const init = mpi::find_symbol("PMPI_Init");
  if (init == nullptr || dladdr(init, &library) == 0 || library.dli_fname == nullptr)
    return nullptr;
  std::error_code error;
  const auto folder = std::filesystem::canonical(library.dli_fname, error).parent_path();
  return !error && uses_external_pmix(folder) ? dlopen(name, RTLD_LAZY | RTLD_LOCAL) : nullptr;
}

std::optional<Pmix> find_pmix() {
  if (std::getenv("PMIX_NAMESPACE") == nullptr || std::getenv("PMIX_RANK") == nullptr) return {};
  void* const library = pmix_library();
  Pmix found{};
  if (library != nullptr && find(library, "PMIx_Init", found.init) &&
      find(library, "PMIx_Put", found.put) && find(library, "PMIx_Get", found.get) &&
      find(library, "PMIx_Finalize", found.finalize)) {
    return found;
  }
  return {};
}

/// An attribute that says how to look.
Info attribute(const char* name, const Value& setting) {
  Info info{};
  std::strncpy(info.key.data(), name, info.key.size() - 1);
  info.value = setting;
  return info;
}

/// What `rank` has under a key, to be freed; null: nothing.
Value* look_up(std::uint32_t rank, const char* key, const Info& how) {
  Proc proc = self;
  proc.rank = rank;
  Value* found = nullptr;
  return pmix->get(&proc, key, &how, 1, &found) == success ? found : nullptr;
}

bool has_note(int rank, const Info& how) {
  Value* const found = look_up(static_cast<std::uint32_t>(rank), note_key, how);
  std::free(found);
  return found != nullptr;
}

/// Only what is in this process or its host's memory.
Info here() {
  Value yes{type_bool, {}};
  yes.data.flag = true;
  return attribute("pmix.optional", yes);
}

Info on_request() {
  Value seconds{type_int, {}};
  seconds.data.number = patience_seconds;
  return attribute("pmix.timeout", seconds);
}

/// By rank: is it on this host? PMIx says "0,1,6".
std::vector<bool> local_ranks(int size) {
  std::vector<bool> local(static_cast<std::size_t>(size), false);
  Value* const peers = look_up(any_rank, "pmix.lpeers", here());
  if (peers == nullptr) return local;
  if (peers->type == type_string && peers->data.text != nullptr) {
    for (const std::string_view word : split(peers->data.text, ',')) {
      const auto rank = parse_unsigned(word);
      if (rank && *rank < local.size()) local[*rank] = true;
    }
    std::free(peers->data.text);
  }
  std::free(peers);
  return local;
}

/// Open MPI may have been told not to spread anything beyond a host: then no note of another host
/// is here, and each has to be asked for. The first or the last of them tells whether it is so.
void ask_other_hosts(std::vector<int>& missing, int size) {
  const std::vector<bool> local = local_ranks(size);
  const auto is_local = [&](int rank) { return local[static_cast<std::size_t>(rank)]; };
  const auto elsewhere = static_cast<std::size_t>(std::ranges::count(local, false));
  std::vector<int> far;
  std::ranges::remove_copy_if(missing, std::back_inserter(far), is_local);
  if (far.empty() || far.size() < elsewhere) return;
  if (!has_note(far.front(), on_request()) && !has_note(far.back(), on_request())) return;
  std::erase_if(missing, [&](int rank) { return !is_local(rank) && has_note(rank, on_request()); });
}

}  // namespace

void leave_pmix_note() noexcept {
  try {
    const std::optional<Pmix> found = find_pmix();
    if (!found || found->init(&self, nullptr, 0) != success) return;
    Value note{type_byte, {}};
    note.data.byte = 1;
    if (found->put(scope_global, note_key, &note) == success) {
      pmix = found;
    } else {
      found->finalize(nullptr, 0);
    }
  } catch (const std::exception&) {
    // No note: whoever looks takes this rank for one without Kith, this one for a job that does not
    // tell; presence.cpp asks in another way then.
  }
}

std::optional<std::vector<int>> ranks_without_note(int size) {
  if (!pmix) return std::nullopt;
  std::vector<int> missing;
  for (int rank = 0; rank < size; ++rank) {
    if (!has_note(rank, here())) missing.push_back(rank);
  }
  ask_other_hosts(missing, size);
  pmix->finalize(nullptr, 0);  // ours; the MPI library's own remains
  pmix.reset();
  return missing;
}

}  // namespace kith::runtime
