// Edges that a file lists at both ends, as METIS and Scotch do.
#pragma once

#include <cstdint>
#include <vector>

#include "io/weights.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Collects the lists of all vertices and checks that both ends agree. Vertices count from 0 here;
/// `base` is what the file calls the first one.
class UndirectedEdges {
 public:
  /// `arcs`: how many list items to reserve memory for.
  UndirectedEdges(const LineReader& in, std::uint32_t vertices, std::uint64_t arcs,
                  std::uint64_t base);

  /// The lists that follow belong to `vertex`, described at the reader's present line. Each vertex
  /// once.
  void begin_vertex(std::uint32_t vertex);
  /// Throws Error (input) for a loop or a neighbour that was listed already.
  void add(std::uint32_t neighbour, Weight weight);
  std::uint64_t arcs() const { return arcs_; }

  /// All of a pair's weight in the cell (lower, higher). Throws Error (input) where the two ends
  /// disagree.
  TrafficMatrix build();

 private:
  void check_both_ends(const TrafficMatrix& arcs) const;
  /// `v` lists `u` with `weight`, and `u` does not list `v` so, or has one more such trouble
  /// itself.
  [[noreturn]] void throw_disagreement(const TrafficMatrix& arcs, std::uint32_t v, std::uint32_t u,
                                       Weight weight) const;
  std::string name(std::uint32_t vertex) const;

  const LineReader& in_;
  std::uint64_t base_;
  TrafficMatrixBuilder builder_;
  std::vector<std::size_t> line_of_;         // where each vertex is described
  std::vector<std::uint32_t> last_seen_by_;  // the vertex (+ 1) that listed this one last
  std::uint32_t vertex_ = 0;
  std::uint64_t arcs_ = 0;
};

}  // namespace kith
