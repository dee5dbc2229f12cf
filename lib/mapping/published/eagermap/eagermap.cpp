#include <algorithm>

#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/mappers.hpp"
#include "mapping/published/eagermap/placement.hpp"

namespace kith {

// EagerMap with loads: algorithms 6 and 7 in place of 2 and 3 of the paper in eagermap.cpp.
//
// A group is full when its load has reached its share of what is left. The paper does not limit the
// number of elements; here capacity wins: a slot takes at most its capacity of ranks, an object at
// most as many groups as it has children, and each takes as many as those after it have no room
// for. So loads only decide where slots may take more ranks than they must. A group
// takes one element at least, or silent ones would never be placed; the last takes all that are
// left, whose loads may be 0. loadThreshold is the exact quotient, not rounded. Where no rank has
// any load, all count alike. Between machines (section 3.6) shares are in proportion to slots.

namespace {

class EagerLoadMapper final : public Mapper {
 public:
  std::string_view name() const override { return "eagermap-load"; }
  std::string_view summary() const override {
    return "as eagermap, but groups are of equal load; needs loads, and room for several ranks per "
           "slot";
  }
  std::string_view source() const override {
    return "Cruz, Diener, Pilla, Navaux: EagerMap, ACM TOPC 5(4), 2019, algorithms 6 and 7";
  }
  bool uses(ExtraInput input) const override { return input == ExtraInput::loads; }
  Answer map(const MapTask& problem) const override {
    std::vector<std::uint64_t> loads = problem.options.loads;
    if (loads.size() != problem.graph.ranks()) {
      throw bad_argument("loads", "the load of each rank, which eagermap-load goes by",
                         loads.empty() ? "none" : std::to_string(loads.size()));
    }
    const auto has_load = [](std::uint64_t load) { return load > 0; };
    if (std::ranges::none_of(loads, has_load)) std::ranges::fill(loads, 1);
    return {eager_mapping(problem, loads), "eagermap-load"};
  }
};

}  // namespace

const Mapper& eagermap_load_mapper() {
  static const EagerLoadMapper mapper;
  return mapper;
}

// EagerMap: Cruz, Diener, Pilla, Navaux: "EagerMap: A Task Mapping Algorithm to Improve
// Communication and Load Balancing in Clusters of Multicore Systems", ACM TOPC 5 (4), 2019:
// algorithms 1 to 5, 8 and section 3.6.
//
// The paper scans all elements for each choice; here only those that communicate with the group are
// looked at, in a heap. Winners and ties are the paper's: the element with the largest
// communication to the group, the lowest index among equals, the lowest element not yet chosen
// where nothing communicates. Line 17 of algorithm 1 begins its loop at 1; that would lose the
// first group, 0 is meant.
//
// Section 3.6, for machines that are no symmetric tree: each node gets as many tasks as its share
// of the slots says, rounded to the nearest whole numbers that add up, ties to the first node; the
// groups are made greedily, node after node; then each node is mapped on its own. In which order
// nodes are filled and which index tasks have inside theirs is left open: theirs. A node that is
// itself no symmetric tree is divided again by the same rule, object by object. Where each node
// holds one slot (torus:8x8) a group is one task, and nothing communicates with an empty group: the
// lowest task left goes to the next node, which is identity.
//
// Algorithm 8 shares the scan for a winner between threads. That scan is gone; what remains of
// choosing winners is too short to be shared. So threads share what else is long and independent:
// the communication between groups of a level (algorithm 4, about half of the time on stencils) and
// the nodes of section 3.6. The answer is the same for any number of them.

namespace {

class EagerMapper final : public Mapper {
 public:
  std::string_view name() const override { return "eagermap"; }
  std::string_view summary() const override {
    return "groups ranks greedily, level by level, on any machine; networks of one-slot nodes get "
           "identity";
  }
  std::string_view source() const override {
    return "Cruz, Diener, Pilla, Navaux: EagerMap, ACM TOPC 5(4), 2019, algorithms 1 to 5 and 8";
  }
  Answer map(const MapTask& problem) const override {
    return {eager_mapping(problem, {}), "eagermap"};
  }
};

}  // namespace

const Mapper& eagermap_mapper() {
  static const EagerMapper mapper;
  return mapper;
}

}  // namespace kith
