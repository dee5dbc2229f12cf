// kith probe: starts the measuring program through the launcher and makes a network file of what it
// tells.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "command.hpp"
#include "core/fd_writer.hpp"
#include "core/parse_number.hpp"
#include "core/plain_text.hpp"
#include "io/atomic_file.hpp"
#include "io/format/json_text.hpp"
#include "kith/error.hpp"
#include "launch/launcher.hpp"
#include "machine/network/host_network.hpp"
#include "machine/probe_inference/probe_inference.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "simulate/crowding.hpp"

namespace kith::tools {
namespace {

std::string number_or_blank(double value) {
  return value > 0 ? fmt::format("{:.5g}", value) : "-";
}

/// Names of the hosts below each switch of a layer, by the switch's name in order of appearance.
struct Switch {
  std::string name;
  std::vector<std::string> hosts;
};

std::vector<Switch> switches_of(const HostNetwork& found, std::size_t layer) {
  std::vector<Switch> switches;
  std::map<std::string, std::size_t> known;
  for (const HostNetwork::Host& host : found.hosts) {
    const auto [place, is_new] = known.try_emplace(host.switches[layer], switches.size());
    if (is_new) switches.push_back({host.switches[layer], {}});
    switches[place->second].hosts.push_back(host.name);
  }
  return switches;
}

/// "h0 h1 h2", and of more than sixteen the first ones and how many.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 16;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += ' ' + names[i];
  if (names.size() > most) text += fmt::format(" ... ({} in all)", names.size());
  return text;
}

/// "2 x 4 hosts", "3 of 2 to 5 hosts".
std::string sizes_text(const std::vector<Switch>& switches) {
  const auto [least, most] =
      std::ranges::minmax_element(switches, {}, [](const Switch& one) { return one.hosts.size(); });
  if (least->hosts.size() == most->hosts.size()) {
    return fmt::format("{} x {} hosts", switches.size(), most->hosts.size());
  }
  return fmt::format("{} of {} to {} hosts", switches.size(), least->hosts.size(),
                     most->hosts.size());
}

std::string level_row(std::size_t indent, const LevelCost& level, const std::string& what) {
  return fmt::format("{:<18} {:>12} {:>10} {:>12}  {}\n", std::string(indent, ' ') + level.level,
                     number_or_blank(level.latency_us), number_or_blank(level.megabytes_per_s),
                     level.cost > 0 ? fmt::format("{}", level.cost) : "-", what);
}

std::string levels_text(const HostNetwork& found) {
  std::string text = fmt::format("{:<18} {:>12} {:>10} {:>12}\n", "two ranks meet at", "latency us",
                                 "MB/s", "ps per byte");
  std::size_t indent = 0;
  for (const LevelCost& level : found.network.levels) {
    const std::string what = indent == 0 ? fmt::format("{} hosts", found.hosts.size())
                                         : sizes_text(switches_of(found, indent - 1));
    text += level_row(indent++, level, what);
  }
  for (const LevelCost& level : found.network.host_levels) text += level_row(indent++, level, "");
  text +=
      "ps per byte: what orders are made by, picoseconds of a byte in messages of 64 KiB; MB/s: of "
      "a "
      "stream of larger ones, which may leave the caches\n";
  for (const LevelCost& level : found.network.levels) {
    if (level.burst_bytes <= 0) continue;
    text += fmt::format(
        "{}: after a pause {:.3g} kB pass at once (something holds it to its bandwidth)\n",
        level.level, level.burst_bytes / 1e3);
  }
  for (const auto* const levels : {&found.network.levels, &found.network.host_levels}) {
    for (const LevelCost& level : *levels) {
      if (level.shared_megabytes_per_s <= 0) continue;
      text += fmt::format("{}: all messages of a host together: {:.3g} MB/s\n", level.level,
                          level.shared_megabytes_per_s);
    }
  }
  return text;
}

void put_levels(JsonText& json, const std::vector<LevelCost>& levels) {
  json.begin_array();
  for (const LevelCost& level : levels) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(level.level);
    json.key("cost").value(level.cost);
    for (const LevelMeasure& measure : level_measures) {
      json.key(measure.json_key).value(level.*measure.value);
    }
    json.end_object();
  }
  json.end_array();
}

