#include "mapping/tiling/task_grid.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

namespace kith::tiling {
namespace {

std::vector<Place> all_places(const Place& extents) {
  std::vector<Place> places;
  Place at{};
  for (at[0] = 0; at[0] < extents[0]; ++at[0]) {
    for (at[1] = 0; at[1] < extents[1]; ++at[1]) {
      for (at[2] = 0; at[2] < extents[2]; ++at[2]) {
        for (at[3] = 0; at[3] < extents[3]; ++at[3]) places.push_back(at);
      }
    }
  }
  return places;
}

/// Pairs of places, each once, with their weight: visit(a, b, weight).
template <class Visit>
void for_each_pair(const TaskGrid& grid, Visit visit) {
  for (const Place& a : all_places(grid.extents)) {
    for (const Displacement& displacement : grid.displacements) {
      Place b = a;
      bool inside = true;
      for (std::size_t d = 0; d < most_dimensions; ++d) {
        const int extent = static_cast<int>(grid.extents[d]);
        int at = static_cast<int>(a[d]) + displacement.steps[d];
        if (grid.periodic[d]) at = (at + extent) % extent;
        inside = inside && at >= 0 && at < extent;
        b[d] = static_cast<std::uint32_t>(at);
      }
      if (inside) visit(a, b, displacement.weight);
    }
  }
}

/// Sum over the pairs of weight x cost of the level at which the leaves of their places meet.
double sum_com(const TaskGrid& grid, const std::vector<Branching>& levels,
               const std::vector<Place>& boxes) {
  double sum = 0;
  for_each_pair(grid, [&](const Place& a, const Place& b, double weight) {
    std::uint64_t leaf_a = leaf_of(grid, a, boxes);
    std::uint64_t leaf_b = leaf_of(grid, b, boxes);
    double cost = 0;
    for (std::size_t l = levels.size(); l-- > 0 && leaf_a != leaf_b;) {
      leaf_a /= levels[l].arity;
      leaf_b /= levels[l].arity;
      cost = levels[l].cost;
    }
    sum += weight * cost;
  });
  return sum;
}

/// All divisions into equal boxes of boxes.
void for_each_division(const Place& outer, const std::vector<Branching>& levels,
                       std::vector<Place>& boxes,
                       const std::function<void(const std::vector<Place>&)>& visit) {
  if (boxes.size() == levels.size()) {
    visit(boxes);
    return;
  }
  for (Place by : all_places(outer)) {
    std::uint32_t product = 1;
    bool divides = true;
    Place box{};
    for (std::size_t d = 0; d < most_dimensions; ++d) {
      ++by[d];
      product *= by[d];
      divides = divides && outer[d] % by[d] == 0;
      box[d] = outer[d] / by[d];
    }
    if (!divides || product != levels[boxes.size()].arity) continue;
    boxes.push_back(box);
    for_each_division(box, levels, boxes, visit);
    boxes.pop_back();
  }
}

struct Case {
  Place extents;
  std::vector<std::uint32_t> arities;
};

const Case cases[] = {{{6, 6, 1, 1}, {9, 4}},       {{4, 6, 1, 1}, {2, 3, 4}},
                      {{4, 2, 3, 1}, {3, 2, 4}},    {{4, 4, 4, 1}, {4, 2, 8}},
                      {{24, 1, 1, 1}, {2, 6, 2}},   {{2, 4, 2, 2}, {2, 4, 4}},
                      {{8, 4, 2, 1}, {4, 2, 2, 4}}, {{3, 5, 1, 1}, {15}}};

TEST(TilingBoxes, AreTheBestOfAllDivisions) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 80; ++round) {
    const Case& one = cases[round % std::size(cases)];
    TaskGrid grid;
    grid.dimensions = most_dimensions;
    grid.extents = one.extents;
    for (std::size_t d = 0; d < most_dimensions; ++d) {
      grid.periodic[d] = one.extents[d] > 2 && random() % 3 == 0;
      Displacement step{{}, static_cast<double>(1 + random() % 9)};
      step.steps[d] = 1;
      grid.displacements.push_back(step);
    }
    if (random() % 2 == 0) grid.displacements.push_back({{1, -1, 0, 0}, 3});
    std::vector<Branching> levels;
    double cost = 1;
    for (std::size_t l = one.arities.size(); l-- > 0;) {
      levels.insert(levels.begin(), {one.arities[l], cost});
      cost += static_cast<double>(random() % 20);
    }
    double least = -1;
    std::vector<Place> boxes;
    for_each_division(grid.extents, levels, boxes, [&](const std::vector<Place>& division) {
      const double sum = sum_com(grid, levels, division);
      if (least < 0 || sum < least) least = sum;
    });
    const auto best = best_boxes(grid, levels);
    ASSERT_TRUE(best) << round;
    EXPECT_NEAR(sum_com(grid, levels, *best), least, 1e-6) << round;
  }
}

TEST(TilingBoxes, GiveEachPlaceALeafOfItsOwn) {
  TaskGrid grid;
  grid.extents = {12, 10, 3, 1};
  const std::vector<Place> boxes{{6, 5, 3, 1}, {2, 5, 1, 1}, {1, 1, 1, 1}};
  std::set<std::uint64_t> leaves;
  for (const Place& place : all_places(grid.extents)) leaves.insert(leaf_of(grid, place, boxes));
  EXPECT_EQ(leaves.size(), 360U);
  EXPECT_EQ(*leaves.rbegin(), 359U);
}

TEST(TilingBoxes, AreNoneWhereNothingDivides) {
  TaskGrid grid;
  grid.dimensions = 2;
  grid.extents = {3, 5, 1, 1};
  EXPECT_FALSE(best_boxes(grid, {{2, 1}, {8, 1}}));
}

TEST(TilingBoxes, CountWhatTravelsInside) {
  TaskGrid grid;
  grid.dimensions = 2;
  grid.extents = {4, 6, 1, 1};
  grid.periodic = {true, false, false, false};
  grid.displacements = {{{1, 0, 0, 0}, 5}, {{0, 1, 0, 0}, 1}};
  // Rings of 4 are closed: 4 x 2 of the heavy pairs in each of 3 boxes, and 4 x 1 of the others.
  EXPECT_DOUBLE_EQ(weight_inside(grid, {4, 2, 1, 1}), 3 * (8 * 5 + 4 * 1));
  EXPECT_DOUBLE_EQ(weight_inside(grid, {2, 2, 1, 1}), 6 * (2 * 5 + 2 * 1));
}

}  // namespace
}  // namespace kith::tiling
