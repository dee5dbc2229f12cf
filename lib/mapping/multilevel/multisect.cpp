#include "mapping/multilevel/multisect.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mapping/multilevel/coarsen.hpp"
#include "mapping/multilevel/pair_refine.hpp"

namespace kith::multilevel {
namespace {

using Parts = std::vector<std::uint32_t>;

bool division_is_over(Budget* budget) {
  return budget != nullptr && budget->exhausted();
}

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
        place_(graph.vertices(), outside) {}

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

struct Partition {
  Parts parts;
  std::int64_t cut = 0;
  bool is_finished = true;  ///< pairs were refined until none gained
};

Partition refined(const WorkGraph& graph, std::span<const std::uint64_t> sizes,
                  const Trials& trials, Parts parts, Budget* budget) {
  PairRefiner refiner(graph, sizes, parts, budget);
  refiner.balance(trials);
  const bool is_finished = refiner.refine(trials);
  const std::int64_t cut = refiner.cut();
  return {std::move(parts), cut, is_finished};
}

/// Numbers for the pairs of parts that vertices have in two partitions. Sorted: a table of all
/// pairs would be quadratic in the parts.
Parts common_blocks(const Parts& a, const Parts& b) {
  const auto pair_of = [&](std::size_t v) { return std::uint64_t{a[v]} << 32U | b[v]; };
  std::vector<std::uint64_t> pairs(a.size());
  for (std::size_t v = 0; v < a.size(); ++v) pairs[v] = pair_of(v);
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Parts blocks(a.size());
  for (std::size_t v = 0; v < a.size(); ++v) {
    blocks[v] =
        static_cast<std::uint32_t>(std::ranges::lower_bound(pairs, pair_of(v)) - pairs.begin());
  }
  return blocks;
}

Parts projected(const Parts& above, const std::vector<std::uint32_t>& group_of) {
  Parts below(group_of.size());
  for (std::size_t v = 0; v < group_of.size(); ++v) below[v] = above[group_of[v]];
  return below;
}

Parts of_groups(const Parts& below, const Coarse& coarse) {
  Parts above(coarse.graph.vertices());
  for (std::size_t v = 0; v < below.size(); ++v) above[coarse.group_of[v]] = below[v];
  return above;
}

/// Refines the better one at all levels of a graph contracted only where both agree, so that what
/// they cut differently moves as a whole (Sanders, Schulz: "Distributed evolutionary graph
/// partitioning", ALENEX 2012). With itself: a V-cycle.
Partition combined(const WorkGraph& graph, std::span<const std::uint64_t> sizes,
                   const Trials& trials, Rng& rng, const Partition& better, const Parts& other,
                   Budget* budget) {
  const std::uint64_t coarsest = std::max<std::uint64_t>(10 * sizes.size(), 60);
  const auto most = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(graph.total_size() * 3 / (2 * coarsest), 1, UINT32_MAX));
  Parts parts = better.parts;
  Parts blocks = common_blocks(parts, other);
  std::vector<Coarse> levels;
  const WorkGraph* top = &graph;
  while (top->vertices() > coarsest) {
    if (division_is_over(budget)) return better;
    Coarse next = coarsen(*top, most, rng, blocks);
    if (next.graph.vertices() > top->vertices() - top->vertices() / 16) break;
    parts = of_groups(parts, next);
    blocks = of_groups(blocks, next);
    levels.push_back(std::move(next));
    top = &levels.back().graph;
  }
  for (std::size_t l = levels.size(); l > 0; --l) {
    PairRefiner(levels[l - 1].graph, sizes, parts, budget).refine(trials);
    parts = projected(parts, levels[l - 1].group_of);
  }
  return refined(graph, sizes, trials, std::move(parts), budget);
}

}  // namespace

std::vector<std::uint32_t> multisect(const WorkGraph& graph, std::span<const std::uint64_t> sizes,
                                     const Trials& trials, Rng& rng, Budget* budget) {
  if (sizes.size() == 1) return Parts(graph.vertices());
  std::vector<Partition> pool;  // the best first
  const auto add = [&](Partition partition) {
    const auto place = std::ranges::upper_bound(pool, partition.cut, {}, &Partition::cut);
    pool.insert(place, std::move(partition));
  };
  const auto add_partition = [&] {
    add(refined(graph, sizes, trials, Splitter(graph, sizes, trials, rng, budget).run(), budget));
  };
  add_partition();
  // Where the sweeps do not suffice everything takes twice as long.
  const unsigned share = pool[0].is_finished ? 1 : 2;
  for (unsigned i = 1; i < trials.partitions / share && !division_is_over(budget); ++i) {
    add_partition();
  }
  for (unsigned i = 0; i < trials.cycles / share && !division_is_over(budget); ++i) {
    const std::size_t other = pool.size() == 1 ? 0 : 1 + i % (pool.size() - 1);
    Partition child = combined(graph, sizes, trials, rng, pool[0], pool[other].parts, budget);
    if (child.cut >= pool[other].cut) continue;
    pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(other));
    add(std::move(child));
  }
  return std::move(pool[0].parts);
}

}  // namespace kith::multilevel
