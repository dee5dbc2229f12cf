#include "mapping/tiling/tilings.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/structure.hpp"
#include "kith/detail/tree_machine.hpp"
#include "mapping/budget.hpp"
#include "mapping/published/geom/geom.hpp"
#include "mapping/refine/refine.hpp"
#include "mapping/registry.hpp"
#include "mapping/slot_tree.hpp"

namespace kith::tiling {
namespace {

constexpr std::uint32_t few_ranks = 1U << 15;  // all rotations are tried
constexpr std::uint32_t many_ranks = 1U << 18;

/// "2x4x4".
std::string text_of(std::span<const std::uint32_t> block) {
  std::string text;
  for (const std::uint32_t extent : block) {
    if (!text.empty()) text += 'x';
    text += std::to_string(extent);
  }
  return text;
}

bool is_over(const MapTask& problem) {
  return problem.budget != nullptr && problem.budget->exhausted();
}

bool is_out_of_time(const MapTask& problem) {
  return problem.budget != nullptr && problem.budget->is_out_of_time();
}

class Tilings {
 public:
  /// `is_rough`: the grid does not explain all; swaps then mend what it gets wrong.
  Tilings(const MapTask& problem, Incumbent& best, bool is_rough)
      : problem_(problem), best_(best), is_rough_(is_rough) {}

  void offer_on_tree(const TreeMachine& tree, const TaskGrid& grid) {
    auto tiling = tile_tree(problem_, tree, grid);
    if (!tiling) return;
    std::string blocks;
    for (const auto& block : tiling->blocks) {
      if (std::ranges::all_of(block, [](std::uint32_t extent) { return extent == 1; })) continue;
      blocks.append(blocks.empty() ? "cut into blocks of " : " / ").append(text_of(block));
    }
    offer(std::move(tiling->mapping), blocks.empty() ? "cut into blocks" : blocks + " ranks");
  }

  void offer_splits(const RankSpace& space) {
    if (is_over(problem_)) return;
    offer(split_on_tree(problem_, space, Filling::packed), "boxes with steps");
    const std::uint64_t places = problem_.machine.allowed().size() * problem_.options.capacity;
    if (problem_.graph.ranks() == places || problem_.options.least > 0 || is_over(problem_)) return;
    offer(split_on_tree(problem_, space, Filling::even), "boxes with steps, evenly spread");
  }

  /// True where all neighbours are one hop apart at most: nothing is better.
  bool offer_on_grid(const NetworkMachine& machine, const TaskGrid& grid) {
    auto tiling = tile_grid(problem_, machine, grid);
    if (!tiling) return false;
    offer_mended(std::move(tiling->mapping),
                 "cut into blocks of " + std::string(text_of(tiling->node_block)) + " ranks");
    return tiling->is_perfect;
  }

  void offer_as_it_is(const NetworkMachine& machine, const GridStructure& grid) {
    if (is_over(problem_)) return;
    auto mapping = lay_over(problem_, machine, grid);
    if (mapping) offer_mended(std::move(*mapping), "laid on the network as it is");
  }

  void offer_basins(const NetworkMachine& machine) {
    if (is_over(problem_) || all_are_beside_each_other()) return;
    auto mapping = lay_basins(problem_, machine);
    if (mapping) offer_mended(std::move(*mapping), "basins laid on the network as they are");
  }

  void offer_unfolded(const NetworkMachine& machine, const TaskGrid& grid) {
    if (is_over(problem_)) return;
    auto mapping = map_unfolded(problem_, machine, grid);
    if (mapping) offer(std::move(*mapping), "bisected with the unfolded network");
  }

  /// GEOM: any allocation of a grid, and dragonflies as a line.
  void offer_bisection(const RankCoordinates& coordinates) {
    if (is_over(problem_)) return;
    MapOptions options = problem_.options;
    options.coordinates = coordinates;
    const MapTask with_coordinates{problem_.graph, problem_.machine, options, problem_.budget};
    GeomOptions geom;
    geom.all_rotations = problem_.graph.ranks() <= few_ranks;
    geom.shifts = true;
    offer(map_by_geometry(kith_mapper(), with_coordinates, geom), "bisected with the network");
  }

 private:
  /// Nothing is better than the best order so far.
  bool all_are_beside_each_other() const {
    const auto& grid = *problem_.machine.as_network();
    return evaluate_objective(problem_.graph, problem_.machine, best_.mapping(),
                              Objective::hop_bytes) ==
           grid.network().lowest_cost() * total_weight(problem_.graph);
  }

  void offer(Mapping mapping, std::string how) {
    best_.offer({std::move(mapping), "kith", std::move(how)});
  }

  void offer_mended(Mapping mapping, std::string how) {
    if (is_rough_ && !is_over(problem_)) {
      constexpr std::uint64_t visits = 100;  // of each pair
      constexpr std::uint64_t most = 3'000'000;
      mapping = refine_by_swaps(problem_, std::move(mapping),
                                std::min(visits * problem_.graph.edges(), most));
    }
    offer(std::move(mapping), std::move(how));
  }

