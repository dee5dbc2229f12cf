#include "objective/link_load.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/traffic.hpp"
#include "objective/wide.hpp"

namespace kith {
namespace {

double links_of_tree(const TreeMachine& tree) {
  double links = 0;
  for (unsigned level = 1; level <= tree.depth(); ++level) {
    const LinkWidth width = tree.link_width(level);
    links += 2.0 * static_cast<double>(tree.objects(level)) * static_cast<double>(width.numerator) /
             static_cast<double>(width.denominator);
  }
  return links;
}

/// Between the nodes.
double links_of_grid(const GridNetwork& grid) {
  double links = 0;
  for (const std::uint32_t extent : grid.extents()) {
    const double lines = static_cast<double>(grid.nodes()) / extent;
    const bool ring = grid.periodic() && extent > 2;
    links += 2 * lines * (ring ? extent : extent - 1);
  }
  return links;
}

const GridNetwork* grid_of(const Machine& machine) {
  const NetworkMachine* network = machine.as_network();
  return network == nullptr ? nullptr : network->network().as_grid();
}

}  // namespace

std::optional<double> count_links(const Machine& machine) {
  if (const TreeMachine* tree = machine.as_tree()) return links_of_tree(*tree);
  const GridNetwork* grid = grid_of(machine);
  if (grid == nullptr) return std::nullopt;
  const TreeMachine* node_tree = machine.as_network()->node_tree();
  // With a tree in each node, one more joins its root to the network.
  const double in_node = node_tree == nullptr ? 0 : links_of_tree(*node_tree) + 2;
  return links_of_grid(*grid) + in_node * grid->nodes();
}

std::optional<double> average_link_load(const TrafficGraph& graph, const Machine& machine,
                                        const Mapping& mapping, std::uint64_t hop_bytes) {
  const auto links = count_links(machine);
  if (!links) return std::nullopt;
  if (*links == 0) return 0;
  Wide bytes = hop_bytes;  // each hop is a link, but those from a node's root to the network
  const NetworkMachine* network = machine.as_network();
  if (network != nullptr && network->node_tree() != nullptr) {
    std::vector<std::uint64_t> node_of;
    for (const Slot slot : mapping.slot_of) node_of.push_back(machine.node_of(slot));
    bytes += 2 * bytes_between(graph, node_of);
  }
  return to_double(bytes) / *links;
}

namespace {

// Bytes on the links between the nodes of a grid.

/// Numbers over a long axis, given by where they change. Adding wraps around, so that an interval
/// may be taken away at its end.
class Steps {
 public:
  Steps(std::uint64_t axis, bool dense) : change_(dense ? axis + 1 : 0) {}

  void add(std::uint64_t first, std::uint64_t end, std::uint64_t weight) {
    at(first) += weight;
    at(end) -= weight;
  }

  std::uint64_t largest() const {
    std::uint64_t level = 0;
    std::uint64_t most = 0;
    const auto step = [&](std::uint64_t change) {
      level += change;
      most = std::max(most, level);
    };
    for (const std::uint64_t change : change_) step(change);
    for (const auto& [place, change] : sparse_) step(change);
    return most;
  }

 private:
  std::uint64_t& at(std::uint64_t place) {
    return change_.empty() ? sparse_[place] : change_[place];
  }

  std::vector<std::uint64_t> change_;  // empty: in sparse_
  std::map<std::uint64_t, std::uint64_t> sparse_;
};

/// The links along one dimension. A link is known by the node where it begins; those of a line
/// through the grid stand beside each other.
class DimensionLinks {
 public:
  DimensionLinks(const GridNetwork& grid, std::size_t dimension, bool dense)
      : extent_(grid.extents()[dimension]),
        periodic_(grid.periodic()),
        up_(grid.nodes(), dense),
        down_(grid.nodes(), dense) {
    for (std::size_t d = dimension + 1; d < grid.extents().size(); ++d) {
      stride_ *= grid.extents()[d];
    }
  }

  /// A message: when its turn comes for this dimension, it has the coordinates of its destination
  /// in those before and of its source in those behind.
  void add(std::uint32_t from, std::uint32_t to, std::uint64_t weight) {
    const std::uint32_t begin = from / stride_ % extent_;
    const std::uint32_t end = to / stride_ % extent_;
    if (begin == end) return;
    const std::uint64_t line =
        (std::uint64_t{to / stride_ / extent_} * stride_ + from % stride_) * extent_;
    const std::uint32_t upwards = end > begin ? end - begin : end + (extent_ - begin);
    const bool goes_up = periodic_ ? upwards <= extent_ - upwards : end > begin;
    if (goes_up) {
      add_around(up_, line, begin, upwards, weight);
    } else {
      // Downwards the last link begins one above the end.
      add_around(down_, line, (end + 1) % extent_, extent_ - upwards, weight);
    }
  }

  std::uint64_t busiest() const { return std::max(up_.largest(), down_.largest()); }

 private:
  /// `count` links of a line from `first` on, around its end where need be.
  void add_around(Steps& steps, std::uint64_t line, std::uint64_t first, std::uint64_t count,
                  std::uint64_t weight) const {
    const std::uint64_t before_end = std::min(count, extent_ - first);
    steps.add(line + first, line + first + before_end, weight);
    if (count > before_end) steps.add(line, line + count - before_end, weight);
  }

