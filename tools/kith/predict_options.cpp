#include "predict_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "core/did_you_mean.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "options.hpp"

namespace kith::tools {
namespace {

constexpr const char* machine_group = "Machine";

/// `whole`: what the user wrote, of which `text` is a part.
double parse_amount(std::string_view text, std::string_view option, std::string_view expected,
                    std::string_view whole) {
  const auto number = parse_decimal(text);
  if (!number || !std::isfinite(*number) || *number <= 0) {
    throw bad_input(std::string(option), std::string(expected), fmt::format("'{}'", whole));
  }
  return *number;
}

/// LEVEL=MBPS, LEVEL=MBPS,US or LEVEL=,US.
void add_link(const std::string& text, simulate::NetworkOptions& network) {
  const std::string expected = "LEVEL=MB/s, LEVEL=MB/s,us or LEVEL=,us";
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
    throw bad_input("--link", expected, fmt::format("'{}'", text));
  }
  const std::string_view value = std::string_view(text).substr(equals + 1);
  const std::size_t comma = value.find(',');
  simulate::LinkSpeed& speed = network.levels[text.substr(0, equals)];
  const std::string_view bandwidth = value.substr(0, comma);
  if (!bandwidth.empty()) speed.megabytes_per_s = parse_amount(bandwidth, "--link", expected, text);
  if (comma != std::string_view::npos) {
    speed.latency_us = parse_amount(value.substr(comma + 1), "--link", expected, text);
  }
}

/// bandwidth=2x, latency=0.5x, latency=1us, compute=0.5x, hosts=8.
void add_what_if(const std::string& text, WhatIf& what_if) {
  const std::string expected =
      "bandwidth=2x, latency=0.5x, latency=1us (or ms), compute=0.5x or hosts=8";
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, equals);
  const std::string_view value = std::string_view(text).substr(std::min(equals + 1, text.size()));
  const auto factor = [&] {
    if (!value.ends_with('x')) {
      throw bad_input("--what-if", expected, fmt::format("'{}' without the x", text));
    }
    return parse_amount(value.substr(0, value.size() - 1), "--what-if", expected, text);
  };
  if (name == "bandwidth") {
    what_if.bandwidth_factor *= factor();
  } else if (name == "latency" && value.ends_with("us")) {
    what_if.latency_us =
        parse_amount(value.substr(0, value.size() - 2), "--what-if", expected, text);
  } else if (name == "latency" && value.ends_with("ms")) {
    what_if.latency_us =
        1000 * parse_amount(value.substr(0, value.size() - 2), "--what-if", expected, text);
  } else if (name == "latency") {
    what_if.latency_factor *= factor();
  } else if (name == "compute") {
    what_if.compute_factor *= factor();
  } else if (name == "hosts") {
    what_if.hosts = parse_number32(value, "--what-if hosts", 1);
  } else {
    const std::vector<std::string> known{"bandwidth", "latency", "compute", "hosts"};
    throw bad_input("--what-if", expected, fmt::format("'{}'", text) + did_you_mean(name, known));
  }
  what_if.words += (what_if.words.empty() ? "" : ", ") + text;
}

/// SEND,RECEIVE in us; both may be 0.
void set_overheads(const std::string& text, simulate::SimulationOptions& simulation) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto seconds = [&](std::string_view part) {
    const auto number = parse_decimal(part);
    if (!number || !std::isfinite(*number) || *number < 0) {
      throw bad_input("--overhead", "SEND,RECEIVE in us", fmt::format("'{}'", text));
    }
    return 1e-6 * *number;
  };
  const std::string_view all = text;
  simulation.send_overhead = seconds(all.substr(0, comma));
  simulation.receive_overhead = seconds(all.substr(std::min(comma + 1, text.size())));
}

void add_protocol(CLI::App& app, PredictOptions& options) {
  add_value(
      app, "--eager-limit",
      [&options](const std::string& text) {
        options.simulation.eager_limit = static_cast<double>(parse_number(text, "--eager-limit"));
      },
      "Largest message whose sender does not wait for its receive (default 65480: Open MPI over "
      "TCP)")
      ->type_name("BYTES");
  add_value(
      app, "--overhead",
      [&options](const std::string& text) { set_overheads(text, options.simulation); },
      "Time of a rank for each message that it sends and receives, in us (default: as kith probe "
      "measured it, else 1,1)")
      ->type_name("SEND,RECEIVE");
  add_value(
      app, "--handshake",
      [&options](const std::string& text) {
        options.simulation.rendezvous_latencies =
            static_cast<double>(parse_number(text, "--handshake", 0, 100));
      },
      "How many latencies a message above the eager limit takes before its own (default 2)")
      ->type_name("N");
  add_value(
      app, "--engine",
      [&options](const std::string& text) {
        options.engine = parse_choice(text, "--engine", {"kith", "simgrid"}) == 0 ? Engine::kith
                                                                                  : Engine::simgrid;
      },
      "Who simulates: kith (default), or SimGrid's smpirun where it is installed, on the same "
      "links "
      "and with --progress always: seconds only, for comparison")
      ->type_name("kith|simgrid");
}

