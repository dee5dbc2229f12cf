#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/grid_proposals.hpp"
#include "graph/grid_detection/squares.hpp"
#include "kith/detail/structure.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

// Where the pairs that belong to a grid may end and the small change begin.

/// Weights of one power of two fall into 8 bins.
constexpr unsigned fine_bits = 3;
constexpr std::size_t bins = std::size_t{64} << fine_bits;

std::size_t bin_of(Weight weight) {
  const auto power = static_cast<unsigned>(std::bit_width(weight) - 1);
  const Weight fraction =
      power >= fine_bits ? weight >> (power - fine_bits) : weight << (fine_bits - power);
  return (std::size_t{power} << fine_bits) + (fraction & ((1U << fine_bits) - 1));
}

struct Bin {
  std::uint64_t pairs = 0;
  Weight least = std::numeric_limits<Weight>::max();
};

std::array<Bin, bins> count_weights(const TrafficGraph& graph) {
  std::array<Bin, bins> counted{};
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    const auto others = graph.neighbours(Rank{r});
    const auto weights = graph.weights(Rank{r});
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i].value < r) continue;
      Bin& bin = counted[bin_of(weights[i])];
      ++bin.pairs;
      bin.least = std::min(bin.least, weights[i]);
    }
  }
  return counted;
}

/// Between a weight that occurs and the next lighter one that does.
struct Gap {
  std::size_t width;  ///< bins
  Weight above;
};

}  // namespace

std::vector<Weight> least_weights(const TrafficGraph& graph) {
  constexpr std::size_t narrowest = 3;  // a quarter of a power of two lies empty
  constexpr std::size_t most = 6;
  const auto counted = count_weights(graph);
  std::vector<Gap> gaps;
  std::uint64_t heavier = 0;
  std::size_t last = bins;  // the bin above that is not empty
  for (std::size_t bin = bins; bin-- > 0;) {
    if (counted[bin].pairs == 0) continue;
    const bool cuts_enough_off = 200 * (graph.edges() - heavier) >= graph.edges();
    if (last < bins && last - bin >= narrowest && heavier + 1 >= graph.ranks() && cuts_enough_off) {
      gaps.push_back({last - bin, counted[last].least});
    }
    heavier += counted[bin].pairs;
    last = bin;
  }
  std::ranges::stable_sort(gaps, std::ranges::greater{}, &Gap::width);
  if (gaps.size() > most) gaps.resize(most);
  std::vector<Weight> least{1};
  for (const Gap& gap : gaps) least.push_back(gap.above);
  return least;
}

namespace {

// Pairs that cannot be steps of a grid.

/// The graph without the pairs that are sides of no square. Nothing if no such pair exists, if more
/// than 1 in 8 pairs are such, or if the rest falls apart. O(edges x squared degree).
std::optional<ConnectedGraph> without_strays(const ConnectedGraph& graph, const StopCheck& stop) {
  constexpr std::int64_t most = 8;  // one in so many
  SquareFinder squares(graph);
  std::vector<bool> keep(graph.edges(), false);
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    stop();
    squares.for_each_at(v, true, [&](const Square& square) {
      for (const std::uint32_t side : {square.v_u, square.u_x, square.v_w, square.w_x}) {
        keep[side] = true;
      }
    });
  }
  const auto strays = std::ranges::count(keep, false);
  if (strays == 0 || most * strays > std::int64_t{graph.edges()}) return std::nullopt;
  return graph.with_only(keep);
}

/// Keeps the best of what is proposed: of two that explain as much the earlier.
class Search {
 public:
  Search(const TrafficGraph& graph, const StopCheck& stop) : graph_(graph), stop_(stop) {}

  std::optional<GridStructure> find() {
    try_natural_order();
    for (const Weight least : least_weights(graph_)) {
      if (is_good_enough()) break;
      try_any_order(least);
    }
    for (const Weight least : least_weights(graph_)) {
      if (best_) break;
      const Judge judged = [&](const GridCandidate& grid) { return judge(grid); };
      propose_from_corners(graph_, least, judged, stop_);
    }
    for (const Weight least : least_weights(graph_)) {
      if (best_) break;
      try_without_strays(least);
    }
    return std::move(best_);
  }

