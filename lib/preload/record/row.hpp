// A rank's own sparse row, as it is gathered: plain data, all threads added up.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace kith::record {

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

}  // namespace kith::record
