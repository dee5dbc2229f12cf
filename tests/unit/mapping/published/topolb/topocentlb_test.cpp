#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/mapping/published/topolb/problems.hpp"

namespace kith {
namespace {

TEST(TopoCentLb, ChoosesAsThePaperDoes) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 1000; ++round) {
    testing::topolb::SmallProblem problem = testing::topolb::random_small_problem(random);
    const auto d = testing::topolb::distance_table(*problem.machine, problem.options.objective);
    int first = 0;
    const bool highest = round % 3 == 2;
    if (highest) problem.options.settings.push_back({"cheapest", "highest"});
    if (round % 2 == 1) {
      problem.options.settings.push_back({"first", "central"});
      std::vector<testing::topolb::paper::Int> sums;
      for (const auto& row : d) sums.push_back(std::accumulate(row.begin(), row.end(), 0L));
      for (int p = 0; p < static_cast<int>(sums.size()); ++p) {
        if (sums[p] < sums[first] || (highest && sums[p] == sums[first])) first = p;
      }
    }
    const auto expected = testing::topolb::paper::map_topocentlb(
        testing::topolb::traffic_table(problem.matrix), d, first, highest);
    const Mapping mapping =
        testing::topolb::map_with("topocentlb", problem.matrix, *problem.machine, problem.options);
    ASSERT_EQ(mapping, testing::topolb::on_allowed_slots(expected, *problem.machine))
        << problem.machine->spec() << ", " << problem.machine->allowed().size() << " slots, "
        << problem.matrix.ranks() << " ranks";
  }
}

}  // namespace
}  // namespace kith
