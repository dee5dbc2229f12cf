#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <queue>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/child_process.hpp"
#include "kith/detail/graph_network.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

/// A vertex to go on from. Of two equally far ones the lower vertex first.
struct Reached {
  std::uint64_t distance;
  std::uint32_t vertex;
  auto operator<=>(const Reached&) const = default;
};

using NearestFirst = std::priority_queue<Reached, std::vector<Reached>, std::greater<>>;

Reached take(NearestFirst& open) {
  const Reached first = open.top();
  open.pop();
  return first;
}

}  // namespace

// A graph by adjacency, and the searches for shortest routes in it.

/// Immutable. The vertices of the graph must exist; no sum of lengths along a route may exceed 63
/// bits.
class GraphSearch {
 public:
  static constexpr std::uint64_t unreached = std::numeric_limits<std::uint64_t>::max();

  explicit GraphSearch(const NetworkGraph& graph);

  /// The least sums of lengths from `source` to all nodes; unreached where no route exists.
  std::vector<std::uint64_t> lengths_from(std::uint32_t source) const;
  /// The fewest edges.
  std::vector<std::uint64_t> edges_from(std::uint32_t source) const;
  /// The least sum of lengths between two different nodes; 0 where there is only one.
  std::uint64_t least_length() const;
  /// Replaces `out` by up to `most` other nodes, nearest first, the lower one of equals.
  void nearest(std::uint32_t node, std::size_t most, std::vector<std::uint32_t>& out) const;

 private:
  struct Arc {
    std::uint32_t to;
    std::uint64_t length;
  };

  std::span<const Arc> arcs(std::uint32_t vertex) const {
    return std::span(arcs_).subspan(offsets_[vertex], offsets_[vertex + 1ULL] - offsets_[vertex]);
  }
  std::size_t vertices() const { return offsets_.size() - 1; }
  /// Dijkstra's algorithm from all vertices of `open`. Calls on_shorter(from, to) whenever the
  /// route over `from` is the shortest to `to` so far.
  void grow(NearestFirst& open, std::vector<std::uint64_t>& distance, auto on_shorter) const {
    while (!open.empty()) {
      const Reached here = take(open);
      if (here.distance > distance[here.vertex]) continue;
      for (const Arc& arc : arcs(here.vertex)) {
        const std::uint64_t through_here = here.distance + arc.length;
        if (through_here >= distance[arc.to]) continue;
        distance[arc.to] = through_here;
        on_shorter(here.vertex, arc.to);
        open.push({through_here, arc.to});
      }
    }
  }

  std::uint32_t nodes_;
  std::vector<std::uint64_t> offsets_;
  std::vector<Arc> arcs_;
  bool unit_lengths_;
};

GraphSearch::GraphSearch(const NetworkGraph& graph)
    : nodes_(graph.nodes), offsets_(graph.vertices + std::size_t{1}) {
  for (const auto& edge : graph.edges) {
    ++offsets_[edge.a + std::size_t{1}];
    ++offsets_[edge.b + std::size_t{1}];
  }
  for (std::size_t v = 0; v < vertices(); ++v) offsets_[v + 1] += offsets_[v];
  arcs_.resize(offsets_.back());
  std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
  for (const auto& edge : graph.edges) {
    arcs_[next[edge.a]++] = {edge.b, edge.length};
    arcs_[next[edge.b]++] = {edge.a, edge.length};
  }
  unit_lengths_ =
      std::ranges::all_of(graph.edges, [](const auto& edge) { return edge.length == 1; });
}

std::vector<std::uint64_t> GraphSearch::lengths_from(std::uint32_t source) const {
  if (unit_lengths_) return edges_from(source);
  std::vector<std::uint64_t> distance(vertices(), unreached);
  NearestFirst open;
  distance[source] = 0;
  open.push({0, source});
  grow(open, distance, [](std::uint32_t, std::uint32_t) {});
  distance.resize(nodes_);
  return distance;
}

