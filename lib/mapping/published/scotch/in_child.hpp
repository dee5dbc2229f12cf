// Scotch in a process of its own: where memory is short it crashes, and nothing interrupts it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "mapping/budget.hpp"

namespace kith::scotch {

/// A number for each vertex: its slot, its part.
using Answer = std::vector<std::uint32_t>;
using Report = std::function<void(const Answer&)>;

/// Runs `work`, which calls Scotch and reports each answer that is better than the last, in a child
/// process, and returns the last answer. When the time of `budget` (null: unlimited) is up, the
/// child is killed: nothing is returned where it had no answer. Throws what `work` throws, and
/// Error (environment) when the child crashed. Where no child can be had `work` runs here. `work`
/// may not use threads; what else it changes does not reach the caller.
std::optional<Answer> in_child(Budget* budget, const std::function<void(const Report&)>& work);

}  // namespace kith::scotch
