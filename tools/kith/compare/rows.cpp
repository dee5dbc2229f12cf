// Rows of kith compare: algorithms run one after another.
#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>
#include <vector>

#include "compare/compare.hpp"
#include "kith/error.hpp"
#include "mapping/search/search_plan.hpp"
#include "objective/link_load.hpp"
#include "progress.hpp"
#include "results.hpp"

namespace kith::tools {
namespace {

/// Of a search that has no time left.
constexpr double least_seconds = 0.05;
/// The share of what is left that Kith's own search may take.
constexpr double share_of_kith = 0.6;
/// Machines differ from those that the cost model was measured on.
constexpr double safety = 3;
/// Published mappers without a deadline.
constexpr double most_seconds = 60;

double seconds_until(Deadline deadline) {
  if (!deadline) return most_seconds;
  return std::chrono::duration<double>(*deadline - std::chrono::steady_clock::now()).count();
}

/// Bytes between nodes; nothing on a machine of one node.
std::optional<std::uint64_t> bytes_between_nodes(const Problem& problem, const Mapping& mapping) {
  const Machine& machine = *problem.machine;
  if (machine.nodes() < 2) return std::nullopt;
  std::vector<std::uint64_t> node_of;
  for (const Slot slot : mapping.slot_of) node_of.push_back(machine.node_of(slot));
  return static_cast<std::uint64_t>(bytes_between(problem.traffic.graph, node_of));
}

/// `options` with only those settings that the algorithm has.
MapOptions with_own_settings(MapOptions options, const Mapper& mapper) {
  std::erase_if(options.settings, [&](const SettingValue& setting) {
    const auto known = mapper.settings();
    return std::ranges::find(known, setting.name, &MapperSetting::name) == known.end();
  });
  return options;
}

Row row_of(const Algorithm& algorithm, const Problem& problem, const MapOptions& options) {
  Row row;
  row.asked = algorithm.name();
  const MapResult result =
      map_ranks(algorithm, {problem.traffic.graph, *problem.machine, options,
                            &problem.traffic.trace.bytes, problem.traffic.on_wire()});
  row.mapping = result.mapping;
  row.metrics = problem.evaluate(result.mapping);
  row.between_nodes = bytes_between_nodes(problem, result.mapping);
  row.made_by = result.algorithm;
  row.seconds = result.seconds;
  row.stopped = result.stopped;
  row.is_optimal = result.is_optimal;
  return row;
}

}  // namespace

std::string Row::label() const {
  return problem.empty() && made_by != asked ? asked + " (" + made_by + ")" : asked;
}

bool Row::is_ours() const {
  return asked == "kith" || asked == "auto";
}

Comparison start_comparison(const Problem& problem) {
  const auto start = std::chrono::steady_clock::now();
  Row present;
  present.asked = present.made_by = "identity";
  present.mapping = problem.identity();
  present.metrics = problem.evaluate(present.mapping);
  present.between_nodes = bytes_between_nodes(problem, present.mapping);
  return {problem,
          goal_of(problem.options),
          std::move(present),
          {},
          {},
          nullptr,
          false,
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

void Comparison::add(const Algorithm& algorithm, std::optional<double> limit) {
  MapOptions options = with_own_settings(problem.options, *algorithm.mapper);
  if (limit) options.time_limit = std::min(*limit, options.time_limit.value_or(*limit));
  try {
    rows.push_back(row_of(algorithm, problem, options));
    if (clock != nullptr) rows.back().predicted = clock->seconds_of(rows.back().mapping);
  } catch (const Error& error) {
    // What one algorithm cannot do is a result; what we did wrong is not.
    if (error.kind() == ErrorKind::internal) throw;
    Row row;
    row.asked = algorithm.name();
    row.problem = message_of(error);
    rows.push_back(std::move(row));
  }
}

void Comparison::sort() {
  std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) {
    if (a.problem.empty() != b.problem.empty()) return a.problem.empty();
    return a.problem.empty() && goal_units(goal, a.metrics, present.metrics) <
                                    goal_units(goal, b.metrics, present.metrics);
  });
}

std::optional<LowerBound> Comparison::bound() const {
  const auto proven = std::ranges::find(rows, true, &Row::is_optimal);
  if (proven == rows.end()) return problem.bound();
  return proven_bound(goal, proven->metrics);
}

const Row* Comparison::best() const {
  const Row* best = nullptr;
  for (const Row& row : rows) {
    if (!row.problem.empty()) continue;
    if (best == nullptr || goal_units(goal, row.metrics, present.metrics) <
                               goal_units(goal, best->metrics, present.metrics)) {
      best = &row;
    }
  }
  return best;
}

const Row* Comparison::advised() const {
  constexpr double alike = 1.02;
  const auto units_of = [&](const Row& row) {
    return goal_units(goal, row.metrics, present.metrics);
  };
  const auto seconds_of = [](const Row& row) { return row.predicted ? row.predicted->seconds : 0; };
  const auto now = units_of(present);
  std::vector<const Row*> better;
  for (const Row& row : rows) {
    if (row.problem.empty() && units_of(row) < now) better.push_back(&row);
  }
  if (better.empty()) return nullptr;
  const Row* const quickest = *std::ranges::min_element(
      better, {}, [&](const Row* row) { return std::pair(seconds_of(*row), units_of(*row)); });
  std::erase_if(better, [&](const Row* row) {
    return seconds_of(*row) > alike * seconds_of(*quickest) &&
           simulate::is_difference_clear(*row->predicted, *quickest->predicted,
                                         clock->predictor.miss());
  });
  return *std::ranges::min_element(better, {}, [&](const Row* row) {
    return std::tuple(units_of(*row), !row->is_ours(), seconds_of(*row));
  });
}

void add_quick_rows(Comparison& comparison, Deadline deadline) {
  Progress progress("mapping with kith");
  const auto limit = [&](double share) -> std::optional<double> {
    if (!deadline) return std::nullopt;
    return std::max(share * seconds_until(deadline), least_seconds);
  };
  comparison.rows.push_back(comparison.present);
  if (comparison.clock != nullptr) comparison.rows.back().predicted = comparison.clock->identity;
  comparison.add(find_algorithm("kith"), limit(share_of_kith));
  for (const Step& step : published_steps(comparison.problem.get())) {
    const std::string_view name = step.published->name();
    if (name == "identity") continue;
    if (safety * step.seconds + comparison.look_seconds > seconds_until(deadline)) {
      comparison.left_out.emplace_back(name);
      continue;
    }
    progress.show("mapping with " + std::string(name));
    comparison.add({step.published, false}, limit(1));
    if (!comparison.rows.back().problem.empty()) comparison.rows.pop_back();
  }
}

}  // namespace kith::tools