/// Where ranks had no processor to themselves.
void tell_crowd(const probe::Report& report) {
  std::vector<simulate::CrowdedHost> hosts;
  for (const auto& one : report.crowded) {
    hosts.push_back({one.host, report.measured.hosts[one.host].name, one.ranks, one.processors});
  }
  if (hosts.empty()) return;
  tell(simulate::crowding_text(hosts) +
       ": the numbers also tell how long they waited for these; start at most one rank for each "
       "processor");
}

std::string probe_text(const probe::Report& report, const HostNetwork& found,
                       const std::optional<std::string>& file) {
  std::string text =
      fmt::format("{} on {}, {} of hosts measured in {:.1f} s\n", number_of(report.ranks, "rank"),
                  number_of(found.hosts.size(), "host"),
                  number_of(report.measured.pairs.size(), "pair"), report.seconds);
  text += levels_text(found);
  const std::size_t layers = found.hosts.front().switches.size();
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for (const Switch& one : switches_of(found, layer)) {
      if (one.hosts.size() > 1) text += one.name + ':' + some_of(one.hosts) + '\n';
    }
  }
  if (!file) return text + "-o FILE keeps this for kith topo hosts:FILE and KITH_NETWORK=FILE\n";
  return text + fmt::format(
                    "written to {0}; use it as\n"
                    "  kith topo hosts:{0}\n"
                    "  KITH_NETWORK={0} kith run ...\n",
                    *file);
}

std::string probe_json(const probe::Report& report, const HostNetwork& found,
                       const std::optional<std::string>& file) {
  JsonText json;
  json.begin_object();
  json.key("ranks").value(report.ranks);
  json.key("pairs").value(std::uint64_t{report.measured.pairs.size()});
  json.key("seconds").value(report.seconds);
  json.key("complete").value(!report.out_of_time);
  put_levels(json.key("levels"), found.network.levels);
  put_levels(json.key("host_levels"), found.network.host_levels);
  json.key("hosts").begin_array();
  for (const HostNetwork::Host& host : found.hosts) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(host.name);
    json.key("slots").value(host.slots);
    json.key("switches").begin_array(JsonLayout::line);
    for (const std::string& name : host.switches) json.value(name);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.key("file");
  if (file) {
    json.value(*file);
  } else {
    json.null();
  }
  json.end_object();
  return json.take();
}

constexpr const char* kith_probe = "kith probe";
constexpr double usual_seconds = 60;
/// With a measuring program that does not end, besides twice the time limit.
constexpr std::chrono::seconds probe_patience{10};

struct ProbeOptions {
  std::optional<std::string> output;
  std::optional<double> time_limit;
  bool json = false;
};

/// Without libkith.so, which would count what is measured, in LD_PRELOAD.
std::optional<std::string> preload_without_ours(std::string_view value) {
  std::string kept;
  for (const std::string_view blank_free : split(value, ' ')) {
    for (const std::string_view item : split(blank_free, ':')) {
      const auto base = item.substr(item.rfind('/') + 1);
      if (item.empty() || base.starts_with("libkith.so")) continue;
      kept.append(kept.empty() ? "" : ":").append(item);
    }
  }
  return kept.empty() ? std::nullopt : std::optional(kept);
}

Words launcher_environment() {
  constexpr std::string_view preload = "LD_PRELOAD=";
  Words variables;
  for (char** item = environ; *item != nullptr; ++item) {
    const std::string_view text = *item;
    if (!text.starts_with(preload)) {
      variables.emplace_back(text);
    } else if (const auto kept = preload_without_ours(text.substr(preload.size()))) {
      variables.push_back(std::string(preload) + *kept);
    }
  }
  return variables;
}

/// Begun measurements are finished after the time limit; as much time again is enough for that.
Supervision::Clock::time_point deadline_for(double time_limit) {
  using Clock = Supervision::Clock;
  constexpr double longest = 1e7;
  const std::chrono::duration<double> twice(2 * std::min(time_limit, longest));
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(twice) + probe_patience;
}

