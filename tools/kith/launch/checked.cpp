#include "launch/launcher.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <set>

#include "command.hpp"
#include "core/cpu_list.hpp"
#include "core/plain_text.hpp"
#include "kith/error.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "simulate/crowding.hpp"

namespace kith::tools {
namespace {

constexpr int check_failed = 3;
/// Until all ranks have reached the end of MPI_Init.
constexpr std::chrono::seconds check_patience{300};
/// Between the report and the end of the job.
constexpr std::chrono::seconds patience_after_report{60};

/// Our environment with the launch's additions.
Words environment_of(const Launch& launch) {
  Words variables;
  for (char** item = environ; *item != nullptr; ++item) {
    const std::string text = *item;
    if (!launch.environment.contains(text.substr(0, text.find('=')))) variables.push_back(text);
  }
  for (const auto& [name, value] : launch.environment) variables.push_back(name + "=" + value);
  return variables;
}

struct CheckOutcome {
  CheckReportReader reader;
  Ending ending;
};

CheckOutcome supervise(const Launch& launch) {
  CheckOutcome outcome;
  Progress progress("waiting for MPI_Init");
  Supervision supervision;
  supervision.deadline = Supervision::Clock::now() + check_patience;
  supervision.on_line = [&](std::string_view line) {
    if (!outcome.reader.take(line)) {
      progress.clear();
      tell(fmt::format("from the job: {}", line));
    } else if (outcome.reader.complete()) {
      const CheckReport& report = outcome.reader.report();
      const bool some_go_on = !report.missing.empty() || report.worlds > 1;
      supervision.deadline = Supervision::Clock::now() +
                             (some_go_on ? std::chrono::seconds(0) : patience_after_report);
    }
  };
  outcome.ending = supervision.run(launch.words, environment_of(launch));
  return outcome;
}

bool is_well(const CheckReport& report) {
  return report.missing.empty() && !report.places.empty() && !report.order_failed;
}

std::string_view order_word(const CheckReport& report) {
  if (report.order_applied) return "applied";
  return report.order_failed ? "failed" : "unchanged";
}

std::string as_json(const CheckReport& report) {
  JsonText json;
  json.begin_object();
  json.key("well").value(is_well(report));
  json.key("ranks").value(report.ranks);
  json.key("missing").begin_array(JsonLayout::line);
  for (const std::uint32_t rank : report.missing) json.value(rank);
  json.end_array();
  put_places(json.key("places"), report.places);
  json.key("order");
  if (report.order_asked) {
    json.value(order_word(report)).key("reason").value(report.order_reason);
  } else {
    json.null();
  }
  json.key("binding").begin_array();
  for (const std::string& fault : report.binding) json.value(fault);
  json.end_array();
  json.end_object();
  return json.take();
}

/// "12 ranks shared 2 processors of vm: ..."; empty where no host has more ranks than processors,
/// or that is not known.
std::string crowd_text(const std::vector<PlacedRank>& places) {
  simulate::CrowdCount count;
  std::map<std::string, std::uint64_t> numbers;
  for (const PlacedRank& place : places) {
    const std::uint64_t number = numbers.try_emplace(place.host, numbers.size()).first->second;
    count.add(number, place.host, cpus_of_list(place.cpus));
  }
  const std::string crowding = simulate::crowding_text(count.crowded());
  if (crowding.empty()) return "";
  return printable(crowding) +
         ": they wait for these more than for each other, and seconds of such a run say little\n";
}

std::string as_text(const CheckReport& report) {
  std::string text = places_text(report.places);
  if (report.places.empty()) text.clear();
  std::set<std::string> hosts;
  for (const PlacedRank& place : report.places) hosts.insert(place.host);
  if (report.missing.empty() && report.places.empty()) {
    text += fmt::format("{} ranks, all under Kith; their hosts could not be found\n", report.ranks);
  } else if (report.missing.empty()) {
    text += fmt::format("{} on {}, {} under Kith\n", number_of(report.ranks, "rank"),
                        number_of(hosts.size(), "host"), report.ranks == 1 ? "it runs" : "all");
  } else {
    text += printable(report.missing_reason) + "\n";
  }
  for (const std::string& fault : report.binding) {
    text += "binding: " + printable(fault) + "\n";
  }
  if (report.binding.empty()) text += crowd_text(report.places);
  if (report.order_asked) {
    const char* const what = report.order_applied  ? "the ranks would be reordered: "
                             : report.order_failed ? "no order could be made: "
                                                   : "the order would stay: ";
    text += what + printable(report.order_reason) + "\n";
  } else if (report.missing.empty()) {
    text += "no other order is asked for (--reorder)\n";
  }
  return text;
}

/// 2 and 3 would mean something else if they were Kith's.
ProgramFailed status_of_launcher(const CheckOutcome& outcome, std::string_view when) {
  return {outcome.ending.status,
          fmt::format("the launcher ended with status {}{}: this status is its own, not Kith's",
                      outcome.ending.status, when)};
}

/// Where no whole report has come.
[[noreturn]] void explain_silence(const CheckOutcome& outcome) {
  if (outcome.ending.timed_out) {
    throw ProgramFailed{
        check_failed, fmt::format("no report after {} s: a rank has not returned from MPI_Init, or "
                                  "some do not run under Kith",
                                  check_patience.count())};
  }
  if (outcome.ending.status != 0) {
    throw status_of_launcher(outcome, " before any rank reported");
  }
  throw ProgramFailed{check_failed,
                      "no rank runs under Kith: the program ended without a report (a static "
                      "program, another MPI library than Kith was built for, no MPI program, or a "
                      "container or script that drops LD_PRELOAD?)"};
}

}  // namespace

void run_checked(const Launch& launch, bool json) {
  const CheckOutcome outcome = supervise(launch);
  const CheckReport& report = outcome.reader.report();
  if (report.worlds > 1) {
    throw ProgramFailed{check_failed, fmt::format("{} worlds instead of one: {}", report.worlds,
                                                  printable(report.worlds_reason))};
  }
  if (outcome.reader.begun() > 1) {
    throw ProgramFailed{check_failed,
                        fmt::format("{} worlds instead of one: the command starts several jobs "
                                    "(check one at a time), or the program's MPI library and the "
                                    "launcher do not fit together",
                                    outcome.reader.begun())};
  }
  if (!outcome.reader.complete()) explain_silence(outcome);
  print(json ? as_json(report) : as_text(report));
  if (!is_well(report)) {
    throw ProgramFailed{check_failed, report.missing.empty() ? "the order could not be made"
                                                             : "not all ranks run under Kith"};
  }
  if (outcome.ending.status != 0) throw status_of_launcher(outcome, "");
}

}  // namespace kith::tools
