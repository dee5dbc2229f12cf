// kith topo: a machine in words or as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "inputs.hpp"
#include "kith/tree_machine.hpp"
#include "metrics_output.hpp"
#include "output.hpp"

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
  json.key("levels").begin_array();
  if (const TreeMachine* const tree = machine.as_tree()) {
    for (const Level& level : tree->levels()) {
      json.begin_object(JsonLayout::line);
      json.key("name").value(level.name);
      json.key("count").value(level.objects);
      put_quantity(json.key("cost"), {level.cost, machine.cost_scale()});
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

/// Children of each object, by level, or "differ".
std::vector<std::string> children_texts(const TreeMachine& tree) {
  const bool whole = tree.allowed().size() == tree.slots();
  const auto arities = whole ? tree.allowed_arities() : std::nullopt;
  std::vector<std::string> texts;
  for (unsigned level = 0; level < tree.depth(); ++level) {
    const std::uint64_t objects = tree.objects(level);
    const std::uint64_t each = tree.objects(level + 1) / objects;
    bool equal = arities.has_value() || tree.objects(level + 1) % objects == 0;
    for (std::uint64_t i = 1; equal && !arities && i < objects; ++i) {
      equal = tree.first_child(level, i) == i * each;
    }
    texts.push_back(equal ? fmt::format("{}", each) : "differ");
  }
  return texts;
}

std::string as_text(const Machine& machine) {
  std::string text = fmt::format("{}: {}\n", machine.spec(), machine.kind());
  text += fmt::format("slots {}", machine.slots());
  if (machine.allowed().size() != machine.slots()) {
    text += fmt::format(" ({} may be used)", machine.allowed().size());
  }
  text += fmt::format(", processing units {}, nodes {}\n", machine.pus(), machine.nodes());
  if (!machine.dims().empty()) text += fmt::format("grid {}\n", fmt::join(machine.dims(), " x "));
  const TreeMachine* const tree = machine.as_tree();
  if (tree == nullptr) return text;
  text += fmt::format("{:<16} {:>12} {:>12} {:>6} {:>12}\n", "two slots meet at", "objects",
                      "children", "hops", "cost");
  const auto children = children_texts(*tree);
  for (unsigned level = 0; level < tree->depth(); ++level) {
    const Level& here = tree->levels()[level];
    text += fmt::format("{:<17} {:>12} {:>12} {:>6} {:>12}\n", std::string(level, ' ') + here.name,
                        here.objects, children[level], tree->level_hops()[level],
                        quantity_text({here.cost, machine.cost_scale()}));
  }
  return text;
}

void run_topo(const Options& options) {
  const MachineChoice choice{options.spec, options.granularity};
  const auto machine = parse_machine(options.spec, nullptr, "SPEC", parse_granularity(choice));
  print(options.json ? as_json(*machine) : as_text(*machine));
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
