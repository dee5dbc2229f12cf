// Small problems for TopoLB on every kind of machine.
#pragma once

#include "kith/mapper.hpp"
#include "unit/mapping/published/topolb/paper_topolb.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith::testing::topolb {

/// Trees, grids, dragonflies, nodes with trees, all slots of it or some.
inline std::unique_ptr<Machine> random_machine(std::mt19937_64& random) {
  static constexpr const char* specs[] = {
      "tree:12",     "tree:3x2x2",      "tree:2x3x2@50,7,2", "torus:12",  "torus:3x4",
      "torus:5x3",   "torus:2x3x2",     "mesh:13",           "mesh:3x4",  "mesh:2x3x2",
      "hypercube:3", "torus:3x2/2",     "mesh:2x2/2x2",      "torus:5/3", "dragonfly:3,2,2",
      "fattree:3,2", "dragonfly:2,2,3", "torus:4x3x1",       "torus:6/1", "torus:7x2",
  };
  std::unique_ptr<Machine> machine;
  const std::uint64_t which = random() % (std::size(specs) + 4);
  if (which < std::size(specs)) {
    machine = parse_machine(specs[which]);
  } else {
    machine = random_unequal_tree(random);
  }
  if (random() % 3 == 0) {
    std::vector<Slot> kept;
    for (std::uint32_t s = 0; s < machine->slots(); ++s) {
      if (random() % 3 != 0) kept.emplace_back(s);
    }
    if (!kept.empty()) machine = machine->restricted_to(SlotSet::of(kept));
  }
  return machine;
}

inline paper::Table traffic_table(const TrafficMatrix& matrix) {
  paper::Table table(matrix.ranks(), std::vector<paper::Int>(matrix.ranks()));
  for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
    for (std::uint32_t j = 0; j < matrix.ranks(); ++j) {
      if (i == j) continue;
      table[i][j] =
          static_cast<paper::Int>(matrix.at(Rank(i), Rank(j)) + matrix.at(Rank(j), Rank(i)));
    }
  }
  return table;
}

/// Between the allowed slots, in their order.
inline paper::Table distance_table(const Machine& machine, Objective objective) {
  const auto slots = machine.allowed().to_vector();
  paper::Table table(slots.size());
  for (std::size_t p = 0; p < slots.size(); ++p) {
    for (const Slot q : slots) {
      table[p].push_back(static_cast<paper::Int>(objective == Objective::hop_bytes
                                                     ? machine.hops(slots[p], q)
                                                     : machine.cost(slots[p], q)));
    }
  }
  return table;
}

inline Mapping on_allowed_slots(const std::vector<int>& place_of, const Machine& machine) {
  Mapping mapping;
  for (const int place : place_of) {
    mapping.slot_of.push_back(machine.allowed().at(static_cast<std::uint64_t>(place)));
  }
  return mapping;
}

struct SmallProblem {
  std::unique_ptr<Machine> machine;
  TrafficMatrix matrix;
  MapOptions options;
};

/// As many ranks as slots or fewer; sparse or dense, alike weights or not.
inline SmallProblem random_small_problem(std::mt19937_64& random) {
  SmallProblem problem;
  problem.machine = random_machine(random);
  const std::uint64_t slots = problem.machine->allowed().size();
  const auto fewer = random() % 2 == 0 ? 0 : random() % slots;
  constexpr double densities[] = {0.0, 0.05, 0.15, 0.4, 1.0};
  constexpr Weight weights[] = {1, 3, 1000000};
  problem.matrix = random_matrix(random, static_cast<std::uint32_t>(slots - fewer),
                                 densities[random() % 5], weights[random() % 3]);
  problem.options.objective = random() % 2 == 0 ? Objective::hop_bytes : Objective::sum_com;
  return problem;
}

inline Mapping map_with(std::string_view algorithm, const TrafficMatrix& matrix,
                        const Machine& machine, const MapOptions& options = {}) {
  const auto graph = TrafficGraph::from(matrix);
  return map_ranks(find_algorithm(algorithm), {graph, machine, options}).mapping;
}

}  // namespace kith::testing::topolb
