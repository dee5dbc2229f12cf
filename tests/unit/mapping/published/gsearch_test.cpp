#include <gtest/gtest.h>

#include <string>

#include "core/rng.hpp"
#include "kith/detail/generate.hpp"
#include "kith/mapper.hpp"
#include "mapping/published/geom/geom.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

constexpr SwapChoice choices[] = {SwapChoice::first, SwapChoice::best_of_higher,
                                  SwapChoice::best_of_rank, SwapChoice::best_of_all};
constexpr const char* names[] = {"gsearch", "gsearch-rank", "gsearch-best"};

struct Problem {
  TrafficGraph graph;
  std::unique_ptr<Machine> machine;
  MapOptions options;

  MapProblem view() const { return {graph, *machine, options}; }
  std::uint64_t value(const Mapping& mapping) const {
    return evaluate_objective(graph, *machine, mapping, options.objective);
  }
  Mapping mapped(const char* algorithm) const {
    return map_ranks(find_algorithm(algorithm), view()).mapping;
  }
};

/// A stencil on random slots of a machine that has more of them.
Problem random_job(std::mt19937_64& random) {
  const std::vector<std::uint32_t> job{1 + static_cast<std::uint32_t>(random() % 4),
                                       1 + static_cast<std::uint32_t>(random() % 4),
                                       1 + static_cast<std::uint32_t>(random() % 3)};
  constexpr const char* machines[] = {"mesh:5x5x4", "torus:5x5x4", "torus:7x4/2x2",
                                      "tree:5x4x5", "mesh:4x4",    "hypercube:6"};
  Problem problem;
  problem.machine = parse_machine(machines[random() % 6]);
  const std::uint32_t ranks = job[0] * job[1] * job[2];
  problem.options.capacity = 3;
  auto slots = random_permutation(problem.machine->slots(), random());
  slots.resize(std::min<std::size_t>(slots.size(), ranks));
  std::vector<Slot> chosen;
  for (const std::uint32_t slot : slots) chosen.emplace_back(slot);
  problem.machine = problem.machine->restricted_to(SlotSet::of(chosen));
  problem.options.coordinates = RankCoordinates::grid(job);
  problem.graph = TrafficGraph::from(to_matrix(*make_stencil(job, 7, random() % 2 == 0, {1})));
  return problem;
}

/// Figure 2 of the paper and its two variations, by the whole objective.
SearchAccount search_plainly(const Problem& problem, Mapping& mapping, SwapChoice choice) {
  const std::uint32_t n = mapping.ranks();
  SearchAccount account;
  std::uint64_t present = problem.value(mapping);
  const auto swapped = [&](std::uint32_t i, std::uint32_t j) {
    std::swap(mapping.slot_of[i], mapping.slot_of[j]);
    const std::uint64_t value = problem.value(mapping);
    std::swap(mapping.slot_of[i], mapping.slot_of[j]);
    return value;
  };
  const auto make = [&](std::uint32_t i, std::uint32_t j) {
    std::swap(mapping.slot_of[i], mapping.slot_of[j]);
    present = problem.value(mapping);
    ++account.swaps;
  };
  struct Best {
    std::uint64_t value;
    std::uint32_t i = 0;
    std::uint32_t j = 0;
  };
  const bool by_rank = choice == SwapChoice::best_of_higher || choice == SwapChoice::best_of_rank;
  bool made_swap = true;
  while (made_swap) {
    made_swap = false;
    Best of_all{present};
    for (std::uint32_t i = 0; i < n; ++i) {
      Best of_rank{present};
      for (std::uint32_t j = 0; j < n; ++j) {
        if (i == j || (choice != SwapChoice::best_of_rank && j < i)) continue;
        const std::uint64_t value = swapped(i, j);
        if (choice == SwapChoice::first && value < present) {
          make(i, j);
          made_swap = true;
        }
        if (value < of_rank.value) of_rank = {value, i, j};
        if (value < of_all.value) of_all = {value, i, j};
      }
      if (by_rank && of_rank.value < present) {
        make(of_rank.i, of_rank.j);
        made_swap = true;
      }
    }
    if (choice == SwapChoice::best_of_all && of_all.value < present) {
      make(of_all.i, of_all.j);
      made_swap = true;
    }
  }
  account.local_optimum = true;
  return account;
}

TEST(Gsearch, MakesTheSwapsOfThePaper) {
  std::mt19937_64 random(41);
  std::uint64_t swaps = 0;
  for (int round = 0; round < 150; ++round) {
    Problem problem = random_job(random);
    if (round % 3 == 0) {
      problem.graph = TrafficGraph::from(
          testing::random_matrix(random, problem.graph.ranks(), 0.3, 1 + random() % 20));
    }
    const Mapping start = testing::random_mapping(random, problem.graph.ranks(), *problem.machine,
                                                  problem.options.capacity);
    for (const SwapChoice choice : choices) {
      Mapping expected = start;
      Mapping mapping = start;
      const SearchAccount plain = search_plainly(problem, expected, choice);
      const SearchAccount account = search_swaps(problem.view(), mapping, choice);
      ASSERT_EQ(mapping, expected) << problem.machine->spec();
      ASSERT_EQ(account.swaps, plain.swaps);
      ASSERT_TRUE(account.local_optimum);
      swaps += account.swaps;
    }
  }
  EXPECT_GT(swaps, 1000U);
}

