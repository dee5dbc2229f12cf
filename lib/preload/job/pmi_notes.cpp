#include "job/pmi_notes.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "core/parse_number.hpp"
#include "job/presence.hpp"
#include "mpi/library.hpp"

namespace kith::preload {
namespace {

// Version 1 of PMI's protocol: lines of words "name=value", the first of which is "cmd=...", and
// one line as the answer to each.

struct Space {
  int file = -1;
  std::string name;  ///< of this job's key-value space
};
Space space;
bool has_failed = false;

std::optional<int> hydra_file() {
  const char* const text = std::getenv("PMI_FD");
  if (text == nullptr || std::getenv("HYDI_CONTROL_FD") == nullptr) return std::nullopt;
  const auto number = parse_unsigned(text);
  if (!number || *number > 1'000'000) return std::nullopt;
  return static_cast<int>(*number);
}

/// Whether an MPICH of whatever interface, and not one of its relatives, whose launchers may answer
/// otherwise.
bool is_mpich() {
  const mpi::Identity library = mpi::library_identity();
  return library.text.starts_with("MPICH");
}

bool has_own_thread() {
  const char* const text = std::getenv("MPICH_ASYNC_PROGRESS");
  return text != nullptr && std::string_view(text) != "0";
}

bool write_whole(int file, std::string_view line) {
  while (!line.empty()) {
    const ssize_t done = write(file, line.data(), line.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    line.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

/// Up to the line's end and no further: what comes then is the library's.
std::string read_line(int file) {
  std::string line;
  char next = 0;
  while (next != '\n') {
    const ssize_t done = read(file, &next, 1);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return {};
    line.push_back(next);
  }
  line.pop_back();
  return line;
}

/// The value of `name` in an answer to `question`, which has the command `command`.
std::optional<std::string> ask(int file, const std::string& question, std::string_view command,
                               std::string_view name) {
  if (!write_whole(file, question + "\n")) return std::nullopt;
  const std::string answer = read_line(file);
  const std::vector<std::string_view> words = split(answer, ' ');
  if (words.empty() || words.front() != "cmd=" + std::string(command)) return std::nullopt;
  for (const std::string_view word : words) {
    if (word.starts_with(name) && word.substr(name.size()).starts_with("="))
      return std::string(word.substr(name.size() + 1));
  }
  return std::nullopt;
}

std::string key_of(std::uint64_t rank) {
  return "kith-present-" + std::to_string(rank);
}

bool has_note(int rank, int wanted) {
  const std::string question =
      "cmd=get kvsname=" + space.name + " key=" + key_of(static_cast<std::uint64_t>(rank));
  const auto found = ask(space.file, question, "get_result", "value");
  const auto bits = parse_unsigned(found.value_or(""));
  return bits && (static_cast<int>(*bits) & wanted) == wanted;
}

bool put_note(int file, std::uint64_t rank, int bits) {
  const std::string begin = "cmd=init pmi_version=1 pmi_subversion=1";
  if (ask(file, begin, "response_to_init", "rc") != "0") return false;
  const auto name = ask(file, "cmd=get_my_kvsname", "my_kvsname", "kvsname");
  if (!name) return false;
  const std::string put =
      "cmd=put kvsname=" + *name + " key=" + key_of(rank) + " value=" + std::to_string(bits);
  if (ask(file, put, "put_result", "rc") != "0") return false;
  space = {file, *name};
  return true;
}

}  // namespace

bool pmi_serves_this_job() noexcept {
  try {
    return hydra_file() && is_mpich() && !has_own_thread();
  } catch (const std::exception&) {
    return true;
  }
}

void leave_pmi_note(const PresenceNote& note) noexcept {
  if (space.file >= 0 || !pmi_serves_this_job()) return;
  has_failed = true;
  try {
    const char* const text = std::getenv("PMI_RANK");
    const auto rank = parse_unsigned(text == nullptr ? "" : text);
    has_failed = !rank || !put_note(hydra_file().value(), *rank, note.bits());
  } catch (const std::exception&) {
    // has_failed says so
  }
}

bool could_not_leave_pmi_note() noexcept {
  return has_failed;
}

std::optional<std::vector<int>> ranks_without_pmi_note(int size, const PresenceNote& wanted) {
  if (space.file < 0) return std::nullopt;
  std::vector<int> missing;
  for (int rank = 0; rank < size; ++rank) {
    if (!has_note(rank, wanted.bits())) missing.push_back(rank);
  }
  return missing;
}

}  // namespace kith::preload
