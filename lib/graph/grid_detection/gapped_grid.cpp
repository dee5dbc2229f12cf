// Grids with gaps: from places on a lattice to a box, its rings, and what they explain.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "graph/grid_detection/axes.hpp"
#include "graph/grid_detection/distance_axes.hpp"
#include "graph/grid_detection/gapped_box.hpp"
#include "graph/grid_detection/grid_proposals.hpp"
#include "graph/grid_detection/lattice_growth.hpp"
#include "kith/detail/structure.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

// Rings, which the growth has unrolled.

/// For each dimension the length of the ring that most pairs of far places agree upon.
Periods find_periods(const NeighbourLists& lists, const LatticePlaces& places) {
  constexpr double least_agreed = 0.7;
  std::array<std::map<int, std::uint64_t>, max_grid_dimensions> votes;
  std::array<std::uint64_t, max_grid_dimensions> voters{};
  for (std::uint32_t a = 0; a < lists.ranks(); ++a) {
    if (!places.is_placed[a]) continue;
    for (const std::uint32_t b : lists.of(a)) {
      if (b < a || !places.is_placed[b]) continue;
      unsigned longest = 0;
      int steps = 0;
      LatticePoint between{};
      for (unsigned d = 0; d < places.dimensions; ++d) {
        between[d] = std::abs(places.of[b][d] - places.of[a][d]);
        steps += between[d];
        if (between[d] > between[longest]) longest = d;
      }
      const int rest = steps - between[longest];
      if (between[longest] < 3 || rest > 1) continue;
      ++voters[longest];
      if (rest == 1) ++votes[longest][between[longest]];
      if (rest == 0) {
        ++votes[longest][between[longest] + 1];
        ++votes[longest][between[longest] - 1];
      }
    }
  }
  Periods periods{};
  for (unsigned d = 0; d < places.dimensions; ++d) {
    const double rows = std::pow(places.placed, 1 - 1.0 / places.dimensions);
    for (const auto& [length, count] : votes[d]) {
      const bool is_agreed =
          static_cast<double>(count) >= least_agreed * static_cast<double>(voters[d]);
      const bool is_enough = static_cast<double>(count) >= 0.3 * rows;
      if (!is_agreed || !is_enough || length < 3) continue;
      // A step along the ring itself may be one less than it or one more; what is unrolled does
      // not overlap.
      if (10 * count >= 9 * votes[d][periods[d]]) periods[d] = length;
    }
  }
  return periods;
}

// What the box explains.

/// Pairs of neighbouring places that both have a rank.
std::uint64_t possible_pairs(const GridCandidate& grid, const std::vector<bool>& periodic) {
  std::uint64_t size = 1;
  for (const std::uint32_t extent : grid.extents) size *= extent;
  std::vector<bool> is_taken(size, false);
  std::vector<std::uint64_t> place_of;
  const std::size_t dimensions = grid.extents.size();
  for (std::size_t first = 0; first < grid.positions.size(); first += dimensions) {
    std::uint64_t place = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      place = place * grid.extents[d] + grid.positions[first + d];
    }
    is_taken[place] = true;
    place_of.push_back(place);
  }
  std::uint64_t pairs = 0;
  for (std::size_t r = 0; r < place_of.size(); ++r) {
    std::uint64_t stride = 1;
    for (std::size_t d = dimensions; d-- > 0; stride *= grid.extents[d]) {
      const std::uint32_t at = grid.positions[r * dimensions + d];
      if (at + 1 < grid.extents[d]) {
        pairs += is_taken[place_of[r] + stride];
      } else if (periodic[d]) {
        pairs += is_taken[place_of[r] - at * stride];
      }
    }
  }
  return pairs;
}