  std::uint32_t extent_;
  std::uint32_t stride_ = 1;
  bool periodic_;
  Steps up_;
  Steps down_;
};

/// Bytes on the busiest directed link, routed as max_link_load() says. The bytes of all messages
/// together must fit 64 bits. O(entries x dimensions) time, O(entries) memory and at most 16 bytes
/// a node.
std::uint64_t max_grid_link_load(const TrafficMatrix& matrix, const GridNetwork& grid,
                                 const std::vector<std::uint32_t>& node_of_rank) {
  constexpr std::uint64_t few = std::uint64_t{1} << 20;
  const bool dense = grid.nodes() <= few + 4 * matrix.entries();
  std::uint64_t busiest = 0;
  for (std::size_t d = 0; d < grid.extents().size(); ++d) {
    DimensionLinks links(grid, d, dense);
    for (Rank source(0); source.value < matrix.ranks(); ++source) {
      const auto destinations = matrix.destinations(source);
      const auto weights = matrix.weights(source);
      const std::uint32_t from = node_of_rank[source.value];
      for (std::size_t i = 0; i < destinations.size(); ++i) {
        links.add(from, node_of_rank[destinations[i].value], weights[i]);
      }
    }
    busiest = std::max(busiest, links.busiest());
  }
  return busiest;
}

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
  Wide busiest() const {
    std::vector<std::uint32_t> used(object_of_.size());  // objects that hold ranks, from 0 on
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < by_leaf_.size(); ++i) {
      if (i == 0 || object_of_[by_leaf_[i]] != object_of_[by_leaf_[i - 1]]) ++count;
      used[by_leaf_[i]] = count - 1;
    }
    return busiest_of(used, count);
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

BusiestLinks busiest_of_tree(const TrafficMatrix& matrix, const TreeMachine& tree,
                             const Mapping& mapping) {
  std::vector<std::uint32_t> leaves;
  for (const Slot slot : mapping.slot_of) leaves.push_back(tree.leaf_of_slot(slot));
  TreeLinks links(matrix, std::move(leaves));
  BusiestLinks busiest{std::vector<Wide>(tree.depth() + 1)};
  for (unsigned level = tree.depth(); level > 0; --level) {
    busiest.above[level] = links.busiest();
    links.climb([&](std::uint32_t object) { return tree.parent(level, object); });
  }
  if (tree.node_level() > 0) busiest.of_nodes = busiest.above[tree.node_level()];
  return busiest;
}

/// From the slots up to the nodes, whose trees are all the same; null: slots are nodes.
std::vector<Wide> climb_to_nodes(TreeLinks& links, const TreeMachine* tree) {
  if (tree == nullptr) return {};
  std::vector<Wide> above(tree->depth() + 1);
  for (unsigned level = tree->depth(); level > 0; --level) {
    above[level] = links.busiest();
    const auto here = static_cast<std::uint32_t>(tree->objects(level));
    links.climb([&](std::uint32_t object) {
      return object / here * tree->objects(level - 1) + tree->parent(level, object % here);
    });
  }
  above[0] = links.busiest();
  return above;
}

BusiestLinks busiest_of_nodes(const TrafficMatrix& matrix, const Machine& machine,
                              const Mapping& mapping) {
  const NetworkMachine* network = machine.as_network();
  const GridNetwork* grid = grid_of(machine);
  std::vector<std::uint32_t> places;
  for (const Slot slot : mapping.slot_of) {
    places.push_back(network != nullptr ? slot.value
                                        : static_cast<std::uint32_t>(machine.node_of(slot)));
  }
  TreeLinks links(matrix, std::move(places));
  BusiestLinks busiest;
  busiest.above = climb_to_nodes(links, network == nullptr ? nullptr : network->node_tree());
  busiest.of_nodes = links.busiest();
  busiest.knows_routes = grid != nullptr;
  busiest.of_network = grid == nullptr
                           ? busiest.of_nodes
                           : Wide{max_grid_link_load(matrix, *grid, links.object_of_rank())};
  return busiest;
}

}  // namespace

BusiestLinks busiest_links(const TrafficMatrix& matrix, const Machine& machine,
                           const Mapping& mapping) {
  const TreeMachine* tree = machine.as_tree();
  if (mapping.ranks() == 0) return {{}, 0, 0, tree != nullptr || grid_of(machine) != nullptr};
  return tree != nullptr ? busiest_of_tree(matrix, *tree, mapping)
                         : busiest_of_nodes(matrix, machine, mapping);
}

std::optional<std::uint64_t> max_link_load(const BusiestLinks& busiest, const Machine& machine) {
  if (!busiest.knows_routes) return std::nullopt;
  const TreeMachine* tree = machine.as_tree();
  Wide most = busiest.of_network;
  for (unsigned level = 0; level < busiest.above.size(); ++level) {
    const LinkWidth width = tree == nullptr || level == 0 ? LinkWidth{} : tree->link_width(level);
    most = std::max(
        most, (busiest.above[level] * width.denominator + width.numerator - 1) / width.numerator);
  }
  return narrowed(most, "max_link_load");
}

std::optional<std::uint64_t> max_link_load(const TrafficMatrix& matrix, const Machine& machine,
                                           const Mapping& mapping) {
  return max_link_load(busiest_links(matrix, machine, mapping), machine);
}

}  // namespace kith
