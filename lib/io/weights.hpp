// The numbers of traffic files, and files that name each pair once.
#pragma once

#include <charconv>
#include <cstdint>
#include <vector>

#include "core/line_reader.hpp"
#include "kith/detail/types.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// A count of ranks: at least 1, and no more than such a file can be about (a short file must not
/// cost gigabytes).
std::uint32_t read_rank_count(const LineReader& in, std::string_view word, std::string_view what);

/// The slow path of read_weight(): reals, and what is wrong with the rest.
Weight read_real_weight(const LineReader& in, std::string_view word);

/// A weight: a whole number below 2^64, written as integer or real ("12", "1.2e1"). Throws the
/// reader's error for negative numbers, for fractions (with the factor that would make them whole),
/// for anything else.
inline Weight read_weight(const LineReader& in, std::string_view word) {
  Weight value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (stop == end && error == std::errc{}) return value;
  return read_real_weight(in, word);
}

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
