// Machines as graphs, from their definitions alone: what formulas are held against. Vertices
// 0 .. slots-1 are the slots, then come switches and routers.
#pragma once

#include <numeric>

#include "kith/detail/graph_network.hpp"

namespace kith::testing {

using Extents = std::vector<std::uint32_t>;

inline std::uint32_t product(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), 1U, std::multiplies<>());
}

/// Vertices that are made one after the other.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::uint32_t slots) { graph_.nodes = graph_.vertices = slots; }
  std::uint32_t add_router() { return graph_.vertices++; }
  void join(std::uint32_t a, std::uint32_t b, std::uint64_t length = 1) {
    graph_.edges.push_back({a, b, length});
  }
  /// Hangs slots first_slot, ... below `top`, a tree of so many children on each level.
  void hang_tree(std::uint32_t top, const Extents& arities, std::uint32_t first_slot) {
    if (arities.empty()) return;
    const Extents below(arities.begin() + 1, arities.end());
    for (std::uint32_t child = 0; child < arities[0]; ++child) {
      const std::uint32_t first = first_slot + child * product(below);
      const std::uint32_t vertex = below.empty() ? first : add_router();
      join(top, vertex);
      hang_tree(vertex, below, first);
    }
  }
  /// The network's end of node `node`: the slot itself or the root of a tree of slots.
  std::uint32_t add_node(std::uint32_t node, const Extents& node_tree) {
    if (node_tree.empty()) return node;
    const std::uint32_t root = add_router();
    hang_tree(root, node_tree, node * product(node_tree));
    return root;
  }
  NetworkGraph take() { return std::move(graph_); }

 private:
  NetworkGraph graph_;
};

inline NetworkGraph tree_graph(const Extents& arities) {
  GraphBuilder graph(product(arities));
  graph.hang_tree(graph.add_router(), arities, 0);
  return graph.take();
}

/// Nodes joined where they differ by one step in one dimension.
inline NetworkGraph grid_graph(const Extents& extents, bool periodic, const Extents& node_tree) {
  const std::uint32_t nodes = product(extents);
  GraphBuilder graph(nodes * product(node_tree));
  Extents vertex;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    vertex.push_back(graph.add_node(node, node_tree));
  }
  std::uint32_t step = nodes;
  for (const std::uint32_t extent : extents) {
    step /= extent;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const std::uint32_t at = node / step % extent;
      if (at + 1 < extent) graph.join(vertex[node], vertex[node + step]);
      if (at + 1 == extent && periodic) graph.join(vertex[node], vertex[node - at * step]);
    }
  }
  return graph.take();
}

/// A k-ary n-tree: switch <w, l> for words w of n - 1 digits and levels l; <w, l> and <v, l + 1>
/// are joined where w and v agree in all digits but l, node p to <w, n - 1> where w begins p.
/// (Petrini, Vanneschi: k-ary n-trees, IPPS 1997.) A link j layers up is lengths[j] long.
inline NetworkGraph fattree_graph(std::uint32_t k, std::uint32_t n, const Extents& node_tree,
                                  const std::vector<std::uint64_t>& lengths) {
  std::uint32_t words = 1;
  for (std::uint32_t i = 1; i < n; ++i) words *= k;
  const std::uint32_t nodes = words * k;
  GraphBuilder graph(nodes * product(node_tree));
  std::vector<Extents> at(n);
  for (auto& level : at) {
    for (std::uint32_t w = 0; w < words; ++w) level.push_back(graph.add_router());
  }
  std::uint32_t digit = words;  // what digit l of a word counts
  for (std::uint32_t l = 0; l + 1 < n; ++l) {
    digit /= k;
    for (std::uint32_t w = 0; w < words; ++w) {
      const std::uint32_t others = w - w / digit % k * digit;
      for (std::uint32_t d = 0; d < k; ++d) {
        graph.join(at[l][w], at[l + 1][others + d * digit], lengths[n - 1 - l]);
      }
    }
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    graph.join(graph.add_node(node, node_tree), at[n - 1][node / k], lengths[0]);
  }
  return graph.take();
}

/// The link of port k of group i, looked at from both ends, must be one and the same.
inline NetworkGraph dragonfly_graph(std::uint32_t groups, std::uint32_t routers,
                                    std::uint32_t nodes_per_router, bool palmtree,
                                    const Extents& node_tree) {
  const std::uint32_t nodes = groups * routers * nodes_per_router;
  GraphBuilder graph(nodes * product(node_tree));
  std::vector<Extents> router(groups);
  for (std::uint32_t group = 0; group < groups; ++group) {
    for (std::uint32_t r = 0; r < routers; ++r) {
      router[group].push_back(graph.add_router());
      for (std::uint32_t other = 0; other < r; ++other) {
        graph.join(router[group][r], router[group][other]);
      }
      for (std::uint32_t n = 0; n < nodes_per_router; ++n) {
        const std::uint32_t node = (group * routers + r) * nodes_per_router + n;
        graph.join(router[group][r], graph.add_node(node, node_tree));
      }
    }
  }
  std::uint32_t ports = 0;
  while (ports * routers < groups - 1) ++ports;
  for (std::uint32_t i = 0; i < groups; ++i) {
    for (std::uint32_t k = 0; k + 1 < groups; ++k) {
      std::uint32_t there = 0;
      std::uint32_t port_there = 0;
      if (palmtree) {
        there = (i + 2 * groups - k - 1) % groups;
        port_there = groups - 2 - k;
      } else {
        there = k < i ? k : k + 1;
        port_there = i < there ? i : i - 1;
      }
      if (i < there) graph.join(router[i][k / ports], router[there][port_there / ports]);
    }
  }
  return graph.take();
}

}  // namespace kith::testing
