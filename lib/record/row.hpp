// A rank's own sparse row, as it is gathered: plain data, all threads added up.
#pragma once

#include <array>
#include <cstdint>
#include <string>
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
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;
  bool operator==(const RowCell&) const = default;
};

/// Cells per class, each sorted by peer, peers unique, empty cells absent.
struct Row {
  std::array<std::vector<RowCell>, class_count> cells;

  std::vector<RowCell>& operator[](TrafficClass c) { return cells[static_cast<std::size_t>(c)]; }
  const std::vector<RowCell>& operator[](TrafficClass c) const {
    return cells[static_cast<std::size_t>(c)];
  }
  bool operator==(const Row&) const = default;
};

/// later - earlier, cell by cell; `earlier` must be an older state of the same row.
Row difference(const Row& later, const Row& earlier);
/// Adds `more` to `row`.
void add_to(Row& row, const Row& more);
/// All classes in one list, sorted by peer.
std::vector<RowCell> total_of(const Row& row);

}  // namespace kith::record
