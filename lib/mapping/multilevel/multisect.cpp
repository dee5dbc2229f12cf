#include "mapping/multilevel/multisect.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mapping/multilevel/coarsen.hpp"
#include "mapping/multilevel/pair_refine.hpp"

namespace kith::multilevel {
namespace {

using Parts = std::vector<std::uint32_t>;

/// Recursive bisection.
class Splitter {
 public:
  Splitter(const WorkGraph& graph, std::span<const std::uint64_t> sizes, const Trials& trials,
           Rng& rng, Budget* budget)
      : graph_(graph),
        sizes_(sizes),
        trials_(trials),
        rng_(rng),
        budget_(budget),
        part_of_(graph.vertices()),
        place_(graph.vertices()) {}

  Parts run() {
    std::vector<std::uint32_t> all(graph_.vertices());
    std::iota(all.begin(), all.end(), 0U);
    split(all, 0, static_cast<std::uint32_t>(sizes_.size()));
    return std::move(part_of_);
  }

 private:
  /// The vertices of parts first .. end-1.
  void split(const std::vector<std::uint32_t>& vertices, std::uint32_t first, std::uint32_t end) {
    if (end - first == 1) {
      for (const std::uint32_t v : vertices) part_of_[v] = first;
      return;
    }
    const std::uint32_t middle = first + (end - first) / 2;
    std::uint64_t share[2] = {};
    for (std::uint32_t p = first; p < end; ++p) share[p < middle ? 0 : 1] += sizes_[p];
    std::vector<std::uint32_t> halves[2];
    {
      const WorkGraph part = induced(graph_, vertices, place_);
      // Coarse vertices may leave this part larger or smaller than its sizes.
      const std::uint64_t here = part.total_size();
      const std::uint64_t size_of_0 =
          share[0] + share[1] == here
              ? share[0]
              : here * share[0] / std::max<std::uint64_t>(share[0] + share[1], 1);
      const auto side = bisect(part, size_of_0, trials_, rng_, budget_);
      for (std::size_t i = 0; i < vertices.size(); ++i) halves[side[i]].push_back(vertices[i]);
    }
    split(halves[0], first, middle);
    split(halves[1], middle, end);
  }

  const WorkGraph& graph_;
  std::span<const std::uint64_t> sizes_;
  const Trials& trials_;
  Rng& rng_;
  Budget* budget_;
  Parts part_of_;
  std::vector<std::uint32_t> place_;
};

/// The best of several partitions.
Parts best_start(const WorkGraph& graph, std::span<const std::uint64_t> sizes, const Trials& trials,
                 Rng& rng, Budget* budget) {
  Parts best;
  std::pair<std::uint64_t, std::int64_t> best_value{};
  for (unsigned i = 0; i < std::max(trials.partitions, 1U); ++i) {
    Parts parts = Splitter(graph, sizes, trials, rng, budget).run();
    PairRefiner refiner(graph, sizes, parts, budget);
    refiner.balance(trials);
    refiner.refine(trials);
    const std::pair value{refiner.excess(), refiner.cut()};
    if (best.empty() || value.second < best_value.second) {
      best_value = value;
      best = parts;
    }
  }
  return best;
}

Parts multilevel(const WorkGraph& graph, std::span<const std::uint64_t> sizes, const Trials& trials,
                 Rng& rng, Parts parts, Budget* budget) {
  const std::uint64_t coarsest = std::max<std::uint64_t>(40 * sizes.size(), 200);
  const std::uint64_t total = graph.total_size();
  const auto most = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(total * 3 / (2 * coarsest), 1, UINT32_MAX));
  std::vector<Coarse> levels;
  const WorkGraph* top = &graph;
  while (top->vertices() > coarsest) {
    Coarse next = coarsen(*top, most, rng, parts);
    if (next.graph.vertices() > top->vertices() - top->vertices() / 16) break;
    if (!parts.empty()) {
      Parts above(next.graph.vertices());
      for (std::uint32_t v = 0; v < top->vertices(); ++v) above[next.group_of[v]] = parts[v];
      parts = std::move(above);
    }
    levels.push_back(std::move(next));
    top = &levels.back().graph;
  }
  if (parts.empty()) parts = best_start(*top, sizes, trials, rng, budget);
  for (std::size_t l = levels.size() + 1; l-- > 0;) {
    const WorkGraph& here = l == 0 ? graph : levels[l - 1].graph;
    PairRefiner refiner(here, sizes, parts, budget);
    if (l == 0) refiner.balance(trials);
    refiner.refine(trials);
    if (l == 0) break;
    const std::vector<std::uint32_t>& group_of = levels[l - 1].group_of;
    Parts below(group_of.size());
    for (std::uint32_t v = 0; v < group_of.size(); ++v) below[v] = parts[group_of[v]];
    parts = std::move(below);
  }
  return parts;
}

}  // namespace

std::vector<std::uint32_t> multisect(const WorkGraph& graph, std::span<const std::uint64_t> sizes,
                                     const Trials& trials, Rng& rng, Budget* budget) {
  if (sizes.size() == 1) return Parts(graph.vertices());
  Parts parts = best_start(graph, sizes, trials, rng, budget);
  for (unsigned i = 0; i < trials.cycles; ++i) {
    parts = multilevel(graph, sizes, trials, rng, std::move(parts), budget);
  }
  return parts;
}

}  // namespace kith::multilevel
