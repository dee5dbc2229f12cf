#include "machine/probe_inference/probe_inference.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace kith {
namespace {

/// Two values are unlike if one is at least this many times the other.
constexpr double unlike = 1.5;

struct Neighbour {
  std::uint32_t host;
  std::uint32_t pair;
};

class Triangles {
 public:
  Triangles(std::uint32_t hosts, std::span<const PairValue> pairs) : pairs_(pairs), near_(hosts) {
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
      near_[pairs[i].a].push_back({pairs[i].b, i});
      near_[pairs[i].b].push_back({pairs[i].a, i});
    }
    for (auto& list : near_) std::ranges::sort(list, {}, &Neighbour::host);
  }

  /// Calls visit(other pair, other pair) for each triangle of `pair` whose two largest values are
  /// not alike.
  template <class Visit>
  void each_broken(std::size_t pair, Visit visit) const {
    const double value = pairs_[pair].value;
    auto a = near_[pairs_[pair].a].begin();
    auto b = near_[pairs_[pair].b].begin();
    const auto end_a = near_[pairs_[pair].a].end();
    const auto end_b = near_[pairs_[pair].b].end();
    while (a != end_a && b != end_b) {
      if (a->host < b->host) {
        ++a;
      } else if (b->host < a->host) {
        ++b;
      } else {
        if (is_broken(value, pairs_[a->pair].value, pairs_[b->pair].value)) {
          visit(a->pair, b->pair);
        }
        ++a, ++b;
      }
    }
  }

 private:
  static bool is_broken(double x, double y, double z) {
    const double largest = std::max({x, y, z});
    const double second = std::max(std::min(x, y), std::min(std::max(x, y), z));
    return largest > unlike * second;
  }

  std::span<const PairValue> pairs_;
  std::vector<std::vector<Neighbour>> near_;
};

}  // namespace

std::vector<std::size_t> find_contradictions(std::uint32_t hosts,
                                             std::span<const PairValue> pairs) {
  const Triangles triangles(hosts, pairs);
  std::vector<std::uint32_t> broken(pairs.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    triangles.each_broken(i, [&](std::size_t, std::size_t) { ++broken[i]; });
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (broken[i] < 2) continue;
    std::uint32_t to_blame = 0;  // in how many triangles it is broken more often than the others
    triangles.each_broken(i, [&](std::size_t j, std::size_t k) {
      to_blame += broken[i] > broken[j] && broken[i] > broken[k];
    });
    if (2 * to_blame >= broken[i]) found.push_back(i);
  }
  return found;
}

namespace {

constexpr double like = 1.5;  // costs of one layer differ by less than this factor

using Metric = double MeasuredPair::*;

/// Those of the pairs that have a value; `index` their places.
struct Known {
  std::vector<PairValue> values;
  std::vector<std::size_t> index;
};

Known known_values(std::span<const MeasuredPair> pairs, Metric metric) {
  Known known;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!(pairs[i].*metric > 0) || pairs[i].a == pairs[i].b) continue;
    known.values.push_back({pairs[i].a, pairs[i].b, pairs[i].*metric});
    known.index.push_back(i);
  }
  return known;
}

std::vector<PairValue> credible_values(std::uint32_t hosts, std::span<const MeasuredPair> pairs,
                                       Metric metric) {
  auto known = known_values(pairs, metric).values;
  const auto doubtful = find_contradictions(hosts, known);
  for (auto i = doubtful.rbegin(); i != doubtful.rend(); ++i) {
    known.erase(known.begin() + static_cast<std::ptrdiff_t>(*i));
  }
  return known;
}

/// Whether it matters which of the groups two hosts are in: the latencies differ by at least a
/// fiftieth of what 64 KiB take.
bool is_worth_a_level(const std::vector<HostGroup>& by_latency, double cost) {
  constexpr double least_share = 0.02;
  const double message_us = cost * 65536 / 1e6;
  return std::ranges::any_of(by_latency, [&](const HostGroup& group) {
    return by_latency.front().value - group.value >= least_share * message_us;
  });
}

