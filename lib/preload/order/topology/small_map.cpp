#include "order/topology/small_map.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kith::preload {
namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// Vertices on hosts 0, 1, ..., and what each has to do with each host.
class Placing {
 public:
  Placing(const SmallGraph& graph, std::vector<int> host_of, int hosts)
      : graph_(&graph),
        host_of_(std::move(host_of)),
        hosts_(hosts),
        towards_(host_of_.size() * index(hosts)) {
    for (int v = 0; v < graph.vertices(); ++v) {
      for (int w = 0; w < graph.vertices(); ++w) {
        towards(v, host(w)) += graph.weight(v, w);
        if (v < w && host(v) != host(w)) cut_ += graph.weight(v, w);
      }
    }
  }

  int host(int v) const { return host_of_[index(v)]; }
  const std::vector<int>& host_of() const { return host_of_; }
  std::int64_t cut() const { return cut_; }

  std::int64_t gain(int v, int w) const {
    return towards(v, host(w)) - towards(v, host(v)) + towards(w, host(v)) - towards(w, host(w)) -
           2 * graph_->weight(v, w);
  }
  void swap(int v, int w) {
    cut_ -= gain(v, w);
    for (int u = 0; u < graph_->vertices(); ++u) {
      const std::int64_t change = graph_->weight(u, w) - graph_->weight(u, v);
      towards(u, host(v)) += change;
      towards(u, host(w)) -= change;
    }
    std::swap(host_of_[index(v)], host_of_[index(w)]);
  }

 private:
  std::int64_t& towards(int v, int host) {
    return towards_[index(v) * index(hosts_) + index(host)];
  }
  std::int64_t towards(int v, int host) const {
    return towards_[index(v) * index(hosts_) + index(host)];
  }

  const SmallGraph* graph_;
  std::vector<int> host_of_;
  int hosts_;
  std::vector<std::int64_t> towards_;
  std::int64_t cut_ = 0;
};

using Swap = std::pair<int, int>;

/// The best swap of two that are still free; {-1, -1} where no two are on different hosts.
Swap best_swap(const Placing& placing, const std::vector<bool>& is_free) {
  Swap best{-1, -1};
  std::int64_t most = 0;
  const int vertices = static_cast<int>(is_free.size());
  for (int v = 0; v < vertices; ++v) {
    if (!is_free[index(v)]) continue;
    for (int w = v + 1; w < vertices; ++w) {
      if (!is_free[index(w)] || placing.host(v) == placing.host(w)) continue;
      const std::int64_t gain = placing.gain(v, w);
      if (best.first < 0 || gain > most) {
        most = gain;
        best = {v, w};
      }
    }
  }
  return best;
}

/// One pass; whether it gained anything.
bool improve_once(Placing& placing) {
  std::vector<bool> is_free(placing.host_of().size(), true);
  std::vector<Swap> swaps;
  const std::int64_t before = placing.cut();
  std::int64_t least = before;
  std::size_t kept = 0;
  for (;;) {
    const auto [v, w] = best_swap(placing, is_free);
    if (v < 0) break;
    placing.swap(v, w);
    is_free[index(v)] = is_free[index(w)] = false;
    swaps.emplace_back(v, w);
    if (placing.cut() < least) {
      least = placing.cut();
      kept = swaps.size();
    }
  }
  for (; swaps.size() > kept; swaps.pop_back())
    placing.swap(swaps.back().first, swaps.back().second);
  return least < before;
}

void improve(Placing& placing) {
  while (improve_once(placing)) {
  }
}

/// The host of each rank as 0, 1, ... in the order of first ranks.
std::vector<int> numbered(std::span<const std::int32_t> hosts) {
  std::vector<std::int32_t> known;
  std::vector<int> numbers;
  for (const std::int32_t host : hosts) {
    const auto found = std::find(known.begin(), known.end(), host);
    numbers.push_back(static_cast<int>(found - known.begin()));
    if (found == known.end()) known.push_back(host);
  }
  return numbers;
}

