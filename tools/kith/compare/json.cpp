// Rows of kith compare as JSON.
#include "compare/compare.hpp"
#include "results.hpp"
#include "seconds.hpp"

namespace kith::tools {
namespace {

void put_predicted(JsonText& json, const simulate::Seconds& seconds) {
  json.begin_object(JsonLayout::line);
  json.key("seconds").value(seconds.seconds);
  json.key("low").value(seconds.low).key("high").value(seconds.high).end_object();
}

/// Seconds of the job, each row with what they rest on.
void put_prediction(JsonText& json, const Row& row, const JobClock& clock) {
  json.key("seconds_predicted");
  if (row.predicted) {
    put_predicted(json, *row.predicted);
  } else {
    json.null();
  }
  put_predicted(json.key("baseline_seconds_predicted"), clock.identity);
  put_basis(json, clock.predictor);
}

void put_row(JsonText& json, const Row& row, const Comparison& comparison,
             const std::optional<LowerBound>& bound) {
  const Goal& goal = comparison.goal;
  const Metrics& baseline = comparison.present.metrics;
  const bool known = row.problem.empty();
  json.begin_object();
  json.key("algorithm").value(row.asked);
  if (known) json.key("made_by").value(row.made_by);
  json.key("ranks").value(comparison.problem.ranks());
  json.key("slots").value(comparison.problem.machine->slots());
  json.key("metrics");
  if (known) {
    put_metrics(json, row.metrics);
  } else {
    json.null();
  }
  put_metrics(json.key("baseline"), baseline);
  json.key("ratio");
  const auto ratio = known ? goal_ratio(goal, row.metrics, baseline) : std::nullopt;
  if (ratio) {
    json.value(*ratio);
  } else {
    json.null();
  }
  put_bound(json, bound, known ? gap_above(bound, goal, row.metrics) : std::nullopt);
  json.key("seconds");
  if (known) {
    json.value(row.seconds);
    json.key("stopped").value(to_string(row.stopped));
  } else {
    json.null();
    json.key("stopped").null();
  }
  if (comparison.clock != nullptr) put_prediction(json, row, *comparison.clock);
  json.key("objective").value(goal.name());
  if (!known) json.key("problem").value(row.problem);
  json.end_object();
}

}  // namespace

std::string as_json(const Comparison& comparison) {
  const auto bound = comparison.bound();
  JsonText json;
  json.begin_array();
  for (const Row& row : comparison.rows) put_row(json, row, comparison, bound);
  json.end_array();
  return json.take();
}

}  // namespace kith::tools
