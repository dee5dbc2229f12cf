// EagerMap with loads: algorithms 6 and 7 in place of 2 and 3 of the paper in eagermap.cpp.
//
// A group is full when its load has reached its share of what is left. The paper does not limit the
// number of elements; here capacity wins: a slot takes at most its capacity of ranks, an object at
// most as many groups as it has children, and each takes as many as those after it have no room
// for. So loads only decide where slots may take more ranks than they must (--per-slot). A group
// takes one element at least, or silent ones would never be placed; the last takes all that are
// left, whose loads may be 0. loadThreshold is the exact quotient, not rounded. Where no rank has
// any load, all count alike. Between machines (section 3.6) shares are in proportion to slots.
#include <algorithm>

#include "kith/error.hpp"
#include "mapping/mappers.hpp"
#include "mapping/published/eagermap/placement.hpp"

namespace kith {
namespace {

class EagerLoadMapper final : public Mapper {
 public:
  std::string_view name() const override { return "eagermap-load"; }
  std::string_view summary() const override {
    return "as eagermap, but groups are of equal load; needs --loads, and room (--per-slot)";
  }
  std::string_view source() const override {
    return "Cruz, Diener, Pilla, Navaux: EagerMap, ACM TOPC 5(4), 2019, algorithms 6 and 7";
  }
  bool uses(ExtraInput input) const override { return input == ExtraInput::loads; }
  Answer map(const MapProblem& problem) const override {
    std::vector<std::uint64_t> loads = problem.options.loads;
    if (loads.size() != problem.graph.ranks()) {
      throw bad_input("--loads", "the load of each rank, which eagermap-load goes by",
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

}  // namespace kith
