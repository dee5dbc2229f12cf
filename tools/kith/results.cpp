#include "results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/plain_text.hpp"
#include "objective/metric_table.hpp"
#include "objective/network_time.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

/// A metric as rows of a table: its name, or those of its parts, with the text of the value.
using Rows = std::vector<std::pair<std::string, std::string>>;

/// In the metric's unit, and with a prefix where that is a better read.
struct RowMaker {
  const Metric& metric;

  Rows row(std::string text) const { return {{std::string(metric.name), std::move(text)}}; }
  std::string bytes(std::uint64_t number) const {
    return metric.unit == "bytes" && number >= 1024 ? short_bytes(number)
                                                    : fmt::format("{}", number);
  }
  std::string bytes(double number) const {
    return metric.unit == "bytes" && number >= 1024
               ? short_bytes(static_cast<std::uint64_t>(std::llround(number)))
               : fmt::format("{:.6g}", number);
  }
  Rows operator()(std::monostate) const { return row(std::string(metric.absent)); }
  Rows operator()(std::uint64_t number) const { return row(bytes(number)); }
  Rows operator()(double number) const { return row(bytes(number)); }
  Rows operator()(const Quantity& quantity) const {
    if (metric.unit == "seconds") return row(short_seconds(quantity.value()));
    return row(quantity.integral() ? bytes(quantity.units / quantity.scale)
                                   : bytes(quantity.value()));
  }
  Rows operator()(const std::vector<std::uint64_t>& list) const {
    Rows rows;
    for (const std::uint64_t number : list) {
      rows.emplace_back(fmt::format("{}[{}]", metric.name, rows.size()), bytes(number));
    }
    return rows;
  }
  Rows operator()(const NumaBytes& between) const {
    const auto part = [&](const char* name) { return fmt::format("{}.{}", metric.name, name); };
    return {{part("level"), between.level},
            {part("sum"), bytes(between.sum)},
            {part("average"), bytes(between.average)},
            {part("max"), bytes(between.max)},
            {part("min"), bytes(between.min)}};
  }
};

/// The lines of one metric; what it means stands behind the first.
std::string lines_of(const Metric& metric, const std::vector<Metrics>& columns) {
  std::vector<Rows> cells;
  for (const Metrics& metrics : columns) {
    cells.push_back(std::visit(RowMaker{metric}, metric.value(metrics)));
  }
  std::string text;
  for (std::size_t row = 0; !cells.empty() && row < cells.front().size(); ++row) {
    text += fmt::format("  {:<18}", cells.front()[row].first);
    for (const Rows& column : cells) text += fmt::format(" {:>14}", column[row].second);
    text += row == 0 ? fmt::format("  {}\n", metric.meaning) : "\n";
  }
  return text;
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
  std::string text = fmt::format("{:<20}", "");
  for (const std::string& title : titles) text += fmt::format(" {:>14}", title);
  text += '\n';
  std::vector<std::string_view> groups;
  for (const Metric& metric : metric_table()) {
    if (std::ranges::find(groups, metric.group) == groups.end()) groups.push_back(metric.group);
  }
  for (const std::string_view group : groups) {
    text += fmt::format("{}\n", group);
    for (const Metric& metric : metric_table()) {
      if (metric.group == group) text += lines_of(metric, columns);
    }
  }
  return text;
}

std::string metric_notes() {
  std::string text;
  for (const Metric& metric : metric_table()) {
    text += fmt::format("{}: {}.\n", metric.name, metric.meaning);
  }
  return text;
}

std::string goal_text(const Goal& goal, const Metrics& metrics, const Metrics& identity) {
  if (goal.is_mix()) return fmt::format("{:.6f}", goal_value(goal, metrics, identity));
  const Criterion criterion = goal.terms.front().criterion;
  const Quantity value = measured(criterion, metrics);
  if (criterion == Criterion::network_time) return fmt::format("{:.4g} s", value.value());
  return quantity_text(value);
}

std::string bound_value_text(const LowerBound& bound, const Goal& goal) {
  if (goal.has(Criterion::network_time)) return fmt::format("{:.4g} s", bound.value.value());
  return quantity_text(bound.value);
}

std::string slots_text(const Machine& machine) {
  const std::uint64_t usable = machine.allowed().size();
  const std::string all = number_of(machine.slots(), "slot");
  return usable == machine.slots() ? all : fmt::format("{} of {}", usable, all);
}

std::string network_note(const Goal& goal, const Machine& machine, const Metrics& identity) {
  if (!goal.has(Criterion::network_time)) return "";
  std::string text;
  if (identity.busiest_host == 0U) {
    text = "present order: nothing leaves a host, the busiest link is one inside; ";
  } else if (identity.busiest_host) {
    text = fmt::format("present order: the busiest host sends or receives {}; ",
                       short_bytes(*identity.busiest_host));
  }
  return text + cables_text(machine) + "\n";
}

