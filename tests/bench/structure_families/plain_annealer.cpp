#include "structure_families/plain_annealer.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "core/rng.hpp"
#include "mapping/refine/near_slots.hpp"
#include "objective/distance.hpp"

namespace kith::bench {
namespace {

template <class Distance>
class PlainAnnealer {
 public:
  PlainAnnealer(const MapProblem& problem, const Distance& distance, std::uint64_t seed)
      : graph_(problem.graph),
        distance_(distance),
        near_(problem.machine),
        rng_(seed),
        slots_(problem.machine.allowed().to_vector()),
        rank_on_(problem.machine.slots(), none) {
    const auto order = random_permutation(static_cast<std::uint32_t>(slots_.size()), seed);
    mapping_.slot_of.resize(graph_.ranks());
    for (std::uint32_t r = 0; r < graph_.ranks(); ++r) put(r, slots_[order[r]]);
  }

  Mapping run(std::uint64_t tests) {
    double sum = 0;
    for (std::uint32_t r = 0; r < graph_.ranks(); ++r) sum += cost(r, mapping_[Rank{r}], none);
    const double hottest = 0.3 * sum / graph_.ranks();
    const double coldest = hottest / 1000;
    Mapping best = mapping_;
    double least = 0;
    for (std::uint64_t test = 0; test < tests; ++test) {
      if (test % 256 == 0) {
        heat_ = hottest *
                std::pow(coldest / hottest, static_cast<double>(test) / static_cast<double>(tests));
      }
      try_step();
      if (now_ < least && (test + 1 == tests || test * 10 > tests * 9) && test % 1024 == 0) {
        least = now_;
        best = mapping_;
      }
    }
    return now_ < least ? mapping_ : best;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  void put(std::uint32_t rank, Slot slot) {
    mapping_.slot_of[rank] = slot;
    rank_on_[slot.value] = rank;
  }

  /// What a rank on a slot pays to all partners but one.
  double cost(std::uint32_t rank, Slot slot, std::uint32_t except) const {
    const auto partners = graph_.neighbours(Rank{rank});
    const auto weights = graph_.weights(Rank{rank});
    double sum = 0;
    for (std::size_t i = 0; i < partners.size(); ++i) {
      if (partners[i].value == except) continue;
      sum += static_cast<double>(weights[i]) *
             static_cast<double>(distance_(slot, mapping_[partners[i]]));
    }
    return sum;
  }

  std::uint32_t below(std::size_t bound) { return rng_.below(static_cast<std::uint32_t>(bound)); }

  void try_step() {
    const std::uint32_t rank = below(graph_.ranks());
    const Slot here = mapping_[Rank{rank}];
    const auto partners = graph_.neighbours(Rank{rank});
    Slot there = slots_[below(slots_.size())];
    if (!partners.empty() && rng_.below(2) == 0) {
      there = near_.near(mapping_[partners[below(partners.size())]], rng_);
    }
    if (there == here) return;
    const std::uint32_t other = rank_on_[there.value];
    double more = cost(rank, there, other) - cost(rank, here, other);
    if (other != none) more += cost(other, here, rank) - cost(other, there, rank);
    if (more > -heat_ * std::log(1 - rng_.uniform())) return;
    now_ += more;
    rank_on_[here.value] = none;
    put(rank, there);
    if (other != none) put(other, here);
  }

  const TrafficGraph& graph_;
  const Distance& distance_;
  SlotProposals near_;
  QuickRng rng_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> rank_on_;
  Mapping mapping_;
  double now_ = 0;  // relative to the start
  double heat_ = 0;
};

}  // namespace

Mapping anneal_plainly(const MapProblem& problem, std::uint64_t tests_per_rank,
                       std::uint64_t seed) {
  return with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
    return PlainAnnealer(problem, distance, seed).run(tests_per_rank * problem.graph.ranks());
  });
}

}  // namespace kith::bench
