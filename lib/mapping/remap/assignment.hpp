// Which contents go where so that most stays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "objective/wide.hpp"

namespace kith::remap {

/// What row `a` brings in column `b`.
struct Entry {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t weight;  ///< more than 0
};

/// Entries of which no two share a row or a column, with a large sum of weights: the largest where
/// rows x rows x columns is at most `effort`, else the heaviest first. Ties: the lowest row, then
/// the lowest column, with `effort` used up; deterministic in any case. Each (a, b) at most once.
std::vector<Entry> assign(std::span<const Entry> entries, std::uint64_t effort);

}  // namespace kith::remap

namespace kith {

/// cost is n x n, row-major. The column of each row so that the sum of costs is least; O(n^3), the
/// Hungarian method with potentials (Kuhn 1955, Jonker and Volgenant 1987). Deterministic.
std::vector<std::uint32_t> least_assignment(const std::vector<SignedWide>& cost, std::uint32_t n);

}  // namespace kith
