#include "machine/network/merge_tree.hpp"

#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace kith {
namespace {

/// Of the values between two groups.
struct Mean {
  double sum = 0;
  std::uint32_t count = 0;
  double value() const { return sum / count; }
};

struct Candidate {
  double mean;
  std::uint32_t a;
  std::uint32_t b;
  /// The smallest on top of the queue, ties by number.
  bool operator<(const Candidate& other) const {
    return std::tie(other.mean, other.a, other.b) < std::tie(mean, a, b);
  }
};

class Merging {
 public:
  Merging(std::uint32_t hosts, std::span<const PairValue> pairs)
      : near_(hosts), alive_(hosts, true) {
    tree_.nodes.resize(hosts);
    for (auto& node : tree_.nodes) node.height = -std::numeric_limits<double>::infinity();
    for (const PairValue& pair : pairs) {
      const Mean mean{std::log(pair.value), 1};
      near_[pair.a][pair.b] = mean;
      near_[pair.b][pair.a] = mean;
      queue_.push({mean.value(), pair.a, pair.b});
    }
  }

  MergeTree run() {
    while (!queue_.empty()) {
      const Candidate next = queue_.top();
      queue_.pop();
      if (alive_[next.a] && alive_[next.b]) join(next.a, next.b, next.mean);
    }
    join_what_is_left();
    return std::move(tree_);
  }

 private:
  using Neighbours = std::unordered_map<std::uint32_t, Mean>;

  void join(std::uint32_t a, std::uint32_t b, double height) {
    const auto joined = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.push_back({a, b, tree_.nodes[a].hosts + tree_.nodes[b].hosts, height});
    alive_[a] = alive_[b] = false;
    alive_.push_back(true);
    Neighbours all = std::move(near_[a]);
    Neighbours fewer = std::move(near_[b]);
    if (all.size() < fewer.size()) std::swap(all, fewer);
    for (const auto& [group, mean] : fewer) {
      Mean& sum = all[group];
      sum.sum += mean.sum;
      sum.count += mean.count;
    }
    all.erase(a);
    all.erase(b);
    for (const auto& [group, mean] : all) {
      near_[group].erase(a);
      near_[group].erase(b);
      near_[group][joined] = mean;
      queue_.push({mean.value(), group, joined});
    }
    near_.push_back(std::move(all));
  }

  /// Groups between which nothing was measured.
  void join_what_is_left() {
    std::uint32_t last = UINT32_MAX;
    const auto merged = static_cast<std::uint32_t>(tree_.nodes.size());
    for (std::uint32_t group = 0; group < merged; ++group) {
      if (!alive_[group]) continue;
      if (last != UINT32_MAX) {
        tree_.nodes.push_back({last, group, tree_.nodes[last].hosts + tree_.nodes[group].hosts,
                               std::numeric_limits<double>::infinity()});
        last = static_cast<std::uint32_t>(tree_.nodes.size()) - 1;
      } else {
        last = group;
      }
    }
  }

  MergeTree tree_;
  std::vector<Neighbours> near_;
  std::vector<bool> alive_;
  std::priority_queue<Candidate> queue_;
};

}  // namespace

MergeTree merge_nearest(std::uint32_t hosts, std::span<const PairValue> pairs) {
  return Merging(hosts, pairs).run();
}

std::vector<std::uint32_t> hosts_below(const MergeTree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> hosts;
  std::vector<std::uint32_t> open{node};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    const auto& here = tree.nodes[at];
    if (here.hosts == 1) {
      hosts.push_back(at);
    } else {
      open.push_back(here.left);
      open.push_back(here.right);
    }
  }
  return hosts;
}

}  // namespace kith
