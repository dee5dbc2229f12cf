// GEOM: Balzuweit, Bunde, Leung, Finley, Lee: "Local search to improve task mapping", ICPP
// workshops 2014, section II (first in Leung et al., PPoPP 2014, as RCB). Rotations and shifts:
// Deveci, Rajamanickam, Leung, Pedretti, Olivier, Bunde, Catalyurek, Devine: "Exploiting geometric
// partitioning in task mapping for parallel computers", IPDPS 2014.
//
// What the paper leaves open, and what is done here:
// - Equal dimensions: the first one is the longest, in the rotation and in each cut.
// - "As evenly as possible": between two layers of tasks; of two such cuts the one that
//   makes the first part the larger (its example: 5 layers into 3 and 2).
// - "Ties broken consistently": of nodes with equal coordinates those of the highest number come
//   first (setting `node-order`). On a 4x4x2 torus that gives what section IV-B reports, at most 12
//   swaps of GSEARCH, in 4 of all allocations; with the lowest first it is 11, in 5 (kith study
//   gsearch).
// - Dimensions: those of the tasks beyond those of the machine have no match; when one of them is
//   cut, the places are cut along the longest dimension of their own box.
// - Allocations larger than the job: see SlotSpace::places().

#include "mapping/published/geom/geom.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "kith/detail/structure.hpp"
#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/registry.hpp"

namespace kith {
namespace {

PointSet points_of(const RankCoordinates& coordinates) {
  PointSet points;
  points.axes.resize(coordinates.dimensions);
  for (auto& axis : points.axes) axis.reserve(coordinates.ranks());
  for (std::uint32_t r = 0; r < coordinates.ranks(); ++r) {
    const auto point = coordinates.of(r);
    for (unsigned d = 0; d < coordinates.dimensions; ++d) points.axes[d].push_back(point[d]);
  }
  return points;
}

/// As given, else as the traffic tells; without traffic any grid will do.
PointSet task_points(const Mapper& mapper, const MapTask& problem) {
  const MapOptions& options = problem.options;
  const std::uint32_t ranks = problem.graph.ranks();
  if (options.coordinates) return points_of(*options.coordinates);
  if (problem.graph.edges() == 0) {
    const std::uint32_t extents[] = {ranks};
    return points_of(RankCoordinates::grid(extents));
  }
  if (const auto grid = find_grid_structure(problem.graph)) return points_of(grid->coordinates);
  throw bad_argument(
      "coordinates",
      "where each rank lies, for " + std::string(mapper.name()) + " (the traffic is not a grid)",
      "none");
}

/// Dimensions by length, the longest first, of equal ones the first.
std::vector<unsigned> by_length(const Box& box) {
  std::vector<unsigned> order(box.lowest.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater{}, [&](unsigned d) { return box.length(d); });
  return order;
}

/// The paper's rotation: dimension lengths of the job get the order of those of the allocation.
AxisMatch rotation_to_box(const Box& tasks, const Box& places) {
  const auto task_order = by_length(tasks);
  const auto place_order = by_length(places);
  AxisMatch match(task_order.size());
  for (std::size_t i = 0; i < std::min(task_order.size(), place_order.size()); ++i) {
    match[task_order[i]] = place_order[i];
  }
  return match;
}

/// Every way to match as many dimensions as possible, without those along which no task is cut.
class AllRotations {
 public:
  AllRotations(const Box& tasks, unsigned place_dimensions)
      : match_(tasks.lowest.size()), taken_(place_dimensions) {
    for (unsigned d = 0; d < match_.size(); ++d) {
      if (tasks.length(d) > 0) cut_.push_back(d);
    }
    free_ = cut_.size() - std::min<std::size_t>(cut_.size(), place_dimensions);
  }