GridStructure described(const TrafficGraph& graph, const GridCandidate& grid,
                        const std::vector<bool>& periodic) {
  const std::size_t dimensions = grid.extents.size();
  double explained = 0;
  double total = 0;
  std::uint64_t present = 0;
  for (Rank a(0); a.value < graph.ranks(); ++a) {
    for (std::size_t i = 0; i < graph.neighbours(a).size(); ++i) {
      const Rank b = graph.neighbours(a)[i];
      if (b < a) continue;
      const auto weight = static_cast<double>(graph.weights(a)[i]);
      total += weight;
      std::uint32_t steps = 0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const std::uint32_t from = grid.of(a.value)[d];
        const std::uint32_t to = grid.of(b.value)[d];
        const std::uint32_t along = std::max(from, to) - std::min(from, to);
        steps += periodic[d] ? std::min(along, grid.extents[d] - along) : along;
      }
      if (steps != 1) continue;
      explained += weight;
      ++present;
    }
  }
  GridStructure found;
  found.extents = grid.extents;
  found.periodic = periodic;
  found.stencil = stencil_name(Stencil::faces, dimensions);
  found.explained = total > 0 ? explained / total : 0;
  std::uint64_t size = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    size *= grid.extents[d];
    found.coordinates.periods.push_back(periodic[d] ? grid.extents[d] : 0);
  }
  found.coordinates.dimensions = static_cast<unsigned>(dimensions);
  found.coordinates.values.assign(grid.positions.begin(), grid.positions.end());
  found.holes = size - graph.ranks();
  const std::uint64_t possible = possible_pairs(grid, periodic);
  found.missing_pairs =
      possible > present ? 1 - static_cast<double>(present) / static_cast<double>(possible) : 0;
  return found;
}

/// A ring where as many pairs as not join its ends.
std::vector<bool> closed_dimensions(const NeighbourLists& lists, const GridCandidate& grid) {
  const std::size_t dimensions = grid.extents.size();
  std::vector<std::uint64_t> ends(dimensions, 0);
  std::vector<std::uint64_t> layers(dimensions, 0);
  for (std::uint32_t a = 0; a < lists.ranks(); ++a) {
    for (std::size_t d = 0; d < dimensions; ++d) layers[d] += grid.of(a)[d] == 0;
    for (const std::uint32_t b : lists.of(a)) {
      std::size_t along = dimensions;
      std::size_t differ = 0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        if (grid.of(a)[d] == grid.of(b)[d]) continue;
        ++differ;
        along = d;
      }
      if (differ != 1) continue;
      ends[along] += grid.of(a)[along] == 0 && grid.of(b)[along] + 1 == grid.extents[along];
    }
  }
  std::vector<bool> closed(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) {
    closed[d] = grid.extents[d] > 2 && 2 * ends[d] > layers[d];
  }
  return closed;
}

// The search.

/// Few ranks have more neighbours than the usual one in the inside of a grid.
unsigned likely_dimensions(const NeighbourLists& lists) {
  std::array<std::uint32_t, 2 * max_grid_dimensions + 2> count{};
  for (std::uint32_t r = 0; r < lists.ranks(); ++r) {
    ++count[std::min(lists.of(r).size(), count.size() - 1)];
  }
  const double few = 0.02 * lists.ranks();
  std::uint32_t above = 0;
  for (std::size_t degree = count.size(); degree-- > 0;) {
    above += count[degree];
    if (above > few) return static_cast<unsigned>((degree + 1) / 2);
  }
  return 0;
}

/// Faces make no triangles.
bool has_triangles(const NeighbourLists& lists) {
  constexpr std::uint32_t sample = 200;
  constexpr double most = 0.15;  // of the pairs looked at
  std::uint64_t pairs = 0;
  std::uint64_t in_triangles = 0;
  const std::uint32_t stride = std::max(1U, lists.ranks() / sample);
  for (std::uint32_t r = 0; r < lists.ranks(); r += stride) {
    for (const std::uint32_t other : lists.of(r)) {
      ++pairs;
      in_triangles += std::ranges::any_of(lists.of(other), [&](std::uint32_t third) {
        return third != r && lists.adjacent(r, third);
      });
    }
  }
  return static_cast<double>(in_triangles) > most * static_cast<double>(pairs);
}

