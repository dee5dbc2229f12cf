// How good a mapping is for what the user asked: the one comparison of finished mappings.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "objective/wide.hpp"

namespace kith {

/// Less is better.
struct MappingValue {
  /// What is to be minimised, options.goal combined() or else options.objective, with what the
  /// moves from options.from cost.
  Wide total = 0;
  std::uint64_t moved = 0;  ///< among equals: the ranks that move
  /// Then options.objective, where that is not the goal: many mappings have one maximum.
  std::uint64_t tie = 0;
  auto operator<=>(const MappingValue&) const = default;
};

/// Values of many mappings of one problem. O(edges) each; with a goal that has link_load x (depth
/// or dimensions). Throws Error (input) for sums beyond 64 bits and as check_goal().
class MappingValuer {
 public:
  /// `problem` must outlive this.
  explicit MappingValuer(const MapTask& problem);
  MappingValue operator()(const Mapping& mapping) const;

 private:
  std::vector<std::uint64_t> measures(const Goal& goal, const Mapping& mapping) const;

  const MapTask problem_;
  TrafficMatrix own_matrix_;             // where the problem has none and links are asked for
  std::vector<std::uint64_t> identity_;  // of mixes: what the terms are relative to
};

inline MappingValue value_of(const MapTask& problem, const Mapping& mapping) {
  return MappingValuer(problem)(mapping);
}

}  // namespace kith
