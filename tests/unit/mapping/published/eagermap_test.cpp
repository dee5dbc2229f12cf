#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "kith/mapper.hpp"
#include "unit/corpus.hpp"
#include "unit/mapping/published/paper_eagermap.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::HasSubstr;

Mapping eagermap(const TrafficMatrix& matrix, const Machine& machine, std::uint32_t capacity = 1) {
  const auto graph = TrafficGraph::from(matrix);
  MapOptions options;
  options.capacity = capacity;
  return map_ranks(find_algorithm("eagermap"), {graph, machine, options}).mapping;
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

void expect_as_in_the_paper(const TrafficMatrix& matrix, const TreeMachine& tree) {
  const auto arities = tree.allowed_arities();
  ASSERT_TRUE(arities);
  const auto expected =
      testing::paper::map_algorithm(dense(matrix), static_cast<int>(matrix.ranks()), *arities);
  const auto leaves = tree.allowed_leaves();
  const auto capacity =
      static_cast<std::uint32_t>((matrix.ranks() + leaves.size() - 1) / leaves.size());
  const Mapping mapping = eagermap(matrix, tree, std::max(capacity, 1U));
  for (std::uint32_t r = 0; r < matrix.ranks(); ++r) {
    ASSERT_EQ(mapping[Rank(r)], tree.slot_of_leaf(leaves[static_cast<std::size_t>(expected[r])]))
        << "rank " << r << " of " << matrix.ranks() << " on " << leaves.size() << " slots";
  }
}

// Small weights make ties everywhere; task counts below, at and above the number of PUs.
TEST(EagerMap, ChoosesAsThePaperDoes) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 600; ++round) {
    const auto tree = testing::random_symmetric_tree(random, 64);
    std::uint32_t ranks = tree->slots();
    if (round % 3 == 1) ranks = 1 + static_cast<std::uint32_t>(random() % ranks);
    if (round % 3 == 2) ranks += 1 + static_cast<std::uint32_t>(random() % (2 * ranks));
    ranks = std::min(ranks, 90U);
    constexpr double densities[] = {0.02, 0.1, 0.5, 1.0};
    constexpr Weight weights[] = {1, 3, 1000};
    const auto matrix =
        testing::random_matrix(random, ranks, densities[random() % 4], weights[random() % 3]);
    expect_as_in_the_paper(matrix, *tree);
    if (HasFatalFailure()) return;
  }
}

TEST(EagerMap, ChoosesAsThePaperDoesOnSubsets) {
  std::mt19937_64 random(18);
  const auto whole = TreeMachine::symmetric({4, 3, 4}, {}, 1, "tree:4x3x4");
  for (const char* slots :
       {"0-23", "0-1,4-5,12-13,16-17", "0-2,12-14,24-26,36-38", "7", "0,12,24"}) {
    const auto part = whole->restricted_to(SlotSet::parse(slots, "x"));
    for (int round = 0; round < 20; ++round) {
      const auto ranks = static_cast<std::uint32_t>(1 + random() % 30);
      expect_as_in_the_paper(testing::random_matrix(random, ranks, 0.3, 4), *part->as_tree());
      if (HasFatalFailure()) return;
    }
  }
}

TEST(EagerMap, ChoosesAsThePaperDoesOnPatterns) {
  const auto tree = parse_machine("tree:4x2x2x4");
  std::vector<std::unique_ptr<Pattern>> patterns;
  patterns.push_back(make_stencil({8, 8}, 5, false, {1}));
  patterns.push_back(make_stencil({4, 4, 4}, 27, true, {100, 10, 1}));
  patterns.push_back(make_permuted(make_stencil({4, 4, 4}, 7, false, {1}), 3));
  patterns.push_back(make_cg(64, 1000));
  patterns.push_back(make_alltoall(64, 5));
  patterns.push_back(make_geometric(64, 2));
  patterns.push_back(make_rmat(6, 300, 3));
  for (const auto& pattern : patterns) {
    expect_as_in_the_paper(to_matrix(*pattern), *tree->as_tree());
    if (HasFatalFailure()) return;
  }
}

TEST(EagerMap, RanksThatAreSilentKeepTheirOrder) {
  TrafficMatrixBuilder builder(8);
  const Mapping mapping = eagermap(builder.build(), *parse_machine("tree:2x2x2"));
  for (std::uint32_t r = 0; r < 8; ++r) EXPECT_EQ(mapping[Rank(r)], Slot(r));
}

