// What the user should know of an answer, in at most two lines.
#pragma once

#include <string>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/search/search.hpp"

namespace kith {

/// "3D 7-point stencil 64x64x32, non-periodic; tiling 2x4x4 / 4x4x8; hop-bytes 0.65 of the present
/// order". Where the present order stays: why. `pattern`: what was found in the traffic, may be
/// empty. No seconds: the same answer has the same words.
std::vector<std::string> explain(const MapProblem& problem, const Search& search,
                                 const std::string& pattern);

}  // namespace kith
