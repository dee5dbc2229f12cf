#include "mapping/multilevel/multilevel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "kith/detail/network_machine.hpp"
#include "mapping/budget.hpp"
#include "mapping/constraints.hpp"
#include "objective/distance.hpp"

namespace kith::multilevel {
namespace {

class GridHalves final : public Halves {
 public:
  GridHalves(const NetworkMachine& machine, const GridNetwork& grid, std::vector<Slot> slots)
      : Halves(std::move(slots)), machine_(machine), grid_(grid) {}

  Region split(Region region) override {
    const auto slots = std::span(slots_).subspan(region.begin, region.slots());
    const std::uint64_t first_node = machine_.node_of(slots.front());
    const bool one_node =
        std::ranges::all_of(slots, [&](Slot slot) { return machine_.node_of(slot) == first_node; });
    const std::uint32_t cut = one_node ? cut_node(slots) : cut_grid(slots);
    return {region.begin, region.begin + cut};
  }

  double distance(Region a, Region b) const override {
    const std::vector<double>& at_a = centre(a);
    const std::vector<double>& at_b = centre(b);
    double sum = 0;
    for (std::size_t d = 0; d < at_a.size(); ++d) {
      double apart = std::abs(at_a[d] - at_b[d]);
      if (grid_.periodic()) apart = std::min(apart, grid_.extents()[d] - apart);
      sum += apart;
    }
    if (sum > 0) return sum;
    return static_cast<double>(machine_.hops(slots_[a.begin], slots_[b.begin]));
  }

 private:
  std::uint32_t node(Slot slot) const { return static_cast<std::uint32_t>(machine_.node_of(slot)); }
  std::uint32_t coordinate(Slot slot, std::size_t dimension) const {
    std::uint64_t below = 1;
    for (std::size_t d = dimension + 1; d < grid_.extents().size(); ++d) {
      below *= grid_.extents()[d];
    }
    return static_cast<std::uint32_t>(node(slot) / below % grid_.extents()[dimension]);
  }

  /// Between two coordinates of the longest side, as near to the middle as can be.
  std::uint32_t cut_grid(std::span<Slot> slots) const {
    std::size_t longest = 0;
    std::uint32_t length = 0;
    for (std::size_t d = 0; d < grid_.extents().size(); ++d) {
      std::uint32_t least = UINT32_MAX;
      std::uint32_t most = 0;
      for (const Slot slot : slots) {
        least = std::min(least, coordinate(slot, d));
        most = std::max(most, coordinate(slot, d));
      }
      if (most - least > length) {
        length = most - least;
        longest = d;
      }
    }
    const auto along = [&](Slot slot) { return coordinate(slot, longest); };
    std::ranges::sort(slots, {}, [&](Slot slot) { return std::pair(along(slot), slot); });
    const auto half = static_cast<std::ptrdiff_t>(slots.size() / 2);
    const auto middle = along(slots[static_cast<std::size_t>(half)]);
    const auto below = std::ranges::lower_bound(slots, middle, {}, along) - slots.begin();
    const auto above = std::ranges::upper_bound(slots, middle, {}, along) - slots.begin();
    const bool use_below = below > 0 && (half - below <= above - half ||
                                         above == static_cast<std::ptrdiff_t>(slots.size()));
    return static_cast<std::uint32_t>(use_below ? below : above);
  }

  /// At the boundary between children of the node's tree that is nearest to the middle.
  std::uint32_t cut_node(std::span<Slot> slots) const {
    std::ranges::sort(slots);
    const auto half = static_cast<std::uint32_t>(slots.size() / 2);
    std::uint32_t best = half;
    std::uint64_t widest = 0;
    for (std::uint32_t i = 1; i < slots.size(); ++i) {
      const std::uint64_t gap = machine_.hops(slots[i - 1], slots[i]);
      const auto off = [&](std::uint32_t cut) { return cut > half ? cut - half : half - cut; };
      if (gap > widest || (gap == widest && off(i) < off(best))) {
        widest = gap;
        best = i;
      }
    }
    return best;
  }

