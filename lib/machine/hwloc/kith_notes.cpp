#include "machine/hwloc/hwloc_topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <string_view>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

constexpr const char* nodes_key = "KithNodes";
constexpr const char* names_key = "KithNodeNames";
constexpr const char* costs_key = "KithCosts";
constexpr const char* scale_key = "KithCostScale";

void add_info(hwloc_topology* topology, const char* key, const std::string& value) {
  if (hwloc_obj_add_info(hwloc_get_root_obj(topology), key, value.c_str()) != 0) {
    throw environment_error("out of memory");
  }
}

std::vector<std::string> words_of(hwloc_topology* topology, const char* key) {
  const char* const text = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), key);
  std::vector<std::string> list;
  Words words(text == nullptr ? std::string_view() : std::string_view(text));
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    list.emplace_back(word);
  }
  return list;
}

/// The numbers of an info; none where one of them is no number.
std::vector<std::uint64_t> numbers_of(hwloc_topology* topology, const char* key) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& word : words_of(topology, key)) {
    const auto number = parse_unsigned(word);
    if (!number || *number > std::uint64_t{1} << 62) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

void write_notes(hwloc_topology* topology, const KithNotes& notes) {
  add_info(topology, nodes_key, fmt::format("{}", notes.nodes));
  if (!notes.node_names.empty()) {
    add_info(topology, names_key, fmt::format("{}", fmt::join(notes.node_names, " ")));
  }
  if (notes.costs.empty()) return;
  add_info(topology, costs_key, fmt::format("{}", fmt::join(notes.costs, " ")));
  add_info(topology, scale_key, fmt::format("{}", notes.cost_scale));
}

KithNotes read_notes(hwloc_topology* topology) {
  KithNotes notes;
  const auto nodes = numbers_of(topology, nodes_key);
  if (nodes.size() == 1) notes.nodes = nodes.front();
  notes.node_names = words_of(topology, names_key);
  notes.costs = numbers_of(topology, costs_key);
  const auto scale = numbers_of(topology, scale_key);
  if (scale.size() == 1 && scale.front() > 0) notes.cost_scale = scale.front();
  return notes;
}

void apply_notes(KithNotes notes, TreeDescription& tree) {
  if (notes.costs.size() == tree.names.size()) {
    tree.costs = std::move(notes.costs);
    tree.cost_scale = notes.cost_scale;
  }
  const auto& lowest = tree.children.back();
  bool is_level = notes.nodes == std::accumulate(lowest.begin(), lowest.end(), std::uint64_t{0});
  for (const auto& level : tree.children) is_level = is_level || level.size() == notes.nodes;
  if (!is_level) return;
  tree.nodes = notes.nodes;
  if (notes.node_names.size() == notes.nodes) tree.node_names = std::move(notes.node_names);
}

}  // namespace kith