 private:
  static constexpr std::uint64_t most_partners = 80;  // 81-point

  /// What is left can only be small change.
  bool is_good_enough() const { return best_ && best_->explained > 0.99; }

  bool judge(const GridCandidate& candidate) {
    auto found = check_grid(graph_, candidate, stop_);
    if (found && (!best_ || found->explained > best_->explained)) best_ = std::move(found);
    return is_good_enough();
  }

  void try_natural_order() {
    auto chains = natural_extents(graph_);
    std::ranges::stable_sort(chains, {}, [](const auto& extents) { return extents.size(); });
    for (const auto& extents : chains) judge(natural_candidate(extents));
  }

  void try_any_order(Weight least) {
    if (!may_be_grid(least)) return;
    const auto part = ConnectedGraph::heavy_part(graph_, least, stop_);
    if (!part) return;
    const Judge judged = [&](const GridCandidate& candidate) { return judge(candidate); };
    const std::uint64_t most_faces = 2 * max_grid_dimensions * std::uint64_t{part->vertices()};
    if (part->edges() <= most_faces && propose_from_faces(*part, judged, stop_)) return;
    propose_from_neighbours(*part, judged, stop_);
  }

  /// A few long-range pairs among those of a grid.
  void try_without_strays(Weight least) {
    if (!may_be_grid(least, 8)) return;
    const auto part = ConnectedGraph::heavy_part(graph_, least, stop_);
    if (!part) return;
    const auto grid_alone = without_strays(*part, stop_);
    if (!grid_alone) return;
    const Judge judged = [&](const GridCandidate& candidate) { return judge(candidate); };
    if (!propose_from_faces(*grid_alone, judged, stop_) && !best_) {
      propose_from_corners(*grid_alone, judged, stop_);
    }
  }

  /// No rank has more neighbours than a stencil and some strays have, and ranks have at most
  /// `most_on_average` neighbours on average.
  bool may_be_grid(Weight least, std::uint64_t most_on_average = most_partners) const {
    std::uint64_t pair_ends = 0;
    for (std::uint32_t r = 0; r < graph_.ranks(); ++r) {
      const auto weights = graph_.weights(Rank{r});
      const auto heavy = static_cast<std::uint64_t>(
          std::ranges::count_if(weights, [&](Weight weight) { return weight >= least; }));
      if (heavy == 0 || heavy > 2 * most_partners) return false;
      pair_ends += heavy;
    }
    return pair_ends <= most_on_average * graph_.ranks();
  }

  const TrafficGraph& graph_;
  const StopCheck& stop_;
  std::optional<GridStructure> best_;
};

std::string periodic_text(const std::vector<bool>& periodic) {
  const auto count = std::ranges::count(periodic, true);
  if (count == 0) return "non-periodic";
  if (count == static_cast<std::ptrdiff_t>(periodic.size())) return "periodic";
  std::string text;
  for (std::size_t d = 0; d < periodic.size(); ++d) {
    if (!periodic[d]) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(d + 1);
  }
  return (count == 1 ? "periodic in dimension " : "periodic in dimensions ") + text + " of " +
         std::to_string(periodic.size());
}

}  // namespace

std::string GridStructure::description() const {
  std::string text = std::to_string(extents.size()) + "D " + stencil + " stencil ";
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (d > 0) text += 'x';
    text += std::to_string(extents[d]);
  }
  text += ", " + periodic_text(periodic);
  if (holes > 0) {
    text += ", " + std::to_string(holes) + (holes == 1 ? " rank missing" : " ranks missing");
  }
  constexpr double hardly_any = 0.005;
  if (missing_pairs >= hardly_any) {
    const auto percent = static_cast<int>(100 * missing_pairs + 0.5);
    text += ", " + std::to_string(percent) + "% of the pairs missing";
  }
  return text;
}

std::optional<GridStructure> find_grid_structure(const TrafficGraph& graph,
                                                 const std::function<bool()>& is_over) {
  if (graph.ranks() < 2 || graph.edges() == 0) return std::nullopt;
  const StopCheck stop(is_over);
  try {
    return Search(graph, stop).find();
  } catch (const StopCheck::Stopped&) {
    return std::nullopt;
  }
}

}  // namespace kith
