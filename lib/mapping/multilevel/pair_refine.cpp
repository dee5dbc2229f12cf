#include "mapping/multilevel/pair_refine.hpp"

#include <algorithm>

#include "mapping/multilevel/two_way.hpp"

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

bool PairRefiner::refine(const Trials& trials) {
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
      if (refine_pair(pair, trials, false)) changes[a] = changes[b] = true;
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
      if (size_[under] < sizes_[under]) refine_pair({over, under}, trials, true);
    }
  }
}

bool PairRefiner::refine_pair(BlockPair pair, const Trials& trials, bool exactly) {
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

}  // namespace kith::multilevel
