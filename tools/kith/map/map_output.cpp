#include "map/map_output.hpp"

#include <fmt/format.h>

#include "io/launch/launch_file.hpp"
#include "machine/network/node_list.hpp"
#include "map/allocation.hpp"
#include "metrics_output.hpp"

namespace kith::tools {

std::string map_json(const MapAnswer& answer, const std::optional<LowerBound>& bound) {
  JsonText json;
  json.begin_object();
  json.key("algorithm").value(answer.asked);
  json.key("made_by").value(answer.result.algorithm);
  json.key("ranks").value(answer.result.mapping.ranks());
  json.key("slots").value(answer.machine.slots());
  put_mapping(json.key("mapping"), answer.result.mapping);
  if (answer.nodes) {
    json.key("hosts").begin_array();
    for (const ChosenNode& chosen : *answer.nodes) {
      json.begin_object(JsonLayout::line);
      json.key("name").value(answer.machine.node_name(chosen.node));
      json.key("node").value(chosen.node).key("ranks").value(chosen.ranks);
      json.end_object();
    }
    json.end_array();
  }
  if (answer.moves) {
    json.key("moved").value(answer.moves->moved);
    json.key("displaced").value(answer.moves->displaced);
    json.key("new_ranks").value(answer.moves->added);
  }
  put_metrics(json.key("metrics"), answer.metrics);
  put_metrics(json.key("baseline"), answer.baseline);
  put_bound(json, bound, gap_above(bound, answer.goal, answer.metrics));
  json.key("optimal").value(answer.result.is_optimal);
  json.key("seconds").value(answer.result.seconds);
  json.key("stopped").value(to_string(answer.result.stopped));
  json.key("objective").value(answer.goal.name());
  json.key("explanation").begin_array();
  for (const std::string& line : answer.result.explanation) json.value(line);
  json.end_array();
  json.end_object();
  return json.take();
}

std::string map_summary(const MapAnswer& answer) {
  const auto ratio = goal_ratio(answer.goal, answer.metrics, answer.baseline);
  const std::string nodes =
      answer.nodes ? fmt::format(" of {} nodes", answer.nodes->size()) : std::string();
  const std::uint32_t ranks = answer.result.mapping.ranks();
  return fmt::format(
      "by {}: {} ranks on {}{} ({} slots), {} {}, identity {}{}, {}{:.2f} s{}",
      answer.result.algorithm, ranks, answer.machine.spec(), nodes, answer.machine.slots(),
      answer.goal.name(), goal_text(answer.goal, answer.metrics, answer.baseline),
      goal_text(answer.goal, answer.baseline, answer.baseline),
      ratio ? fmt::format(" (x {:.4f})", *ratio) : "",
      answer.moves ? moves_text(*answer.moves, ranks) + ", " : "", answer.result.seconds,
      answer.result.stopped == Stopped::done
          ? ""
          : fmt::format(", stopped by {}", to_string(answer.result.stopped)));
}

AnswerText launch_text(const LaunchFormat& format, const MapAnswer& answer,
                       const JobDescription* job, const std::optional<std::string>& output) {
  const Seating seating = seating_of(answer.result.mapping, answer.machine, job, "--format");
  LaunchFile file = format.write(seating, output.value_or("FILE"), "--format");
  const std::string warning = allocation_warning(seating, file);
  if (!warning.empty()) file.notes.push_back(warning);
  file.notes.push_back("start with: " + file.command);
  return {std::move(file.text), std::move(file.notes)};
}

std::string node_list(const MapAnswer& answer) {
  std::vector<std::string> names;
  for (const ChosenNode& chosen : *answer.nodes) {
    names.push_back(answer.machine.node_name(chosen.node));
  }
  return compress_hostlist(names) + "\n";
}

std::string host_list(const MapAnswer& answer) {
  std::string text;
  for (const ChosenNode& chosen : *answer.nodes) {
    text += fmt::format("{} slots={}\n", answer.machine.node_name(chosen.node), chosen.ranks);
  }
  return text;
}

}  // namespace kith::tools