  /// Until visit(match) returns false.
  template <class Visit>
  bool for_each(Visit visit, std::size_t next = 0) {
    if (next == cut_.size()) return visit(match_);
    auto& axis = match_[cut_[next]];
    for (unsigned d = 0; d < taken_.size(); ++d) {
      if (taken_[d]) continue;
      taken_[d] = true;
      axis = d;
      if (!for_each(visit, next + 1)) return false;
      taken_[d] = false;
    }
    axis.reset();
    if (free_ == 0) return true;
    --free_;
    const bool go_on = for_each(visit, next + 1);
    ++free_;
    return go_on;
  }

 private:
  AxisMatch match_;
  std::vector<bool> taken_;
  std::vector<unsigned> cut_;  // task dimensions that have a length
  std::size_t free_ = 0;       // how many of them may still go without a match
};

class GeomMapping {
 public:
  GeomMapping(const Mapper& mapper, const MapTask& problem, const GeomOptions& options)
      : problem_(problem),
        tasks_(task_points(mapper, problem)),
        box_(box_around(tasks_)),
        space_(problem.machine, mapper.name()),
        node_order_(options.node_order) {
    if (options.shifts) space_.shift_to_largest_gaps();
  }

  Mapping usual() const { return with(rotation_to_box(box_, space_.box())); }

  /// The usual one unless another is better; as many as the budget allows.
  Mapping best() const {
    Mapping best = usual();
    std::uint64_t least = objective(best);
    AllRotations(box_, space_.dimensions()).for_each([&](const AxisMatch& match) {
      if (problem_.budget != nullptr && problem_.budget->exhausted()) return false;
      Mapping other = with(match);
      const std::uint64_t value = objective(other);
      if (value < least) {
        least = value;
        best = std::move(other);
      }
      return true;
    });
    return best;
  }

 private:
  Mapping with(const AxisMatch& match) const {
    // The job's lengths in places, by dimension of the machine.
    std::vector<double> shape(space_.dimensions(), 1.0);
    for (unsigned d = 0; d < match.size(); ++d) {
      if (match[d]) shape[*match[d]] = box_.length(d) + 1;
    }
    const Places places = space_.places(problem_.graph.ranks(), shape, node_order_);
    Mapping mapping;
    mapping.slot_of.reserve(places.slots.size());
    for (const std::uint32_t place : bisect_together(tasks_, places.points, match)) {
      mapping.slot_of.push_back(places.slots[place]);
    }
    return mapping;
  }

  std::uint64_t objective(const Mapping& mapping) const {
    return evaluate_objective(problem_.graph, problem_.machine, mapping,
                              problem_.options.objective);
  }

  const MapTask problem_;
  PointSet tasks_;
  Box box_;
  SlotSpace space_;
  NodeOrder node_order_;
};

class GeomMapper final : public Mapper {
 public:
  std::string_view name() const override { return "geom"; }
  std::string_view summary() const override {
    return "bisects the coordinates of ranks and slots together";
  }
  std::string_view source() const override {
    return "Balzuweit, Bunde, Leung, Finley, Lee: Local search to improve task mapping, 2014, "
           "section II";
  }
  std::span<const MapperSetting> settings() const override {
    static constexpr std::array all{rotations_setting, shifts_setting, node_order_setting};
    return all;
  }
  bool uses(ExtraInput input) const override { return input == ExtraInput::coordinates; }
  Answer map(const MapTask& problem) const override {
    return {map_by_geometry(*this, problem, geom_options(*this, problem.options)), "geom"};
  }
};

}  // namespace

GeomOptions geom_options(const Mapper& mapper, const MapOptions& options) {
  const MapperSettings settings(mapper, options);
  return {settings.choice(rotations_setting.name, {"box", "all"}) == 1,
          settings.flag(shifts_setting.name),
          settings.choice(node_order_setting.name, {"first", "last"}) == 0 ? NodeOrder::first
                                                                           : NodeOrder::last};
}

Mapping map_by_geometry(const Mapper& mapper, const MapTask& problem, const GeomOptions& options) {
  if (problem.graph.ranks() == 0) return {};
  const GeomMapping geom(mapper, problem, options);
  return options.all_rotations ? geom.best() : geom.usual();
}

const Mapper& geom_mapper() {
  static const GeomMapper mapper;
  return mapper;
}

}  // namespace kith
