// Grids that have nothing to do with each other, the basins of an ocean, say: each is laid on the
// grid of nodes as it is, where it leaves the least room beside it.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"
#include "kith/detail/structure.hpp"
#include "mapping/budget.hpp"
#include "mapping/tiling/overlay.hpp"
#include "mapping/tiling/tilings.hpp"

namespace kith::tiling {
namespace {

using Ranks = std::vector<std::uint32_t>;
constexpr std::uint32_t no_part = UINT32_MAX;

/// What squares that share a pair join is rigid: there is one way to lay it. What hangs together by
/// one rank, or by a channel one rank wide, may turn there.
class RigidParts {
 public:
  explicit RigidParts(const TrafficGraph& graph)
      : graph_(graph), first_pair_(graph.ranks() + std::size_t{1}), joined_(number_pairs()) {
    for (Rank a(0); a.value < graph.ranks(); ++a) {
      for (const Rank b : graph.neighbours(a)) {
        if (a < b) join_squares_of(a, b);
      }
    }
  }

  /// The ranks of each part, one in several parts in that with most pairs; the largest part first.
  std::vector<Ranks> ranks_by_part() {
    std::vector<std::uint32_t> pairs(joined_pairs_);
    for (std::uint32_t pair = 0; pair < joined_pairs_; ++pair) ++pairs[joined_.find(pair)];
    std::vector<Ranks> of_root(joined_pairs_);
    for (Rank a(0); a.value < graph_.ranks(); ++a) {
      std::uint32_t largest = no_part;
      for (const Rank b : graph_.neighbours(a)) {
        const std::uint32_t root = joined_.find(pair_of(a, b));
        if (pairs[root] > 1 && (largest == no_part || pairs[root] > pairs[largest])) largest = root;
      }
      if (largest != no_part) of_root[largest].push_back(a.value);
    }
    std::erase_if(of_root, [](const Ranks& part) { return part.empty(); });
    std::ranges::stable_sort(of_root, std::ranges::greater{}, &Ranks::size);
    return of_root;
  }

 private:
  std::uint32_t number_pairs() {
    for (Rank a(0); a.value < graph_.ranks(); ++a) {
      const auto others = graph_.neighbours(a);
      const auto later = others.end() - std::ranges::upper_bound(others, a);
      first_pair_[a.value + std::size_t{1}] =
          first_pair_[a.value] + static_cast<std::uint32_t>(later);
    }
    return joined_pairs_ = first_pair_.back();
  }

  std::uint32_t pair_of(Rank a, Rank b) const {
    if (b < a) std::swap(a, b);
    const auto others = graph_.neighbours(a);
    const auto later = std::ranges::upper_bound(others, a);
    const auto at = std::lower_bound(later, others.end(), b);
    return first_pair_[a.value] + static_cast<std::uint32_t>(at - later);
  }

  void join_squares_of(Rank a, Rank b) {
    const std::uint32_t pair = pair_of(a, b);
    for (const Rank c : graph_.neighbours(a)) {
      if (c == b) continue;
      for (const Rank d : graph_.neighbours(b)) {
        if (d == a || d == c || !std::ranges::binary_search(graph_.neighbours(c), d)) continue;
        joined_.unite(pair, pair_of(a, c));
        joined_.unite(pair, pair_of(b, d));
        joined_.unite(pair, pair_of(c, d));
      }
    }
  }

  const TrafficGraph& graph_;
  std::uint32_t joined_pairs_ = 0;
  std::vector<std::uint32_t> first_pair_;  // by rank: of those with a later one
  DisjointSets joined_;                    // pairs
};

/// The traffic inside one part; `number`: by rank of the graph, no_part everywhere.
TrafficGraph graph_of(const TrafficGraph& graph, const Ranks& part, Ranks& number) {
  for (std::uint32_t i = 0; i < part.size(); ++i) number[part[i]] = i;
  TrafficMatrixBuilder cells(static_cast<std::uint32_t>(part.size()));
  for (const std::uint32_t rank : part) {
    const auto others = graph.neighbours(Rank{rank});
    const auto weights = graph.weights(Rank{rank});
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::uint32_t other = number[others[i].value];
      if (others[i].value > rank && other != no_part) {
        cells.add(Rank{number[rank]}, Rank{other}, weights[i]);
      }
    }
  }
  for (const std::uint32_t rank : part) number[rank] = no_part;
  return TrafficGraph::from(cells.build());
}

/// Lays one part after another on the nodes that are free.
class Basins {
 public:
  Basins(const MapTask& problem, const GridNetwork& network, std::vector<bool> is_free)
      : problem_(problem),
        network_(network),
        is_free_(std::move(is_free)),
        node_(problem.graph.ranks(), nowhere),
        number_(problem.graph.ranks(), no_part) {}