/// Runs the command; what it reports. Throws ProgramFailed with the launcher's status.
probe::Report measure(const Words& command, const std::string& launcher, double time_limit) {
  probe::ReportReader reader;
  Progress progress("waiting for the ranks");
  Supervision supervision;
  supervision.on_line = [&](std::string_view line) {
    switch (reader.take(line)) {
      case probe::ReportReader::Line::progress:
        progress.show(reader.doing());
        break;
      case probe::ReportReader::Line::begin:
        supervision.deadline = deadline_for(time_limit);
        break;
      case probe::ReportReader::Line::other:
        progress.clear();
        tell(fmt::format("from the launcher: {}", line));
        break;
      case probe::ReportReader::Line::part:
        break;
    }
  };
  const Ending ending = supervision.run(command, launcher_environment());
  progress.clear();
  if (ending.timed_out) {
    throw environment_error(
        "the measuring program did not end in time: are all hosts reachable from each other?");
  }
  if (ending.status != 0) {
    throw ProgramFailed{ending.status, fmt::format("{} failed with status {}: nothing was measured",
                                                   launcher, ending.status)};
  }
  if (reader.begun() > 1) {
    throw environment_error(fmt::format(
        "the ranks do not know of each other: {} and the MPI library that Kith was built with do "
        "not fit together",
        launcher));
  }
  if (!reader.complete()) {
    throw environment_error(fmt::format(
        "{} ended well, but no report came back: leave the output of rank 0 to kith", launcher));
  }
  return reader.report();
}

void write_file(AtomicFile& file, const HostNetwork& found) {
  FdWriter out(file.fd());
  out.text(network_file_text(found));
  if (!out.flush()) file.fail(out.error());
  file.commit();
}

void run_probe(const ProbeOptions& options) {
  const Words command(trailing_words().begin(), trailing_words().end());
  if (command.empty()) {
    throw bad_input(kith_probe,
                    "-- and the launcher with its options behind it, such as -- mpirun -n 16",
                    has_trailing_words() ? "nothing behind --" : "no --");
  }
  const double time_limit = options.time_limit.value_or(usual_seconds);
  const Launcher launcher = find_launcher(command, kith_probe);
  Words program{find_probe_program(), "--time-limit", fmt::format("{}", time_limit)};
  if (Progress::visible()) program.emplace_back("--progress");
  const Words whole = with_program(command, launcher, program, kith_probe);
  std::optional<AtomicFile> file;
  if (options.output) file.emplace(*options.output);  // before the time is spent

  const probe::Report report = measure(whole, command[launcher.index], time_limit);
  if (report.ranks < 2) {
    throw bad_input(kith_probe,
                    "a launch of at least two ranks (one on each host measures between hosts, more "
                    "also inside)",
                    "one rank");
  }
  const HostNetwork found = network_of(report.measured);
  if (file) write_file(*file, found);
  if (report.out_of_time) {
    tell(
        fmt::format("--time-limit {}: too short to measure all that is needed; the levels may be "
                    "incomplete",
                    time_limit));
  }
  tell_crowd(report);
  print(options.json ? probe_json(report, found, options.output)
                     : probe_text(report, found, options.output));
}

}  // namespace

std::function<void()> set_up_probe(CLI::App& app) {
  const auto options = std::make_shared<ProbeOptions>();
  app.description(
      "Measures latency and bandwidth between the hosts of a launch and, where a host has "
      "several ranks, between the levels inside it, and infers which hosts share a switch: for "
      "machines whose network is not described.");
  app.add_option("-o,--output", options->output, "Write the network file FILE")->type_name("FILE");
  add_seconds(app, "--time-limit", options->time_limit,
              "Measure for at most S seconds (default 60)")
      ->type_name("S");
  app.add_flag("--json", options->json, "One JSON document");
  app.footer(
      "Give the launcher with its options but without a program: kith brings its own. Nothing else "
      "should run on the hosts meanwhile.\n"
      "Examples:\n"
      "  kith probe -o machine.net -- mpirun -n 16 --map-by node    # one or more ranks per host\n"
      "  kith probe -o machine.net -- srun -N 64 --ntasks-per-node 1\n"
      "  kith probe --json -- mpirun -n 8 --bind-to core            # the levels of this host\n"
      "  kith topo hosts:machine.net                                # what was found, as a "
      "machine\n"
      "  KITH_NETWORK=machine.net kith run --reorder app.kith -- mpirun -n 16 ./app");
  return [options] { run_probe(*options); };
}

}  // namespace kith::tools
