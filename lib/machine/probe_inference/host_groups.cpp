#include "machine/probe_inference/probe_inference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kith {
namespace {

// Hosts merged two by two, nearest first.

/// A binary tree over hosts. Nodes 0 .. hosts-1 are the hosts, each later one joins two earlier
/// ones; the last is the root.
struct MergeTree {
  struct Node {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t hosts = 1;
    double height = 0;  ///< mean logarithm of the values between left and right; a host: -infinity,
                        ///< where nothing was measured between them: +infinity
  };
  std::vector<Node> nodes;
};

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

/// Average linkage of the logarithms (Sokal and Michener 1958): again and again the two groups join
/// whose mean is smallest, over those pairs that were measured. `hosts` at least 1; each pair once
/// at most. Time O(pairs log^2 pairs), memory O(pairs).
MergeTree merge_nearest(std::uint32_t hosts, std::span<const PairValue> pairs) {
  return Merging(hosts, pairs).run();
}

/// The hosts below a node, in no order.
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

constexpr double clear_factor = 1.25;
constexpr double clear_factor_of_few = 1.5;
constexpr std::size_t few = 6;

struct NearHost {
  std::uint32_t host;
  double value;
};

double at_rank(std::vector<double>& values, std::size_t rank) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double median(std::vector<double>& values) {
  return values.empty() ? 0 : at_rank(values, values.size() / 2);
}

/// Host indices 0 .. hosts-1 throughout.
class HostGrouping {
 public:
  HostGrouping(std::uint32_t hosts, std::span<const PairValue> pairs)
      : pairs_(pairs),
        tree_(merge_nearest(hosts, pairs)),
        near_(hosts),
        context_of_(hosts, 0),
        inside_(hosts, false),
        to_host_(hosts) {
    for (const PairValue& pair : pairs) {
      near_[pair.a].push_back({pair.b, pair.value});
      near_[pair.b].push_back({pair.a, pair.value});
    }
  }

  std::vector<HostGroup> run() {
    std::vector<std::uint32_t> nodes{static_cast<std::uint32_t>(tree_.nodes.size()) - 1};
    add_group(nodes.front(), HostGroup::none);
    for (std::uint32_t group = 0; group < groups_.size(); ++group) {
      for (const std::uint32_t host : groups_[group].hosts) context_of_[host] = group;
      for (const std::uint32_t node : groups_inside(nodes[group], group)) {
        nodes.push_back(node);
        add_group(node, group);
      }
    }
    set_values();
    return std::move(groups_);
  }

 private:
  void add_group(std::uint32_t node, std::uint32_t parent) {
    groups_.push_back({hosts_below(tree_, node), parent, 0});
    std::ranges::sort(groups_.back().hosts);
  }

  /// The largest groups below a node, which is itself a group.
  std::vector<std::uint32_t> groups_inside(std::uint32_t top, std::uint32_t context) {
    std::vector<std::uint32_t> found;
    std::vector<std::uint32_t> open{top};
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      const auto& here = tree_.nodes[node];
      for (const std::uint32_t child : {here.right, here.left}) {
        const auto& below = tree_.nodes[child];
        if (below.hosts < 2) continue;
        // A group's last merge is well below the merge that takes it up: cheaper to see.
        const bool may_be = here.height - below.height > std::log(clear_factor) / 2;
        if (may_be && stands_apart(hosts_below(tree_, child), context)) {
          found.push_back(child);
        } else {
          open.push_back(child);
        }
      }
    }
    std::ranges::sort(found);
    return found;
  }

  bool stands_apart(const std::vector<std::uint32_t>& hosts, std::uint32_t context) {
    std::vector<double> within;
    std::vector<std::uint32_t> outside;
    std::size_t across = 0;
    for (const std::uint32_t host : hosts) inside_[host] = true;
    for (const std::uint32_t host : hosts) {
      for (const NearHost& other : near_[host]) {
        if (inside_[other.host]) {
          within.push_back(other.value);  // each pair twice
        } else if (context_of_[other.host] == context) {
          if (to_host_[other.host].empty()) outside.push_back(other.host);
          to_host_[other.host].push_back(other.value);
          ++across;
        }
      }
    }
    for (const std::uint32_t host : hosts) inside_[host] = false;
    double nearest = INFINITY;
    for (const std::uint32_t host : outside) {
      nearest = std::min(nearest, median(to_host_[host]));
      to_host_[host].clear();
    }
    if (within.empty() || across == 0) return false;
    const std::size_t inside = within.size() / 2;
    const double usual = at_rank(within, within.size() - 1 - 2 * (inside / 10));
    const double factor = std::min(inside, across) < few ? clear_factor_of_few : clear_factor;
    return nearest >= factor * usual;
  }

  /// Each pair belongs to the smallest group that holds both.
  void set_values() {
    std::vector<std::uint32_t> lowest(near_.size(), 0);
    for (std::uint32_t group = 0; group < groups_.size(); ++group) {
      for (const std::uint32_t host : groups_[group].hosts) lowest[host] = group;
    }
    std::vector<std::vector<double>> values(groups_.size());
    for (const PairValue& pair : pairs_) {
      std::uint32_t a = lowest[pair.a];
      std::uint32_t b = lowest[pair.b];
      while (a != b) (a > b ? a : b) = groups_[std::max(a, b)].parent;
      values[a].push_back(pair.value);
    }
    for (std::uint32_t group = 0; group < groups_.size(); ++group) {
      groups_[group].value = median(values[group]);
    }
  }

  std::span<const PairValue> pairs_;
  MergeTree tree_;
  std::vector<std::vector<NearHost>> near_;
  std::vector<std::uint32_t> context_of_;
  std::vector<bool> inside_;                  // scratch: the hosts of the node in question
  std::vector<std::vector<double>> to_host_;  // scratch: values to each host outside of it
  std::vector<HostGroup> groups_;
};

}  // namespace

std::vector<HostGroup> find_groups(std::vector<std::uint32_t> hosts,
                                   std::span<const PairValue> pairs) {
  if (hosts.empty()) return {};
  std::ranges::sort(hosts);
  std::vector<std::uint32_t> index(hosts.back() + std::size_t{1}, HostGroup::none);
  for (std::uint32_t i = 0; i < hosts.size(); ++i) index[hosts[i]] = i;
  std::vector<PairValue> among;
  for (const PairValue& pair : pairs) {
    if (std::max(pair.a, pair.b) > hosts.back()) continue;
    const PairValue renamed{index[pair.a], index[pair.b], pair.value};
    if (renamed.a != HostGroup::none && renamed.b != HostGroup::none) among.push_back(renamed);
  }
  auto groups = HostGrouping(static_cast<std::uint32_t>(hosts.size()), among).run();
  for (HostGroup& group : groups) {
    for (std::uint32_t& host : group.hosts) host = hosts[host];
  }
  return groups;
}

}  // namespace kith
