#include "mapping/topolb/distances.hpp"

#include <gtest/gtest.h>

#include "unit/mapping/topolb/problems.hpp"

namespace kith {
namespace {

TEST(TopoLbDistances, SumsAreThoseOfAllPairs) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 500; ++round) {
    const auto machine = testing::topolb::random_machine(random);
    const auto objective = round % 2 == 0 ? Objective::hop_bytes : Objective::sum_com;
    const auto table = testing::topolb::distance_table(*machine, objective);
    const auto slots = machine->allowed().to_vector();
    const auto sums = topolb::distance_sums(*machine, objective, slots);
    ASSERT_EQ(sums.of.size(), slots.size());
    for (std::size_t p = 0; p < slots.size(); ++p) {
      testing::topolb::paper::Int sum = 0;
      for (const auto distance : table[p]) {
        sum += distance;
        ASSERT_LE(distance, static_cast<testing::topolb::paper::Int>(sums.longest));
      }
      ASSERT_EQ(sums.of[p], static_cast<std::uint64_t>(sum)) << machine->spec() << " slot " << p;
    }
  }
}

}  // namespace
}  // namespace kith
