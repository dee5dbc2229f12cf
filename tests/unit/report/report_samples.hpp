// Traffic and orders for the tests of the report.
#pragma once

#include <memory>
#include <numeric>

#include "core/rng.hpp"
#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/traffic.hpp"
#include "report/report_data.hpp"

namespace kith {

/// `cells` random cells of up to 999 units; the diagonal gets some too.
inline TrafficMatrix random_traffic(std::uint32_t ranks, int cells, std::uint64_t seed) {
  Rng rng(seed);
  TrafficMatrixBuilder builder(ranks);
  for (int i = 0; i < cells; ++i) {
    const Rank source(static_cast<std::uint32_t>(rng.below(ranks)));
    const Rank destination(static_cast<std::uint32_t>(rng.below(ranks)));
    builder.add(source, destination, 1 + rng.below(999));
  }
  return builder.build();
}

/// Each rank on a slot of its own, in random order.
inline Mapping random_mapping(std::uint32_t ranks, const Machine& machine, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Slot> slots = machine.allowed().to_vector();
  for (std::size_t i = slots.size(); i > 1; --i) std::swap(slots[i - 1], slots[rng.below(i)]);
  slots.resize(ranks);
  return {slots};
}

/// An order that only has what heatmaps need.
inline ReportOrder order_by_place(const Mapping& mapping, const Machine& machine) {
  ReportOrder order;
  order.id = "present";
  order.mapping = mapping;
  order.axis = axis_by_place(mapping, machine);
  return order;
}

}  // namespace kith
