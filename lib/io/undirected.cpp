#include "io/undirected.hpp"

#include <string>

namespace kith {

UndirectedEdges::UndirectedEdges(const LineReader& in, std::uint32_t vertices, std::uint64_t arcs,
                                 std::uint64_t base)
    : in_(in), base_(base), builder_(vertices, arcs), line_of_(vertices), last_seen_by_(vertices) {}

std::string UndirectedEdges::name(std::uint32_t vertex) const {
  return std::to_string(base_ + vertex);
}

void UndirectedEdges::begin_vertex(std::uint32_t vertex) {
  vertex_ = vertex;
  line_of_[vertex] = in_.line();
}

void UndirectedEdges::add(std::uint32_t neighbour, Weight weight) {
  if (neighbour == vertex_) {
    throw in_.error("neighbours other than vertex " + name(vertex_) + " itself", name(neighbour));
  }
  if (last_seen_by_[neighbour] == vertex_ + 1) {
    throw in_.error("each neighbour of vertex " + name(vertex_) + " once",
                    name(neighbour) + " twice");
  }
  last_seen_by_[neighbour] = vertex_ + 1;
  builder_.add(Rank{vertex_}, Rank{neighbour}, weight);
  ++arcs_;
}

void UndirectedEdges::check_both_ends(const TrafficMatrix& arcs) const {
  // Rows are sorted: going through the vertices in order, the lists that name v come to it in turn.
  std::vector<std::uint64_t> next(arcs.ranks(), 0);
  for (std::uint32_t v = 0; v < arcs.ranks(); ++v) {
    const auto neighbours = arcs.destinations(Rank{v});
    const auto weights = arcs.weights(Rank{v});
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const Rank u = neighbours[i];
      const auto back = arcs.destinations(u);
      std::uint64_t& at = next[u.value];
      if (at < back.size() && back[at].value == v && arcs.weights(u)[at] == weights[i]) {
        ++at;
      } else {
        throw_disagreement(arcs, v, u.value, weights[i]);
      }
    }
  }
}

void UndirectedEdges::throw_disagreement(const TrafficMatrix& arcs, std::uint32_t v,
                                         std::uint32_t u, Weight weight) const {
  const Weight back = arcs.at(Rank{u}, Rank{v});
  if (back == weight) {
    // The list of u has a vertex before v that does not have u.
    for (const Rank w : arcs.destinations(Rank{u})) {
      const Weight listed = arcs.at(Rank{u}, w);
      if (arcs.at(w, Rank{u}) != listed) throw_disagreement(arcs, u, w.value, listed);
    }
  }
  throw bad_input_at(in_.file(), line_of_[u],
                     "vertex " + name(v) + " as a neighbour of vertex " + name(u) +
                         " with weight " + std::to_string(weight) + ", as line " +
                         std::to_string(line_of_[v]) + " says",
                     back == 0 ? "none" : "weight " + std::to_string(back));
}

TrafficMatrix UndirectedEdges::build() {
  const TrafficMatrix arcs = builder_.build();
  check_both_ends(arcs);
  TrafficMatrixBuilder pairs(arcs.ranks(), arcs.entries() / 2);
  for (std::uint32_t v = 0; v < arcs.ranks(); ++v) {
    const auto neighbours = arcs.destinations(Rank{v});
    const auto weights = arcs.weights(Rank{v});
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (neighbours[i].value > v) pairs.add(Rank{v}, neighbours[i], weights[i]);
    }
  }
  return pairs.build();
}

}  // namespace kith
