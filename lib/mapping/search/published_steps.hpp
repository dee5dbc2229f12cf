// Published mappers as steps of a search.
#pragma once

#include <vector>

#include "mapping/search/search.hpp"

namespace kith {

/// Those that can use the machine and end in reasonable time, each refined by swaps; the cheapest
/// first. GEOM, and on networks TopoLB, are among Kith's own starts.
std::vector<Step> published_steps(const MapProblem& problem);

}  // namespace kith
