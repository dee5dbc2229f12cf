#include "kith-engine/engine.hpp"

#include <unistd.h>

#include <array>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include "core/parse_number.hpp"
#include "kith-engine/auto_task.hpp"
#include "kith-engine/network_task.hpp"
#include "kith-engine/reorder_task.hpp"
#include "kith/job.hpp"
#include "kith/machine.hpp"
#include "protocol/exchange.hpp"
#include "protocol/job_packing.hpp"

namespace kith::tools {
namespace {

std::optional<std::string> read_all(int fd) {
  std::string bytes;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t n = read(fd, buffer.data(), buffer.size());
    if (n < 0) return std::nullopt;
    if (n == 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

Exchange hardware_task(const Exchange& request) {
  const std::string packed = request.text("cpus");
  Unpacker unpacker(packed);
  const JobHardware hardware = discover_this_host(unpack_cpus(unpacker));
  Exchange answer;
  answer.set("digest", hardware.digest);
  answer.set("xml", hardware.xml);
  return answer;
}

Exchange answer_to(const Exchange& request) {
  const std::string task = request.text("task");
  if (task == "hardware") return hardware_task(request);
  if (task == "network") return network_task(request);
  if (task == "reorder") return reorder_task(request);
  if (task == "auto_begin") return auto_begin_task(request);
  if (task == "auto_end") return auto_end_task(request);
  Exchange answer;
  answer.set("problem", "the engine does not know the task '" + task + "'");
  return answer;
}

}  // namespace

int run_engine() {
  const auto bytes = read_all(STDIN_FILENO);
  const auto request = bytes ? Exchange::decode(*bytes) : std::nullopt;
  if (!request) return 2;
  // The job waits no longer; if it has died meanwhile, nothing else would end this process.
  alarm(static_cast<unsigned>(parse_unsigned(request->text("seconds")).value_or(0)));
  Exchange answer;
  try {
    answer = answer_to(*request);
  } catch (const std::bad_alloc&) {
    answer.set("problem", "the engine ran out of memory");
  } catch (const std::exception& error) {
    answer.set("problem", error.what());
  }
  return write_all(STDOUT_FILENO, answer.encode()) ? 0 : 1;
}

}  // namespace kith::tools
