#include "record/instructions.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>

#include "record/load.hpp"

namespace kith::record {
namespace {

constinit int counter = -1;

int open_counter(bool threads) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
#ifdef PERF_ATTR_SIZE_VER7
  attributes.inherit = threads ? 1 : 0;
  attributes.inherit_thread = threads ? 1 : 0;  // new threads, not child processes
#else
  if (threads) return -1;
#endif
  constexpr int this_process = 0;
  constexpr int any_cpu = -1;
  constexpr int no_group = -1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, this_process, any_cpu, no_group,
                                  PERF_FLAG_FD_CLOEXEC));
}

// A program that closes descriptors which are not its own may have got this number for another
// file, which must not be read from.
bool is_still_ours() {
  const std::string link = "/proc/self/fd/" + std::to_string(counter);
  std::array<char, 64> target{};
  const ssize_t length = readlink(link.c_str(), target.data(), target.size());
  return length > 0 && std::string_view(target.data(), static_cast<std::size_t>(length)) ==
                           "anon_inode:[perf_event]";
}

}  // namespace

void start_instructions() {
  counter = open_counter(true);
  if (counter < 0) counter = open_counter(false);
}

std::uint64_t instructions_so_far() {
  std::uint64_t count = 0;
  if (counter < 0 || !is_still_ours() || read(counter, &count, sizeof count) != sizeof count)
    return Load::unknown;
  return count;
}

}  // namespace kith::record
