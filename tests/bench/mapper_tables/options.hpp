// The command line of bench_mappers.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kith/mapper.hpp"
#include "mapper_tables/measure.hpp"

namespace kith::bench {

/// What is empty is left to each table.
struct Options {
  std::string table;
  std::vector<std::string> algorithms;
  std::vector<Effort> efforts;
  std::vector<unsigned> threads;
  std::set<std::uint32_t> ranks;
  std::uint32_t most_ranks = std::numeric_limits<std::uint32_t>::max();
  std::set<std::string> machines{"tree", "torus"};
  std::set<std::string> orders{"natural", "permuted"};
  std::string only;
  std::string plot;
  // Of the table structures.
  std::uint64_t seed = 1;
  std::uint32_t members = 2;
  std::uint64_t annealing = 20'000;
  std::optional<std::uint64_t> limit_s;
  std::uint64_t memory_mb = 8000;

  bool wants(std::uint32_t rank_count) const {
    return rank_count <= most_ranks && (ranks.empty() || ranks.contains(rank_count));
  }
  bool wants(const Instance& instance) const {
    return wants(instance.ranks) && instance.name.find(only) != std::string::npos;
  }
  Limits limits(std::uint64_t usual_s) const { return {limit_s.value_or(usual_s), memory_mb}; }
  unsigned first_threads() const { return threads.empty() ? 1 : threads.front(); }
};

/// Exits for --help (0) and for what it does not understand (2). Throws Error (input) for unknown
/// algorithms.
Options parse_options(int count, char** words);

std::string_view name_of(Effort effort);

}  // namespace kith::bench
