#include "order/topology/small_map.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace kith::preload {
namespace {

using Hosts = std::span<const std::int32_t>;
using Vertices = std::vector<std::int32_t>;

/// As many ranks as there are vertices, in a row: those of one host behind each other, large hosts
/// first.
class RankRow {
 public:
  RankRow(Hosts hosts, std::size_t vertices) : ranks_(hosts.size()), host_of_(hosts) {
    std::iota(ranks_.begin(), ranks_.end(), 0);
    const std::int32_t most = *std::max_element(hosts.begin(), hosts.end());
    std::vector<std::int32_t> count(static_cast<std::size_t>(most) + 1);
    for (const std::int32_t host : hosts) ++count[static_cast<std::size_t>(host)];
    const auto place = [&](std::int32_t rank) {
      const std::int32_t host = host_of(rank);
      return std::pair{-count[static_cast<std::size_t>(host)], host};
    };
    std::stable_sort(ranks_.begin(), ranks_.end(),
                     [&](std::int32_t a, std::int32_t b) { return place(a) < place(b); });
    ranks_.resize(vertices);
  }

  std::size_t size() const { return ranks_.size(); }
  std::int32_t host(std::size_t position) const { return host_of(ranks_[position]); }
  /// How many ranks of the row the first host has.
  std::size_t width() const {
    std::size_t end = 1;
    while (end < size() && host(end) == host(0)) ++end;
    return end;
  }
  /// The host of each vertex when position i is taken by order[i].
  std::vector<std::int32_t> hosts_of(const Vertices& order) const {
    std::vector<std::int32_t> hosts(size());
    for (std::size_t i = 0; i < size(); ++i) hosts[index(order[i])] = host(i);
    return hosts;
  }
  /// The rank of each vertex: those of a host take its vertices by rising numbers.
  std::vector<std::int32_t> ranks_of(Vertices order) const {
    std::vector<std::int32_t> ranks(size());
    for (std::size_t begin = 0, end = 0; begin < size(); begin = end) {
      while (end < size() && host(end) == host(begin)) ++end;
      std::sort(order.begin() + offset(begin), order.begin() + offset(end));
      for (std::size_t i = begin; i < end; ++i) ranks[index(order[i])] = ranks_[i];
    }
    return ranks;
  }

 private:
  static std::size_t index(std::int32_t vertex) { return static_cast<std::size_t>(vertex); }
  static std::ptrdiff_t offset(std::size_t position) {
    return static_cast<std::ptrdiff_t>(position);
  }
  std::int32_t host_of(std::int32_t rank) const { return host_of_[index(rank)]; }

  std::vector<std::int32_t> ranks_;
  Hosts host_of_;
};

/// The weight of the edges between hosts, given the host of each vertex.
using Cut = std::function<std::int64_t(const std::vector<std::int32_t>&)>;

/// Keeps the best of the orders that it is shown.
class Choice {
 public:
  Choice(const RankRow& row, Hosts hosts, Cut cut) : row_(row), cut_(std::move(cut)) {
    present_ = cut_({hosts.begin(), hosts.begin() + static_cast<std::ptrdiff_t>(row.size())});
    least_ = present_;
  }
  void offer(Vertices order) {
    const std::int64_t cut = cut_(row_.hosts_of(order));
    if (cut >= least_) return;
    least_ = cut;
    best_ = std::move(order);
  }
  std::vector<std::int32_t> ranks(double min_gain) const {
    const double wanted = static_cast<double>(present_) * (1 - min_gain);
    if (best_.empty() || static_cast<double>(least_) > wanted) return {};
    return row_.ranks_of(best_);
  }

 private:
  const RankRow& row_;
  Cut cut_;
  std::int64_t present_ = 0;
  std::int64_t least_ = 0;
  Vertices best_;
};

using Shape = std::vector<std::uint32_t>;

/// The shapes of blocks with most vertices, but no more than `most`.
class Blocks {
 public:
  Blocks(const Shape& extents, std::uint64_t most) : extents_(extents), most_(most) {
    shape_.resize(extents.size(), 1);
    extend(0, 1);
  }
  const std::vector<Shape>& shapes() const { return shapes_; }

 private:
  static constexpr std::size_t limit = 256;

  void extend(std::size_t dimension, std::uint64_t volume) {
    if (dimension == extents_.size()) {
      if (volume > best_) shapes_.clear();
      best_ = std::max(best_, volume);
      if (volume == best_ && shapes_.size() < limit) shapes_.push_back(shape_);
      return;
    }
    const std::uint64_t longest = std::min<std::uint64_t>(extents_[dimension], most_ / volume);
    for (std::uint64_t length = longest; length >= 1; --length) {
      shape_[dimension] = static_cast<std::uint32_t>(length);
      extend(dimension + 1, volume * length);
    }
  }

  const Shape& extents_;
  std::uint64_t most_;
  std::uint64_t best_ = 0;
  Shape shape_;
  std::vector<Shape> shapes_;
};

std::size_t volume(const Shape& extents) {
  std::size_t vertices = 1;
  for (const std::uint32_t extent : extents) vertices *= extent;
  return vertices;
}

/// The next place in row-major order.
void step(Shape& place, const Shape& extents) {
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (++place[d] < extents[d]) return;
    place[d] = 0;
  }
}

