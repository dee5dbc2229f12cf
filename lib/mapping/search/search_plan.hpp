// The whole search of `kith` and `auto`.
#pragma once

#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/search/search.hpp"

namespace kith {

/// Kith's own starts, or published mappers beside them.
enum class Candidates { own, all };

/// What is known before the first step.
enum class Situation {
  no_start,    ///< nothing is better than the present order
  some_start,  ///< something made by formula is
  near_bound,  ///< and hardly anything can be better still
};

/// The steps that the effort takes, which are a prefix of what the next higher effort takes.
std::vector<Step> planned_steps(const MapTask& problem, Candidates candidates, Situation situation);

/// Follows one search plan, a list of steps that depends on the problem alone. Each effort takes a
/// prefix of what the next one takes, as far as a fixed cost model allows, and limits of time
/// and work only cut. So more effort, work or time never makes the answer worse.
Mapper::Answer search_mapping(const MapTask& problem, Candidates candidates);

}  // namespace kith
