// kith topo: a machine as a picture, as JSON or in the formats of others.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "command.hpp"
#include "inputs.hpp"
#include "io/format/json_text.hpp"
#include "io/format/trace_text.hpp"
#include "kith/detail/export.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "topo/picture.hpp"

namespace kith::tools {
namespace {

/// `trees`: how many of them the machine has; `scale`: of their costs.
void put_levels(JsonText& json, const TreeMachine& tree, std::uint64_t trees, std::uint64_t scale) {
  for (const Level& level : tree.levels()) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(level.name);
    json.key("count").value(level.objects * trees);
    put_quantity(json.key("cost"), {level.cost, scale});
    if (level.latency_us > 0) json.key("latency_us").value(level.latency_us);
    if (level.megabytes_per_s > 0) json.key("megabytes_per_s").value(level.megabytes_per_s);
    if (level.burst_bytes > 0) json.key("burst_bytes").value(level.burst_bytes);
    if (level.overhead_us > 0) json.key("overhead_us").value(level.overhead_us);
    if (level.shared_megabytes_per_s > 0) {
      json.key("shared_megabytes_per_s").value(level.shared_megabytes_per_s);
    }
    if (level.eager_bytes > 0) json.key("eager_bytes").value(level.eager_bytes);
    json.end_object();
  }
}

void put_dragonfly(JsonText& json, const DragonflyNetwork& network) {
  const bool palmtree = network.arrangement() == DragonflyNetwork::Arrangement::palmtree;
  json.key("groups").value(network.groups());
  json.key("routers").value(network.routers());
  json.key("arrangement").value(palmtree ? "palmtree" : "absolute");
}

/// Of the nodes of a network.
void put_costs(JsonText& json, const Network& network) {
  if (network.nodes() < 2) return;
  const Spread costs = node_distances(network).costs;
  json.key("average_cost").value(costs.average());
  put_quantity(json.key("least_cost"), costs.least());
  put_quantity(json.key("most_cost"), costs.most());
}

/// The machine as one JSON document: counts, not lists.
std::string machine_json(const Machine& machine) {
  const TreeMachine* const tree = machine.as_tree();
  const NetworkMachine* const network = machine.as_network();
  JsonText json;
  json.begin_object();
  json.key("kind").value(machine.kind());
  json.key("slots").value(machine.slots());
  json.key("pus").value(machine.pus());
  json.key("nodes").value(machine.nodes());
  if (machine.allowed().size() != machine.slots()) {
    json.key("allowed").value(machine.allowed().size());
  }
  json.key("levels").begin_array();
  if (tree != nullptr) put_levels(json, *tree, 1, machine.cost_scale());
  if (network != nullptr && network->node_tree() != nullptr) {
    put_levels(json, *network->node_tree(), machine.nodes(), 1);
  }
  json.end_array();
  json.key("dims").begin_array(JsonLayout::line);
  for (const std::uint32_t extent : machine.dims()) json.value(extent);
  json.end_array();
  if (machine.has_costs()) json.key("costs").value(true);
  if (network != nullptr) {
    if (machine.has_costs()) put_costs(json, network->network());
    const auto* const dragonfly = dynamic_cast<const DragonflyNetwork*>(&network->network());
    if (dragonfly != nullptr) put_dragonfly(json, *dragonfly);
  }
  json.end_object();
  return json.take();
}

using Exporter = std::string(const Machine&);

struct TopoOptions {
  std::string spec = "this";
  Granularity granularity = Granularity::core;
  Exporter* format = nullptr;  ///< null: the picture
  std::string output;
  ColorChoice color = ColorChoice::automatic;
  bool json = false;
};

/// The trace of this name, with its ending or without, that describes a machine.
std::optional<std::filesystem::path> trace_with_machine(std::string name) {
  while (name.size() > 1 && name.ends_with('/')) name.pop_back();
  for (const char* const ending : {"", ".kith", ".kith.partial", ".partial"}) {
    std::filesystem::path trace = name + ending;
    std::error_code ignored;
    if (std::filesystem::exists(trace / "machine.json", ignored)) return trace;
  }
  return std::nullopt;
}

/// The machine of a SPEC; of a trace the job's own.
std::unique_ptr<Machine> machine_of(const TopoOptions& options) {
  const std::string name = options.spec.substr(0, options.spec.find(';'));
  const bool is_word = name.empty() || name == "this" || name == "job";
  const auto trace = is_word ? std::nullopt : trace_with_machine(name);
  if (!trace && name.ends_with(trace_names::directory_suffix)) {
    std::error_code ignored;
    const bool is_there = std::filesystem::exists(name, ignored);
    throw bad_input("SPEC", "a trace that describes the machine of its job, or a machine",
                    name + (is_there ? " without machine.json" : ", which does not exist"));
  }
  if (!trace) return parse_machine(options.spec, nullptr, "SPEC", options.granularity);
  const JobDescription job = read_job(*trace);
  return parse_machine("job" + options.spec.substr(name.size()), &job, "SPEC", options.granularity);
}

void run_topo(const TopoOptions& options) {
  if (options.json && options.format != nullptr) {
    throw bad_input("--format", "one of --json and --format", "both");
  }
  // What goes into a file looks as it would anywhere.
  const Terminal terminal =
      options.output.empty() ? terminal_of(STDOUT_FILENO, options.color) : Terminal{};
  Progress progress("building " + options.spec);
  const auto machine = machine_of(options);
  const std::string text = options.json                ? machine_json(*machine)
                           : options.format == nullptr ? machine_picture(*machine, terminal)
                                                       : options.format(*machine);
  progress.clear();
  if (options.output.empty()) return print(text);
  write_file_atomically(options.output, text);
}

}  // namespace