std::vector<std::uint64_t> GraphSearch::edges_from(std::uint32_t source) const {
  std::vector<std::uint64_t> distance(vertices(), unreached);
  std::vector<std::uint32_t> reached{source};
  distance[source] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint32_t here = reached[i];
    for (const Arc& arc : arcs(here)) {
      if (distance[arc.to] != unreached) continue;
      distance[arc.to] = distance[here] + 1;
      reached.push_back(arc.to);
    }
  }
  distance.resize(nodes_);
  return distance;
}

// Around each node grows the region of what is nearest to it; the shortest route between two nodes
// crosses one edge from region to region.
std::uint64_t GraphSearch::least_length() const {
  if (nodes_ < 2) return 0;
  std::vector<std::uint64_t> distance(vertices(), unreached);
  std::vector<std::uint32_t> region(vertices());
  NearestFirst open;
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    distance[node] = 0;
    region[node] = node;
    open.push({0, node});
  }
  grow(open, distance, [&](std::uint32_t from, std::uint32_t to) { region[to] = region[from]; });
  std::uint64_t least = unreached;
  for (std::uint32_t v = 0; v < vertices(); ++v) {
    if (distance[v] == unreached) continue;
    for (const Arc& arc : arcs(v)) {
      if (region[v] == region[arc.to]) continue;
      least = std::min(least, distance[v] + arc.length + distance[arc.to]);
    }
  }
  return least;
}

void GraphSearch::nearest(std::uint32_t node, std::size_t most,
                          std::vector<std::uint32_t>& out) const {
  out.clear();
  std::unordered_set<std::uint32_t> settled;
  NearestFirst open;
  open.push({0, node});
  while (!open.empty() && out.size() < most) {
    const Reached here = take(open);
    if (!settled.insert(here.vertex).second) continue;
    if (here.vertex != node && here.vertex < nodes_) out.push_back(here.vertex);
    for (const Arc& arc : arcs(here.vertex)) {
      if (!settled.contains(arc.to)) open.push({here.distance + arc.length, arc.to});
    }
  }
}

/// A cache of rows, each computed when it is first asked for. At most `bytes` are kept, but one row
/// at least; of those that share a lock the least recently used goes. Thread safe.
class DistanceRows {
 public:
  using Row = std::vector<std::uint64_t>;

  /// `compute(i)` gives row i, of `items` items, as there are rows; it may be called by several
  /// threads at once and asks no DistanceRows.
  DistanceRows(std::uint32_t items, std::size_t bytes, std::function<Row(std::uint32_t)> compute);

  std::uint64_t at(std::uint32_t row, std::uint32_t column);

 private:
  static constexpr std::uint32_t not_kept = UINT32_MAX;

  struct Kept {
    std::uint32_t number = 0;
    std::uint64_t last_use = 0;
    Row row;
  };
  /// The rows whose number leaves the same remainder.
  struct Shard {
    ForkSafeMutex lock;
    std::vector<std::uint32_t> place;  ///< in `kept`, by row number / number of shards
    std::vector<Kept> kept;
    std::uint64_t uses = 0;
  };

  Kept& place_for_one_more(Shard& shard) const;

  std::function<Row(std::uint32_t)> compute_;
  std::uint32_t shards_;
  std::size_t most_rows_;  // of a shard
  std::array<Shard, 16> shard_;
};

DistanceRows::DistanceRows(std::uint32_t items, std::size_t bytes,
                           std::function<Row(std::uint32_t)> compute)
    : compute_(std::move(compute)) {
  const std::size_t rows =
      std::max<std::size_t>(bytes / (sizeof(std::uint64_t) * std::max(items, 1U)), 1);
  shards_ = static_cast<std::uint32_t>(std::min(rows, shard_.size()));
  most_rows_ = rows / shards_;
  for (std::uint32_t i = 0; i < shards_; ++i) {
    shard_[i].place.assign(items / shards_ + std::size_t{1}, not_kept);
  }
}