  void lay(const Ranks& part) {
    const TrafficGraph graph = graph_of(problem_.graph, part, number_);
    const auto grid = find_any_grid(graph, [&] { return is_out_of_time(); });
    if (!grid || grid->extents.size() > network_.extents().size()) return;
    Overlay overlay(graph, network_, *grid, is_free_, true, Aim::snug, looks_left_);
    const auto& poses = overlay.find();
    looks_left_ -= std::min(looks_left_, overlay.looks());
    if (poses.empty()) return;
    const Pose& pose = nearest_of(poses, overlay, part);
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const std::uint32_t there = overlay.node_of(pose, i);
      if (there == nowhere || !is_free_[there]) continue;
      node_[part[i]] = there;
      is_free_[there] = false;
      ++laid_;
    }
  }

  bool is_out_of_time() const {
    return problem_.budget != nullptr && problem_.budget->is_out_of_time();
  }
  std::uint32_t laid() const { return laid_; }

  Mapping finish() {
    place_left(problem_.graph, network_, is_free_, node_);
    Mapping mapping;
    for (const std::uint32_t n : node_) mapping.slot_of.emplace_back(n);
    return mapping;
  }

 private:
  /// Of those that are as good as the first one that nearest to the partners that have a node.
  const Pose& nearest_of(const std::vector<Overlay::Judged>& poses, const Overlay& overlay,
                         const Ranks& part) const {
    const Overlay::Judged* best = &poses.front();
    std::uint64_t least = UINT64_MAX;
    for (const Overlay::Judged& pose : poses) {
      if (pose.key() != poses.front().key()) break;
      const std::uint64_t away = hops_to_others(overlay, pose.pose, part);
      if (away >= least) continue;
      least = away;
      best = &pose;
    }
    return best->pose;
  }

  std::uint64_t hops_to_others(const Overlay& overlay, const Pose& pose, const Ranks& part) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const std::uint32_t here = overlay.node_of(pose, i);
      const auto others = problem_.graph.neighbours(Rank{part[i]});
      const auto weights = problem_.graph.weights(Rank{part[i]});
      for (std::size_t k = 0; k < others.size() && here != nowhere; ++k) {
        const std::uint32_t there = node_[others[k].value];
        if (there != nowhere) sum += weights[k] * network_.hops(here, there);
      }
    }
    return sum;
  }

  const MapTask problem_;
  const GridNetwork& network_;
  std::vector<bool> is_free_;
  std::vector<std::uint32_t> node_;  // by rank
  Ranks number_;                     // scratch of graph_of()
  std::uint32_t laid_ = 0;
  std::uint64_t looks_left_ = Overlay::usual_looks;
};

}  // namespace

std::optional<Mapping> lay_basins(const MapTask& problem, const NetworkMachine& machine) {
  constexpr std::size_t smallest = 4;  // below that a part has no shape
  constexpr std::size_t most_parts = 32;
  constexpr std::uint64_t most_neighbours = 12;  // of faces in six dimensions
  const GridNetwork* const network = machine.network().as_grid();
  const bool has_gaps = machine.allowed().size() < machine.slots();
  if (network == nullptr || !has_gaps || machine.slots_per_node() > 1 ||
      problem.options.capacity > 1 || network->extents().size() > most_axes ||
      2 * problem.graph.edges() > most_neighbours * problem.graph.ranks()) {
    return std::nullopt;
  }
  std::vector<Ranks> parts = RigidParts(problem.graph).ranks_by_part();
  std::erase_if(parts, [](const Ranks& part) { return part.size() < smallest; });
  if (parts.size() > most_parts) parts.resize(most_parts);
  std::size_t ranks = 0;
  for (const Ranks& part : parts) ranks += part.size();
  if (2 * ranks < problem.graph.ranks()) return std::nullopt;
  if (parts.front().size() == problem.graph.ranks()) return std::nullopt;
  std::vector<bool> is_free(machine.nodes(), false);
  for (const Slot slot : machine.allowed().to_vector()) is_free[slot.value] = true;
  Basins basins(problem, *network, std::move(is_free));
  for (const Ranks& part : parts) {
    if (basins.is_out_of_time()) break;
    basins.lay(part);
  }
  if (2 * basins.laid() < problem.graph.ranks()) return std::nullopt;
  return basins.finish();
}

}  // namespace kith::tiling
