#include "mapping/multilevel/multisect.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "mapping/multilevel/two_way.hpp"
#include "mapping/multilevel/work_graph.hpp"

namespace kith::multilevel {

PairRefiner::PairRefiner(const WorkGraph& graph, std::span<const std::uint64_t> sizes,
                         std::vector<std::uint32_t>& part_of, Budget* budget)
    : graph_(graph),
      sizes_(sizes),
      part_of_(part_of),
      budget_(budget),
      parts_(TreeBlocks::brothers(static_cast<std::uint32_t>(sizes.size()))),
      members_(sizes.size()),
      size_(sizes.size()),
      ends_(sizes.size()),
      place_(graph.vertices(), outside) {
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    members_[part_of[v]].push_back(v);
    size_[part_of[v]] += graph.sizes[v];
    ends_[part_of[v]] += graph.neighbours_of(v).size();
    largest_ = std::max<std::uint64_t>(largest_, graph.sizes[v]);
  }
}

std::int64_t PairRefiner::cut() const {
  std::int64_t twice = 0;
  for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
    for (std::uint64_t e = graph_.offsets[v]; e < graph_.offsets[v + 1]; ++e) {
      if (part_of_[graph_.neighbours[e]] != part_of_[v]) twice += graph_.weights[e];
    }
  }
  return twice / 2;
}

std::uint64_t PairRefiner::excess() const {
  std::uint64_t excess = 0;
  for (std::size_t p = 0; p < size_.size(); ++p) {
    if (size_[p] > sizes_[p]) excess += size_[p] - sizes_[p];
  }
  return excess;
}

bool PairRefiner::refine(const Trials& trials, Sizes sizes) {
  std::vector<bool> changed(sizes_.size(), true);
  // Where each part talks to all others, a round looks at every edge once for each part.
  std::uint64_t ends_left = trials.sweeps * std::uint64_t{graph_.neighbours.size()};
  for (unsigned round = 0; round < 2 * trials.passes; ++round) {
    std::vector<bool> changes(sizes_.size());
    for (const BlockPair& pair : promising_pairs(graph_, parts_, part_of_, changed)) {
      if (is_over()) return true;
      const auto [a, b] = pair;
      const std::uint64_t ends = ends_[a] + ends_[b];
      if (ends > ends_left) return false;
      ends_left -= ends;
      if (refine_pair(pair, trials, sizes)) changes[a] = changes[b] = true;
    }
    if (std::ranges::find(changes, true) == changes.end()) break;
    changed = std::move(changes);
  }
  return true;
}

void PairRefiner::balance(const Trials& trials) {
  const auto parts = static_cast<std::uint32_t>(sizes_.size());
  for (std::uint32_t over = 0; over < parts; ++over) {
    for (std::uint32_t under = 0; under < parts && size_[over] > sizes_[over]; ++under) {
      if (is_over()) return;
      if (size_[under] < sizes_[under]) refine_pair({over, under}, trials, Sizes::exact);
    }
  }
}

bool PairRefiner::refine_pair(BlockPair pair, const Trials& trials, Sizes sizes) {
  const bool exactly = sizes == Sizes::exact;
  const auto [a, b] = pair;
  std::vector<std::uint32_t> vertices = members_[a];
  vertices.insert(vertices.end(), members_[b].begin(), members_[b].end());
  const WorkGraph part = induced(graph_, vertices, place_);
  std::vector<std::uint8_t> side(vertices.size());
  std::fill(side.begin() + static_cast<std::ptrdiff_t>(members_[a].size()), side.end(), 1);
  TwoWay two_way(part, side, budget_);
  // One side may be off already: what both have is shared as their sizes are.
  std::uint64_t target = sizes_[a];
  const std::uint64_t both = size_[a] + size_[b];
  if (exactly) {
    target = std::max(sizes_[a], both - std::min(both, sizes_[b]));
  }
  const Balance balance{target, exactly ? 0 : largest_ - 1};
  const std::int64_t cost = two_way.cost();
  const std::uint64_t off = two_way.off(balance);
  two_way.refine(balance, trials.passes, trials.patience);
  if (two_way.off(balance) == off && two_way.cost() >= cost) return false;
  members_[a].clear();
  members_[b].clear();
  size_[a] = size_[b] = 0;
  ends_[a] = ends_[b] = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::uint32_t now = side[i] == 0 ? a : b;
    part_of_[vertices[i]] = now;
    members_[now].push_back(vertices[i]);
    size_[now] += graph_.sizes[vertices[i]];
    ends_[now] += graph_.neighbours_of(vertices[i]).size();
  }
  return true;
}

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
    if (end - first == 1 || division_is_over(budget_)) {
      for (const std::uint32_t v : vertices) part_of_[v] = first;
      return;
    }
    const std::uint32_t middle = first + (end - first) / 2;
    std::uint64_t share[2] = {};
    for (std::uint32_t p = first; p < end; ++p) share[p < middle ? 0 : 1] += sizes_[p];
    std::vector<std::uint32_t> halves[2];
    {
      const bool is_whole = vertices.size() == graph_.vertices() && graph_.bias.empty();
      const WorkGraph copied = is_whole ? WorkGraph() : induced(graph_, vertices, place_);
      const WorkGraph& part = is_whole ? graph_ : copied;
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
  // Parts that are off cut less above, and more again once they are brought to their sizes. Over
  // many cycles that finds other partitions; few cycles of thousands of parts it wastes.
  const bool may_be_off = trials.cycles > 2 || sizes.size() < 1024;
  const auto kept = may_be_off ? PairRefiner::Sizes::about : PairRefiner::Sizes::exact;
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
    PairRefiner(levels[l - 1].graph, sizes, parts, budget).refine(trials, kept);
    parts = projected(parts, levels[l - 1].group_of);
    levels.pop_back();
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