TEST(EagerMap, WeightsAddUpWithoutOverflow) {
  // Coarse weights near 64 bits: 0-1 and 2-3 must come together.
  TrafficMatrixBuilder builder(4);
  const Weight large = Weight{1} << 61;
  builder.add(Rank(0), Rank(3), large);
  builder.add(Rank(3), Rank(0), large);
  builder.add(Rank(1), Rank(2), large);
  builder.add(Rank(0), Rank(1), 5);
  const auto matrix = builder.build();
  const Mapping mapping = eagermap(matrix, *parse_machine("tree:2x2"));
  EXPECT_EQ(mapping, (Mapping{{Slot(0), Slot(2), Slot(3), Slot(1)}}));
}

// The paper's worked example (its figures 2 to 4): task x on core x/2.
TEST(EagerMap, MapsThePapersExample) {
  const auto file = corpus() / "cases/eagermap-figure3-16.mtx";
  const Mapping mapping = eagermap(read_matrix(file), *parse_machine("tree:2x2x2"), 2);
  for (std::uint32_t task = 0; task < 16; ++task) EXPECT_EQ(mapping[Rank(task)], Slot(task / 2));
}

// The pairs that the thesis on ChoiceMap reports for EagerMap.
TEST(EagerMap, FindsThePairsOfTheThesis) {
  const auto file = corpus() / "cases/choicemap-thesis-8.mtx";
  const Mapping mapping = eagermap(read_matrix(file), *parse_machine("tree:2x2x2"));
  const std::pair<std::uint32_t, std::uint32_t> pairs[] = {{0, 5}, {1, 4}, {2, 7}, {3, 6}};
  for (const auto& [a, b] : pairs) {
    EXPECT_EQ(mapping[Rank(a)].value / 2, mapping[Rank(b)].value / 2) << a << " and " << b;
  }
}

