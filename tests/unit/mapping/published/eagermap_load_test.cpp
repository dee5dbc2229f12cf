#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "kith/mapper.hpp"
#include "unit/mapping/published/paper_eagermap.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Mapping eagermap_load(const TrafficMatrix& matrix, const Machine& machine,
                      std::vector<std::uint64_t> loads, std::uint32_t capacity) {
  const auto graph = TrafficGraph::from(matrix);
  MapOptions options;
  options.capacity = capacity;
  options.loads = std::move(loads);
  return map_ranks(find_algorithm("eagermap-load"), {graph, machine, options}).mapping;
}

std::vector<std::uint64_t> load_of_slots(const Mapping& mapping, std::uint32_t slots,
                                         const std::vector<std::uint64_t>& loads) {
  std::vector<std::uint64_t> sums(slots);
  for (std::size_t r = 0; r < loads.size(); ++r) sums[mapping.slot_of[r].value] += loads[r];
  return sums;
}

testing::paper::Matrix dense(const TrafficMatrix& matrix) {
  testing::paper::Matrix out(matrix.ranks(), std::vector<std::int64_t>(matrix.ranks()));
  for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
    for (std::uint32_t j = 0; j < matrix.ranks(); ++j) {
      out[i][j] =
          static_cast<std::int64_t>(matrix.at(Rank(i), Rank(j)) + matrix.at(Rank(j), Rank(i)));
    }
  }
  return out;
}

// On flat machines with room for all, the paper's algorithms as printed; on trees and with little
// room our rule of capacity beside them.
TEST(EagerMapLoad, GroupsAsThePaperDoes) {
  std::mt19937_64 random(41);
  for (int round = 0; round < 500; ++round) {
    const bool flat = round % 2 == 0;
    const auto tree =
        flat ? TreeMachine::symmetric({static_cast<std::uint32_t>(2 + random() % 9)}, {}, 1, "tree")
             : testing::random_symmetric_tree(random, 40);
    const auto ranks = static_cast<std::uint32_t>(1 + random() % 60);
    const auto fit = (ranks + tree->slots() - 1) / tree->slots();
    const auto capacity = flat ? ranks : fit + static_cast<std::uint32_t>(random() % 4);
    const auto matrix = testing::random_matrix(random, ranks, 0.2, 4);
    std::vector<std::uint64_t> loads(ranks);
    for (auto& load : loads) load = random() % 10 + (round % 3 == 0 ? 0 : 1);
    loads[random() % ranks] = 40;
    const auto expected = testing::paper::map_algorithm(
        dense(matrix), static_cast<int>(ranks), *tree->allowed_arities(),
        {loads.begin(), loads.end()}, static_cast<int>(capacity));
    const Mapping mapping = eagermap_load(matrix, *tree, loads, capacity);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      ASSERT_EQ(mapping[Rank(r)].value, static_cast<std::uint32_t>(expected[r]))
          << "round " << round << ", rank " << r;
    }
  }
}

TEST(EagerMapLoad, BalancesLoadsAndNotNumbers) {
  // One rank of 6, six of 1 that talk in a chain: two slots.
  TrafficMatrixBuilder builder(7);
  for (std::uint32_t i = 1; i < 6; ++i) builder.add(Rank(i), Rank(i + 1), 5);
  const std::vector<std::uint64_t> loads{6, 1, 1, 1, 1, 1, 1};
  const auto machine = parse_machine("tree:2");
  const auto matrix = builder.build();
  EXPECT_THAT(load_of_slots(eagermap_load(matrix, *machine, loads, 7), 2, loads),
              ElementsAre(6, 6));
  // Where only four fit, capacity wins.
  EXPECT_THAT(load_of_slots(eagermap_load(matrix, *machine, loads, 4), 2, loads),
              ElementsAre(8, 4));
}

TEST(EagerMapLoad, UnequalMachinesGetLoadInProportion) {
  TrafficMatrixBuilder builder(48);
  std::vector<std::uint64_t> loads(48);
  for (std::uint32_t r = 0; r < 48; ++r) loads[r] = 1 + r % 3;
  const auto machine = parse_machine("tree:2x4;slots=0-3,4-5");
  const auto sums = load_of_slots(eagermap_load(builder.build(), *machine, loads, 48), 8, loads);
  for (std::uint32_t slot = 0; slot < 6; ++slot)
    EXPECT_NEAR(static_cast<double>(sums[slot]), 16, 3) << slot;
}

TEST(EagerMapLoad, WithEqualLoadsItIsEagerMap) {
  const auto matrix =
      to_matrix(*make_permuted(make_stencil({4, 4, 4}, 27, false, {100, 10, 1}), 2));
  const auto graph = TrafficGraph::from(matrix);
  for (const char* spec : {"tree:4x4x4", "tree:2x2x4", "torus:2x2/4"}) {
    const auto machine = parse_machine(spec);
    MapOptions options;
    options.capacity = 4;
    const Mapping plain = map_ranks(find_algorithm("eagermap"), {graph, *machine, options}).mapping;
    for (const std::uint64_t load : {0U, 7U}) {
      EXPECT_EQ(eagermap_load(matrix, *machine, std::vector<std::uint64_t>(64, load), 4), plain)
          << spec;
    }
  }
}

TEST(EagerMapLoad, LargeLoadsDoNotOverflow) {
  TrafficMatrixBuilder builder(6);
  const std::uint64_t large = std::uint64_t{1} << 63U;
  const std::vector<std::uint64_t> loads{large, large, large, large, 1, 1};
  const Mapping mapping = eagermap_load(builder.build(), *parse_machine("tree:4"), loads, 6);
  EXPECT_THAT(mapping.slot_of, ElementsAre(Slot(0), Slot(0), Slot(1), Slot(2), Slot(3), Slot(3)));
}

TEST(EagerMapLoad, AsksForLoads) {
  TrafficMatrixBuilder builder(3);
  try {
    eagermap_load(builder.build(), *parse_machine("tree:4"), {}, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("loads"));
    EXPECT_THAT(error.what(), HasSubstr("eagermap-load"));
  }
}

}  // namespace
}  // namespace kith
