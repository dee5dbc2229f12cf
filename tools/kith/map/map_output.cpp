#include "map/map_output.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <string_view>

#include "core/parse_number.hpp"
#include "io/launch/launch_file.hpp"
#include "kith/error.hpp"
#include "machine/network/node_list.hpp"
#include "results.hpp"

namespace kith::tools {
namespace {

/// "12 of 4096 ranks move, 4 of them since their slots are gone, 2 ranks are new".
std::string moves_text(const Moves& moves, std::uint32_t ranks) {
  std::string text = fmt::format("{} of {} ranks move", moves.moved, ranks);
  if (moves.displaced > 0) {
    text += fmt::format(", {} of them since their slots are gone", moves.displaced);
  }
  if (moves.added > 0) text += fmt::format(", {} ranks are new", moves.added);
  return text;
}

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

struct Allocation {
  std::string source;              ///< the variable that names them
  std::vector<std::string> hosts;  ///< may repeat
};

/// From SLURM_JOB_NODELIST, PBS_NODEFILE or LSB_HOSTS, the first that is set; nothing outside of a
/// batch job. Throws Error (input) for an invalid list.
std::optional<Allocation> present_allocation() {
  if (const auto list = variable("SLURM_JOB_NODELIST")) {
    return Allocation{"SLURM_JOB_NODELIST", expand_hostlist(*list, "SLURM_JOB_NODELIST")};
  }
  Allocation found;
  if (const auto file = variable("PBS_NODEFILE")) {
    found.source = "PBS_NODEFILE";
    for (const NodeCount& node : parse_node_list(*file, found.source)) {
      found.hosts.push_back(node.name);
    }
    return found;
  }
  const auto words = variable("LSB_HOSTS");
  if (!words) return std::nullopt;
  found.source = "LSB_HOSTS";
  for (const std::string_view word : split(*words, ' ')) {
    if (!word.empty()) found.hosts.emplace_back(word);
  }
  return found;
}

/// Without the domain; an address as it is.
std::string_view short_name(std::string_view host) {
  if (host.find_first_not_of("0123456789.") == std::string_view::npos) return host;
  return host.substr(0, host.find('.'));
}

std::string missing_hosts(const Bindings& bindings, const Allocation& allocation) {
  std::set<std::string_view> held;
  for (const std::string& host : allocation.hosts) held.insert(short_name(host));
  std::vector<std::string> missing;
  for (const BindingHost& host : bindings.hosts) {
    if (host.ranks > 0 && !held.contains(short_name(host.name))) missing.push_back(host.name);
  }
  if (missing.empty()) return "";
  return fmt::format(
      "warning: this allocation ({}) does not hold {}{}: map for its own hosts (a trace made in "
      "it, or --topology)",
      allocation.source, missing.front(),
      missing.size() == 1 ? "" : fmt::format(" and {} more", missing.size() - 1));
}

/// The first host that the launcher will take for another one.
std::string other_order(const std::vector<std::string>& order, const Allocation& allocation) {
  std::vector<std::string_view> held;
  std::set<std::string_view> seen;
  for (const std::string& host : allocation.hosts) {
    if (seen.insert(short_name(host)).second) held.push_back(short_name(host));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i < held.size() && held[i] == short_name(order[i])) continue;
    return fmt::format(
        "warning: ranks would start on the wrong hosts: host {} of this allocation ({}) is {}, "
        "that of the file is {}",
        i, allocation.source, i < held.size() ? held[i] : "none", order[i]);
  }
  return "";
}

/// What is wrong with starting `bindings` with `file` here: hosts that the present allocation
/// (SLURM_JOB_NODELIST, PBS_NODEFILE or LSB_HOSTS) does not hold, names with a domain or without;
/// hosts in another order than the file counts them in; a list that cannot be read. Empty: nothing,
/// or no batch job.
std::string allocation_warning(const Bindings& bindings, const LaunchFile& file) {
  try {
    const auto allocation = present_allocation();
    if (!allocation) return "";
    const std::string missing = missing_hosts(bindings, *allocation);
    return missing.empty() ? other_order(file.host_order, *allocation) : missing;
  } catch (const Error& error) {
    return fmt::format("warning: not checked against this allocation: {}", error.what());
  }
}

}  // namespace

Moves count_moves(const Mapping& from, const Mapping& to, const Machine& machine) {
  Moves moves;
  moves.moved = moved_ranks(from, to);
  for (const Slot place : from.slot_of) {
    if (place == no_slot) {
      ++moves.added;
    } else if (!machine.allowed().contains(place)) {
      ++moves.displaced;
    }
  }
  return moves;
}

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

std::string map_summary(const MapAnswer& answer, std::string_view mapped) {
  const auto ratio = goal_ratio(answer.goal, answer.metrics, answer.baseline);
  const std::string nodes =
      answer.nodes ? fmt::format(" of {} nodes", answer.nodes->size()) : std::string();
  const std::uint32_t ranks = answer.result.mapping.ranks();
  return fmt::format(
      "by {}: {} on {}{} ({}), {} {}, present order{} {}{}, {}{:.2f} s{}", answer.result.algorithm,
      number_of(ranks, mapped), answer.machine.spec(), nodes, slots_text(answer.machine),
      answer.goal.name(), goal_text(answer.goal, answer.metrics, answer.baseline),
      answer.nodes ? " on the first nodes that may be used" : "",
      goal_text(answer.goal, answer.baseline, answer.baseline),
      ratio ? fmt::format(" (x {:.4f})", *ratio) : "",
      answer.moves ? moves_text(*answer.moves, ranks) + ", " : "", answer.result.seconds,
      answer.result.stopped == Stopped::done
          ? ""
          : fmt::format(", stopped by {}", to_string(answer.result.stopped)));
}

namespace {

/// A launch command with the program of the trace in it, where that is known and no long line.
std::string with_program(std::string command, const Trace& trace) {
  constexpr std::string_view any = " ./app";
  constexpr std::size_t longest = 200;
  if (!trace.meta || trace.meta->program.empty() || !command.ends_with(any)) return command;
  std::string program = " " + shell_word(trace.meta->program);
  for (const std::string& argument : trace.meta->arguments) program += " " + shell_word(argument);
  if (program.size() > longest) return command;
  return command.replace(command.size() - any.size(), any.size(), program);
}

}  // namespace

AnswerText launch_text(const LaunchFormat& format, const MapAnswer& answer, const Trace& trace,
                       const std::optional<std::string>& output) {
  const JobDescription* const job = trace.job ? &*trace.job : nullptr;
  const Bindings bindings = bindings_of(answer.result.mapping, answer.machine, job, "--format");
  LaunchFile file = format.write(bindings, output.value_or("FILE"), "--format");
  const std::string warning = allocation_warning(bindings, file);
  if (!warning.empty()) file.notes.push_back(warning);
  file.notes.push_back("start with: " + with_program(std::move(file.command), trace));
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