/// Host by host: next is the vertex with most links into the host, the lowest of equals.
std::vector<int> grown(const SmallGraph& graph, const std::vector<int>& hosts) {
  std::vector<int> sorted_hosts = hosts;
  std::sort(sorted_hosts.begin(), sorted_hosts.end());
  std::vector<int> host_of(hosts.size(), -1);
  for (const int host : sorted_hosts) {
    int next = -1;
    std::int64_t most = -1;
    for (int v = 0; v < graph.vertices(); ++v) {
      if (host_of[index(v)] >= 0) continue;
      std::int64_t links = 0;
      for (int w = 0; w < graph.vertices(); ++w) {
        if (host_of[index(w)] == host) links += graph.weight(v, w);
      }
      if (links > most) {
        most = links;
        next = v;
      }
    }
    host_of[index(next)] = host;
  }
  return host_of;
}

/// Numbers that only look like chance.
class Shuffle {
 public:
  int below(int limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(limit));
  }
  void swap_some(Placing& placing, int times) {
    const int vertices = static_cast<int>(placing.host_of().size());
    for (int i = 0; i < times; ++i) {
      const int v = below(vertices);
      const int w = below(vertices);
      if (placing.host(v) != placing.host(w)) placing.swap(v, w);
    }
  }

 private:
  std::uint64_t state_ = 1;
};

std::vector<int> best_hosts(const SmallGraph& graph, const std::vector<int>& present, int hosts,
                            std::span<const std::int32_t> start) {
  std::vector<std::vector<int>> starts{present, present, grown(graph, present)};
  std::sort(starts[1].begin(), starts[1].end());  // vertices in their order, host by host
  if (start.size() == present.size()) {
    starts.emplace_back();
    for (const std::int32_t rank : start) starts.back().push_back(present[index(rank)]);
  }
  Placing best(graph, present, hosts);
  const auto offer = [&](Placing placing) {
    improve(placing);
    if (placing.cut() < best.cut()) best = std::move(placing);
  };
  for (const std::vector<int>& one : starts) offer(Placing(graph, one, hosts));
  Shuffle shuffle;
  constexpr int rounds = 40;
  for (int round = 0; round < rounds && best.cut() > 0; ++round) {
    Placing changed = best;
    shuffle.swap_some(changed, round % 2 == 0 ? 3 : graph.vertices());
    offer(std::move(changed));
  }
  return best.host_of();
}

/// A rank that may keep its vertex does; the others take what is left by rising numbers.
std::vector<std::int32_t> ranks_of(const std::vector<int>& wanted,
                                   const std::vector<int>& present) {
  std::vector<std::int32_t> new_rank(present.size(), -1);
  std::vector<bool> is_taken(present.size(), false);
  for (std::size_t r = 0; r < present.size(); ++r) {
    if (wanted[r] != present[r]) continue;
    new_rank[r] = static_cast<std::int32_t>(r);
    is_taken[r] = true;
  }
  for (std::size_t r = 0; r < present.size(); ++r) {
    for (std::size_t v = 0; v < wanted.size() && new_rank[r] < 0; ++v) {
      if (is_taken[v] || wanted[v] != present[r]) continue;
      new_rank[r] = static_cast<std::int32_t>(v);
      is_taken[v] = true;
    }
  }
  return new_rank;
}

}  // namespace

SmallGraph::SmallGraph(int vertices)
    : vertices_(vertices), weights_(index(vertices) * index(vertices)) {}

void SmallGraph::add(int from, int to, std::int64_t weight) {
  if (from == to) return;
  weights_.at(at(from, to)) += weight;
  weights_.at(at(to, from)) += weight;
}

void SmallGraph::add(const CartesianTopology& grid) {
  int volume = 1;
  for (const std::uint32_t extent : grid.dims) volume *= static_cast<int>(extent);
  int stride = 1;
  for (std::size_t d = grid.dims.size(); d-- > 0;) {
    const int extent = static_cast<int>(grid.dims[d]);
    for (int v = 0; v < volume && extent > 1; ++v) {
      const int place = v / stride % extent;
      if (place + 1 < extent) {
        add(v, v + stride, 1);
      } else if (grid.periods[d]) {
        add(v, v - place * stride, 1);
      }
    }
    stride *= extent;
  }
}

SmallMap map_small(const SmallGraph& graph, std::span<const std::int32_t> hosts,
                   std::span<const std::int32_t> start) {
  const std::vector<int> present = numbered(hosts);
  const int count = present.empty() ? 0 : *std::max_element(present.begin(), present.end()) + 1;
  SmallMap map;
  map.before = Placing(graph, present, count).cut();
  const std::vector<int> best = best_hosts(graph, present, count, start);
  map.after = Placing(graph, best, count).cut();
  map.new_rank = ranks_of(best, present);
  return map;
}

}  // namespace kith::preload