/// In a grid most ranks are the corner of a square even where a third of the pairs are missing.
bool has_squares(const NeighbourLists& lists) {
  constexpr std::uint32_t sample = 200;
  std::uint32_t looks = 0;
  std::uint32_t corners = 0;
  std::vector<std::uint32_t> ends;
  const std::uint32_t stride = std::max(1U, lists.ranks() / sample);
  for (std::uint32_t r = 0; r < lists.ranks(); r += stride) {
    ends.clear();
    for (const std::uint32_t other : lists.of(r)) {
      for (const std::uint32_t end : lists.of(other)) {
        if (end != r) ends.push_back(end);
      }
    }
    std::ranges::sort(ends);
    corners += std::ranges::adjacent_find(ends) != ends.end();
    ++looks;
  }
  return 4 * corners >= looks;
}

class GapSearch {
 public:
  GapSearch(const TrafficGraph& graph, const StopCheck& stop) : graph_(graph), stop_(stop) {}

  std::optional<GridStructure> find() {
    for (const Weight least : least_weights(graph_)) {
      if (is_good_enough()) break;
      try_pairs(least);
    }
    return std::move(best_);
  }

 private:
  static constexpr double good_enough = 0.99;
  static constexpr double nearly_all = 0.97;
  static constexpr double nearly_all_with_gaps = 0.995;
  static constexpr double least_explained = 0.6;
  static constexpr double of_the_right_shape = 0.96;  // others hardly explain so much
  static constexpr double worth_a_round = 0.002;
  static constexpr int usual_patience = 40;  // rounds without gain

  /// A box with gaps that explains a little less than all may be a full one that went wrong.
  bool explains_nearly_all() const {
    return best_ && best_->explained > (best_->holes == 0 ? nearly_all : nearly_all_with_gaps);
  }
  bool is_good_enough() const { return best_ && best_->explained > good_enough; }

  void try_pairs(Weight least) {
    const NeighbourLists lists(graph_, least, stop_);
    try_all(lists);
    mend(lists);
    best_box_.reset();  // it points to the lists
  }

  /// A full box that explains nearly all goes on from where its pairs pull the ranks.
  void mend(const NeighbourLists& lists) {
    constexpr double worth_mending = 0.9;
    constexpr std::uint32_t most_ranks = 1U << 13;
    constexpr std::uint32_t rounds = 40;
    constexpr int patience = 12;
    if (!best_box_ || best_->holes > 0 || best_->explained < worth_mending) return;
    if (is_good_enough() || lists.ranks() > most_ranks) return;
    std::optional<GappedBox> box = *best_box_;
    grow_again(lists, box, rounds, patience);
  }

  void try_all(const NeighbourLists& lists) {
    constexpr std::uint32_t fewest = 9;
    const std::uint64_t most = max_grid_dimensions * std::uint64_t{lists.ranks()};
    if (lists.ranks() < fewest || lists.pairs() > most || 2 * lists.pairs() < lists.ranks()) return;
    const unsigned dimensions = likely_dimensions(lists);
    if (dimensions < 2 || dimensions > max_grid_dimensions || has_triangles(lists)) return;
    if (!has_squares(lists)) return;
    try_growth(lists, dimensions, usual_near, 0);
    constexpr std::uint32_t most_ranks = 1U << 16;  // for what takes a second otherwise
    if (lists.ranks() > most_ranks || explains_nearly_all()) return;
    try_growth(lists, dimensions, 2, 0);
    // One wrong guess early on spoils a growth; another beginning seldom makes the same one.
    constexpr std::uint32_t few_ranks = 1U << 13;
    constexpr std::size_t beginnings = 5;
    for (std::size_t which = 1; which < beginnings && lists.ranks() <= few_ranks; ++which) {
      if (explains_nearly_all()) return;
      try_growth(lists, dimensions, usual_near, which);
    }
    if (!explains_nearly_all()) try_distances(lists, dimensions);
  }

  void try_growth(const NeighbourLists& lists, unsigned dimensions, int near, std::size_t which) {
    const auto places = grow_on_lattice(lists, dimensions, near, which, stop_);
    if (!places || 4 * std::uint64_t{places->placed} < lists.ranks()) return;
    const Periods periods = find_periods(lists, *places);
    auto trimmed = GappedBox::trimmed(lists, *places, periods);
    try_box(lists, trimmed);
    // A full box is what programs have: one with gaps must explain more.
    if (is_good_enough() && best_->holes == 0) return;
    constexpr std::uint32_t few_rounds = 4;
    auto fitted = GappedBox::fitted(lists, *places, periods);
    grow_again(lists, fitted, few_rounds, usual_patience);
    if (explains_nearly_all() && best_->holes == 0) return;
    auto around = GappedBox::around(lists, *places, periods);
    try_box(lists, around);
  }

