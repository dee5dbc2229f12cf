// Distances between the nodes of a small network from a table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kith/network_machine.hpp"
#include "objective/distance.hpp"

namespace kith {

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
