// The whole search of `kith` and `auto`.
#pragma once

#include "kith/mapper.hpp"

namespace kith {

/// Kith's own starts, or published mappers beside them.
enum class Candidates { own, all };

/// Searches along one trajectory, a list of steps that follows from the problem alone: each effort
/// takes a prefix of what the next one takes, as far as a fixed cost model allows, and --time-limit
/// and --work only cut. So more effort, work or time never makes the answer worse.
Mapper::Answer search_mapping(const MapProblem& problem, Candidates candidates);

}  // namespace kith
