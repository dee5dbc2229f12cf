// kith allocate: the nodes that a job would get on a busy machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "command.hpp"
#include "core/parse_number.hpp"
#include "inputs.hpp"
#include "kith/detail/allocation.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "results.hpp"

namespace kith::tools {
namespace {

struct AllocateOptions {
  std::string spec;
  Granularity granularity = Granularity::core;
  AllocationRequest request;
  std::string busy = "0";  ///< request.busy as it was given
  std::optional<std::string> output;
  bool json = false;
};

double parse_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  const auto value = parse_real(percent ? text.substr(0, text.size() - 1) : text);
  const double share = value ? (percent ? *value / 100 : *value) : -1;
  if (!(share >= 0 && share < 1)) {
    throw bad_input("--busy", "a share such as 0.7 or 70%, less than all",
                    fmt::format("'{}'", text));
  }
  return share;
}

const Choices<AllocationPolicy>& policies() {
  static const Choices<AllocationPolicy> all{{"best-fit", AllocationPolicy::best_fit},
                                             {"contiguous", AllocationPolicy::contiguous},
                                             {"random", AllocationPolicy::random}};
  return all;
}

std::string policy_name(const AllocationRequest& request) {
  using Policy = Choices<AllocationPolicy>::value_type;
  return std::ranges::find(policies(), request.policy, &Policy::second)->first;
}

std::string interval_text(const SlotSet::Interval& interval) {
  if (interval.first == interval.last) return fmt::format("{}", interval.first.value);
  return fmt::format("{}-{}", interval.first.value, interval.last.value);
}

std::string summary(const Machine& machine, const Allocation& allocation) {
  return fmt::format(
      "{} of {} free nodes beside {} other jobs: {} slots, {} piece{} of the curve, span {}, "
      "{:.2f} "
      "hops between nodes on average",
      allocation.nodes.size(), allocation.free_nodes, allocation.other_jobs,
      allocation.slots.size(), allocation.pieces, allocation.pieces == 1 ? "" : "s",
      allocation.span, average_node_hops(machine, allocation.nodes));
}

/// What `;slots=FILE` reads.
std::string as_slot_file(const AllocateOptions& options, const Machine& machine,
                         const Allocation& allocation) {
  std::string text = fmt::format("# kith allocate {} --nodes {} --policy {} --busy {} --seed {}\n",
                                 printable(options.spec), options.request.nodes,
                                 policy_name(options.request), options.busy, options.request.seed);
  text += "# " + summary(machine, allocation) + "\n";
  for (const SlotSet::Interval& interval : allocation.slots.intervals()) {
    text += interval_text(interval) + "\n";
  }
  return text;
}

std::string as_json(const Machine& machine, const Allocation& allocation) {
  JsonText json;
  json.begin_object();
  json.key("spec").value(machine.spec());
  std::vector<std::string> intervals;
  for (const SlotSet::Interval& interval : allocation.slots.intervals()) {
    intervals.push_back(interval_text(interval));
  }
  json.key("slots").value(fmt::format("{}", fmt::join(intervals, ",")));
  json.key("slot_count").value(allocation.slots.size());
  json.key("nodes").begin_array(JsonLayout::line);
  for (const std::uint32_t node : allocation.nodes) json.value(node);
  json.end_array();
  json.key("pieces").value(allocation.pieces);
  json.key("span").value(allocation.span);
  json.key("free_nodes").value(allocation.free_nodes);
  json.key("other_jobs").value(allocation.other_jobs);
  json.key("average_hops").value(average_node_hops(machine, allocation.nodes));
  json.end_object();
  return json.take();
}

void run_allocate(const AllocateOptions& options) {
  const AllocationRequest& request = options.request;
  if (request.pieces > 0 && request.policy != AllocationPolicy::random) {
    throw bad_input("--pieces", "--policy random", fmt::format("'{}'", policy_name(request)));
  }
  Progress progress("looking for nodes of " + options.spec);
  const auto machine = parse_machine(options.spec, nullptr, "SPEC", options.granularity);
  const Allocation allocation = allocate_nodes(*machine, request);
  progress.clear();
  if (options.output) {
    write_file_atomically(*options.output, as_slot_file(options, *machine, allocation));
  }
  if (options.json) {
    print(as_json(*machine, allocation));
  } else if (!options.output) {
    print(as_slot_file(options, *machine, allocation));
  }
  if (!options.json) tell(summary(*machine, allocation));
}

}  // namespace

std::function<void()> set_up_allocate(CLI::App& app) {
  const auto options = std::make_shared<AllocateOptions>();
  app.description(
      "Picks nodes as a scheduler would on a machine that other jobs use too: for trying out "
      "mappings on the scattered nodes that jobs really get.");
  app.add_option("SPEC", options->spec,
                 "The machine: torus:24x24x16/16, tree:64x2x8, ...; ;slots=FILE leaves only those "
                 "slots free")
      ->required()
      ->type_name("");
  AllocationRequest& request = options->request;
  add_granularity_option(app, options->granularity);
  add_number(app, "--nodes", request.nodes, "How many nodes the job wants", 1)
      ->required()
      ->type_name("N");
  add_choice(app, "--policy", request.policy, policies(),
             "How they are picked: best-fit along a snake through the grid (default), "
             "contiguous (a box of a grid), random");
  add_value(
      app, "--busy",
      [options = options.get()](const std::string& text) {
        options->request.busy = parse_share(text);
        options->busy = text;
      },
      "Share of the nodes that other jobs hold (default 0)")
      ->type_name("SHARE");
  add_number(app, "--seed", request.seed, "Seed of the other jobs (default 1)")->type_name("S");
  add_number(app, "--pieces", request.pieces,
             "With --policy random: so many rows of nodes, anywhere (default: single nodes)", 1)
      ->type_name("K");
  app.add_option("-o", options->output, "The file of slots to write (default standard output)")
      ->type_name("FILE");
  app.add_flag("--json", options->json, "One JSON document");
  put_in_group(app, output_group, {"-o", "--json"});
  app.footer(
      "Examples:\n"
      "  kith allocate torus:4x4x4/8 --nodes 16 --busy 50% -o job.slots\n"
      "  kith allocate mesh:24x24x16/16 --nodes 256 --policy random --pieces 8 -o job.slots\n"
      "  kith map app.mtx --topology \"mesh:24x24x16/16;slots=job.slots\"");
  return [options] { run_allocate(*options); };
}

}  // namespace kith::tools
