// Distances on grids from small tables: for searches that ask for billions of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/fast_division.hpp"
#include "kith/network_machine.hpp"

namespace kith {

/// Neighbouring dimensions are taken together as long as their tables stay small enough for the
/// processor's first cache. What operator() of From gives is NetworkMachine::hops().
class GridPlaces {
 public:
  static constexpr std::size_t most_parts = 4;

  /// Where a slot is: its coordinates in each part, and its number in the node.
  struct Place {
    std::array<std::uint8_t, most_parts> part{};
    std::uint32_t in_node = 0;
  };

  /// True where the network is a grid that four tables describe: no side above 256.
  static bool suit(const NetworkMachine& machine);

  /// The machine must suit and outlive this.
  explicit GridPlaces(const NetworkMachine& machine);

  Place place(Slot slot) const;

  /// Distances from one place.
  class From {
   public:
    From(const GridPlaces& places, const Place& from) : places_(&places), in_node_(from.in_node) {
      for (std::size_t p = 0; p < most_parts; ++p) {
        row_[p] = places.tables_[p].data() + from.part[p] * std::size_t{places.sizes_[p]};
      }
    }
    std::uint64_t operator()(const Place& to) const {
      const std::uint32_t apart = std::uint32_t{row_[0][to.part[0]]} + row_[1][to.part[1]] +
                                  row_[2][to.part[2]] + row_[3][to.part[3]];
      if (apart != 0) return apart + places_->climbed_;
      return in_node_ == to.in_node ? 0 : places_->tree_->hops(Slot(in_node_), Slot(to.in_node));
    }

   private:
    std::array<const std::uint16_t*, most_parts> row_;
    const GridPlaces* places_;
    std::uint32_t in_node_;
  };
  From from(const Place& place) const { return {*this, place}; }

 private:
  const TreeMachine* tree_;
  std::uint32_t slots_per_node_;
  std::uint64_t climbed_ = 0;
  FastDivisor by_slots_per_node_;
  std::array<std::uint32_t, most_parts> sizes_{1, 1, 1, 1};
  std::array<FastDivisor, most_parts> by_size_{};
  std::array<std::vector<std::uint16_t>, most_parts> tables_;
};

}  // namespace kith
