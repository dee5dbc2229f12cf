#include "objective/link_load.hpp"

#include <algorithm>
#include <numeric>

#include "kith/network_machine.hpp"
#include "kith/tree_machine.hpp"
#include "objective/grid_link_load.hpp"
#include "objective/wide.hpp"

namespace kith {
namespace {

/// Objects of a tree, level by level upwards: bytes on the links above them.
class TreeLinks {
 public:
  /// `leaf_of_rank`: numbered so that those of one object stand together on every level.
  TreeLinks(const TrafficMatrix& matrix, std::vector<std::uint32_t> leaf_of_rank)
      : matrix_(matrix), object_of_(std::move(leaf_of_rank)), by_leaf_(object_of_.size()) {
    std::iota(by_leaf_.begin(), by_leaf_.end(), 0U);
    std::ranges::sort(by_leaf_, {}, [&](std::uint32_t r) { return object_of_[r]; });
  }

  /// The busiest of the links between the objects of this level and their parents.
  Wide busiest(LinkWidth width) const {
    std::vector<std::uint32_t> used(object_of_.size());  // objects that hold ranks, from 0 on
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < by_leaf_.size(); ++i) {
      if (i == 0 || object_of_[by_leaf_[i]] != object_of_[by_leaf_[i - 1]]) ++count;
      used[by_leaf_[i]] = count - 1;
    }
    return (busiest_of(used, count) * width.denominator + width.numerator - 1) / width.numerator;
  }

  template <class Parent>
  void climb(Parent&& parent) {
    for (std::uint32_t& object : object_of_) object = static_cast<std::uint32_t>(parent(object));
  }

  /// The object of the present level above each rank.
  const std::vector<std::uint32_t>& object_of_rank() const { return object_of_; }

 private:
  Wide busiest_of(const std::vector<std::uint32_t>& used, std::uint32_t count) const {
    std::vector<Wide> up(count);
    std::vector<Wide> down(count);
    for (Rank source(0); source.value < matrix_.ranks(); ++source) {
      const auto destinations = matrix_.destinations(source);
      const auto weights = matrix_.weights(source);
      const std::uint32_t from = used[source.value];
      for (std::size_t i = 0; i < destinations.size(); ++i) {
        const std::uint32_t to = used[destinations[i].value];
        if (from == to) continue;
        up[from] += weights[i];
        down[to] += weights[i];
      }
    }
    return std::max(*std::ranges::max_element(up), *std::ranges::max_element(down));
  }

  const TrafficMatrix& matrix_;
  std::vector<std::uint32_t> object_of_;
  std::vector<std::uint32_t> by_leaf_;  // ranks
};

Wide busiest_of_tree(const TrafficMatrix& matrix, const TreeMachine& tree, const Mapping& mapping) {
  std::vector<std::uint32_t> leaves;
  for (const Slot slot : mapping.slot_of) leaves.push_back(tree.leaf_of_slot(slot));
  TreeLinks links(matrix, std::move(leaves));
  Wide busiest = 0;
  for (unsigned level = tree.depth(); level > 0; --level) {
    busiest = std::max(busiest, links.busiest(tree.link_width(level)));
    links.climb([&](std::uint32_t object) { return tree.parent(level, object); });
  }
  return busiest;
}

Wide busiest_of_grid(const TrafficMatrix& matrix, const NetworkMachine& machine,
                     const GridNetwork& grid, const Mapping& mapping) {
  std::vector<std::uint32_t> slots;
  for (const Slot slot : mapping.slot_of) slots.push_back(slot.value);
  TreeLinks links(matrix, std::move(slots));
  Wide busiest = 0;
  if (const TreeMachine* tree = machine.node_tree()) {
    for (unsigned level = tree->depth(); level > 0; --level) {
      busiest = std::max(busiest, links.busiest({}));
      const auto here = static_cast<std::uint32_t>(tree->objects(level));
      links.climb([&](std::uint32_t object) {
        return object / here * tree->objects(level - 1) + tree->parent(level, object % here);
      });
    }
    busiest = std::max(busiest, links.busiest({}));  // between a node's tree and the network
  }
  return std::max<Wide>(busiest, max_grid_link_load(matrix, grid, links.object_of_rank()));
}

}  // namespace

std::optional<std::uint64_t> max_link_load(const TrafficMatrix& matrix, const Machine& machine,
                                           const Mapping& mapping) {
  if (const TreeMachine* tree = machine.as_tree()) {
    if (mapping.ranks() == 0) return 0;
    return narrowed(busiest_of_tree(matrix, *tree, mapping), "max_link_load");
  }
  const NetworkMachine* network = machine.as_network();
  const GridNetwork* grid = network == nullptr ? nullptr : network->network().as_grid();
  if (grid == nullptr) return std::nullopt;
  if (mapping.ranks() == 0) return 0;
  return narrowed(busiest_of_grid(matrix, *network, *grid, mapping), "max_link_load");
}

}  // namespace kith
