// What holds for every mapper of the registry, on every kind of traffic and machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "kith/error.hpp"
#include "unit/mapping/property_problems.hpp"

namespace kith {
namespace {

using testing::PropertyProblem;

/// From the definition, pair by pair: nothing of lib/objective takes part. The problems are made so
/// that it fits 64 bits.
std::uint64_t objective_of(const PropertyProblem& problem, const Mapping& mapping) {
  std::uint64_t sum = 0;
  bool overflows = false;
  for (std::uint32_t a = 0; a < problem.matrix.ranks(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      const Slot here = mapping.slot_of[a];
      const Slot there = mapping.slot_of[b];
      const std::uint64_t distance = problem.options.objective == Objective::hop_bytes
                                         ? problem.machine->hops(here, there)
                                         : problem.machine->cost(here, there);
      for (const Weight weight :
           {problem.matrix.at(Rank(a), Rank(b)), problem.matrix.at(Rank(b), Rank(a))}) {
        std::uint64_t product = 0;
        overflows = __builtin_mul_overflow(weight, distance, &product) || overflows;
        overflows = __builtin_add_overflow(sum, product, &sum) || overflows;
      }
    }
  }
  EXPECT_FALSE(overflows);
  return sum;
}

/// The rules of the problem, counted anew; nothing of lib/mapping takes part.
void expect_rules_kept(const PropertyProblem& problem, const Mapping& mapping) {
  ASSERT_EQ(mapping.slot_of.size(), problem.graph.ranks());
  std::map<std::uint32_t, std::uint32_t> count;
  for (const Slot slot : problem.machine->allowed().to_vector()) count[slot.value] = 0;
  for (const Slot slot : mapping.slot_of) {
    ASSERT_TRUE(count.contains(slot.value)) << "slot " << slot.value << " is not allowed";
    ++count[slot.value];
  }
  for (const auto& [slot, ranks] : count) {
    ASSERT_LE(ranks, problem.options.capacity) << "on slot " << slot;
    ASSERT_GE(ranks, problem.options.least) << "on slot " << slot;
  }
  for (const FixedRank& fixed : problem.options.fixed) {
    ASSERT_EQ(mapping[fixed.rank].value, fixed.slot.value)
        << "rank " << fixed.rank.value << " is fixed";
  }
}

/// Of a thorough search every few problems do; the long test takes all for it too.
std::size_t stride_of(const Mapper& mapper, std::size_t few) {
  const bool is_thorough = mapper.name() == "kith" || mapper.name() == "auto";
  return is_thorough && std::getenv("KITH_TEST_ALL_PROBLEMS") == nullptr ? 5 * few : few;
}

class AllMappers : public ::testing::TestWithParam<const Mapper*> {
 protected:
  const Mapper& mapper() const { return *GetParam(); }
  const std::vector<std::unique_ptr<Machine>>& machines() const { return machines_; }

  /// The answer, or nothing where the mapper says that it cannot use the machine.
  std::optional<MapResult> answer(const MapProblem& problem, bool refine) const {
    try {
      return map_ranks({&mapper(), refine}, problem);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      EXPECT_THAT(error.what(), ::testing::HasSubstr(std::string(mapper().name())));
      EXPECT_THAT(error.what(), ::testing::HasSubstr("expected"));
      return std::nullopt;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "an exception that is no Error: " << error.what();
      return std::nullopt;
    }
  }

