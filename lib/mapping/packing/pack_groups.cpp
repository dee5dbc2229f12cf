#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "core/rng.hpp"
#include "mapping/packing/packing.hpp"

namespace kith::packing {
namespace {

/// Groups of one size, those left to place.
using BySize = std::map<std::uint64_t, std::vector<std::uint32_t>, std::greater<>>;

/// Which sums of sizes can be made of the groups that are left; sizes that come first are used
/// where several ways lead to one sum.
class SubsetSums {
 public:
  SubsetSums(const BySize& left, std::span<const std::uint64_t> order, std::uint64_t most)
      : last_(most + 1, 0), used_(most + 1, 0) {
    is_reached_.assign(most + 1, false);
    is_reached_[0] = true;
    for (const std::uint64_t size : order) {
      const auto groups = left.find(size);
      if (groups == left.end() || size > most) continue;
      std::ranges::fill(used_, 0);
      for (std::uint64_t sum = size; sum <= most; ++sum) {
        if (is_reached_[sum] || !is_reached_[sum - size]) continue;
        if (used_[sum - size] >= groups->second.size()) continue;
        is_reached_[sum] = true;
        used_[sum] = used_[sum - size] + 1;
        last_[sum] = size;
      }
    }
  }

  std::uint64_t largest_up_to(std::uint64_t sum) const {
    while (!is_reached_[sum]) --sum;
    return sum;
  }
  /// The size that was added last to make a sum above 0.
  std::uint64_t last(std::uint64_t sum) const { return last_[sum]; }

 private:
  std::vector<bool> is_reached_;
  std::vector<std::uint64_t> last_;
  std::vector<std::uint32_t> used_;
};

/// One try.
class Packer {
 public:
  Packer(RoomTree tree, std::span<const std::uint64_t> sizes, std::span<const double> weights,
         Sharing sharing, std::uint64_t seed, bool shuffle)
      : tree_(std::move(tree)),
        sizes_(sizes),
        weights_(weights),
        sharing_(sharing),
        rng_(seed),
        shuffle_(shuffle),
        shares_(sizes.size()) {}

  void run() {
    std::vector<std::uint32_t> homeless;
    std::vector<BySize> of_depth = by_home();
    for (std::uint32_t depth = 0; depth < of_depth.size(); ++depth) {
      place(of_depth[depth], depth, homeless);
    }
    // The heaviest have the first choice of what is left.
    std::ranges::stable_sort(homeless, std::greater<>{},
                             [&](std::uint32_t group) { return weights_[group]; });
    for (const std::uint32_t group : homeless) place_in_parts(group);
  }

  /// What lies in groups that are not whole although an object could hold them.
  double loss() const { return loss_; }
  RoomTree& tree() { return tree_; }
  std::vector<std::vector<Share>> take_shares() { return std::move(shares_); }

 private:
  /// Groups by the lowest depth with an object that is large enough.
  std::vector<BySize> by_home() const {
    std::vector<std::uint64_t> largest;
    for (std::uint32_t depth = 0; depth <= tree_.depth(); ++depth) {
      std::uint64_t most = 0;
      for (const std::uint32_t o : tree_.objects_at(depth)) {
        most = std::max(most, tree_[o].capacity);
      }
      largest.push_back(most);
    }
    std::vector<BySize> of_depth(largest.size());
    for (std::uint32_t group = 0; group < sizes_.size(); ++group) {
      std::size_t depth = largest.size() - 1;
      while (depth > 0 && largest[depth] < sizes_[group]) --depth;
      of_depth[depth][sizes_[group]].push_back(group);
    }
    return of_depth;
  }

  void place(BySize& left, std::uint32_t depth, std::vector<std::uint32_t>& homeless) {
    if (left.empty()) return;
    const std::vector<std::uint64_t> rooms = tree_.rooms();
    std::map<std::uint64_t, std::vector<std::uint32_t>> by_room;
    const std::vector<std::uint32_t> objects = tree_.objects_at(depth);
    for (std::size_t i = objects.size(); i-- > 0;) by_room[rooms[objects[i]]].push_back(objects[i]);
    std::vector<std::uint64_t> order;
    for (const auto& [size, groups] : left) order.push_back(size);
    while (!left.empty()) {
      if (shuffle_) {
        for (std::size_t i = order.size(); i-- > 1;) {
          std::swap(order[i], order[rng_.below(i + 1)]);
        }
      }
      const std::uint64_t size = left.begin()->first;
      const std::uint32_t group = taken(left, size);
      if (by_room.empty() || by_room.rbegin()->first < size) {
        homeless.push_back(group);
        continue;
      }
      fill_one(by_room, left, order, group);
    }
  }