  /// Many pairs are missing, but no rank.
  void try_distances(const NeighbourLists& lists, unsigned dimensions) {
    const auto axes = find_distance_axes(lists, dimensions, stop_);
    if (axes.size() < 2) return;
    // The more pairs are missing, the less sure are the lengths of the axes.
    constexpr std::size_t shapes = 3;
    constexpr std::uint32_t few_ranks = 1U << 12;  // for what takes less than a second
    const std::uint32_t most_rounds =
        lists.ranks() <= few_ranks ? 240 : std::clamp(400'000 / lists.ranks(), 4U, 80U);
    for (std::size_t which = 0; which < shapes; ++which) {
      auto box = GappedBox::full(lists, axes, which, stop_);
      const double explained = grow_again(lists, box, most_rounds, usual_patience);
      if (explained > of_the_right_shape || explained < least_explained) return;
    }
  }

  /// Each time from where the pairs of the time before pull the ranks: what a growth got wrong in one
  /// place goes on from there, and is lost among what lies farther away. What the best one explains.
  double grow_again(const NeighbourLists& lists, std::optional<GappedBox>& box,
                    std::uint32_t most_rounds, int patience) {
    double most = 0;
    int in_vain = 0;
    for (std::uint32_t round = 0; box && round < most_rounds && in_vain < patience; ++round) {
      const double explained = try_box(lists, box);
      in_vain = explained < most + worth_a_round ? in_vain + 1 : 0;
      most = std::max(most, explained);
      if (is_good_enough()) break;
      box = box->regrown(stop_);
    }
    return most;
  }

  /// Share of the weight that it explains.
  double try_box(const NeighbourLists& lists, std::optional<GappedBox>& box) {
    if (!box) return 0;
    box->place_the_rest();
    box->polish(stop_);
    const GridCandidate grid = box->candidate();
    if (std::ranges::any_of(grid.extents, [](std::uint32_t extent) { return extent < 2; }))
      return 0;
    GridStructure found = described(graph_, grid, closed_dimensions(lists, grid));
    const double explained = found.explained;
    if (keep_if_better(std::move(found))) best_box_ = *box;
    return explained;
  }

  /// A box that is mostly empty is easily grown and says little, unless all fits.
  double credit(const GridStructure& found) const {
    const auto holes = static_cast<double>(found.holes);
    const double empty = holes / (holes + graph_.ranks());
    return found.explained - (found.explained > nearly_all ? 0.1 * empty * empty : 0.3 * empty);
  }

  bool keep_if_better(GridStructure found) {
    if (found.explained < least_explained) return false;
    if (best_ && credit(found) <= credit(*best_)) return false;
    best_ = std::move(found);
    return true;
  }

  const TrafficGraph& graph_;
  const StopCheck& stop_;
  std::optional<GridStructure> best_;
  std::optional<GappedBox> best_box_;  // what best_ was made of, if of these pairs
};

}  // namespace

std::optional<GridStructure> find_gapped_grid(const TrafficGraph& graph,
                                              const std::function<bool()>& is_over) {
  const StopCheck stop(is_over);
  try {
    return GapSearch(graph, stop).find();
  } catch (const StopCheck::Stopped&) {
    return std::nullopt;
  }
}

std::optional<GridStructure> find_any_grid(const TrafficGraph& graph,
                                           const std::function<bool()>& is_over) {
  constexpr double hardly_better = 0.99;
  auto whole = find_grid_structure(graph, is_over);
  if (whole && whole->explained > hardly_better) return whole;
  auto gapped = find_gapped_grid(graph, is_over);
  if (!gapped || (whole && gapped->explained <= whole->explained + 0.005)) return whole;
  return gapped;
}

}  // namespace kith
