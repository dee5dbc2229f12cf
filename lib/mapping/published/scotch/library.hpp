// The Scotch library: its objects with owners, its errors as Error, never printed, never fatal. A
// child process for what may crash or run too long.
#pragma once

#include <scotch.h>

#include <cstdint>
#include <cstdio>  // scotch.h takes both for granted
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/types.hpp"
#include "mapping/budget.hpp"

static_assert(sizeof(SCOTCH_Num) == 8, "weights are bytes: Scotch with 64-bit numbers is needed");

namespace kith::scotch {

using Number = SCOTCH_Num;

/// Throws Error (environment) with Scotch's own words where `status` is not 0.
void check(int status, std::string_view what);

/// What Scotch complained of in this thread since the last call.
std::string take_message();

class Strategy {
 public:
  Strategy();
  ~Strategy() { SCOTCH_stratExit(&value_); }
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  SCOTCH_Strat* get() { return &value_; }

 private:
  SCOTCH_Strat value_;
};

class Architecture {
 public:
  Architecture();
  ~Architecture() { SCOTCH_archExit(&value_); }
  Architecture(const Architecture&) = delete;
  Architecture& operator=(const Architecture&) = delete;
  SCOTCH_Arch* get() { return &value_; }

 private:
  SCOTCH_Arch value_;
};

/// Vertices with neighbours and weights: the arrays that Scotch reads and does not copy.
struct GraphArrays {
  std::vector<Number> offsets{0};  ///< of length vertices + 1
  std::vector<Number> neighbours;
  std::vector<Number> weights;  ///< at least 1 each

  Number vertices() const { return static_cast<Number>(offsets.size()) - 1; }
};

/// By how much weights must be divided (a power of two) so that Scotch's sums fit: those of
/// weight x distance 63 bits, where distances fit 20.
unsigned weight_shift(Weight total);

/// A weight as Scotch sees it.
inline Number shifted(Weight weight, unsigned shift) {
  const Weight smaller = weight >> shift;
  return static_cast<Number>(smaller == 0 ? 1 : smaller);
}

/// Recursive bipartitioning; each bipartition is the better of two multilevel ones with band
/// refinement. Without tolerance of imbalance the refinement gets stuck: a little is allowed
/// ("0.01"), and what it leaves in wrong places is for the caller to put right.
std::string bipartition_strategy(std::string_view tolerance);

/// The terminal of each vertex. One thread and a random sequence of its own: the same answer for
/// the same seed, whatever else runs.
std::vector<Number> map_graph(const GraphArrays& arrays, SCOTCH_Arch* architecture,
                              SCOTCH_Strat* strategy, std::uint64_t seed);

}  // namespace kith::scotch

namespace kith::scotch {

// Scotch in a process of its own: where memory is short it crashes, and nothing interrupts it.

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
