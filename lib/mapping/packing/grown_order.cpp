#include <algorithm>
#include <utility>
#include <vector>

#include "mapping/packing/packing.hpp"

namespace kith::packing {
namespace {

/// Ranks in the order in which they were found; those that have been placed since are passed over.
class Found {
 public:
  void add(std::uint32_t rank) { ranks_.push_back(rank); }
  void add_rest_of(Found& other) {
    ranks_.insert(ranks_.end(), other.ranks_.begin() + static_cast<std::ptrdiff_t>(other.next_),
                  other.ranks_.end());
    other.ranks_.clear();
    other.next_ = 0;
  }
  /// The oldest that is not placed; RoomTree::none if all are.
  std::uint32_t take(const std::vector<bool>& placed) {
    while (next_ < ranks_.size()) {
      const std::uint32_t rank = ranks_[next_++];
      if (!placed[rank]) return rank;
    }
    return RoomTree::none;
  }

 private:
  std::vector<std::uint32_t> ranks_;
  std::size_t next_ = 0;
};

class Growth {
 public:
  explicit Growth(const MapTask& problem)
      : graph_(problem.graph),
        slots_(problem.machine),
        tree_(slots_, problem.options.capacity),
        placed_(graph_.ranks(), false),
        seen_in_(graph_.ranks(), RoomTree::none),
        found_(tree_.depth() + std::size_t{1}) {
    mapping_.slot_of.resize(graph_.ranks());
  }

  Mapping run() {
    fill(0);
    return std::move(mapping_);
  }

 private:
  /// Whatever is found below the object and not placed there is left in found_ of its depth.
  void fill(std::uint32_t object) {
    const RoomTree::Object& here = tree_[object];
    if (here.children == 0) return fill_block(object);
    for (std::uint32_t c = here.first_child; c < here.first_child + here.children; ++c) {
      if (count_ == graph_.ranks()) return;
      fill(c);
      found_[here.depth].add_rest_of(found_[here.depth + 1]);
    }
  }

  void fill_block(std::uint32_t block) {
    const RoomTree::Object& here = tree_[block];
    Found& found = found_[here.depth];
    for (std::uint64_t i = 0; i < here.capacity; ++i) {
      const std::uint32_t rank = next(found, here.depth);
      if (rank == RoomTree::none) return;
      placed_[rank] = true;
      ++count_;
      mapping_.slot_of[rank] = slots_.slot(here.slots.first + i % here.slots.slots());
      find_neighbours(rank, block, found);
    }
  }

  /// Found from this block, or else from the nearest object above that has left some; else any.
  std::uint32_t next(Found& found, std::uint32_t depth) {
    std::uint32_t rank = found.take(placed_);
    while (rank == RoomTree::none && depth > 0) rank = found_[--depth].take(placed_);
    while (rank == RoomTree::none && first_left_ < graph_.ranks()) {
      if (!placed_[first_left_]) rank = first_left_;
      ++first_left_;
    }
    return rank;
  }

  /// The heaviest first.
  void find_neighbours(std::uint32_t rank, std::uint32_t block, Found& found) {
    const auto neighbours = graph_.neighbours(Rank{rank});
    const auto weights = graph_.weights(Rank{rank});
    near_.clear();
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t other = neighbours[i].value;
      if (placed_[other] || seen_in_[other] == block) continue;
      seen_in_[other] = block;
      near_.emplace_back(weights[i], other);
    }
    std::ranges::sort(near_, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [weight, other] : near_) found.add(other);
  }

  const TrafficGraph& graph_;
  SlotTree slots_;
  RoomTree tree_;
  Mapping mapping_;
  std::vector<bool> placed_;
  std::vector<std::uint32_t> seen_in_;  // the block from which a rank was found last
  std::vector<Found> found_;            // by depth of the object that is being filled
  std::vector<std::pair<Weight, std::uint32_t>> near_;
  std::uint32_t first_left_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace

Mapping grown_order(const MapTask& problem) {
  return Growth(problem).run();
}

}  // namespace kith::packing
