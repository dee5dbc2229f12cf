#include "mapping/multilevel/machine_bisection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mapping/fixed_ranks.hpp"
#include "mapping/multilevel/bisect.hpp"
#include "mapping/multilevel/close_slots.hpp"
#include "mapping/multilevel/halves.hpp"

namespace kith::multilevel {
namespace {

/// Those near to fixed ranks where there are any.
std::vector<Slot> slots_for(const MapProblem& problem) {
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
  MachineBisection(const MapProblem& problem, const Trials& trials, std::uint64_t seed,
                   Budget* budget)
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

  const MapProblem& problem_;
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

std::optional<Mapping> bisect_machine(const MapProblem& problem, const Trials& trials,
                                      std::uint64_t seed, Budget* budget) {
  auto mapping = MachineBisection(problem, trials, seed, budget).run();
  if (!mapping) return mapping;
  return place_fixed_ranks(problem, std::move(*mapping));
}

}  // namespace kith::multilevel