std::function<void()> set_up_topo(CLI::App& app) {
  const auto options = std::make_shared<TopoOptions>();
  app.description(
      "Shows a machine as Kith sees it: its levels or its network, how far its places are from "
      "each other, which of them may be used. For checking a SPEC before it is given to `kith "
      "map`, and for writing it as others read it.");
  app.add_option("SPEC", options->spec,
                 "The machine, this (default) or another: " + spec_examples() +
                     ", or a trace (NAME.kith), for the machine of its job. See kith map --help "
                     "for more about them")
      ->type_name("SPEC|TRACE");
  add_granularity_option(app, options->granularity);
  add_color_option(app, options->color);
  app.add_flag("--json", options->json, "One JSON document");
  // A new one is a function of kith/detail/export.hpp and a line here.
  add_choice(app, "--format", options->format,
             {{"picture", nullptr},
              {"scotch", scotch_target_text},
              {"hwloc", hwloc_xml},
              {"simgrid", simgrid_xml}},
             "A picture (default), a Scotch target, hwloc XML or a SimGrid platform");
  app.add_option("-o", options->output, "The file to write (default standard output)")
      ->type_name("FILE");
  put_in_group(app, output_group, {"--color", "--json", "--format", "-o"});
  app.footer(
      "Examples:\n"
      "  kith topo                                     # this machine\n"
      "  kith topo app.kith                            # that of the job that left this trace\n"
      "  kith topo tree:64x2x8@100,10,1 --json\n"
      "  kith topo \"tree:(2*(8,8),(4,4))\"              # unequal children\n"
      "  kith topo torus:16x12x24/2x8                  # a tree in each node\n"
      "  kith topo fattree:16,3,2                      # 16-ary, 3 layers of switches, taper 2\n"
      "  kith topo dragonfly:9,4,2,absolute            # groups, routers, nodes of a router\n"
      "  kith topo torus:8x8x8 --format scotch -o torus.tgt\n"
      "  kith topo \"slurm:topology.conf;tree=2x32;nodes=tux[0-15]\"");
  return [options] { run_topo(*options); };
}

}  // namespace kith::tools
