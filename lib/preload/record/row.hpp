// A rank's own sparse row, as it is gathered: plain data, all threads added up.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "protocol/packer.hpp"
#include "record/size_histogram.hpp"

namespace kith::record {

// What a rank worked, in one stretch of the run.

/// CPU time of the process, all threads, split by where it was spent: a rank that waits for others
/// burns its time inside MPI. Plain data: what is gathered.
struct Load {
  static constexpr std::uint64_t unknown = UINT64_MAX;

  std::uint64_t outside_ns = 0;          ///< CPU time outside MPI calls
  std::uint64_t inside_ns = 0;           ///< CPU time inside MPI calls
  std::uint64_t instructions = unknown;  ///< executed in user mode; `unknown` where none count them
  std::uint64_t wall_ns = 0;             ///< wall time; of phases and of the whole run only

  bool operator==(const Load&) const = default;
};

/// Adds `more` to `sum`. Instructions are known only where both are.
inline void add_to(Load& sum, const Load& more) {
  sum.outside_ns += more.outside_ns;
  sum.inside_ns += more.inside_ns;
  const bool known = sum.instructions != Load::unknown && more.instructions != Load::unknown;
  sum.instructions = known ? sum.instructions + more.instructions : Load::unknown;
  sum.wall_ns += more.wall_ns;
}

/// What carried the bytes. The names are those of the files in classes/.
enum class TrafficClass : std::uint8_t { p2p, coll, rma };
inline constexpr std::array traffic_classes{TrafficClass::p2p, TrafficClass::coll,
                                            TrafficClass::rma};
inline constexpr std::size_t class_count = traffic_classes.size();

/// One cell of the row; `peer` is a rank of the program's world.
struct RowCell {
  std::uint32_t peer = 0;
  std::uint64_t messages = 0;
  std::array<std::uint64_t, class_count> bytes{};

  std::uint64_t& operator[](TrafficClass c) { return bytes[static_cast<std::size_t>(c)]; }
  std::uint64_t operator[](TrafficClass c) const { return bytes[static_cast<std::size_t>(c)]; }
  std::uint64_t total_bytes() const { return bytes[0] + bytes[1] + bytes[2]; }
  bool operator==(const RowCell&) const = default;
};

/// Sorted by peer, peers unique, empty cells absent.
using Cells = std::vector<RowCell>;

struct Row {
  Cells sent;     ///< from this rank to the peer
  Cells fetched;  ///< from the peer to this rank, by gets of this rank: cells of the peer's row

  bool operator==(const Row&) const = default;
};

/// later - earlier, cell by cell; `earlier` must be an older state of the same row.
Row difference(const Row& later, const Row& earlier);
/// Adds `more` to `row`.
void add_to(Row& row, const Row& more);
/// Adds cells to sorted cells; both sorted by peer.
void add_to(Cells& cells, const Cells& more);

// A rank's account as bytes, between the processes of a job.

/// Peers as differences, every number in as few bytes as it needs: some 10 bytes a cell of a
/// stencil, where the cell in memory has 40.
void pack_cells(Packer& packer, const Cells& cells);
void pack_load(Packer& packer, const Load& load);
void pack_size_histogram(Packer& packer, const SizeHistogram& sizes);

/// These throw std::runtime_error when the bytes are cut short or are not from pack functions of
/// this file, and std::bad_alloc.
Cells unpack_cells(Unpacker& unpacker);
Load unpack_load(Unpacker& unpacker);
SizeHistogram unpack_size_histogram(Unpacker& unpacker);

}  // namespace kith::record
