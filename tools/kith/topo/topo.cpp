// kith topo: a machine as a picture or as JSON.
#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "inputs.hpp"
#include "kith/tree_machine.hpp"
#include "metrics_output.hpp"
#include "output.hpp"
#include "topo/picture.hpp"

namespace kith::tools {
namespace {

struct Options {
  std::string spec = "this";
  std::string granularity = "core";
  bool json = false;
};

std::string as_json(const Machine& machine) {
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
  if (const TreeMachine* const tree = machine.as_tree()) {
    for (const Level& level : tree->levels()) {
      json.begin_object(JsonLayout::line);
      json.key("name").value(level.name);
      json.key("count").value(level.objects);
      put_quantity(json.key("cost"), {level.cost, machine.cost_scale()});
      if (level.latency_us > 0) json.key("latency_us").value(level.latency_us);
      if (level.megabytes_per_s > 0) json.key("megabytes_per_s").value(level.megabytes_per_s);
      json.end_object();
    }
  }
  json.end_array();
  json.key("dims").begin_array(JsonLayout::line);
  for (const std::uint32_t extent : machine.dims()) json.value(extent);
  json.end_array();
  json.end_object();
  return json.take();
}

void run_topo(const Options& options) {
  const MachineChoice choice{options.spec, options.granularity};
  const auto machine = parse_machine(options.spec, nullptr, "SPEC", parse_granularity(choice));
  print(options.json ? as_json(*machine) : machine_picture(*machine));
}

}  // namespace

std::function<void()> set_up_topo(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("SPEC", options->spec,
                 "The machine: this (default), tree:64x2x8@100,10,1, hwloc:FILE.xml, ...")
      ->type_name("");
  app.add_option("--granularity", options->granularity,
                 "What a slot of an hwloc machine is: core (default) or pu (hardware thread)")
      ->type_name("core|pu");
  app.add_flag("--json", options->json, "One JSON document");
  app.footer("Examples:\n  kith topo\n  kith topo tree:64x2x8@100,10,1 --json");
  return [options] { run_topo(*options); };
}

}  // namespace kith::tools
