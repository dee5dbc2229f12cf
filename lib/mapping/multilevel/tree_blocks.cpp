#include "mapping/multilevel/multisect.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace kith::multilevel {
namespace {

constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min() / 4;

/// Weight from one rank to all objects above the blocks that it talks to.
class Connection {
 public:
  explicit Connection(const TreeBlocks& blocks) : blocks_(blocks) {
    for (unsigned l = 0; l <= blocks.level(); ++l) weight_.emplace_back(blocks.count_at(l));
  }

  void set(const WorkGraph& graph, std::span<const std::uint32_t> block_of, std::uint32_t v) {
    for (const std::uint32_t block : reached_) {
      for (unsigned l = 0; l < weight_.size(); ++l) weight_[l][blocks_.ancestor(block, l)] = 0;
    }
    reached_.clear();
    std::vector<std::int64_t>& to_block = weight_.back();
    const auto neighbours = graph.neighbours_of(v);
    const auto weights = graph.weights_of(v);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t block = block_of[neighbours[i]];
      if (to_block[block] == 0) reached_.push_back(block);
      to_block[block] += weights[i];
    }
    for (unsigned l = 1; l + 1 < weight_.size(); ++l) {
      for (const std::uint32_t block : reached_) {
        weight_[l][blocks_.ancestor(block, l)] += to_block[block];
      }
    }
  }

  /// Blocks that it talks to.
  std::span<const std::uint32_t> reached() const { return reached_; }

  /// What the rank saves in a block because its partners are nearer than across the root, as far
  /// as objects deeper than `level` make it.
  std::int64_t saved(std::uint32_t block, unsigned level = 0) const {
    std::int64_t saved = 0;
    for (unsigned l = level + 1; l <= blocks_.level(); ++l) {
      saved +=
          weight_[l][blocks_.ancestor(block, l)] * (blocks_.cost_at(l - 1) - blocks_.cost_at(l));
    }
    return saved;
  }

 private:
  const TreeBlocks& blocks_;
  std::vector<std::vector<std::int64_t>> weight_;  // by depth, then object
  std::vector<std::uint32_t> reached_;
};

struct Move {
  std::uint32_t from;
  std::uint32_t to;
  std::int64_t gain;
};

class Potentials {
 public:
  Potentials(const WorkGraph& graph, const TreeBlocks& blocks,
             std::span<const std::uint32_t> block_of)
      : graph_(graph), blocks_(blocks), block_of_(block_of), connection_(blocks) {
    loosest_.assign(blocks.level(), std::vector<std::int64_t>(blocks.count(), nothing));
  }

  std::vector<BlockPair> run(const std::vector<bool>& changed,
                             std::span<const std::uint64_t> room) {
    find_best_moves(near(changed));
    struct Found {
      std::int64_t gain;
      BlockPair pair;
    };
    std::vector<Found> found;
    for (const Move& there : moves_) {
      if (there.from > there.to || !(changed[there.from] || changed[there.to])) continue;
      const Move& back = move_between(there.to, there.from);
      std::int64_t gain = best(there) + best(back);
      if (has_room(room, there.to)) gain = std::max(gain, there.gain);
      if (has_room(room, there.from)) gain = std::max(gain, back.gain);
      if (gain > 0) found.push_back({gain, {there.from, there.to}});
    }
    std::ranges::sort(found, [](const Found& a, const Found& b) {
      return a.gain != b.gain ? a.gain > b.gain : a.pair < b.pair;
    });
    std::vector<BlockPair> pairs;
    pairs.reserve(found.size());
    for (const Found& one : found) pairs.push_back(one.pair);
    return pairs;
  }

 private:
  static bool has_room(std::span<const std::uint64_t> room, std::uint32_t block) {
    return !room.empty() && room[block] > 0;
  }