  const std::vector<double>& centre(Region region) const {
    const std::uint64_t key = std::uint64_t{region.begin} << 32 | region.end;
    auto& centre = centres_[key];
    if (!centre.empty()) return centre;
    centre.resize(grid_.extents().size());
    for (std::size_t d = 0; d < centre.size(); ++d) {
      std::uint32_t least = UINT32_MAX;
      std::uint32_t most = 0;
      for (std::uint32_t i = region.begin; i < region.end; ++i) {
        least = std::min(least, coordinate(slots_[i], d));
        most = std::max(most, coordinate(slots_[i], d));
      }
      centre[d] = (least + most) / 2.0;
    }
    return centre;
  }

  const NetworkMachine& machine_;
  const GridNetwork& grid_;
  mutable std::unordered_map<std::uint64_t, std::vector<double>> centres_;
};

class NearHalves final : public Halves {
 public:
  NearHalves(const Machine& machine, Objective objective, std::vector<Slot> slots)
      : Halves(std::move(slots)), distance_(machine, objective) {}

  Region split(Region region) override {
    const auto slots = std::span(slots_).subspan(region.begin, region.slots());
    const Slot one = farthest(slots, farthest(slots, slots.front()));
    const Slot other = farthest(slots, one);
    const auto leaning = [&](Slot slot) {
      return static_cast<std::int64_t>(distance_(slot, one)) -
             static_cast<std::int64_t>(distance_(slot, other));
    };
    std::vector<std::pair<std::int64_t, Slot>> order;
    for (const Slot slot : slots) order.emplace_back(leaning(slot), slot);
    std::ranges::sort(order);
    for (std::size_t i = 0; i < order.size(); ++i) slots[i] = order[i].second;
    // Where the leaning changes, if that is not far from the middle.
    const std::size_t half = order.size() / 2;
    std::size_t cut = half;
    for (std::size_t off = 0; off <= half / 2; ++off) {
      if (order[half - off].first != order[half - off - 1].first) {
        cut = half - off;
        break;
      }
      if (half + off < order.size() && order[half + off].first != order[half + off - 1].first) {
        cut = half + off;
        break;
      }
      if (half - off < 2) break;
    }
    return {region.begin, region.begin + static_cast<std::uint32_t>(cut)};
  }

  double distance(Region a, Region b) const override {
    return static_cast<double>(distance_(middle(a), middle(b)));
  }

 private:
  Slot middle(Region region) const { return slots_[region.begin + region.slots() / 2]; }
  Slot farthest(std::span<const Slot> slots, Slot from) const {
    return *std::ranges::max_element(
        slots, {}, [&](Slot slot) { return std::pair(distance_(from, slot), ~slot.value); });
  }

  AnyDistance distance_;
};

}  // namespace

std::unique_ptr<Halves> Halves::of(const Machine& machine, Objective objective,
                                   std::vector<Slot> slots) {
  const NetworkMachine* const network = machine.as_network();
  if (network != nullptr && network->network().as_grid() != nullptr) {
    return std::make_unique<GridHalves>(*network, *network->network().as_grid(), std::move(slots));
  }
  return std::make_unique<NearHalves>(machine, objective, std::move(slots));
}

namespace {

/// Those near to fixed ranks where there are any.
std::vector<Slot> slots_for(const MapTask& problem) {
  constexpr std::size_t most_given = 32;
  const MapOptions& options = problem.options;
  std::vector<Slot> given;
  for (const FixedRank& fixed : options.fixed) {
    if (given.size() < most_given) given.push_back(fixed.slot);
  }
  const std::uint64_t count =
      (problem.graph.ranks() + std::uint64_t{options.capacity} - 1) / options.capacity;
  return close_slots(problem.machine, options.objective, count, std::move(given));
}

class MachineBisection {
 public:
  MachineBisection(const MapTask& problem, const Trials& trials, std::uint64_t seed, Budget* budget)
      : problem_(problem),
        trials_(trials),
        budget_(budget),
        rng_(seed),
        graph_(work_graph(problem.graph)),
        halves_(Halves::of(problem.machine, problem.options.objective, slots_for(problem))),
        region_of_(graph_.vertices()),
        place_(graph_.vertices(), outside) {}

