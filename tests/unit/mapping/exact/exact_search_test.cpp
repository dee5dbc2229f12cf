#include "mapping/exact/exact_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "kith/detail/generate.hpp"
#include "mapping/budget.hpp"
#include "mapping/value.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith::exact {
namespace {

constexpr std::uint64_t without_end = std::numeric_limits<std::uint64_t>::max();

/// The least value of all mappings that the options allow, one after the other.
class AllMappings {
 public:
  explicit AllMappings(const MapProblem& problem)
      : problem_(problem), slots_(problem.machine.allowed().to_vector()) {}

  MappingValue least() {
    extend();
    return least_;
  }
  Mapping first;  ///< of those allowed

 private:
  void extend() {
    const MapOptions& options = problem_.options;
    if (mapping_.slot_of.size() == problem_.graph.ranks()) {
      for (const Slot slot : slots_) {
        if (std::ranges::count(mapping_.slot_of, slot) < options.least) return;
      }
      if (first.slot_of.empty()) first = mapping_;
      least_ = std::min(least_, value_of(problem_, mapping_));
      return;
    }
    const Rank rank(static_cast<std::uint32_t>(mapping_.slot_of.size()));
    for (const Slot slot : slots_) {
      if (std::ranges::count(mapping_.slot_of, slot) >= options.capacity) continue;
      const auto fixed = std::ranges::find(options.fixed, rank, &FixedRank::rank);
      if (fixed != options.fixed.end() && fixed->slot != slot) continue;
      mapping_.slot_of.push_back(slot);
      extend();
      mapping_.slot_of.pop_back();
    }
  }

  const MapProblem& problem_;
  std::vector<Slot> slots_;
  Mapping mapping_;
  MappingValue least_{~Wide{0}};
};

std::unique_ptr<Machine> random_machine(std::mt19937_64& random) {
  const char* const specs[] = {"tree:2x2x2@5,9,2", "tree:3x2@1,7", "tree:(3,2,1)",
                               "torus:3x2",        "torus:7",      "mesh:3x2",
                               "mesh:2x2/2",       "hypercube:3",  "dragonfly:2,2,2",
                               "fattree:2,3,2",    "mesh:5",       "tree:(2*(2),1*(3))"};
  auto machine = parse_machine(specs[random() % std::size(specs)]);
  std::vector<Slot> slots;
  for (std::uint32_t s = 0; s < machine->slots(); ++s) slots.emplace_back(s);
  if (random() % 2 == 0) {
    std::ranges::shuffle(slots, random);
    slots.resize(3 + random() % (slots.size() - 3));
  }
  return machine->restricted_to(SlotSet::of(slots));
}

/// Where the ranks were: some slots may be gone, some ranks new; moves cost nothing, something or
/// more than anything.
void come_from_somewhere(std::mt19937_64& random, const Machine& machine, std::uint32_t ranks,
                         MapOptions& options) {
  const std::uint64_t costs[] = {0, random() % 60, random() % 600,
                                 std::numeric_limits<std::uint64_t>::max()};
  options.move_cost = costs[random() % 4];
  options.from.emplace();
  for (std::uint32_t r = 0; r < ranks; ++r) {
    options.from->slot_of.emplace_back(static_cast<std::uint32_t>(random() % machine.slots()));
  }
  if (random() % 3 == 0) options.from->slot_of[random() % ranks] = no_slot;
}

TEST(ExactSearch, FindsTheLeastOfAllMappings) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 500; ++round) {
    const auto machine = random_machine(random);
    const auto slots = static_cast<std::uint32_t>(machine->allowed().size());
    MapOptions options;
    options.objective = random() % 2 == 0 ? Objective::hop_bytes : Objective::sum_com;
    options.capacity = static_cast<std::uint32_t>(1 + random() % 2);
    const auto most = static_cast<std::uint32_t>(std::min(5U, slots * options.capacity));
    const auto ranks = static_cast<std::uint32_t>(1 + random() % most);
    const auto graph = TrafficGraph::from(
        testing::random_matrix(random, ranks, 0.3 + 0.3 * static_cast<double>(random() % 3), 50));
    if (random() % 3 == 0) {
      options.fixed.push_back({Rank(static_cast<std::uint32_t>(random() % ranks)),
                               machine->allowed().at(random() % slots)});
    } else if (random() % 3 == 0) {
      options.least = ranks / slots;
    }
    if (random() % 2 == 0) come_from_somewhere(random, *machine, ranks, options);
    const MapProblem problem{graph, *machine, options};
    AllMappings all(problem);
    const MappingValue least = all.least();
    const auto found = search_exactly(problem, all.first, without_end);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->is_optimal);
    ASSERT_EQ(value_of(problem, found->mapping), least) << machine->spec() << ", round " << round;
    check_mapping(found->mapping, *machine, options.capacity);
    for (const FixedRank& fixed : options.fixed) EXPECT_EQ(found->mapping[fixed.rank], fixed.slot);
    for (const Slot slot : machine->allowed().to_vector()) {
      EXPECT_GE(std::ranges::count(found->mapping.slot_of, slot), options.least);
    }
  }
}

// Symmetries make it fast: the steps are those of a few thousand placements at most.
TEST(ExactSearch, ProvesNineRanksOnManySlots) {
  for (const char* spec :
       {"tree:4x4x4", "tree:4096x2x4", "torus:4x4x4", "hypercube:6", "torus:8x8", "mesh:8x8"}) {
    const auto machine = parse_machine(spec);
    const auto graph =
        TrafficGraph::from(to_matrix(*make_permuted(make_stencil({3, 3}, 5, false, {1}), 4)));
    const MapProblem problem{graph, *machine, {}};
    const auto found = search_exactly(problem, identity_mapping(9, *machine, 1), 300000);
    ASSERT_TRUE(found) << spec;
    EXPECT_TRUE(found->is_optimal) << spec;
  }
}

TEST(ExactSearch, StopsWithTheBestSoFar) {
  const auto machine = parse_machine("mesh:4x4");
  const auto graph =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil({3, 4}, 5, false, {1}), 4)));
  const Mapping start = identity_mapping(12, *machine, 1);
  std::uint64_t before = evaluate_objective(graph, *machine, start, Objective::hop_bytes);
  for (const std::uint64_t steps : {0U, 20U, 200U, 2000U}) {
    MapOptions options;
    options.work = steps;
    Budget budget(options);
    const auto by_budget = search_exactly({graph, *machine, options, &budget}, start, without_end);
    const auto by_steps = search_exactly({graph, *machine, options}, start, steps);
    EXPECT_EQ(by_budget->mapping.slot_of, by_steps->mapping.slot_of);
    EXPECT_EQ(budget.spent(), steps);
    EXPECT_FALSE(by_steps->is_optimal);
    const std::uint64_t now =
        evaluate_objective(graph, *machine, by_steps->mapping, Objective::hop_bytes);
    EXPECT_LE(now, before);
    before = now;
  }
}

TEST(ExactSearch, LeavesLargeProblemsAlone) {
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({1, 13}, 5, false, {1})));
  const auto machine = parse_machine("tree:16");
  EXPECT_FALSE(search_exactly({graph, *machine, {}}, identity_mapping(13, *machine, 1), 1));
  const auto few = TrafficGraph::from(to_matrix(*make_stencil({2, 2}, 5, false, {1})));
  const auto large = parse_machine("torus:16x16");
  EXPECT_FALSE(search_exactly({few, *large, {}}, identity_mapping(4, *large, 1), 1));
}

}  // namespace
}  // namespace kith::exact
