// Where a mapper that ignores traffic puts so many ranks.
#pragma once

#include "kith/mapper.hpp"

namespace kith::testing {

inline std::vector<std::uint32_t> slots_of(const char* algorithm, std::uint32_t ranks,
                                           const Machine& machine, std::uint32_t capacity = 1) {
  const auto graph = TrafficGraph::from(TrafficMatrixBuilder(ranks).build());
  MapOptions options;
  options.capacity = capacity;
  std::vector<std::uint32_t> slots;
  for (const Slot slot :
       map_ranks(find_algorithm(algorithm), {graph, machine, options}).mapping.slot_of) {
    slots.push_back(slot.value);
  }
  return slots;
}

inline std::vector<std::uint32_t> slots_of(const char* algorithm, std::uint32_t ranks,
                                           const char* spec, std::uint32_t capacity = 1) {
  return slots_of(algorithm, ranks, *parse_machine(spec), capacity);
}

}  // namespace kith::testing