  const MapTask problem_;
  Incumbent& best_;
  bool is_rough_;
};

/// No stencil has so many neighbours.
bool may_be_grid(const TrafficGraph& graph) {
  constexpr std::uint64_t most_neighbours = 200;
  return 2 * graph.edges() <= most_neighbours * graph.ranks();
}

/// Nothing but grids and dragonflies has coordinates.
bool has_coordinates(const NetworkMachine& machine) {
  return machine.network().as_grid() != nullptr || machine.network().kind() == "dragonfly";
}

/// A grid with gaps, or of many dimensions: as it is, or cut together with the machine.
void offer_gapped(const MapTask& problem, const GridStructure& structure, Tilings& tilings) {
  if (const NetworkMachine* network = problem.machine.as_network()) {
    if (network->network().as_grid() != nullptr) tilings.offer_as_it_is(*network, structure);
    if (has_coordinates(*network) && problem.graph.ranks() <= many_ranks) {
      tilings.offer_bisection(structure.coordinates);
    }
  } else if (structure.extents.size() <= most_dimensions) {
    tilings.offer_splits(rank_space(task_grid(problem.graph, structure)));
  }
}

/// Where no grid of all ranks fits the machine as it is.
void offer_basins(const MapTask& problem, Incumbent& best) {
  const NetworkMachine* const network = problem.machine.as_network();
  if (network == nullptr || network->network().as_grid() == nullptr) return;
  if (problem.graph.ranks() <= many_ranks) Tilings(problem, best, true).offer_basins(*network);
}

/// All that there is for places whose box is full, or that the user gave.
void offer_whole(const MapTask& problem, const RankCoordinates& coordinates,
                 const std::optional<TaskGrid>& grid, Tilings& tilings, Incumbent& best) {
  if (const TreeMachine* tree = problem.machine.as_tree()) {
    if (grid) tilings.offer_on_tree(*tree, *grid);
    tilings.offer_splits(grid ? rank_space(*grid) : rank_space(coordinates));
  } else if (const NetworkMachine* network = problem.machine.as_network()) {
    if (grid && tilings.offer_on_grid(*network, *grid)) return;
    if (const auto dragonfly = grid ? DragonflyTree::of(problem) : std::nullopt) {
      const MapTask as_tree = dragonfly->problem();
      Tilings of_tree(as_tree, best, false);
      of_tree.offer_on_tree(*as_tree.machine.as_tree(), *grid);
      of_tree.offer_splits(rank_space(*grid));
    }
    if (has_coordinates(*network) && problem.graph.ranks() <= many_ranks) {
      if (grid) tilings.offer_unfolded(*network, *grid);
      tilings.offer_bisection(coordinates);
    }
  }
}

}  // namespace

Pattern offer_tilings(const MapTask& problem, Incumbent& best) {
  Pattern pattern;
  std::optional<GridStructure> structure;
  if (may_be_grid(problem.graph)) {
    structure = find_any_grid(problem.graph, [&] { return is_out_of_time(problem); });
  }
  if (structure) {
    const GridStructure plain = with_plain_stencil(problem.graph, *structure);
    if (is_worth_naming(problem.graph, plain)) pattern.text = plain.description();
  }
  constexpr double nearly_all = 0.995;
  const bool has_gaps = structure && (structure->holes > 0 || structure->missing_pairs > 0);
  Tilings tilings(problem, best, has_gaps && structure->explained < nearly_all);
  if (structure && (structure->holes > 0 || structure->extents.size() > most_dimensions)) {
    if (!is_out_of_time(problem)) offer_gapped(problem, *structure, tilings);
    offer_basins(problem, best);
    if (!problem.options.coordinates) return pattern;
    structure.reset();
  }
  const RankCoordinates* coordinates = structure ? &structure->coordinates : nullptr;
  if (coordinates == nullptr && problem.options.coordinates) {
    coordinates = &*problem.options.coordinates;
  }
  if (!structure) offer_basins(problem, best);
  if (coordinates == nullptr || coordinates->dimensions > most_dimensions) return pattern;
  if (!structure && pattern.text.empty()) pattern.text = "coordinates as given";
  if (is_out_of_time(problem)) return pattern;
  std::optional<TaskGrid> grid;
  if (structure) {
    grid = task_grid(problem.graph, *structure);
    const NetworkMachine* network = problem.machine.as_network();
    const bool is_partial = problem.machine.allowed().size() < problem.machine.slots();
    if (network != nullptr && is_partial) tilings.offer_as_it_is(*network, *structure);
  }
  offer_whole(problem, *coordinates, grid, tilings, best);
  if (has_gaps) offer_basins(problem, best);
  if (structure && structure->missing_pairs == 0) pattern.grid = std::move(structure);
  return pattern;
}

}  // namespace kith::tiling
