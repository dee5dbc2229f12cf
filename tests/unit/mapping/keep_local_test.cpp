#include "mapping/remap/remap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/rng.hpp"
#include "kith/detail/reorder.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

TrafficMatrix random_traffic(std::uint32_t ranks, std::uint64_t seed) {
  Rng rng(seed);
  TrafficMatrixBuilder builder(ranks);
  for (std::uint32_t k = 0; k < 3 * ranks; ++k) {
    builder.add(Rank(static_cast<std::uint32_t>(rng.below(ranks))),
                Rank(static_cast<std::uint32_t>(rng.below(ranks))), 1 + rng.below(1000));
  }
  return builder.build();
}

std::uint64_t hop_bytes(const TrafficMatrix& matrix, const Machine& machine,
                        const Mapping& mapping) {
  return evaluate(matrix, TrafficGraph::from(matrix), machine, mapping).hop_bytes;
}

/// The least objective that exchanges of hosts alone can reach, by trying all.
std::uint64_t least_by_trying(const TrafficMatrix& matrix, const Machine& machine,
                              std::uint32_t hosts, std::uint32_t places, std::uint32_t index,
                              Mapping& mapping) {
  if (index == places) return hop_bytes(matrix, machine, mapping);
  std::vector<std::uint32_t> order(hosts);
  std::iota(order.begin(), order.end(), 0U);
  std::uint64_t least = UINT64_MAX;
  do {
    for (std::uint32_t host = 0; host < hosts; ++host) {
      mapping.slot_of[host * places + index] = Slot(order[host] * places + index);
    }
    least = std::min(least, least_by_trying(matrix, machine, hosts, places, index + 1, mapping));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(KeepLocal, IndicesCountTheAllowedSlotsOfANode) {
  EXPECT_EQ(local_indices(*parse_machine("tree:2x3")),
            (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(local_indices(*parse_machine("tree:2x4;slots=1-3,6-7")),
            (std::vector<std::uint32_t>{0, 1, 2, 0, 1}));
}

TEST(KeepLocal, FindsTheBestThatThereIs) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto machine = parse_machine("tree:3x3");
    const TrafficMatrix matrix = random_traffic(9, seed);
    const TrafficGraph graph = TrafficGraph::from(matrix);
    const MapOptions options;
    const MapResult result =
        map_keeping_local_indices({graph, *machine, options}, local_indices(*machine));
    Mapping tried = result.mapping;
    EXPECT_EQ(hop_bytes(matrix, *machine, result.mapping),
              least_by_trying(matrix, *machine, 3, 3, 0, tried))
        << "seed " << seed;
  }
}

TEST(KeepLocal, OnlyHostsChangeAndItIsNeverWorse) {
  for (const char* spec :
       {"tree:4x4", "tree:2x3x4@9,4,1", "tree:3x4;slots=0-5,8-9", "torus:2x3/2"}) {
    const auto machine = parse_machine(spec);
    const auto ranks = static_cast<std::uint32_t>(machine->allowed().size());
    const std::vector<std::uint32_t> index = local_indices(*machine);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const TrafficMatrix matrix = random_traffic(ranks, seed);
      const TrafficGraph graph = TrafficGraph::from(matrix);
      MapOptions options;
      options.effort = Effort::fast;
      options.objective = default_objective(*machine);
      const Mapping present = identity_mapping(ranks, *machine, 1);
      options.fixed = {{Rank(3), present[Rank(3)]}};
      const MapResult result = map_keeping_local_indices({graph, *machine, options}, index);
      check_mapping(result.mapping, *machine, 1);
      EXPECT_EQ(result.mapping[Rank(3)], present[Rank(3)]);
      for (std::uint32_t r = 0; r < ranks; ++r) {
        const Slot slot = result.mapping[Rank(r)];
        EXPECT_EQ(index[machine->allowed().index_of(slot)], index[r]) << spec << " rank " << r;
      }
      const auto cost = [&](const Mapping& mapping) {
        const Metrics metrics = evaluate(matrix, graph, *machine, mapping);
        return options.objective == Objective::hop_bytes ? metrics.hop_bytes
                                                         : metrics.sum_com.units;
      };
      EXPECT_LE(cost(result.mapping), cost(present)) << spec;
      EXPECT_EQ(map_keeping_local_indices({graph, *machine, options}, index).mapping,
                result.mapping);
    }
  }
}

TEST(KeepLocal, DecisionsGoByIt) {
  // Pairs (0, 3) and (1, 2) on two hosts of two: ranks 1 and 3 change hosts.
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(3), 1000);
  builder.add(Rank(1), Rank(2), 1000);
  const auto machine = parse_machine("tree:2x2");
  ReorderOptions options;
  options.algorithm = find_algorithm("auto");
  options.keep_local = true;
  const ReorderDecision decision = decide_reorder(builder.build(), *machine, options);
  EXPECT_TRUE(decision.apply);
  EXPECT_EQ(decision.mapping.slot_of, (std::vector<Slot>{Slot(0), Slot(3), Slot(2), Slot(1)}));
  EXPECT_NE(decision.reason.find("local index"), std::string::npos) << decision.reason;
}

TEST(KeepLocal, HostsMayBeOthersThanTheMachinesNodes) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(3), 1000);
  builder.add(Rank(1), Rank(2), 1000);
  const TrafficMatrix matrix = builder.build();
  const auto machine = parse_machine("mesh:4");
  ReorderOptions options;
  options.algorithm = find_algorithm("auto");
  options.keep_local = true;
  EXPECT_TRUE(decide_reorder(matrix, *machine, options).apply) << "four hosts of one";
  options.local_indices = {0, 1, 2, 3};
  EXPECT_FALSE(decide_reorder(matrix, *machine, options).apply) << "one host";
  options.local_indices = {0, 1, 0, 1};
  const ReorderDecision decision = decide_reorder(matrix, *machine, options);
  EXPECT_EQ(decision.mapping.slot_of, (std::vector<Slot>{Slot(0), Slot(3), Slot(2), Slot(1)}))
      << "two hosts of two";
  options.local_indices = {0};
  EXPECT_THROW(decide_reorder(matrix, *machine, options), Error);
}

TEST(LeastAssignment, IsTheLeastOfAll) {
  Rng rng(5);
  for (std::uint32_t n = 1; n <= 6; ++n) {
    std::vector<SignedWide> cost;
    for (std::uint32_t i = 0; i < n * n; ++i) {
      cost.push_back(static_cast<SignedWide>(rng.below(100)) - 50);
    }
    const auto sum = [&](const std::vector<std::uint32_t>& column) {
      SignedWide total = 0;
      for (std::uint32_t i = 0; i < n; ++i) total += cost[i * n + column[i]];
      return static_cast<long>(total);
    };
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    long least = sum(order);
    while (std::next_permutation(order.begin(), order.end())) least = std::min(least, sum(order));
    EXPECT_EQ(sum(least_assignment(cost, n)), least) << n;
  }
}

}  // namespace
}  // namespace kith