/// Adds groups by latency inside those groups that cost does not divide further. They cost what
/// their parent does.
void add_groups_by_latency(std::vector<HostGroup>& groups,
                           const std::vector<PairValue>& latencies) {
  std::vector<bool> divided(groups.size(), false);
  for (const HostGroup& group : groups) {
    if (group.parent != HostGroup::none) divided[group.parent] = true;
  }
  const auto by_cost = static_cast<std::uint32_t>(groups.size());
  for (std::uint32_t parent = 0; parent < by_cost; ++parent) {
    if (divided[parent] || groups[parent].hosts.size() < 3) continue;
    const auto first = static_cast<std::uint32_t>(groups.size());
    const auto inner = find_groups(groups[parent].hosts, latencies);
    if (!is_worth_a_level(inner, groups[parent].value)) continue;
    for (std::size_t i = 1; i < inner.size(); ++i) {
      HostGroup group = inner[i];
      group.parent = group.parent == 0 ? parent : first + group.parent - 1;
      group.value = groups[parent].value;
      groups.push_back(std::move(group));
    }
  }
}

/// The layer of each group from the bottom, that of the first group (all hosts) above all others:
/// groups of like cost share one, and a parent's is above its children's.
std::vector<std::size_t> layers_of(const std::vector<HostGroup>& groups) {
  std::vector<std::size_t> order(groups.size() - 1);
  std::iota(order.begin(), order.end(), 1);
  std::ranges::sort(order, {}, [&](std::size_t group) { return groups[group].value; });
  std::vector<std::size_t> layer(groups.size(), 0);
  double lowest = 0;
  std::size_t current = 0;
  for (const std::size_t group : order) {
    if (lowest > 0 && groups[group].value >= like * lowest) ++current;
    if (lowest == 0 || groups[group].value >= like * lowest) lowest = groups[group].value;
    layer[group] = current;
  }
  for (std::size_t group = groups.size() - 1; group > 0; --group) {  // children before parents
    std::size_t& above = layer[groups[group].parent];
    above = std::max(above, layer[group] + 1);
  }
  return layer;
}

/// Numbers from 0 in the order of the first host.
std::vector<std::uint32_t> renumbered(const std::vector<std::uint64_t>& switches) {
  std::map<std::uint64_t, std::uint32_t> number;
  std::vector<std::uint32_t> numbered;
  for (const std::uint64_t one : switches) {
    numbered.push_back(
        number.try_emplace(one, static_cast<std::uint32_t>(number.size())).first->second);
  }
  return numbered;
}

}  // namespace

std::size_t InferredLevels::meeting(std::uint32_t a, std::uint32_t b) const {
  std::size_t level = 0;
  while (level < switch_of.size() && switch_of[level][a] == switch_of[level][b]) ++level;
  return level;
}

InferredLevels infer_levels(std::uint32_t hosts, std::span<const MeasuredPair> pairs) {
  std::vector<std::uint32_t> all(hosts);
  std::iota(all.begin(), all.end(), 0);
  auto groups = find_groups(all, credible_values(hosts, pairs, &MeasuredPair::cost));
  if (groups.empty()) return {};
  add_groups_by_latency(groups, credible_values(hosts, pairs, &MeasuredPair::latency_us));

  const auto layers = layers_of(groups);
  InferredLevels levels;
  std::vector<std::uint64_t> below(all.begin(), all.end());  // the host itself, or its switch there
  for (std::size_t layer = 0; layer < layers.front(); ++layer) {
    bool is_used = false;
    auto switches = below;
    for (std::size_t group = 1; group < groups.size(); ++group) {
      if (layers[group] != layer) continue;
      is_used = true;
      for (const std::uint32_t host : groups[group].hosts) switches[host] = hosts + group;
    }
    if (!is_used) continue;
    levels.switch_of.insert(levels.switch_of.begin(), renumbered(switches));
    below = std::move(switches);
  }
  return levels;
}

std::vector<std::size_t> doubtful_pairs(std::uint32_t hosts, std::span<const MeasuredPair> pairs) {
  const Known known = known_values(pairs, &MeasuredPair::cost);
  auto doubtful = find_contradictions(hosts, known.values);
  for (std::size_t& i : doubtful) i = known.index[i];
  return doubtful;
}

}  // namespace kith