  /// Puts a group and the others that suit it best into one object.
  void fill_one(std::map<std::uint64_t, std::vector<std::uint32_t>>& by_room, BySize& left,
                std::span<const std::uint64_t> order, std::uint32_t group) {
    constexpr std::uint64_t most_sum = 1U << 16U;
    const std::uint64_t size = sizes_[group];
    auto chosen = by_room.lower_bound(size);
    const std::uint64_t most = by_room.rbegin()->first - size;
    std::uint64_t sum = 0;
    std::optional<SubsetSums> sums;
    if (chosen->first > size && most <= most_sum && !left.empty()) {
      sums.emplace(left, order, most);
      std::uint64_t least = UINT64_MAX;
      for (auto room = chosen; room != by_room.end() && least > 0; ++room) {
        const std::uint64_t best = sums->largest_up_to(room->first - size);
        const std::uint64_t slack = room->first - size - best;
        if (slack >= least) continue;
        least = slack;
        sum = best;
        chosen = room;
      }
    }
    const std::uint32_t object = chosen->second.back();
    const std::uint64_t room = chosen->first - size - sum;
    chosen->second.pop_back();
    if (chosen->second.empty()) by_room.erase(chosen);
    if (room > 0) by_room[room].push_back(object);
    share(object, group, size);
    while (sum > 0) {
      const std::uint64_t next = sums->last(sum);
      share(object, taken(left, next), next);
      sum -= next;
    }
  }

  static std::uint32_t taken(BySize& left, std::uint64_t size) {
    const auto groups = left.find(size);
    const std::uint32_t group = groups->second.back();
    groups->second.pop_back();
    if (groups->second.empty()) left.erase(groups);
    return group;
  }

  /// In the smallest object that has room for all of it, over several blocks.
  void place_in_parts(std::uint32_t group) {
    const std::vector<std::uint64_t> rooms = tree_.rooms();
    std::uint32_t best = 0;
    for (std::uint32_t o = 1; o < rooms.size(); ++o) {
      if (rooms[o] < sizes_[group]) continue;
      const auto key = [&](std::uint32_t one) {
        return std::pair{tree_[one].capacity, rooms[one]};
      };
      if (key(o) < key(best)) best = o;
    }
    loss_ += weights_[group];
    share(best, group, sizes_[group]);
  }

  void share(std::uint32_t object, std::uint32_t group, std::uint64_t ranks) {
    if (tree_[object].children == 0) {
      tree_.take(object, ranks);
      shares_[group].push_back({object, ranks});
      return;
    }
    std::vector<std::pair<std::uint64_t, std::uint32_t>> children;  // by room
    const std::uint32_t first = tree_[object].first_child;
    for (std::uint32_t c = first; c < first + tree_[object].children; ++c) {
      const std::uint64_t room = room_of(c);
      if (room > 0) children.emplace_back(room, c);
    }
    std::ranges::sort(children, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    });
    std::size_t needed = 0;
    for (std::uint64_t room = 0; room < ranks; ++needed) {
      room += children[children.size() - 1 - needed].first;
    }
    // Even shares: from the smallest of those that are needed, so that none is too small.
    while (ranks > 0) {
      auto child = children.end() - static_cast<std::ptrdiff_t>(needed);
      std::uint64_t part = std::min(child->first, (ranks + needed - 1) / needed);
      if (sharing_ == Sharing::full) {
        child = std::ranges::lower_bound(children, std::pair{ranks, std::uint32_t{0}});
        if (child == children.end()) --child;
        part = std::min(child->first, ranks);
      }
      if (needed > 1) --needed;
      const std::uint32_t next = child->second;
      children.erase(child);
      share(next, group, part);
      ranks -= part;
    }
  }

  std::uint64_t room_of(std::uint32_t object) const {
    if (tree_[object].children == 0) return tree_[object].room;
    std::uint64_t room = 0;
    const std::uint32_t first = tree_[object].first_child;
    for (std::uint32_t c = first; c < first + tree_[object].children; ++c) room += room_of(c);
    return room;
  }

  RoomTree tree_;
  std::span<const std::uint64_t> sizes_;
  std::span<const double> weights_;
  Sharing sharing_;
  Rng rng_;
  bool shuffle_;
  std::vector<std::vector<Share>> shares_;
  double loss_ = 0;
};

}  // namespace

std::vector<std::vector<Share>> pack_groups(RoomTree& tree, std::span<const std::uint64_t> sizes,
                                            std::span<const double> weights, Sharing sharing,
                                            unsigned tries, std::uint64_t seed) {
  std::vector<std::vector<Share>> best;
  RoomTree best_tree = tree;
  double least = 0;
  for (unsigned i = 0; i < std::max(tries, 1U); ++i) {
    Packer packer(tree, sizes, weights, sharing, seed + i, i > 0);
    packer.run();
    if (i > 0 && packer.loss() >= least) continue;
    least = packer.loss();
    best = packer.take_shares();
    best_tree = std::move(packer.tree());
    if (least == 0) break;
  }
  tree = std::move(best_tree);
  return best;
}

}  // namespace kith::packing
