#include "objective/swap_gain.hpp"

#include <gtest/gtest.h>

#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

SignedWide signed_objective(const TrafficGraph& graph, const Machine& machine,
                            const Mapping& mapping, Objective objective) {
  return static_cast<SignedWide>(evaluate_objective(graph, machine, mapping, objective));
}

// The gain must be the difference of two full evaluations, exactly.
void check_gains(std::mt19937_64& random, const TreeMachine& tree, const Machine& machine,
                 std::uint32_t capacity) {
  const auto ranks = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(60, 1 + random() % (std::uint64_t{capacity} * tree.slots())));
  const Weight heaviest = random() % 2 == 0 ? 9 : Weight{1} << 44;
  const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.25, heaviest));
  for (const Objective objective : {Objective::hop_bytes, Objective::sum_com}) {
    Mapping mapping = testing::random_mapping(random, ranks, machine, capacity);
    with_distance(machine, objective, [&](const auto& distance) {
      const SwapGain gain(graph, mapping, distance);
      for (int i = 0; i < 20; ++i) {
        const SignedWide before = signed_objective(graph, machine, mapping, objective);
        const Rank a(static_cast<std::uint32_t>(random() % ranks));
        const Rank b(static_cast<std::uint32_t>(random() % ranks));
        SignedWide predicted = 0;
        if (i % 2 == 0) {
          predicted = gain.swap(a, b);
          std::swap(mapping.slot_of[a.value], mapping.slot_of[b.value]);
        } else {
          const Slot to(static_cast<std::uint32_t>(random() % tree.slots()));
          predicted = gain.move(a, to);
          mapping.slot_of[a.value] = to;
        }
        const SignedWide after = signed_objective(graph, machine, mapping, objective);
        ASSERT_TRUE(predicted == after - before);
      }
    });
  }
}

TEST(SwapGain, IsTheDifferenceOfTwoEvaluations) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 150; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 64)
                                     : testing::random_unequal_tree(random);
    const auto capacity = static_cast<std::uint32_t>(1 + random() % 3);
    check_gains(random, *tree, *tree, capacity);
    check_gains(random, *tree, testing::PlainMachine(*tree), capacity);
  }
}

TEST(SwapGain, DoesNotOverflow) {
  TrafficMatrixBuilder builder(2);
  builder.add(Rank(0), Rank(1), std::numeric_limits<Weight>::max());
  const auto graph = TrafficGraph::from(builder.build());
  const auto tree = TreeMachine::symmetric({2, 2}, {std::uint64_t{1} << 62, 0}, 1, "tree");
  const Mapping mapping{{Slot(0), Slot(1)}};
  const SwapGain gain(graph, mapping, TreeDistance(*tree, Objective::sum_com));
  const SignedWide expected =
      static_cast<SignedWide>(std::numeric_limits<Weight>::max()) * (SignedWide{1} << 62);
  EXPECT_TRUE(gain.move(Rank(1), Slot(2)) == expected);
}

}  // namespace
}  // namespace kith