/// All vertices, block by block.
Vertices in_blocks(const Shape& extents, const Shape& shape) {
  std::vector<std::pair<std::size_t, std::int32_t>> block_of(volume(extents));
  Shape place(extents.size(), 0);
  for (std::size_t v = 0; v < block_of.size(); ++v, step(place, extents)) {
    std::size_t block = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      block = block * ((extents[d] - 1) / shape[d] + 1) + place[d] / shape[d];
    }
    block_of[v] = {block, static_cast<std::int32_t>(v)};
  }
  std::sort(block_of.begin(), block_of.end());
  Vertices order;
  order.reserve(block_of.size());
  for (const auto& [block, vertex] : block_of) order.push_back(vertex);
  return order;
}

std::int64_t grid_cut(const CartesianTopology& grid, const std::vector<std::int32_t>& hosts) {
  std::int64_t cut = 0;
  Shape place(grid.dims.size(), 0);
  for (std::size_t v = 0; v < hosts.size(); ++v, step(place, grid.dims)) {
    std::size_t stride = 1;
    for (std::size_t d = grid.dims.size(); d-- > 0; stride *= grid.dims[d]) {
      const std::uint32_t extent = grid.dims[d];
      const bool is_last = place[d] + 1 == extent;
      if (is_last && (!grid.periods[d] || extent == 1)) continue;
      const std::size_t next = is_last ? v - (extent - 1) * stride : v + stride;
      cut += hosts[v] != hosts[next] ? 1 : 0;
    }
  }
  return cut;
}

/// Neighbours in both directions.
class Adjacency {
 public:
  Adjacency(std::span<const int> index, std::span<const int> neighbours) : of_(index.size()) {
    std::size_t i = 0;
    for (std::size_t v = 0; v < index.size(); ++v) {
      for (; i < static_cast<std::size_t>(index[v]); ++i) {
        const auto w = static_cast<std::size_t>(neighbours[i]);
        if (v == w) continue;
        of_[v].push_back(neighbours[i]);
        of_[w].push_back(static_cast<std::int32_t>(v));
      }
    }
  }
  std::size_t size() const { return of_.size(); }
  const Vertices& operator[](std::int32_t v) const { return of_[static_cast<std::size_t>(v)]; }

 private:
  std::vector<Vertices> of_;
};

std::int64_t graph_cut(const Adjacency& graph, const std::vector<std::int32_t>& hosts) {
  std::int64_t cut = 0;
  for (std::size_t v = 0; v < hosts.size(); ++v) {
    for (const std::int32_t w : graph[static_cast<std::int32_t>(v)]) {
      cut += hosts[v] != hosts[static_cast<std::size_t>(w)] ? 1 : 0;
    }
  }
  return cut;
}

/// Host by host: next is the free vertex with most links into the host, then the one that has most
/// links into what is seated already, then the lowest.
Vertices grown(const Adjacency& graph, const RankRow& row) {
  struct Links {
    std::int32_t here = 0;
    std::int32_t seated = 0;
  };
  std::vector<Links> links(graph.size());
  std::vector<bool> is_free(graph.size(), true);
  std::set<std::tuple<std::int32_t, std::int32_t, std::int32_t>> waiting;  // the first is next
  const auto key = [&](std::int32_t v) {
    const Links& of = links[static_cast<std::size_t>(v)];
    return std::tuple{-of.here, -of.seated, v};
  };
  for (std::size_t v = 0; v < graph.size(); ++v) waiting.insert(key(static_cast<std::int32_t>(v)));
  Vertices order;
  std::size_t begin = 0;  // of the ranks of this host
  while (order.size() < row.size()) {
    if (row.host(order.size()) != row.host(begin)) {
      for (; begin < order.size(); ++begin) {  // no rank has links into the new host yet
        for (const std::int32_t w : graph[order[begin]]) {
          if (!is_free[static_cast<std::size_t>(w)]) continue;
          waiting.erase(key(w));
          links[static_cast<std::size_t>(w)].here = 0;
          waiting.insert(key(w));
        }
      }
    }
    const std::int32_t v = std::get<2>(*waiting.begin());
    waiting.erase(waiting.begin());
    is_free[static_cast<std::size_t>(v)] = false;
    order.push_back(v);
    for (const std::int32_t w : graph[v]) {
      if (!is_free[static_cast<std::size_t>(w)]) continue;
      waiting.erase(key(w));
      ++links[static_cast<std::size_t>(w)].here;
      ++links[static_cast<std::size_t>(w)].seated;
      waiting.insert(key(w));
    }
  }
  return order;
}

Vertices natural(std::size_t vertices) {
  Vertices order(vertices);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

std::vector<std::int32_t> map_grid(const CartesianTopology& grid, Hosts hosts, double min_gain) {
  const RankRow row(hosts, volume(grid.dims));
  Choice choice(row, hosts,
                [&](const std::vector<std::int32_t>& of) { return grid_cut(grid, of); });
  choice.offer(natural(row.size()));
  const Blocks blocks(grid.dims, row.width());
  for (const Shape& shape : blocks.shapes()) {
    choice.offer(in_blocks(grid.dims, shape));
  }
  return choice.ranks(min_gain);
}

std::vector<std::int32_t> map_graph(std::span<const int> index, std::span<const int> neighbours,
                                    Hosts hosts, double min_gain) {
  const Adjacency graph(index, neighbours);
  const RankRow row(hosts, index.size());
  Choice choice(row, hosts,
                [&](const std::vector<std::int32_t>& of) { return graph_cut(graph, of); });
  choice.offer(natural(row.size()));
  choice.offer(grown(graph, row));
  return choice.ranks(min_gain);
}

}  // namespace kith::preload
