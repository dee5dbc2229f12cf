// What a report says of seconds.
#include "seconds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output.hpp"
#include "progress.hpp"
#include "reporting/report.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t most_shown_links = 6;
/// `kith predict` has no such limit.
constexpr double most_seconds = 60;

ReportPrediction predicted_for(const Mapping& mapping, simulate::Predictor& predictor) {
  const simulate::SimulatedRun run = predictor.run(mapping, true);
  const simulate::Seconds expected = predictor.expected(run);
  ReportPrediction predicted{expected.seconds, expected.low, expected.high, {}, {}};
  predicted.bound = simulate::bound_text(run, predictor.job(), predictor.links());
  for (std::size_t i = 0; i < std::min(most_shown_links, run.links.size()); ++i) {
    const simulate::LinkUse& use = run.links[i];
    predicted.links.push_back(
        {predictor.links().links()[use.link].name, use.bytes, use.utilisation});
  }
  return predicted;
}

/// Empty, or why no seconds are shown. Throws Error (input) where the timeline leaves something out.
std::string predict_all(const ReportCommand& command, const Traffic& traffic, const Machine& machine,
                 ReportData& data) {
  Progress progress("simulating the run as recorded");
  constexpr std::uint64_t most_whole = 10 * simulate::enough_operations;
  simulate::Predictor predictor = predictor_for(command.trace, traffic.trace, machine, {},
                                                {simulate::enough_operations, most_whole});
  if (simulate::is_hopeless(predictor.miss().value_or(0))) {
    return "No seconds are shown: " + miss_text(predictor) + ".";
  }
  std::vector<ReportPrediction> all;
  for (const ReportOrder& order : data.orders) {
    progress.show("simulating " + order.name);
    all.push_back(predicted_for(*order.mapping, predictor));
  }
  for (std::size_t i = 0; i < all.size(); ++i) data.orders[i].predicted = std::move(all[i]);
  data.seconds =
      ReportSeconds{predictor.recorded_seconds(), predictor.simulated_seconds(), predictor.miss(),
                    clock_sentences(predictor, machine), assumptions_of(predictor)};
  return "";
}

}  // namespace

void add_seconds(const ReportCommand& command, const Traffic& traffic, const Machine& machine,
                 ReportData& data) {
  const auto lacks = [&](std::string reason) {
    data.missing.push_back({"seconds", std::move(reason)});
  };
  if (const auto folder = find_timeline(traffic.trace.path.string());
      !folder || !timeline::TimelineFiles::has_timeline(*folder)) {
    lacks("There is no timeline, without which nobody can speak of seconds.");
    return;
  }
  const std::uint64_t messages = data.totals.messages.value_or(0);
  const auto orders = static_cast<unsigned>(data.orders.size());
  try {
    timeline::TimelineFiles files(trace_with_timeline(command.trace));
    const std::uint64_t simulated =
        timeline::LoopCut(files, simulate::enough_operations).kept_of(messages);
    if (simulate::seconds_to_predict(simulated, orders, machine) > most_seconds) {
      lacks(
          fmt::format("The run has {} messages, too many for a report to simulate: kith predict "
                      "says the seconds.",
                      messages));
      return;
    }
    if (std::string why = predict_all(command, traffic, machine, data); !why.empty()) {
      lacks(std::move(why));
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    lacks("No seconds are predicted: " + message_of(error) + ".");
  }
}

}  // namespace kith::tools
