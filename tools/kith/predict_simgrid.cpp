#include "predict_simgrid.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "core/fd_writer.hpp"
#include "core/parse_number.hpp"
#include "io/atomic_file.hpp"
#include "kith/error.hpp"
#include "launch/launcher.hpp"
#include "simulate/simgrid_platform.hpp"
#include "timeline/convert/convert.hpp"

namespace kith::tools {
namespace {

namespace fs = std::filesystem;

/// What SMPI adds to the bytes of each message.
constexpr std::uint64_t envelope = 16;

fs::path new_temporary_folder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error) throw environment_error("no folder for temporary files: " + error.message());
  std::string name = (parent / "kith-simgrid-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw environment_error("cannot make " + name + ": " + std::generic_category().message(errno));
  }
  return name;
}

template <class Write>
void write_file(const fs::path& path, Write&& write) {
  AtomicFile file(path.string());
  FdWriter text(file.fd());
  write(text);
  if (!text.flush()) file.fail(text.error());
  file.commit();
}

/// SimGrid's factors, so that its model is ours: no loss of bandwidth, no cross traffic, no
/// windows.
Words settings_of(const simulate::SimulationOptions& options, double eager_limit, double weight_s) {
  const auto eager = static_cast<std::uint64_t>(std::clamp(eager_limit, 0.0, 2e9));
  // The size as it is in the traces.
  const std::uint64_t small = eager + 1 - std::min(eager, envelope);
  const auto factor_of_all = [](double seconds) { return fmt::format("0:{:.17g}:0", seconds); };
  return {
      "--cfg=network/model:SMPI",
      "--cfg=smpi/bw-factor:0:1",
      fmt::format("--cfg=smpi/lat-factor:0:1;{:.0f}:{:.17g}", static_cast<double>(eager),
                  1 + options.rendezvous_latencies),
      fmt::format("--cfg=network/weight-S:{:.17g}", weight_s),
      "--cfg=network/crosstraffic:0",
      "--cfg=network/TCP-gamma:1e30",
      fmt::format("--cfg=smpi/async-small-thresh:{}", small),
      fmt::format("--cfg=smpi/send-is-detached-thresh:{}", small),
      "--cfg=smpi/os:" + factor_of_all(options.send_overhead.value_or(
                             1e-6 * simulate::MachineLinks::default_overhead)),
      "--cfg=smpi/ois:" + factor_of_all(options.send_overhead.value_or(
                              1e-6 * simulate::MachineLinks::default_overhead)),
      "--cfg=smpi/or:" + factor_of_all(options.receive_overhead.value_or(
                             1e-6 * simulate::MachineLinks::default_overhead)),
      "--cfg=smpi/host-speed:1Gf",
      "--cfg=smpi/display-timing:yes",
  };
}

/// "Simulated time: 0.0123 seconds."
std::optional<double> simulated_time(std::string_view line) {
  constexpr std::string_view begin = "Simulated time: ";
  const std::size_t at = line.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + begin.size());
  return parse_decimal(line.substr(0, line.find(' ')));
}

Words environment_of_ours() {
  Words all;
  for (char** variable = environ; *variable != nullptr; ++variable) all.emplace_back(*variable);
  return all;
}

}  // namespace

SimgridEngine::SimgridEngine(const fs::path& trace) {
  const std::optional<std::string> found = find_program("smpirun");
  if (!found) {
    throw bad_input("--engine simgrid", "smpirun in PATH (Debian's package simgrid has it)",
                    "none");
  }
  smpirun_ = *found;
  folder_ = new_temporary_folder();
  try {
    timeline::TimelineFiles files(trace);
    timeline::write_simgrid_traces(files, folder_ / "traces", timeline::CollectivesAs::messages,
                                   envelope);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    throw;
  }
}

SimgridEngine::~SimgridEngine() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

double SimgridEngine::seconds(const Mapping& mapping, simulate::MachineLinks& links,
                              const simulate::SimulationOptions& options) const {
  simulate::SimgridPlatform platform;
  write_file(folder_ / "platform.xml", [&](FdWriter& text) {
    platform = simulate::write_simgrid_platform(text, mapping, links, options.compute_factor);
  });
  write_file(folder_ / "hosts",
             [&](FdWriter& text) { simulate::write_simgrid_hosts(text, mapping); });
  // SimGrid tells the time on stderr.
  Words words = {"/bin/sh", "-c", "exec \"$0\" \"$@\" 2>&1", smpirun_};
  const std::string ranks = fmt::format("{}", mapping.slot_of.size());
  for (const std::string& word :
       {std::string("-np"), ranks, std::string("-platform"), (folder_ / "platform.xml").string(),
        std::string("-hostfile"), (folder_ / "hosts").string(), std::string("-replay"),
        (folder_ / "traces" / "index").string()}) {
    words.push_back(word);
  }
  const double eager_limit = options.eager_limit.value_or(links.eager_limit());
  for (const std::string& word : settings_of(options, eager_limit, platform.weight_s)) {
    words.push_back(word);
  }
  std::optional<double> seconds;
  std::string last;
  Supervision supervision;
  supervision.on_line = [&](std::string_view line) {
    if (const auto time = simulated_time(line)) seconds = time;
    if (!last.empty() || line.find("CRITICAL") != std::string_view::npos ||
        line.find("eadlock") != std::string_view::npos) {
      if (last.size() < 500) last += (last.empty() ? "" : "\n") + std::string(line);
    }
  };
  const Ending ending = supervision.run(words, environment_of_ours());
  if (ending.status != 0 || !seconds || last.find("eadlock") != std::string::npos) {
    throw environment_error(fmt::format("smpirun ended with status {} and {}: {}", ending.status,
                                        seconds ? "a simulated time" : "without a simulated time",
                                        last.empty() ? "it said nothing else" : last));
  }
  return *seconds;
}

}  // namespace kith::tools
