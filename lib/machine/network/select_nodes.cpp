#include "machine/network/select_nodes.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "machine/model/node_slots.hpp"
#include "machine/network/host_names.hpp"

namespace kith {
namespace {

std::optional<std::uint64_t> number_of(std::string_view name) {
  if (name.starts_with("node")) name.remove_prefix(4);
  return parse_unsigned(name);
}

struct Wish {
  const NodeCount* asked = nullptr;
  std::uint32_t taken = 0;
};

}  // namespace

SlotSet slots_of_nodes(const Machine& machine, std::span<const NodeCount> nodes,
                       std::string_view option) {
  const HostNames names(machine.node_names());
  std::vector<Wish> wishes;
  std::unordered_map<std::uint64_t, std::size_t> wish_of;  // node -> place in `wishes`
  for (const NodeCount& node : nodes) {
    std::optional<std::uint64_t> found = names.find(node.name);
    if (!found && machine.node_names().empty()) found = number_of(node.name);
    if (!found || *found >= machine.nodes()) {
      throw bad_input(option,
                      "one of the machine's " + std::to_string(machine.nodes()) +
                          " nodes, such as " + machine.node_name(0),
                      in_quotes(node.name));
    }
    const auto [place, is_new] = wish_of.try_emplace(*found, wishes.size());
    if (is_new) wishes.emplace_back();
    wishes[place->second].asked = &node;
  }
  std::vector<SlotSet::Interval> kept;
  for_each_stretch(machine, [&](std::uint64_t node, SlotSet::Interval stretch) {
    const auto place = wish_of.find(node);
    if (place == wish_of.end()) return;
    auto& [asked, taken] = wishes[place->second];
    std::uint32_t count = stretch.last.value - stretch.first.value + 1;
    if (asked->slots > 0) count = std::min(count, asked->slots - taken);
    if (count == 0) return;
    kept.push_back({stretch.first, Slot(stretch.first.value + (count - 1))});
    taken += count;
  });
  for (const auto& [asked, taken] : wishes) {
    if (taken >= asked->slots) continue;
    throw bad_input(
        option, "at most the " + std::to_string(taken) + " slots of node " + in_quotes(asked->name),
        std::to_string(asked->slots));
  }
  return SlotSet::of(std::move(kept));
}

}  // namespace kith