  std::optional<Mapping> run() {
    std::vector<Part> parts(1);
    parts[0].region = halves_->all();
    parts[0].ranks.resize(graph_.vertices());
    std::iota(parts[0].ranks.begin(), parts[0].ranks.end(), 0U);
    std::ranges::fill(region_of_, parts[0].region);
    while (!parts.empty()) {
      std::vector<Part> next;
      for (Part& part : parts) {
        if (part.ranks.empty()) continue;
        if (part.region.slots() == 1) {
          leave(part);
        } else if (!divide(part, next)) {
          return std::nullopt;
        }
      }
      parts = std::move(next);
    }
    return std::move(mapping_);
  }

 private:
  struct Part {
    Region region;
    std::vector<std::uint32_t> ranks;
  };

  void leave(const Part& part) {
    mapping_.slot_of.resize(graph_.vertices());
    for (const std::uint32_t r : part.ranks) {
      mapping_.slot_of[r] = halves_->slots()[part.region.begin];
    }
  }

  std::uint64_t room(Region region) const {
    return std::uint64_t{region.slots()} * problem_.options.capacity;
  }

  /// False where the budget is used up.
  bool divide(Part& part, std::vector<Part>& next) {
    const Region first = halves_->split(part.region);
    const Region second{first.end, part.region.end};
    const std::uint64_t size_of_0 = std::min<std::uint64_t>(part.ranks.size(), room(first));
    WorkGraph graph = induced(graph_, part.ranks, place_);
    if (budget_ != nullptr && !budget_->spend(graph.vertices() + graph.neighbours.size() / 2)) {
      return false;
    }
    set_bias(graph, part, first, second);
    const auto side = bisect(graph, size_of_0, trials_, rng_);
    Part halves[2] = {{first, {}}, {second, {}}};
    for (std::size_t i = 0; i < side.size(); ++i) {
      halves[side[i]].ranks.push_back(part.ranks[i]);
      region_of_[part.ranks[i]] = halves[side[i]].region;
    }
    for (Part& half : halves) next.push_back(std::move(half));
    return true;
  }

  /// In the unit of the weights: what one pays for a distance as long as that of the two regions.
  void set_bias(WorkGraph& graph, const Part& part, Region first, Region second) const {
    const double unit = halves_->distance(first, second);
    if (unit <= 0) return;
    graph.bias.resize(part.ranks.size());
    for (std::size_t i = 0; i < part.ranks.size(); ++i) {
      const std::uint32_t r = part.ranks[i];
      double bias = 0;
      for (std::uint64_t e = graph_.offsets[r]; e < graph_.offsets[r + 1]; ++e) {
        const Region other = region_of_[graph_.neighbours[e]];
        if (other.begin >= part.region.begin && other.end <= part.region.end) continue;
        bias += static_cast<double>(graph_.weights[e]) *
                (halves_->distance(second, other) - halves_->distance(first, other));
      }
      graph.bias[i] = std::llround(bias / unit);
    }
  }

  const MapTask problem_;
  const Trials& trials_;
  Budget* const budget_;
  Rng rng_;
  WorkGraph graph_;
  std::unique_ptr<Halves> halves_;
  std::vector<Region> region_of_;
  std::vector<std::uint32_t> place_;
  Mapping mapping_;
};

}  // namespace

std::optional<Mapping> bisect_machine(const MapTask& problem, const Trials& trials,
                                      std::uint64_t seed, Budget* budget) {
  auto mapping = MachineBisection(problem, trials, seed, budget).run();
  if (!mapping) return mapping;
  return place_fixed_ranks(problem, std::move(*mapping));
}

}  // namespace kith::multilevel
