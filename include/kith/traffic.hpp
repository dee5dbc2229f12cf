// Who sends how much to whom: the directed sparse matrix, and the undirected graph that mappers
// use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kith/detail/types.hpp"

namespace kith {

/// One cell: `source` sent `weight` to `destination`.
struct TrafficEntry {
  Rank source;
  Rank destination;
  Weight weight = 0;
};

/// Directed sparse matrix, compressed rows. Rows are sorted by destination, cells are unique; the
/// diagonal (a rank's messages to itself) is kept. Memory: 12 bytes per cell + 8 per rank.
class TrafficMatrix {
 public:
  TrafficMatrix() : offsets_(1, 0) {}

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
  std::uint64_t entries() const { return offsets_.back(); }

  /// Array of length ranks() + 1: row r is cells offsets()[r] .. offsets()[r + 1] - 1.
  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::span<const Rank> destinations(Rank source) const;
  std::span<const Weight> weights(Rank source) const;

  /// Sum of all cells, the diagonal included or not. Throws Error (input) when it exceeds 64 bits.
  Weight total(bool with_diagonal) const;

  /// One cell, 0 where there is none. O(log degree).
  Weight at(Rank source, Rank destination) const;

 private:
  friend class TrafficMatrixBuilder;
  std::vector<std::uint64_t> offsets_;
  std::vector<Rank> destinations_;
  std::vector<Weight> weights_;
};

/// Collects cells in any order; cells given twice add up.
class TrafficMatrixBuilder {
 public:
  /// `expected_entries` only reserves memory.
  explicit TrafficMatrixBuilder(std::uint32_t ranks, std::uint64_t expected_entries = 0);

  /// Precondition: both ranks are below ranks(). Zero weights are dropped when building.
  void add(Rank source, Rank destination, Weight weight) {
    entries_.push_back({source, destination, weight});
  }
  std::uint32_t ranks() const { return ranks_; }

  /// Throws Error (input) when a cell exceeds 64 bits. Leaves the builder empty.
  TrafficMatrix build();

 private:
  std::uint32_t ranks_;
  std::vector<TrafficEntry> entries_;
};

/// How alike two patterns are, whatever their amounts: the cosine of the angle between the matrices
/// as vectors of cells, from 0 (no cell in common) to 1 (proportional). Nothing where one is empty
/// or they are of different ranks. O(entries).
std::optional<double> cosine_similarity(const TrafficMatrix& a, const TrafficMatrix& b);

/// What a message costs on the wire beside its own bytes: 100 bytes (headers, the MPI library's
/// envelope) and, for the headers of further packets and acknowledgements, a 40th of its bytes.
/// Both fitted to what shaped cables counted under Open MPI 4.1 over TCP: 9 programs, messages of 8
/// bytes to 37 kB, at most 3.1% off.
inline constexpr std::uint64_t bytes_per_message = 100;
inline constexpr std::uint64_t payload_per_byte_of_headers = 40;

/// What the network carries for these messages. Both matrices of the same ranks. Throws Error
/// (input) when a cell exceeds 64 bits.
TrafficMatrix on_the_wire(const TrafficMatrix& bytes, const TrafficMatrix& messages);

/// Undirected view without the diagonal: the weight of {i, j} is cell (i,j) + cell (j,i), stored at
/// both ends. Neighbours are sorted. Memory: 12 bytes per edge and end + 8 per rank.
class TrafficGraph {
 public:
  TrafficGraph() : offsets_(1, 0) {}

  /// Throws Error (input) when a pair's weight exceeds 64 bits.
  static TrafficGraph from(const TrafficMatrix& matrix);

  /// From ready arrays: offsets of length ranks + 1; each edge present at both ends with the same
  /// weight, neighbours sorted, no loops.
  static TrafficGraph from_csr(std::vector<std::uint64_t> offsets, std::vector<Rank> neighbours,
                               std::vector<Weight> weights);

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
  /// Number of unordered pairs with traffic.
  std::uint64_t edges() const { return neighbours_.size() / 2; }
  std::uint64_t degree(Rank r) const { return offsets_[r.value + 1] - offsets_[r.value]; }

  std::span<const std::uint64_t> offsets() const { return offsets_; }
  std::span<const Rank> neighbours(Rank r) const {
    return {neighbours_.data() + offsets_[r.value], degree(r)};
  }
  std::span<const Weight> weights(Rank r) const {
    return {weights_.data() + offsets_[r.value], degree(r)};
  }
  /// All neighbours and weights, as offsets() indexes them; length 2 x edges().
  std::span<const Rank> all_neighbours() const { return neighbours_; }
  std::span<const Weight> all_weights() const { return weights_; }

 private:
  std::vector<std::uint64_t> offsets_;
  std::vector<Rank> neighbours_;
  std::vector<Weight> weights_;
};

/// The directed traffic of a graph whose directions are not known: half of each pair's weight each
/// way, the odd byte from the lower rank.
TrafficMatrix in_both_directions(const TrafficGraph& graph);

}  // namespace kith
