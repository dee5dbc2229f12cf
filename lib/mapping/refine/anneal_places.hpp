// Distances from small tables, for searches that ask for billions of them: on grids, on any
// machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "objective/distance.hpp"

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

/// Distances on a grid by how far two nodes are apart along each side: one look into a table that
/// fits the processor's first caches. What operator() of From gives is NetworkMachine::hops().
class GridOffsets {
 public:
  /// A node by its number where each side is as long as all differences along it.
  struct Place {
    std::int32_t node = 0;
    std::uint32_t in_node = 0;
  };

  /// True where the network is a grid with few enough differences, and few slots on each node.
  static bool suit(const NetworkMachine& machine);

  /// The machine must suit and outlive this.
  explicit GridOffsets(const NetworkMachine& machine);

  Place place(Slot slot) const;

  class From {
   public:
    From(const GridOffsets& places, const Place& from)
        : row_(places.middle_ - from.node),
          inner_(places.inner_.data() + from.in_node * std::size_t{places.slots_per_node_}) {}
    std::int32_t operator()(const Place& to) const {
      const std::int32_t apart = row_[to.node];
      return apart != 0 ? apart : inner_[to.in_node];
    }

   private:
    const std::uint16_t* row_;
    const std::uint16_t* inner_;
  };
  From from(const Place& place) const { return {*this, place}; }

 private:
  static std::uint64_t differences(const GridNetwork& grid);

  const GridNetwork* grid_;
  std::uint32_t slots_per_node_;
  std::vector<std::uint16_t> hops_;   ///< by difference
  std::vector<std::uint16_t> inner_;  ///< of two slots of one node, a row for each
  const std::uint16_t* middle_;       ///< no difference
};

/// All distances of a machine whose allowed slots are few.
class SlotTablePlaces {
 public:
  using Place = std::uint32_t;  ///< among the allowed slots

  /// True where so many lookups are worth a table of at most 512 KiB.
  static bool suit(const Machine& machine, double lookups) {
    constexpr std::uint64_t most_slots = 256;
    const std::uint64_t slots = machine.allowed().size();
    return slots <= most_slots && static_cast<double>(slots * slots) <= lookups / 4;
  }

  /// The machine must suit and outlive this.
  SlotTablePlaces(const Machine& machine, Objective objective)
      : allowed_(&machine.allowed()), slots_(allowed_->size()) {
    const std::vector<Slot> slots = allowed_->to_vector();
    table_.reserve(slots_ * slots_);
    with_distance(machine, objective, [&](const auto& distance) {
      for (const Slot a : slots) {
        for (const Slot b : slots) {
          table_.push_back(a == b ? 0 : static_cast<double>(distance(a, b)));
        }
      }
    });
  }

  Place place(Slot slot) const { return static_cast<Place>(allowed_->index_of(slot)); }
  auto from(Place from) const {
    return [row = table_.data() + from * slots_](Place to) { return row[to]; };
  }

 private:
  const SlotSet* allowed_;
  std::size_t slots_;
  std::vector<double> table_;  // a row for each
};

/// On trees: where a slot is, is its path, and the highest bit in which two paths differ tells what
/// lies between them.
class TreePlaces {
 public:
  using Place = std::uint64_t;  ///< TreeMachine::path()

  /// The distance's machine must outlive this.
  explicit TreePlaces(const TreeDistance& distance) : tree_(&distance.tree()) {
    for (std::size_t width = 0; width < by_width_.size(); ++width) {
      by_width_[width] = static_cast<double>(distance.at_level(tree_->level_of_width(width)));
    }
  }

  Place place(Slot slot) const { return tree_->path(slot); }
  auto from(Place from) const {
    return [from, table = by_width_.data()](Place to) {
      return table[static_cast<std::size_t>(std::bit_width(from ^ to))];
    };
  }

 private:
  const TreeMachine* tree_;
  std::array<double, 65> by_width_{};  // by the bits in which two paths may differ
};

/// Networks compute distances in tens to hundreds of nanoseconds; searches that ask for millions
/// keep those between all nodes that have allowed slots, 8 bytes each. Nodes of one switch, equally
/// far from all others, are one *site*.
class TablePlaces {
 public:
  struct Place {
    std::uint32_t site = 0;  ///< among those with allowed slots
    Slot slot;
  };

  /// True where the table takes at most 32 MiB and so many lookups are worth it.
  static bool suit(const NetworkMachine& machine, double lookups) {
    constexpr std::size_t most_sites = 2048;
    constexpr std::uint64_t most_slots = 1'000'000;
    if (machine.allowed().size() > most_slots) return false;
    const std::size_t sites = sites_in_use(machine).size();
    return sites <= most_sites && static_cast<double>(sites * sites) <= 4 * lookups;
  }

  /// Slots of a site, all numbered next to each other.
  static std::uint32_t slots_per_site(const NetworkMachine& machine) {
    const auto* dragonfly = dynamic_cast<const DragonflyNetwork*>(&machine.network());
    return machine.slots_per_node() * (dragonfly != nullptr ? dragonfly->nodes_per_router() : 1);
  }

  /// The machine must suit and outlive this.
  TablePlaces(const NetworkMachine& machine, Objective objective)
      : distance_(machine, objective),
        slots_per_site_(slots_per_site(machine)),
        sites_(sites_in_use(machine)) {
    const std::size_t count = sites_.size();
    table_.resize(count * count);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        table_[a * count + b] = static_cast<double>(
            distance_(Slot(sites_[a] * slots_per_site_), Slot(sites_[b] * slots_per_site_)));
        table_[b * count + a] = table_[a * count + b];
      }
    }
  }

  Place place(Slot slot) const {
    const std::uint32_t site = slot.value / slots_per_site_;
    return {static_cast<std::uint32_t>(std::ranges::lower_bound(sites_, site) - sites_.begin()),
            slot};
  }

  auto from(const Place& from) const {
    return [this, from, row = table_.data() + from.site * sites_.size()](const Place& to) {
      if (from.site != to.site) return row[to.site];
      return from.slot == to.slot ? 0 : static_cast<double>(distance_(from.slot, to.slot));
    };
  }

 private:
  static std::vector<std::uint32_t> sites_in_use(const NetworkMachine& machine) {
    const std::uint32_t width = slots_per_site(machine);
    std::vector<std::uint32_t> sites;
    for (const Slot slot : machine.allowed().to_vector()) {
      const std::uint32_t site = slot.value / width;
      if (sites.empty() || sites.back() != site) sites.push_back(site);
    }
    return sites;
  }

  AnyDistance distance_;
  std::uint32_t slots_per_site_;
  std::vector<std::uint32_t> sites_;  // ascending
  std::vector<double> table_;         // a row for each
};

}  // namespace kith
