// Swaps of ranks that all talk to each other.
#pragma once

#include <cstdint>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Whether refine_dense() can do anything: a tree, a rank on a slot at most, no fixed ranks, a
/// plain objective, and O(edges) memory for the weight between each rank and each object of the
/// tree.
bool can_refine_dense(const MapTask& problem);

/// Hill climbing by swaps of any two ranks, each tested in O(depth of the tree): what a rank sends
/// to each object is kept in a table, as in Kernighan and Lin, "An efficient heuristic procedure
/// for partitioning graphs" (1970), and a swap updates it in O(degree). Takes a unit of `budget`
/// (null: unlimited) a test, and `most_tests` at most, rounded up to all partners of a rank. Never
/// raises the objective. Only where can_refine_dense().
Mapping refine_dense(const MapTask& problem, Mapping mapping, std::uint64_t most_tests,
                     Budget* budget);

}  // namespace kith
