// Maps a small stencil and prints its hop-bytes before and after.
#include <iostream>

#include "kith/detail/generate.hpp"
#include "kith/mapper.hpp"

int main() {
  const auto pattern = kith::make_stencil({4, 4, 4}, 7, false, {100});
  kith::TrafficMatrixBuilder builder(pattern->ranks());
  pattern->for_each_pair([&](kith::Rank a, kith::Rank b, kith::Weight weight) {
    builder.add(a, b, weight);
    builder.add(b, a, weight);
  });
  const auto graph = kith::TrafficGraph::from(builder.build());
  const auto machine = kith::parse_machine("tree:8x8");
  const kith::MapOptions options;
  const auto result =
      kith::map_ranks(kith::find_algorithm("scotch+refine"), {graph, *machine, options});
  std::cout << kith::evaluate_objective(graph, *machine, kith::identity_mapping(64, *machine, 1),
                                        kith::Objective::hop_bytes)
            << ' '
            << kith::evaluate_objective(graph, *machine, result.mapping, kith::Objective::hop_bytes)
            << '\n';
}