// Section 3.6 on the paper's Mixed-32: two machines of 8 cores and one of 16.
TEST(EagerMap, DividesTasksInProportionToSlots) {
  TrafficMatrixBuilder builder(32);
  // 24 .. 31 talk to 0 .. 7, the others to their neighbours.
  for (std::uint32_t i = 0; i < 4; ++i) builder.add(Rank(0), Rank(28 + i), 10 + i);
  for (std::uint32_t i = 4; i < 31; ++i) builder.add(Rank(i), Rank(i + 1), 3);
  const auto matrix = builder.build();
  const auto machine = parse_machine("tree:3x2x8;slots=0-3,8-11,16-19,24-27,32-47");
  const Mapping mapping = eagermap(matrix, *machine);
  // The first: 0, then 31 (13), and from there down the chain of 3 each, or 30, 29, 28 by 12, ...
  std::vector<std::vector<std::uint32_t>> on_node(3);
  for (std::uint32_t r = 0; r < 32; ++r) on_node[mapping[Rank(r)].value / 16].push_back(r);
  EXPECT_THAT(on_node[0], ::testing::ElementsAre(0, 25, 26, 27, 28, 29, 30, 31));
  EXPECT_THAT(on_node[1], ::testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_EQ(on_node[2].size(), 16U);
}

/// What section 3.6 says, with the paper's loops: groups of given sizes by algorithm 3, then
/// algorithms 1 to 5 on each machine.
std::vector<Slot> mapped_machine_by_machine(const TrafficMatrix& matrix,
                                            const std::vector<std::vector<Slot>>& machines,
                                            const std::vector<std::vector<std::uint32_t>>& arities,
                                            const std::vector<int>& shares) {
  const auto comm = dense(matrix);
  const int ranks = static_cast<int>(matrix.ranks());
  std::vector<testing::paper::Group> tasks(matrix.ranks());
  for (int i = 0; i < ranks; ++i) tasks[i].id = i;
  std::vector<int> chosen(matrix.ranks());
  std::vector<Slot> slots(matrix.ranks());
  for (std::size_t m = 0; m < machines.size(); ++m) {
    if (shares[m] == 0) continue;
    const auto group = testing::paper::generate_group(comm, ranks, shares[m], chosen, tasks);
    std::vector<int> inside;
    for (const auto& task : group.elements) inside.push_back(task.id);
    std::ranges::sort(inside);
    testing::paper::Matrix part(inside.size(), std::vector<std::int64_t>(inside.size()));
    for (std::size_t i = 0; i < inside.size(); ++i) {
      for (std::size_t j = 0; j < inside.size(); ++j) part[i][j] = comm[inside[i]][inside[j]];
    }
    const auto pu_of = testing::paper::map_algorithm(part, shares[m], arities[m]);
    for (std::size_t i = 0; i < inside.size(); ++i) slots[inside[i]] = machines[m][pu_of[i]];
  }
  return slots;
}

TEST(EagerMap, MapsMachinesOfAClusterOneByOne) {
  std::mt19937_64 random(19);
  const auto tree = parse_machine("tree:3x2x4;slots=0-7,8-9,12-13,16-19");
  const auto torus = parse_machine("torus:3x1/2x4;slots=0-7,8-9,12-13,16-19");
  std::vector<std::vector<Slot>> machines(3);
  for (const Slot slot : tree->allowed().to_vector()) machines[slot.value / 8].push_back(slot);
  for (int round = 0; round < 200; ++round) {
    const bool more = round % 2 == 1;
    const auto matrix = testing::random_matrix(random, more ? 32 : 16, 0.2, 3);
    const auto expected =
        mapped_machine_by_machine(matrix, machines, {{2, 4}, {2, 2}, {4}},
                                  more ? std::vector{16, 8, 8} : std::vector{8, 4, 4});
    ASSERT_EQ(eagermap(matrix, *tree, 2).slot_of, expected);
    ASSERT_EQ(eagermap(matrix, *torus, 2).slot_of, expected);
  }
}

TEST(EagerMap, FillsAnyMachineEvenly) {
  std::mt19937_64 random(20);
  for (int round = 0; round < 300; ++round) {
    const auto tree = testing::random_unequal_tree(random);
    const testing::PlainMachine plain(*tree);
    const auto ranks = static_cast<std::uint32_t>(random() % (3 * tree->slots() + 1));
    const auto capacity = std::max(1U, (ranks + tree->slots() - 1) / tree->slots());
    const auto matrix = testing::random_matrix(random, ranks, 0.2, 5);
    for (const Machine* machine :
         {static_cast<const Machine*>(tree.get()), static_cast<const Machine*>(&plain)}) {
      std::vector<std::uint32_t> count(tree->slots());
      for (const Slot slot : eagermap(matrix, *machine, capacity).slot_of) ++count[slot.value];
      ASSERT_GE(std::ranges::min(count), ranks / tree->slots());
    }
  }
}

// Algorithm 8. Large enough that threads share the communication between groups.
TEST(EagerMap, AnswersTheSameForAnyNumberOfThreads) {
  const auto graph = TrafficGraph::from(
      to_matrix(*make_permuted(make_stencil({32, 32, 16}, 27, false, {100, 10, 1}), 5)));
  for (const char* spec :
       {"tree:32x32x16", "torus:8x8x8/4x8", "tree:64x32x16;slots=0-9999,12345-22222"}) {
    const auto machine = parse_machine(spec);
    MapOptions options;
    const Mapping alone = map_ranks(find_algorithm("eagermap"), {graph, *machine, options}).mapping;
    for (const unsigned threads : {2U, 3U, 7U}) {
      options.threads = threads;
      EXPECT_EQ(map_ranks(find_algorithm("eagermap"), {graph, *machine, options}).mapping, alone)
          << spec << " with " << threads;
    }
  }
}

// Ratios to identity that the authors' own program reaches on these instances.
TEST(EagerMap, ReachesThePublishedQuality) {
  const auto ratio = [](const Pattern& pattern, const char* spec) {
    const auto matrix = to_matrix(pattern);
    const auto graph = TrafficGraph::from(matrix);
    const auto machine = parse_machine(spec);
    const auto value = [&](const Mapping& mapping) {
      return static_cast<double>(evaluate_objective(graph, *machine, mapping, Objective::sum_com));
    };
    return value(eagermap(matrix, *machine)) / value(identity_mapping(graph.ranks(), *machine, 1));
  };
  const auto grid = make_stencil({32, 32}, 5, false, {1});
  EXPECT_NEAR(ratio(*grid, "tree:64x2x8@100,10,1"), 0.6121, 0.00005);
  const auto cube = make_permuted(make_stencil({16, 16, 16}, 7, false, {1}), 1);
  EXPECT_NEAR(ratio(*cube, "tree:64x4x16@100,10,1"), 0.3578, 0.00005);
}

TEST(EagerMap, MapsAHundredThousandRanks) {
  const auto matrix = to_matrix(*make_stencil({64, 64, 32}, 7, false, {1}));
  const auto machine = parse_machine("tree:32x32x4x32");
  const Mapping mapping = eagermap(matrix, *machine);
  check_mapping(mapping, *machine, 1);
  const auto graph = TrafficGraph::from(matrix);
  const auto identity = identity_mapping(graph.ranks(), *machine, 1);
  EXPECT_LT(evaluate_objective(graph, *machine, mapping, Objective::hop_bytes),
            evaluate_objective(graph, *machine, identity, Objective::hop_bytes));
}

}  // namespace
}  // namespace kith