 private:
  TempDirectory files_;
  std::vector<std::unique_ptr<Machine>> machines_ = testing::machine_zoo(files_);
};

TEST_P(AllMappers, KeepsTheRulesAndRefinementNeverHurts) {
  std::size_t answered = 0;
  testing::for_each_problem(machines(), 2, stride_of(mapper(), 1), [&](const PropertyProblem& problem) {
    SCOPED_TRACE(problem.name);
    const auto plain = answer(problem.get(), false);
    const auto refined = answer(problem.get(), true);
    ASSERT_EQ(plain.has_value(), refined.has_value());
    if (!plain) return;
    ++answered;
    for (const MapResult* result : {&*plain, &*refined}) {
      expect_rules_kept(problem, result->mapping);
      if (HasFatalFailure()) return;
      EXPECT_EQ(result->stopped, Stopped::done);
      EXPECT_EQ(objective_of(problem, result->mapping),
                evaluate_objective(problem.graph, *problem.machine, result->mapping,
                                   problem.options.objective));
      EXPECT_NO_THROW(find_algorithm(result->algorithm)) << result->algorithm;
    }
    EXPECT_LE(objective_of(problem, refined->mapping), objective_of(problem, plain->mapping));
    if (mapper().name() == "auto") {
      const MapResult identity = map_ranks(find_algorithm("identity"), problem.get());
      EXPECT_TRUE(objective_of(problem, plain->mapping) <= objective_of(problem, identity.mapping));
    }
  });
  EXPECT_GE(answered, 50U);
}

TEST_P(AllMappers, AnswersTheSameAgainWithAnySeedAndThreads) {
  testing::for_each_problem(machines(), 1, stride_of(mapper(), 5), [&](PropertyProblem problem) {
    for (const std::uint64_t seed : {1, 2}) {
      SCOPED_TRACE(problem.name + ", seed " + std::to_string(seed));
      problem.options.seed = seed;
      problem.options.threads = 1;
      const auto first = answer(problem.get(), false);
      if (!first) return;
      EXPECT_EQ(answer(problem.get(), false)->mapping, first->mapping);
      problem.options.threads = 3;
      const auto threaded = answer(problem.get(), false);
      EXPECT_EQ(threaded->mapping, first->mapping);
      EXPECT_EQ(threaded->algorithm, first->algorithm);
    }
  });
}

// A limit may make the answer worse, never wrong.
TEST_P(AllMappers, KeepsTheRulesWhenTimeOrWorkIsUp) {
  testing::for_each_problem(machines(), 1, 7, [&](PropertyProblem problem) {
    SCOPED_TRACE(problem.name);
    problem.options.time_limit = 1e-9;
    if (const auto late = answer(problem.get(), true)) expect_rules_kept(problem, late->mapping);
    problem.options.time_limit.reset();
    problem.options.work = 3;
    const auto cut = answer(problem.get(), true);
    if (!cut) return;
    expect_rules_kept(problem, cut->mapping);
    EXPECT_EQ(answer(problem.get(), true)->mapping, cut->mapping);
  });
}

// Loads, coordinates and the like are help, not a condition, but for those that say so.
TEST_P(AllMappers, SaysWhatItNeeds) {
  testing::for_each_problem(machines(), 1, 3, [&](PropertyProblem problem) {
    SCOPED_TRACE(problem.name);
    problem.options.loads.clear();
    problem.options.coordinates.reset();
    if (const auto bare = answer(problem.get(), false)) expect_rules_kept(problem, bare->mapping);
  });
}

std::vector<const Mapper*> every_mapper() {
  return {mappers().begin(), mappers().end()};
}

// The table is for people: which algorithm takes which machine. Those that are made for any
// machine have to.
TEST(AllMappersTable, WhoTakesWhichMachine) {
  const TempDirectory files;
  const auto machines = testing::machine_zoo(files);
  std::string table;
  std::map<std::string_view, std::string> first_refusal;
  for (const auto& machine : machines) {
    const auto problem =
        testing::make_problem(*machine, testing::Traffic::stencil, testing::Rules::one_per_slot, 1);
    for (const Mapper* mapper : mappers()) {
      try {
        map_ranks({mapper, false}, problem.get());
        table += '+';
      } catch (const Error& error) {
        first_refusal.try_emplace(mapper->name(), error.what());
        table += '-';
      }
    }
    table += ' ' + testing::name_of(*machine) + '\n';
  }
  std::string legend;
  for (const Mapper* mapper : mappers()) legend += ' ' + std::string(mapper->name());
  std::printf("columns:%s\n%s", legend.c_str(), table.c_str());
  for (const auto& [name, why] : first_refusal) std::printf("%s\n", why.c_str());
  for (const char* name : {"identity", "random", "scatter", "compact", "balanced", "auto"}) {
    EXPECT_FALSE(first_refusal.contains(name)) << first_refusal[name];
  }
}

std::string name_of(const ::testing::TestParamInfo<const Mapper*>& info) {
  std::string name(info.param->name());
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, AllMappers, ::testing::ValuesIn(every_mapper()), name_of);

}  // namespace
}  // namespace kith
