// The mapping engine without MPI: from the bytes between ranks and a machine to a slot for each
// rank.
#include <iostream>

#include "kith/io.hpp"
#include "kith/mapper.hpp"

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("expected MATRIX MACHINE, such as traffic.mtx tree:4x8");
  const auto traffic = kith::TrafficGraph::from(kith::read_matrix(argv[1]));
  const auto machine = kith::parse_machine(argv[2]);
  const auto answer = kith::map_ranks(kith::find_algorithm("auto"), {traffic, *machine, {}});
  const auto now = kith::identity_mapping(traffic.ranks(), *machine, 1);
  const auto cost = [&](const kith::Mapping& mapping) {
    return kith::evaluate_objective(traffic, *machine, mapping, kith::Objective::hop_bytes);
  };
  std::cout << "hop-bytes " << cost(now) << " -> " << cost(answer.mapping) << "\nslots of ranks:";
  for (const kith::Slot slot : answer.mapping.slot_of) std::cout << ' ' << slot.value;
  std::cout << '\n';
} catch (const std::exception& error) {  // kith::Error says what was expected and what was found
  std::cerr << "map: " << error.what() << '\n';
  return 2;
}