TEST(Gsearch, IsNeverWorseThanGeom) {
  std::mt19937_64 random(42);
  int better = 0;
  for (int round = 0; round < 100; ++round) {
    const Problem problem = random_job(random);
    const std::uint64_t geom = problem.value(problem.mapped("geom"));
    for (const char* name : names) {
      const std::uint64_t value = problem.value(problem.mapped(name));
      EXPECT_LE(value, geom) << name << " on " << problem.machine->spec();
      better += value < geom ? 1 : 0;
    }
  }
  EXPECT_GT(better, 100);
}

TEST(Gsearch, EndsWhereNoSwapHelps) {
  std::mt19937_64 random(43);
  for (int round = 0; round < 40; ++round) {
    const Problem problem = random_job(random);
    for (const char* name : names) {
      Mapping mapping = problem.mapped(name);
      const std::uint64_t present = problem.value(mapping);
      for (std::uint32_t i = 0; i < mapping.ranks(); ++i) {
        for (std::uint32_t j = i + 1; j < mapping.ranks(); ++j) {
          std::swap(mapping.slot_of[i], mapping.slot_of[j]);
          ASSERT_GE(problem.value(mapping), present) << name << " " << i << " " << j;
          std::swap(mapping.slot_of[i], mapping.slot_of[j]);
        }
      }
    }
  }
}

/// 8 x 8 tasks on random slots of a larger mesh: some 16 swaps.
Problem scattered_job() {
  Problem problem;
  const std::vector<std::uint32_t> job{8, 8};
  auto slots = random_permutation(144, 7);
  std::vector<Slot> chosen;
  for (int i = 0; i < 64; ++i) chosen.emplace_back(slots[i]);
  problem.machine = parse_machine("mesh:12x12")->restricted_to(SlotSet::of(chosen));
  problem.options.coordinates = RankCoordinates::grid(job);
  problem.graph = TrafficGraph::from(to_matrix(*make_stencil(job, 5, false, {1})));
  return problem;
}

TEST(Gsearch, StopsAtALimit) {
  const Problem problem = scattered_job();
  EXPECT_EQ(gsearch_swap_limit(0), 20U);
  EXPECT_EQ(gsearch_swap_limit(64), 42U);
  EXPECT_EQ(gsearch_swap_limit(1728), 624U);
  for (const SwapChoice choice : choices) {
    Mapping whole = problem.mapped("geom");
    const SearchAccount all = search_swaps(problem.view(), whole, choice);
    ASSERT_GT(all.swaps, 5U);
    Mapping cut = problem.mapped("geom");
    const SearchAccount limited = search_swaps(problem.view(), cut, choice, all.swaps - 1);
    EXPECT_EQ(limited.swaps, all.swaps - 1);
    EXPECT_FALSE(limited.local_optimum);
    EXPECT_GT(problem.value(cut), problem.value(whole));
    Mapping enough = problem.mapped("geom");
    EXPECT_TRUE(search_swaps(problem.view(), enough, choice, all.swaps).local_optimum);
    EXPECT_EQ(enough, whole);
  }
}

/// The same with a start far from good: coordinates that have nothing to do with the traffic.
Problem misled_job() {
  Problem problem = scattered_job();
  const auto permutation = random_permutation(64, 3);
  const RankCoordinates grid = *problem.options.coordinates;
  for (std::uint32_t r = 0; r < 64; ++r) {
    std::ranges::copy(grid.of(permutation[r]), problem.options.coordinates->values.begin() + 2 * r);
  }
  return problem;
}

TEST(Gsearch, TheLimitIsASetting) {
  Problem problem = misled_job();
  const Mapping start = problem.mapped("geom");
  Mapping limited = start;
  ASSERT_FALSE(search_swaps(problem.view(), limited, SwapChoice::first, 42).local_optimum);
  const Mapping whole = problem.mapped("gsearch");
  problem.options.settings = {{"limit", "on"}};
  EXPECT_EQ(problem.mapped("gsearch"), limited);
  EXPECT_NE(whole, limited);
}

TEST(Gsearch, PartnersAreASetting) {
  Problem problem = misled_job();
  Mapping higher = problem.mapped("geom");
  Mapping all = higher;
  search_swaps(problem.view(), higher, SwapChoice::best_of_higher);
  search_swaps(problem.view(), all, SwapChoice::best_of_rank);
  ASSERT_NE(higher, all);
  EXPECT_EQ(problem.mapped("gsearch-rank"), higher);
  problem.options.settings = {{"partners", "all"}};
  EXPECT_EQ(problem.mapped("gsearch-rank"), all);
}

TEST(Gsearch, KeepsFixedRanks) {
  Problem problem = scattered_job();
  const Slot last = problem.machine->allowed().at(63);
  problem.options.fixed = {{Rank(0), last}, {Rank(9), problem.machine->allowed().at(0)}};
  for (const char* name : names) {
    const Mapping mapping = problem.mapped(name);
    EXPECT_EQ(mapping[Rank(0)], last);
    EXPECT_EQ(mapping[Rank(9)], problem.machine->allowed().at(0));
    // Nothing is left to do among the others.
    Mapping again = mapping;
    EXPECT_EQ(search_swaps(problem.view(), again, SwapChoice::first).swaps, 0U) << name;
  }
}

TEST(Gsearch, KeepsItsBudget) {
  Problem problem = scattered_job();
  problem.options.work = 100;
  for (const char* name : names) {
    const MapResult result = map_ranks(find_algorithm(name), problem.view());
    EXPECT_EQ(result.stopped, Stopped::work) << name;
  }
  problem.options.work = 1'000'000;
  EXPECT_EQ(map_ranks(find_algorithm("gsearch"), problem.view()).stopped, Stopped::done);
}

}  // namespace
}  // namespace kith