std::string cables_text(const Machine& machine) {
  const LinkTimes times(machine);
  const TreeMachine* const tree = machine.as_tree();
  const bool has_switches = tree != nullptr && tree->node_level() > 1 && !tree->has_link_widths();
  const char* const guess = times.guesses_switches()
                                ? "; a link between switches is taken for half as many cables as "
                                  "hosts below it have"
                            : has_switches ? ", and for links between switches as given"
                                           : "";
  if (const auto cable = times.measured_network()) {
    return fmt::format("seconds are for cables of {}, as measured or given{}",
                       short_bit_rate(*cable), guess);
  }
  return fmt::format("seconds are for cables of {}, as none was measured{}",
                     short_bit_rate(LinkTimes::default_network), guess);
}

std::string memory_text(const Machine& machine) {
  const TreeMachine* const tree = machine.as_tree();
  const bool is_measured =
      tree != nullptr && std::ranges::any_of(tree->levels(), [](const Level& level) {
        return level.megabytes_per_s > 0;
      });
  if (is_measured) return "seconds are of the links inside the host, as measured or given";
  return fmt::format("seconds are for {:.0f} MB/s of each core, as nothing was measured",
                     LinkTimes::default_memory);
}

std::string job_note(const Goal& goal, const Machine& machine) {
  const bool by_time = goal_of_job(machine).has(Criterion::network_time);
  if (!by_time || goal.has(Criterion::network_time)) return "";
  return fmt::format(
      "A job on several hosts minimises network-time (the time of its busiest cable), not {}: "
      "--objective network-time does that here, with more effort than a job has at its start.\n",
      goal.name());
}

std::size_t nodes_of(const Machine& machine, const Mapping& mapping) {
  std::vector<std::uint64_t> nodes;
  for (const Slot slot : mapping.slot_of) {
    if (slot != no_slot) nodes.push_back(machine.node_of(slot));
  }
  std::ranges::sort(nodes);
  return static_cast<std::size_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
}

namespace {

SlotSet slots_of(const Mapping& mapping) {
  std::vector<Slot> slots = mapping.slot_of;
  std::erase(slots, no_slot);
  return SlotSet::of(std::move(slots));
}

}  // namespace

std::string interval_list(const SlotSet& set, std::size_t most) {
  std::string text;
  for (const SlotSet::Interval& interval : set.intervals()) {
    std::string item = interval.first == interval.last
                           ? fmt::format("{}", interval.first.value)
                           : fmt::format("{}-{}", interval.first.value, interval.last.value);
    if (text.size() + item.size() + 5 > most) return text + ",...";
    text.append(text.empty() ? "" : ",").append(item);
  }
  return text;
}

std::string nodes_words(const Machine& machine, const Mapping& present, const Mapping& mapping) {
  if (machine.nodes() < 2) return "";
  const std::size_t now = nodes_of(machine, present);
  const std::size_t then = nodes_of(machine, mapping);
  if (then == now) return "";
  return fmt::format("on {} instead of {}",
                     number_of(then, machine.kind() == "job" ? "host" : "node"), now);
}

bool takes_other_slots(const Mapping& present, const Mapping& mapping) {
  return slots_of(mapping) != slots_of(present);
}

namespace {

/// Empty where the list is long.
std::string slots_suffix(const SlotSet& set) {
  constexpr std::size_t most = 200;
  const std::string list = interval_list(set, most);
  return list.ends_with("...") ? "" : ";slots=" + list;
}

}  // namespace

std::string present_slots(const Machine& machine, const Mapping& present) {
  return machine.allowed().size() < machine.slots() ? "" : slots_suffix(slots_of(present));
}

std::string spec_with_slots(const Machine& machine) {
  return machine.allowed().size() == machine.slots()
             ? machine.spec()
             : machine.spec() + slots_suffix(machine.allowed());
}

std::string of_run_words(const CountedGain& gain) {
  if (!gain.wall_seconds) return "";
  return fmt::format(" ({} of the recorded run of {})", short_percent(gain.share),
                     short_seconds(*gain.wall_seconds));
}

std::string more_nodes_note(const Machine& machine, const Mapping& present,
                            const Mapping& mapping) {
  const std::string nodes = nodes_words(machine, present, mapping);
  if (nodes.empty()) return "";
  const std::string slots = present_slots(machine, present);
  const std::string hint =
      slots.empty()
          ? ""
          : fmt::format("; {} behind the machine keeps to those of the present order", slots);
  return fmt::format("this order runs {}{}\n", nodes, hint);
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

std::string bound_text(const LowerBound& bound, const Metrics& metrics, const Goal& goal) {
  const std::uint64_t found = measured(goal.terms.front().criterion, metrics).units;
  const std::string why = fmt::format("{}: {}", bound_value_text(bound, goal), bound.reason);
  if (found == bound.value.units) return fmt::format("optimal: equals the lower bound ({})", why);
  constexpr const char* unknown = "how far this order is above the optimum is not known";
  if (bound.value.units == 0) return unknown;
  const double factor = static_cast<double>(found) / static_cast<double>(bound.value.units);
  if (factor - 1 > telling_gap) return unknown;
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
