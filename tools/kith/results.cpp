#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "output.hpp"

namespace kith::tools {
namespace {

std::string level_name(std::size_t level) {
  return fmt::format("level_bytes[{}]", level);
}

}  // namespace

void put_bound(JsonText& json, const std::optional<LowerBound>& bound, std::optional<double> gap) {
  json.key("bound");
  if (bound) {
    put_quantity(json, bound->value);
  } else {
    json.null();
  }
  json.key("bound_reason");
  if (bound) {
    json.value(bound->reason);
  } else {
    json.null();
  }
  json.key("gap");
  if (gap) {
    json.value(*gap);
  } else {
    json.null();
  }
}

std::string quantity_text(const Quantity& quantity) {
  if (quantity.integral()) return fmt::format("{}", quantity.units / quantity.scale);
  return fmt::format("{}", quantity.value());
}

void put_mapping(JsonText& json, const Mapping& mapping) {
  json.begin_array(JsonLayout::line);
  for (const Slot slot : mapping.slot_of) json.value(slot.value);
  json.end_array();
}

std::string metrics_table(const std::vector<std::string>& titles,
                          const std::vector<Metrics>& columns) {
  std::string text = fmt::format("{:<18}", "");
  for (const std::string& title : titles) text += fmt::format(" {:>22}", title);
  text += '\n';
  const auto line = [&](const std::string& name,
                        const std::function<std::string(const Metrics&)>& cell) {
    text += fmt::format("{:<18}", name);
    for (const Metrics& metrics : columns) text += fmt::format(" {:>22}", cell(metrics));
    text += '\n';
  };
  line("hop_bytes", [](const Metrics& m) { return fmt::format("{}", m.hop_bytes); });
  line("hops_per_byte", [](const Metrics& m) { return fmt::format("{:.6g}", m.hops_per_byte); });
  line("sum_com", [](const Metrics& m) { return quantity_text(m.sum_com); });
  line("max_com", [](const Metrics& m) { return quantity_text(m.max_com); });
  line("mapping_quality",
       [](const Metrics& m) { return fmt::format("{:.6g}", m.mapping_quality); });
  const std::size_t levels = columns.empty() ? 0 : columns.front().level_bytes.size();
  for (std::size_t level = 0; level < levels; ++level) {
    line(level_name(level),
         [&](const Metrics& m) { return fmt::format("{}", m.level_bytes[level]); });
  }
  line("max_link_load", [](const Metrics& m) {
    return m.max_link_load ? fmt::format("{}", *m.max_link_load) : std::string("unknown");
  });
  line("average_link_load", [](const Metrics& m) {
    return m.average_link_load ? fmt::format("{:.6g}", *m.average_link_load)
                               : std::string("unknown");
  });
  line("numa_bytes.level", [](const Metrics& m) { return m.numa_bytes.level; });
  line("numa_bytes.sum", [](const Metrics& m) { return fmt::format("{}", m.numa_bytes.sum); });
  line("numa_bytes.average",
       [](const Metrics& m) { return fmt::format("{:.6g}", m.numa_bytes.average); });
  line("numa_bytes.max", [](const Metrics& m) { return fmt::format("{}", m.numa_bytes.max); });
  line("numa_bytes.min", [](const Metrics& m) { return fmt::format("{}", m.numa_bytes.min); });
  line("reduction_value", [](const Metrics& m) {
    return m.reduction_value ? fmt::format("{}", *m.reduction_value) : std::string("none");
  });
  return text;
}

std::string goal_text(const Goal& goal, const Metrics& metrics, const Metrics& identity) {
  if (goal.is_mix()) return fmt::format("{:.6f}", goal_value(goal, metrics, identity));
  return quantity_text(measured(goal.terms.front().criterion, metrics));
}

LowerBound proven_bound(const Goal& goal, const Metrics& optimal) {
  return {measured(goal.terms.front().criterion, optimal), "exhaustive search"};
}

std::optional<double> gap_above(const std::optional<LowerBound>& bound, const Goal& goal,
                                const Metrics& metrics) {
  if (!bound) return std::nullopt;
  const std::uint64_t found = measured(goal.terms.front().criterion, metrics).units;
  if (found == bound->value.units) return 0;
  if (bound->value.units == 0) return std::nullopt;
  return static_cast<double>(found) / static_cast<double>(bound->value.units) - 1;
}

std::string bound_text(const LowerBound& bound, const Metrics& metrics, Objective objective) {
  const std::uint64_t found = metrics.objective(objective);
  const std::string why = fmt::format("{}: {}", quantity_text(bound.value), bound.reason);
  if (found == bound.value.units) return fmt::format("optimal: equals the lower bound ({})", why);
  if (bound.value.units == 0) return fmt::format("no useful lower bound ({})", why);
  const double factor = static_cast<double>(found) / static_cast<double>(bound.value.units);
  if (factor > 1.9) {
    // Rounded up: it is a promise.
    return fmt::format("no more than {:.1f} times the optimum (lower bound {})",
                       std::ceil(10 * factor) / 10, why);
  }
  return fmt::format("at most {:.2g}% above the optimum (lower bound {})", 100 * (factor - 1), why);
}

std::optional<double> goal_ratio(const Goal& goal, const Metrics& metrics,
                                 const Metrics& baseline) {
  const std::uint64_t before = goal_units(goal, baseline, baseline);
  if (before == 0) return std::nullopt;
  return static_cast<double>(goal_units(goal, metrics, baseline)) / static_cast<double>(before);
}

std::string places_text(const std::vector<PlacedRank>& places) {
  std::string text;
  for (const std::string& line : places_table(places)) text += printable(line) + "\n";
  return text;
}

void put_places(JsonText& json, const std::vector<PlacedRank>& places) {
  json.begin_array();
  for (const PlacedRank& place : places) {
    json.begin_object(JsonLayout::line);
    json.key("rank").value(place.rank).key("launcher_rank").value(place.launcher_rank);
    json.key("host").value(place.host).key("place").value(place.place);
    json.key("cpus").value(place.cpus);
    json.end_object();
  }
  json.end_array();
}

}  // namespace kith::tools