void add_machine_facts(CLI::App& app, PredictOptions& options) {
  add_value(
      app, "--network", [&options](const std::string& file) { options.network_file = file; },
      "A file of kith probe, or one like it: what lies between the job's hosts")
      ->type_name("FILE");
  add_repeated_value(
      app, "--link", [&options](const std::string& text) { add_link(text, options.network); },
      "Speed of messages between slots that meet at a level of the machine: MB/s of one message, "
      "and us one way. Default: as measured, else as assumed, which is told, as is what all "
      "messages in a host have together")
      ->type_name("LEVEL=MBPS[,US]");
  add_value(
      app, "--cpus",
      [&options](const std::string& text) {
        options.simulation.processors = parse_amount(text, "--cpus", "a number above 0", text);
      },
      "Processors that all ranks of all hosts share, for make-believe clusters. Default: each host "
      "has as many as slots")
      ->type_name("N");
  add_value(
      app, "--progress",
      [&options](const std::string& text) {
        options.simulation.progress = parse_choice(text, "--progress", {"calls", "always"}) == 0
                                          ? simulate::Progress::in_calls
                                          : simulate::Progress::always;
      },
      "When large messages begin: while both ranks are in MPI (calls, default), or also while they "
      "compute (always)")
      ->type_name("calls|always");
  add_value(
      app, "--sharing",
      [&options](const std::string& text) {
        const std::size_t choice = parse_choice(text, "--sharing", {"auto", "fair", "queued"});
        options.sharing.reset();
        if (choice == 1) options.sharing = simulate::Sharing::fair;
        if (choice == 2) options.sharing = simulate::Sharing::queued;
      },
      "How messages share a link: fairly, or one behind the other, as sockets and switches with "
      "large buffers have them. auto (default): queued where hosts are known to reach each other "
      "at "
      "10 Gbit/s or less, else fair")
      ->type_name("auto|fair|queued");
}

}  // namespace

void add_predict_options(CLI::App& app, PredictOptions& options) {
  app.description(
      "Replays the timeline of a trace on a machine, under the present order and under others, and "
      "says how many seconds the job would take, and what bounds it. The present order stands "
      "first, beside what was measured.");
  add_problem_options(app, options.problem);
  app.get_option("TRACE")->description("A trace with a timeline (NAME.kith)");
  add_repeated_value(
      app, "--mapping", [&options](const std::string& file) { options.mappings.push_back(file); },
      "A mapping file, or - for standard input; may be given again")
      ->type_name("FILE");
  add_value(
      app, "--algorithms",
      [&options](const std::string& text) {
        options.algorithms.clear();
        for (const std::string_view name : split(text, ',')) {
          options.algorithms.push_back(find_algorithm(name, "--algorithms"));
        }
      },
      "Orders by these algorithms (`kith algorithms`). Default: kith, unless mappings are given")
      ->type_name("A,...");
  add_machine_facts(app, options);
  add_protocol(app, options);
  add_repeated_value(
      app, "--what-if", [&options](const std::string& text) { add_what_if(text, options.what_if); },
      "Another machine: bandwidth=2x and latency=1us (or 2x) between hosts, compute=0.5x of the "
      "time, hosts=8 of equal size on one switch; may be given again")
      ->type_name("K=V");
  app.add_flag("--whole-run", options.whole_run,
               "Simulate every pass of every loop. By default some 2 million operations are "
               "simulated, and passes that were left out take as long as the last ones");
  app.add_flag("--json", options.json, "An object with all orders");
  put_in_group(app, search_group, {"--algorithms", "--mapping"});
  put_in_group(app, machine_group,
               {"--network", "--link", "--cpus", "--progress", "--sharing", "--eager-limit",
                "--overhead", "--handshake", "--engine", "--what-if", "--whole-run"});
  put_in_group(app, output_group, {"--json"});
  app.footer(
      "between: the range in which the seconds are expected, the wider the more the simulation "
      "missed the recorded run; speed-up: of the present order, unclear where that may be chance.\n"
      "Examples:\n"
      "  kith predict app.kith                        # the present order, and kith's\n"
      "  kith predict app.kith --mapping app.map --link network=1250,2    # of several hosts\n"
      "  kith predict app.kith --what-if bandwidth=2x --algorithms kith,treematch --json");
}

}  // namespace kith::tools
