#include "machine/probe_inference/merge_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

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

/// A group keeps the number of that one of its hosts which knew most others when they joined, so
/// that joining costs as much as the group with fewer neighbours has.
class Merging {
 public:
  Merging(std::uint32_t hosts, std::span<const PairValue> pairs) : near_(hosts), node_of_(hosts) {
    tree_.nodes.resize(hosts);
    for (auto& node : tree_.nodes) node.height = -std::numeric_limits<double>::infinity();
    std::iota(node_of_.begin(), node_of_.end(), 0);
    for (const PairValue& pair : pairs) set(pair.a, pair.b, {std::log(pair.value), 1});
  }

  MergeTree run() {
    while (!queue_.empty()) {
      const Candidate next = queue_.top();
      queue_.pop();
      if (is_current(next)) join(next.a, next.b, next.mean);
    }
    join_what_is_left();
    return std::move(tree_);
  }

 private:
  using Neighbours = std::unordered_map<std::uint32_t, Mean>;
  static constexpr std::uint32_t gone = UINT32_MAX;

  void set(std::uint32_t a, std::uint32_t b, Mean mean) {
    near_[a][b] = mean;
    near_[b][a] = mean;
    queue_.push({mean.value(), std::min(a, b), std::max(a, b)});
  }

  bool is_current(const Candidate& candidate) const {
    const auto found = near_[candidate.a].find(candidate.b);
    return found != near_[candidate.a].end() && found->second.value() == candidate.mean;
  }

  void join(std::uint32_t a, std::uint32_t b, double height) {
    add_node(a, b, height);
    near_[a].erase(b);
    near_[b].erase(a);
    if (near_[a].size() < near_[b].size()) std::swap(a, b);
    node_of_[a] = static_cast<std::uint32_t>(tree_.nodes.size()) - 1;
    node_of_[b] = gone;
    for (const auto& [group, mean] : std::exchange(near_[b], {})) {
      near_[group].erase(b);
      const auto known = near_[a].find(group);
      const Mean before = known == near_[a].end() ? Mean{} : known->second;
      set(a, group, {before.sum + mean.sum, before.count + mean.count});
    }
  }

  void add_node(std::uint32_t a, std::uint32_t b, double height) {
    const std::uint32_t left = node_of_[a];
    const std::uint32_t right = node_of_[b];
    tree_.nodes.push_back(
        {left, right, tree_.nodes[left].hosts + tree_.nodes[right].hosts, height});
  }

  /// Groups between which nothing was measured.
  void join_what_is_left() {
    std::uint32_t last = gone;
    for (std::uint32_t group = 0; group < node_of_.size(); ++group) {
      if (node_of_[group] == gone) continue;
      if (last != gone) {
        add_node(last, group, std::numeric_limits<double>::infinity());
        node_of_[group] = static_cast<std::uint32_t>(tree_.nodes.size()) - 1;
      }
      last = group;
    }
  }

  MergeTree tree_;
  std::vector<Neighbours> near_;
  std::vector<std::uint32_t> node_of_;  // of each group; gone: part of another one
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