  /// The blocks that changed and those that talk to one that did: no others are in a pair of which
  /// one changed.
  std::vector<bool> near(const std::vector<bool>& changed) const {
    std::vector<bool> near = changed;
    if (std::ranges::find(changed, false) == changed.end()) return near;
    for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
      if (!changed[block_of_[v]]) continue;
      for (const std::uint32_t neighbour : graph_.neighbours_of(v)) {
        near[block_of_[neighbour]] = true;
      }
    }
    return near;
  }

  /// The best move from each of these blocks to each that one of its ranks talks to.
  void find_best_moves(const std::vector<bool>& of_blocks) {
    std::vector<std::uint32_t> by_block;
    for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
      if (of_blocks[block_of_[v]]) by_block.push_back(v);
    }
    std::ranges::stable_sort(by_block, {}, [&](std::uint32_t v) { return block_of_[v]; });
    std::vector<std::int64_t> best(blocks_.count(), nothing);
    std::vector<std::uint32_t> reached;
    for (std::size_t i = 0; i < by_block.size(); ++i) {
      const std::uint32_t from = block_of_[by_block[i]];
      look_at(by_block[i], from, best, reached);
      if (i + 1 < by_block.size() && block_of_[by_block[i + 1]] == from) continue;
      std::ranges::sort(reached);
      for (const std::uint32_t to : reached) {
        moves_.push_back({from, to, best[to]});
        best[to] = nothing;
      }
      reached.clear();
    }
  }

  void look_at(std::uint32_t v, std::uint32_t from, std::vector<std::int64_t>& best,
               std::vector<std::uint32_t>& reached) {
    connection_.set(graph_, block_of_, v);
    const std::int64_t here = connection_.saved(from);
    for (const std::uint32_t to : connection_.reached()) {
      if (to == from) continue;
      if (best[to] == nothing) reached.push_back(to);
      best[to] = std::max(best[to], connection_.saved(to) - here);
    }
    for (unsigned l = 0; l < blocks_.level(); ++l) {
      loosest_[l][from] = std::max(loosest_[l][from], -connection_.saved(from, l));
    }
  }

  /// The rank that moves may also be one that has no partners there and loses little.
  std::int64_t best(const Move& move) const {
    return std::max(move.gain, loosest_[blocks_.meeting(move.from, move.to)][move.from]);
  }

  const Move& move_between(std::uint32_t from, std::uint32_t to) const {
    return *std::ranges::lower_bound(moves_, std::pair{from, to}, {}, [](const Move& m) {
      return std::pair{m.from, m.to};
    });
  }

  const WorkGraph& graph_;
  const TreeBlocks& blocks_;
  std::span<const std::uint32_t> block_of_;
  Connection connection_;
  std::vector<Move> moves_;                         // ascending
  std::vector<std::vector<std::int64_t>> loosest_;  // by depth where they meet, then block
};

}  // namespace

std::vector<BlockPair> promising_pairs(const WorkGraph& graph, const TreeBlocks& blocks,
                                       std::span<const std::uint32_t> block_of,
                                       const std::vector<bool>& changed,
                                       std::span<const std::uint64_t> room) {
  return Potentials(graph, blocks, block_of).run(changed, room);
}

TreeBlocks::TreeBlocks(const TreeMachine& tree, const TreeDistance& distance, unsigned level,
                       std::vector<std::uint64_t> objects)
    : level_(level), objects_(std::move(objects)), above_(level + std::size_t{1}) {
  for (unsigned l = 0; l <= level; ++l) {
    cost_.push_back(static_cast<std::int64_t>(distance.at_level(l)));
  }
  std::vector<std::uint64_t> here = objects_;
  for (unsigned l = level + 1; l-- > 0;) {
    above_[l].reserve(here.size());
    std::uint32_t number = 0;
    for (std::size_t b = 0; b < here.size(); ++b) {
      if (b > 0 && here[b] != here[b - 1]) ++number;
      above_[l].push_back(number);
    }
    if (l == 0) break;
    for (std::uint64_t& object : here) object = tree.parent(l, object);
  }
}

TreeBlocks TreeBlocks::brothers(std::uint32_t count) {
  TreeBlocks blocks;
  blocks.level_ = 1;
  blocks.objects_.resize(count);
  std::iota(blocks.objects_.begin(), blocks.objects_.end(), std::uint64_t{0});
  blocks.above_ = {std::vector<std::uint32_t>(count), std::vector<std::uint32_t>(count)};
  std::iota(blocks.above_[1].begin(), blocks.above_[1].end(), 0U);
  blocks.cost_ = {1, 0};
  return blocks;
}

std::uint32_t TreeBlocks::number_of(std::uint64_t object) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(objects_, object) - objects_.begin());
}

unsigned TreeBlocks::meeting(std::uint32_t a, std::uint32_t b) const {
  unsigned level = level_;
  while (above_[level][a] != above_[level][b]) --level;
  return level;
}

}  // namespace kith::multilevel
