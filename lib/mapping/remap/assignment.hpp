// Which contents go where so that most stays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kith::incremental {

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

}  // namespace kith::incremental
