#include "topo/picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "machine/model/node_slots.hpp"
#include "machine/network/node_list.hpp"
#include "output.hpp"
#include "results.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t picture_width = 80;
constexpr std::size_t max_title = 200;  // names of files are worth a second line
constexpr std::size_t max_name_lines = 16;

/// "4 nodes with 4 slots each (2 x 2)", ...
std::string nodes_text(const Machine& machine) {
  const std::uint64_t nodes = machine.nodes();
  if (nodes == machine.slots()) return "";
  std::string text = " on " + counted(nodes, "node");
  if (const NetworkMachine* const network = machine.as_network()) {
    text += fmt::format(", {} each", network->slots_per_node());
  } else if (machine.as_tree() != nullptr && machine.as_tree()->is_symmetric() && nodes > 1) {
    text += fmt::format(", {} each", machine.slots() / nodes);
  }
  return text;
}

/// The SPEC, which may be as long as a command line, cut to a line.
std::string title(const Machine& machine) {
  return cut_to(printable(machine.spec()), max_title);
}

std::string summary(const Machine& machine) {
  std::string text = fmt::format("{}: {}{}", machine.kind(), counted(machine.slots(), "slot"),
                                 nodes_text(machine));
  if (machine.pus() != machine.slots()) {
    text += fmt::format("; {}", counted(machine.pus(), "hardware thread"));
  }
  return text + '\n';
}

/// What the objects above a slot are, and how many links there are.
std::string fattree_text(const TreeMachine& tree) {
  std::string links;
  const auto links_above = [&](unsigned level) {
    const LinkWidth link = tree.link_width(level);
    return static_cast<double>(tree.objects(level)) * static_cast<double>(link.numerator) /
           static_cast<double>(link.denominator);
  };
  const unsigned nodes = tree.node_level();
  for (unsigned level = 1; level <= nodes; ++level) {
    links += fmt::format("{}{:.10g}", level == 1 ? "" : ", ", links_above(level));
  }
  const double taper = nodes < 2 ? 1 : links_above(nodes) / links_above(nodes - 1);
  return "an object above a slot is all switches of a layer that reach the same slots\n" +
         cut_to("links between layers, top down: " + links, picture_width) +
         (nodes < 2 ? "\n\n" : fmt::format("\ntaper: {:.6g}\n\n", taper));
}

std::string network_machine_picture(const NetworkMachine& machine, const Terminal& terminal) {
  const GridNetwork* const grid = machine.network().as_grid();
  std::string text =
      grid != nullptr ? grid_picture(machine, *grid, terminal) : network_picture(machine);
  if (const TreeMachine* const tree = machine.node_tree()) {
    text += fmt::format("\nin each node (between nodes: the network's {} and {}):\n",
                        machine.has_costs() ? "hops or cost" : "hops", 2 * tree->depth());
    text += tree_picture(*tree, false, terminal);
  }
  return text;
}

/// Names of the nodes below each object of the level above them.
std::string switches_picture(const TreeMachine& tree) {
  const unsigned above = tree.node_level() - 1;
  const auto names = tree.node_names();
  std::string text = fmt::format("nodes below each {}:\n", printable(tree.levels()[above].name));
  for (std::uint64_t object = 0; object < tree.objects(above); ++object) {
    if (object == max_name_lines) {
      return text + fmt::format("  ... and {} more\n", tree.objects(above) - object);
    }
    const std::uint64_t first = tree.first_child(above, object);
    const std::uint64_t count = tree.first_child(above, object + 1) - first;
    text += fmt::format("  {}: {}\n", object,
                        name_list(names.subspan(first, count), picture_width - 10));
  }
  return text;
}

/// '#' for each slot that may be used, '.' for each other, a line per node.
std::string slot_map(const Machine& machine) {
  constexpr std::uint64_t max_nodes = 16;
  constexpr std::uint64_t max_slots_of_node = 64;
  const std::uint64_t nodes = machine.nodes();
  if (nodes > max_nodes || nodes == machine.slots()) return "";
  std::vector<std::string> lines(nodes);
  for (std::uint32_t slot = 0; slot < machine.slots(); ++slot) {
    std::string& line = lines[machine.node_of(Slot(slot))];
    if (line.size() == max_slots_of_node) return "";
    line += machine.allowed().contains(Slot(slot)) ? '#' : '.';
  }
  std::string text;
  for (std::uint64_t node = 0; node < nodes; ++node) {
    text += fmt::format("  {:<10} {}\n", printable(machine.node_name(node)), lines[node]);
  }
  return text;
}

/// How many nodes have all, some and none of their slots.
std::string node_shares(const Machine& machine) {
  if (machine.nodes() == machine.slots() || machine.nodes() == 1) return "";
  if (machine.nodes() > most_listed_nodes) return "";
  const auto free = free_nodes(machine, "SPEC");
  const auto whole = std::ranges::count_if(
      free, [&](const FreeNode& node) { return node.slots == slots_on_node(machine, node.node); });
  return fmt::format("of the nodes {} whole, {} in part, {} not at all\n", whole,
                     free.size() - static_cast<std::size_t>(whole), machine.nodes() - free.size());
}

}  // namespace

std::string cut_to(std::string text, std::size_t most) {
  constexpr std::string_view mark = "...";
  if (text.size() <= most) return text;
  std::size_t end = most - mark.size();
  const auto continues = [&] { return (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; };
  while (end > 0 && continues()) --end;
  return text.substr(0, end).append(mark);
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string name_list(std::span<const std::string> names, std::size_t most) {
  std::string text = printable(compress_hostlist(names));
  if (text.size() <= most) return text;
  const std::string rest = fmt::format("... ({} in all)", names.size());
  return text.substr(0, most - rest.size()) + rest;
}

std::string names_picture(const Machine& machine) {
  const auto names = machine.node_names();
  if (names.empty()) return "";
  const TreeMachine* const tree = machine.as_tree();
  if (tree != nullptr && tree->node_level() > 0 && tree->objects(tree->node_level() - 1) > 1) {
    return fmt::format("\n{}", switches_picture(*tree));
  }
  return fmt::format("\nnodes: {}\n", name_list(names, picture_width - 7));
}

std::string allowed_picture(const Machine& machine) {
  const std::uint64_t slots = machine.slots();
  const std::uint64_t usable = machine.allowed().size();
  if (usable == slots) return "";
  std::string text = fmt::format("\n{} of {} may be used: ", usable, counted(slots, "slot"));
  text += interval_list(machine.allowed(), picture_width - text.size()) + '\n';
  text += node_shares(machine);
  text += slot_map(machine);
  return text;
}

Strokes strokes_for(const Terminal& terminal) {
  if (!terminal.is_terminal || !terminal.has_unicode) return {};
  return {"├─ ", "└─ ", "│  ", "─", "│"};
}

std::string machine_picture(const Machine& machine, const Terminal& terminal) {
  std::string text =
      painted(terminal, Look::strong, title(machine)) + '\n' + summary(machine) + '\n';
  if (const TreeMachine* const tree = machine.as_tree()) {
    if (machine.kind() == "fattree") text += fattree_text(*tree);
    text += tree_picture(*tree, true, terminal);
    text += names_picture(machine);
  } else if (const NetworkMachine* const network = machine.as_network()) {
    text += network_machine_picture(*network, terminal);
    text += names_picture(machine);
  }
  return text + allowed_picture(machine);
}

}  // namespace kith::tools