DistanceRows::Kept& DistanceRows::place_for_one_more(Shard& shard) const {
  if (shard.kept.size() < most_rows_) return shard.kept.emplace_back();
  Kept& oldest = *std::ranges::min_element(shard.kept, {}, &Kept::last_use);
  shard.place[oldest.number / shards_] = not_kept;
  return oldest;
}

std::uint64_t DistanceRows::at(std::uint32_t row, std::uint32_t column) {
  Shard& shard = shard_[row % shards_];
  const std::lock_guard guard(shard.lock);
  std::uint32_t& place = shard.place[row / shards_];
  if (place == not_kept) {
    Row computed = compute_(row);
    Kept& kept = place_for_one_more(shard);
    kept.number = row;
    kept.row = std::move(computed);
    place = static_cast<std::uint32_t>(&kept - shard.kept.data());
  }
  Kept& kept = shard.kept[place];
  kept.last_use = ++shard.uses;
  return kept.row[column];
}

namespace {

void check(const NetworkGraph& graph, std::string_view where) {
  if (graph.nodes == 0 || graph.vertices < graph.nodes) {
    throw bad_input(
        where, "a network with at least one node, each of them a vertex",
        std::to_string(graph.nodes) + " nodes, " + std::to_string(graph.vertices) + " vertices");
  }
  const std::uint64_t shortest = graph.lengths_are_costs ? 0 : 1;
  // No sum along a route exceeds 63 bits.
  const std::uint64_t longest = (std::uint64_t{1} << 62) / graph.vertices;
  for (const NetworkGraph::Edge& edge : graph.edges) {
    if (edge.a >= graph.vertices || edge.b >= graph.vertices) {
      throw bad_input(where, "edges between vertices below " + std::to_string(graph.vertices),
                      std::to_string(std::max(edge.a, edge.b)));
    }
    if (edge.length < shortest || edge.length > longest) {
      throw bad_input(where,
                      "lengths from " + std::to_string(shortest) + " to " + std::to_string(longest),
                      std::to_string(edge.length));
    }
  }
}

void check_connected(const GraphSearch& search, std::string_view where) {
  const auto hops = search.edges_from(0);
  const auto apart = std::ranges::find(hops, GraphSearch::unreached);
  if (apart == hops.end()) return;
  throw bad_input(where, "a network whose nodes are all connected",
                  "no way from node 0 to node " + std::to_string(apart - hops.begin()));
}

}  // namespace

GraphNetwork::GraphNetwork(NetworkGraph graph, std::string_view where, std::size_t cache_bytes)
    : kind_(std::move(graph.kind)),
      has_costs_(graph.lengths_are_costs),
      cost_scale_(graph.cost_scale) {
  check(graph, where);
  nodes_ = graph.nodes;
  search_ = std::make_unique<GraphSearch>(graph);
  graph.edges = {};
  check_connected(*search_, where);
  lowest_cost_ = search_->least_length();
  const GraphSearch& search = *search_;
  const auto least_sums = [&search](std::uint32_t node) { return search.lengths_from(node); };
  const auto fewest_edges = [&search](std::uint32_t node) { return search.edges_from(node); };
  if (has_costs_) {
    hops_ = std::make_unique<DistanceRows>(nodes_, cache_bytes, fewest_edges);
    costs_ = std::make_unique<DistanceRows>(nodes_, cache_bytes, least_sums);
  } else {
    hops_ = std::make_unique<DistanceRows>(nodes_, cache_bytes, least_sums);
  }
}

GraphNetwork::~GraphNetwork() = default;

std::uint64_t GraphNetwork::hops(std::uint32_t a, std::uint32_t b) const {
  return a == b ? 0 : hops_->at(a, b);
}

std::uint64_t GraphNetwork::cost(std::uint32_t a, std::uint32_t b) const {
  if (!has_costs_) return hops(a, b);
  return a == b ? 0 : costs_->at(a, b);
}

void GraphNetwork::nearest(std::uint32_t node, std::size_t most,
                           std::vector<std::uint32_t>& out) const {
  search_->nearest(node, most, out);
}

}  // namespace kith
