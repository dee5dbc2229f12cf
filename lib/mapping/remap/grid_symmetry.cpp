#include "mapping/remap/remap.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "mapping/budget.hpp"

namespace kith::remap {
namespace {

constexpr std::size_t most_turned_dimensions = 4;  // 4! turns x 2^4 reflections
constexpr std::size_t most_reflected_dimensions = 6;

/// First the dimensions change their order, then some are reflected, then all are shifted.
struct Symmetry {
  std::vector<std::uint32_t> dimension_of;  ///< what becomes dimension d
  std::uint32_t reflected = 0;              ///< bit d
  std::vector<std::uint32_t> shift;
};

class GridTurner {
 public:
  GridTurner(const GridNetwork& grid, std::uint32_t slots_per_node)
      : slots_per_node_(slots_per_node), extents_(grid.extents().begin(), grid.extents().end()) {
    for (const std::uint32_t extent : extents_) {
      // Two nodes side by side are a ring and a row at once.
      is_ring_.push_back(grid.periodic() || extent <= 2);
    }
  }

  /// The symmetry that brings most ranks to their nodes; nothing where that is the present state.
  std::optional<Symmetry> best(const Mapping& mapping, const Mapping& from) {
    std::uint64_t most = 0;
    for (std::uint32_t r = 0; r < mapping.ranks(); ++r) {
      if (from.slot_of[r] == no_slot) continue;
      if (node_of(from.slot_of[r]) == node_of(mapping.slot_of[r])) ++most;
    }
    std::optional<Symmetry> best;
    Symmetry symmetry;
    symmetry.dimension_of.resize(extents_.size());
    std::iota(symmetry.dimension_of.begin(), symmetry.dimension_of.end(), 0U);
    do {
      if (!keeps_extents(symmetry.dimension_of)) continue;
      for (symmetry.reflected = 0; symmetry.reflected < reflections(); ++symmetry.reflected) {
        if (reflects_pairs(symmetry.reflected)) continue;
        const auto [shift, votes] = best_shift(symmetry, mapping, from);
        if (votes <= most) continue;
        most = votes;
        best = symmetry;
        best->shift = coordinates_of(shift);
      }
    } while (extents_.size() <= most_turned_dimensions &&
             std::next_permutation(symmetry.dimension_of.begin(), symmetry.dimension_of.end()));
    return best;
  }

  Slot apply(const Symmetry& symmetry, Slot slot) {
    turn(symmetry, node_of(slot));
    std::uint32_t node = 0;
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      node = node * extents_[d] + (turned_[d] + symmetry.shift[d]) % extents_[d];
    }
    return Slot(node * slots_per_node_ + slot.value % slots_per_node_);
  }

 private:
  struct Shift {
    std::uint32_t number = 0;  ///< as that of the node to which it brings node 0
    std::uint64_t votes = 0;
  };

  std::uint32_t node_of(Slot slot) const { return slot.value / slots_per_node_; }

  std::uint32_t reflections() const {
    return extents_.size() <= most_reflected_dimensions ? 1U << extents_.size() : 1U;
  }

  bool keeps_extents(const std::vector<std::uint32_t>& dimension_of) const {
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      if (extents_[dimension_of[d]] != extents_[d]) return false;
    }
    return true;
  }

  /// Of two nodes a reflection is a shift.
  bool reflects_pairs(std::uint32_t reflected) const {
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      if ((reflected >> d & 1U) != 0 && extents_[d] <= 2) return true;
    }
    return false;
  }

  std::vector<std::uint32_t> coordinates_of(std::uint32_t node) const {
    std::vector<std::uint32_t> at(extents_.size());
    for (std::size_t d = extents_.size(); d-- > 0; node /= extents_[d]) at[d] = node % extents_[d];
    return at;
  }

  /// Sets turned_ to the coordinates of a node, except for the shift.
  void turn(const Symmetry& symmetry, std::uint32_t node) {
    const auto at = coordinates_of(node);
    turned_.resize(extents_.size());
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      turned_[d] = at[symmetry.dimension_of[d]];
      if ((symmetry.reflected >> d & 1U) != 0) turned_[d] = extents_[d] - 1 - turned_[d];
    }
  }

  /// The shift by which most ranks come to their nodes; the lowest among equals.
  Shift best_shift(const Symmetry& symmetry, const Mapping& mapping, const Mapping& from) {
    std::unordered_map<std::uint32_t, std::uint32_t> votes;
    for (std::uint32_t r = 0; r < mapping.ranks(); ++r) {
      if (from.slot_of[r] == no_slot) continue;
      if (const auto shift =
              shift_of(symmetry, node_of(mapping.slot_of[r]), node_of(from.slot_of[r]))) {
        ++votes[*shift];
      }
    }
    Shift best;
    for (const auto& [number, count] : votes) {
      if (count > best.votes || (count == best.votes && number < best.number)) {
        best = {number, count};
      }
    }
    return best;
  }

  /// The shift that brings a node, turned, to another one.
  std::optional<std::uint32_t> shift_of(const Symmetry& symmetry, std::uint32_t node,
                                        std::uint32_t other) {
    turn(symmetry, node);
    const auto at = coordinates_of(other);
    std::uint32_t number = 0;
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      const std::uint32_t shift = (at[d] + extents_[d] - turned_[d]) % extents_[d];
      if (shift != 0 && !is_ring_[d]) return std::nullopt;
      number = number * extents_[d] + shift;
    }
    return number;
  }

  std::uint32_t slots_per_node_;
  std::vector<std::uint32_t> extents_;
  std::vector<bool> is_ring_;
  std::vector<std::uint32_t> turned_;
};

}  // namespace

std::optional<Mapping> turn_grid(const MapTask& problem, const Mapping& mapping) {
  const NetworkMachine* network = problem.machine.as_network();
  if (network == nullptr || network->network().as_grid() == nullptr) return std::nullopt;
  if (problem.machine.allowed().size() != problem.machine.slots()) return std::nullopt;
  if (!problem.options.fixed.empty()) return std::nullopt;
  Mapping from = *problem.options.from;
  for (Slot& slot : from.slot_of) {
    if (!problem.machine.allowed().contains(slot)) slot = no_slot;
  }
  GridTurner turner(*network->network().as_grid(), network->slots_per_node());
  const auto symmetry = turner.best(mapping, from);
  if (!symmetry) return std::nullopt;
  Mapping turned = mapping;
  for (Slot& slot : turned.slot_of) slot = turner.apply(*symmetry, slot);
  return turned;
}

}  // namespace kith::remap
