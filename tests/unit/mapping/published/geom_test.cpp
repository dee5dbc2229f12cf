#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "core/rng.hpp"
#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "kith/mapper.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::HasSubstr;
using Extents = std::vector<std::uint32_t>;

Mapping run(const TrafficGraph& graph, const Machine& machine, const MapOptions& options) {
  return map_ranks(find_algorithm("geom"), {graph, machine, options}).mapping;
}

MapOptions with_grid(const Extents& extents) {
  MapOptions options;
  options.coordinates = RankCoordinates::grid(extents);
  return options;
}

TrafficGraph stencil(Extents extents) {
  const unsigned points = extents.size() == 3 ? 7 : 5;
  if (extents.size() == 1) extents.push_back(1);
  return TrafficGraph::from(to_matrix(*make_stencil(extents, points, false, {1})));
}

double average_hops(const TrafficGraph& graph, const Machine& machine, const Mapping& mapping) {
  return static_cast<double>(evaluate_objective(graph, machine, mapping, Objective::hop_bytes)) /
         static_cast<double>(total_weight(graph));
}

/// Section II of the paper as it reads: jobs are boxes, ranks are sorted at each step.
class PaperGeom {
 public:
  using Triple = std::array<int, 3>;

  /// The slot of each task of a box, tasks and slots numbered row-major.
  static std::vector<int> map(Triple job, Triple machine, const std::vector<int>& slots) {
    PaperGeom geom(job, machine);
    // The bounding box of the ranks, and the rotation that gives the job the same order.
    Triple lowest = machine;
    Triple highest{-1, -1, -1};
    for (const int slot : slots) {
      const Triple at = geom.place(slot);
      for (int d = 0; d < 3; ++d) {
        lowest[d] = std::min(lowest[d], at[d]);
        highest[d] = std::max(highest[d], at[d]);
      }
    }
    Triple box;
    for (int d = 0; d < 3; ++d) box[d] = highest[d] - lowest[d] + 1;
    const Triple job_order = by_size(job);
    const Triple box_order = by_size(box);
    for (int i = 0; i < 3; ++i) geom.rank_axis_[job_order[i]] = box_order[i];
    geom.split({0, 0, 0}, job, slots);
    return geom.slot_of_;
  }

 private:
  PaperGeom(Triple job, Triple machine)
      : job_(job), machine_(machine), slot_of_(job[0] * job[1] * job[2]) {}

  static Triple by_size(Triple size) {
    Triple order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size[a] > size[b]; });
    return order;
  }

  Triple place(int slot) const {
    return {slot / machine_[2] / machine_[1], slot / machine_[2] % machine_[1], slot % machine_[2]};
  }

  void split(Triple corner, Triple size, std::vector<int> slots) {
    if (slots.size() == 1) {
      slot_of_[(corner[0] * job_[1] + corner[1]) * job_[2] + corner[2]] = slots[0];
      return;
    }
    const int longest = by_size(size)[0];
    Triple first = size;
    Triple second = size;
    second[longest] = size[longest] / 2;
    first[longest] = size[longest] - second[longest];
    const int axis = rank_axis_[longest];
    std::sort(slots.begin(), slots.end(), [&](int a, int b) {
      return std::pair(place(a)[axis], -a) < std::pair(place(b)[axis], -b);
    });
    const auto cut = slots.begin() + first[0] * first[1] * first[2];
    split(corner, first, {slots.begin(), cut});
    corner[longest] += first[longest];
    split(corner, second, {cut, slots.end()});
  }

  Triple job_;
  Triple machine_;
  Triple rank_axis_{};
  std::vector<int> slot_of_;
};

TEST(Geom, CutsAsThePaperDoes) {
  std::mt19937_64 random(31);
  for (int round = 0; round < 400; ++round) {
    Extents job(3);
    for (auto& extent : job) extent = 1 + static_cast<std::uint32_t>(random() % 5);
    Extents grid(3);
    const std::uint32_t ranks = job[0] * job[1] * job[2];
    do {
      for (auto& extent : grid) extent = 1 + static_cast<std::uint32_t>(random() % 7);
    } while (grid[0] * grid[1] * grid[2] < ranks);
    auto slots = random_permutation(grid[0] * grid[1] * grid[2], random());
    slots.resize(ranks);
    std::vector<Slot> chosen;
    for (const std::uint32_t slot : slots) chosen.emplace_back(slot);
    const auto machine = parse_machine("mesh:" + std::to_string(grid[0]) + "x" +
                                       std::to_string(grid[1]) + "x" + std::to_string(grid[2]))
                             ->restricted_to(SlotSet::of(chosen));
    const auto triple = [](const Extents& extents) {
      return PaperGeom::Triple{static_cast<int>(extents[0]), static_cast<int>(extents[1]),
                               static_cast<int>(extents[2])};
    };
    const auto expected =
        PaperGeom::map(triple(job), triple(grid), std::vector<int>(slots.begin(), slots.end()));
    const Mapping mapping = run(stencil(job), *machine, with_grid(job));
    for (std::uint32_t r = 0; r < ranks; ++r) {
      ASSERT_EQ(static_cast<int>(mapping[Rank(r)].value), expected[r])
          << "rank " << r << " of " << job[0] << "x" << job[1] << "x" << job[2] << " on "
          << machine->spec();
    }
  }
}

TEST(Geom, ABoxGetsAPerfectMapping) {
  const Extents job{4, 8, 2};
  const auto graph = stencil(job);
  // Rotated, on part of a larger machine, with fewer dimensions than the machine has.
  for (const char* spec : {"mesh:4x8x2", "mesh:2x4x8", "torus:8x2x4", "mesh:16x16x16",
                           "torus:8x8x8", "mesh:3x4x2x8", "mesh:5x8x8;slots=128-255"}) {
    const auto machine = parse_machine(spec);
    EXPECT_EQ(average_hops(graph, *machine, run(graph, *machine, with_grid(job))), 1) << spec;
  }
}

TEST(Geom, FollowsThePointsWhateverTheOrderOfTheRanks) {
  const auto machine = parse_machine("torus:6x5x4");
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  RankCoordinates points;
  points.dimensions = 2;
  for (int i = 0; i < 2 * 90; ++i) points.values.push_back(uniform(random));
  const auto graph = TrafficGraph::from(testing::random_matrix(random, 90, 0.05, 9));
  MapOptions options;
  options.coordinates = points;
  const Mapping mapping = run(graph, *machine, options);

  const auto permutation = random_permutation(90, 3);
  for (std::uint32_t r = 0; r < 90; ++r) {
    for (unsigned d = 0; d < 2; ++d) {
      options.coordinates->values[2 * permutation[r] + d] = points.values[2 * r + d];
    }
  }
  const Mapping permuted = run(graph, *machine, options);
  for (std::uint32_t r = 0; r < 90; ++r) {
    EXPECT_EQ(permuted[Rank(permutation[r])], mapping[Rank(r)]);
  }
}

// Tasks on one point, and cuts between unequal layers.
TEST(Geom, SplitsByIndexWhereNoCoordinateDiffers) {
  RankCoordinates points;
  points.dimensions = 1;
  points.values = {0, 0, 0, 0, 0, 7};
  MapOptions options;
  options.coordinates = points;
  const auto machine = parse_machine("mesh:6");
  const auto graph = stencil({6});
  EXPECT_EQ(run(graph, *machine, options), identity_mapping(6, *machine, 1));
  options.coordinates->values = {7, 0, 0, 0, 0, 0};
  EXPECT_EQ(run(graph, *machine, options),
            (Mapping{{Slot(5), Slot(0), Slot(1), Slot(2), Slot(3), Slot(4)}}));
}

TEST(Geom, SpreadsRanksOverSlots) {
  const Extents job{8, 8};
  const auto graph = stencil(job);
  for (const std::uint32_t capacity : {2U, 3U, 4U}) {
    const auto machine = parse_machine(capacity == 4 ? "torus:4x4" : "torus:6x6;slots=0-31");
    MapOptions options = with_grid(job);
    options.capacity = capacity;
    const Mapping mapping = run(graph, *machine, options);
    std::vector<std::uint32_t> count(machine->slots());
    for (const Slot slot : mapping.slot_of) ++count[slot.value];
    for (std::uint32_t slot = 0; slot < count.size(); ++slot) {
      if (machine->allowed().contains(Slot(slot))) {
        EXPECT_EQ(count[slot], 64 / machine->allowed().size());
      }
    }
  }
  // Blocks of 2 x 2 tasks on a node.
  const auto machine = parse_machine("mesh:4x4/4");
  const Mapping mapping = run(graph, *machine, with_grid(job));
  for (std::uint32_t r = 0; r < 64; ++r) {
    EXPECT_EQ(machine->node_of(mapping[Rank(r)]), (r / 16) * 4 + r % 8 / 2) << r;
  }
}

TEST(Geom, TreesAndDragonfliesAreLines) {
  const auto graph = stencil({4, 4});
  for (const char* spec : {"tree:2x2x4", "dragonfly:4,2,2"}) {
    const auto machine = parse_machine(spec);
    const Mapping mapping = run(graph, *machine, with_grid({4, 4}));
    // Halves, quarters and so on of the job: the first dimension is cut first.
    EXPECT_EQ(mapping[Rank(0)], Slot(0)) << spec;
    EXPECT_EQ(mapping[Rank(4)], Slot(2)) << spec;
    EXPECT_EQ(mapping[Rank(3)], Slot(5)) << spec;
    EXPECT_EQ(mapping[Rank(15)], Slot(15)) << spec;
  }
}

TEST(Geom, ShiftsPutTheLargestGapAtTheBorder) {
  const auto graph = stencil({4});
  const auto machine = parse_machine("torus:9;slots=0,1,7,8");
  MapOptions options = with_grid({4});
  EXPECT_EQ(run(graph, *machine, options), (Mapping{{Slot(0), Slot(1), Slot(7), Slot(8)}}));
  options.settings = {{"shifts", "on"}};
  EXPECT_EQ(run(graph, *machine, options), (Mapping{{Slot(7), Slot(8), Slot(0), Slot(1)}}));
  // A mesh has no way around.
  const auto mesh = parse_machine("mesh:9;slots=0,1,7,8");
  EXPECT_EQ(run(graph, *mesh, options), (Mapping{{Slot(0), Slot(1), Slot(7), Slot(8)}}));
}

TEST(Geom, AllRotationsAreNeverWorse) {
  int better = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Extents job{2, 3, 4};
    const auto graph = stencil(job);
    auto slots = random_permutation(60, seed);
    std::vector<Slot> chosen;
    for (int i = 0; i < 24; ++i) chosen.emplace_back(slots[i]);
    const auto machine = parse_machine(seed % 2 == 0 ? "torus:3x4x5" : "mesh:6x10")
                             ->restricted_to(SlotSet::of(chosen));
    MapOptions options = with_grid(job);
    const double usual = average_hops(graph, *machine, run(graph, *machine, options));
    options.settings = {{"rotations", "all"}};
    const double best = average_hops(graph, *machine, run(graph, *machine, options));
    EXPECT_LE(best, usual);
    better += best < usual ? 1 : 0;
  }
  EXPECT_GT(better, 20);
}

TEST(Geom, RecoversTheGridFromTheTraffic) {
  const Extents job{4, 8, 2};
  const auto graph =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil(job, 7, false, {1}), 5)));
  const auto machine = parse_machine("mesh:8x2x4");
  EXPECT_EQ(average_hops(graph, *machine, run(graph, *machine, {})), 1);
}

TEST(Geom, APairThatTalksNeedsNoCoordinates) {
  TrafficMatrixBuilder pair(2);
  pair.add(Rank{0}, Rank{1}, 7);
  const auto graph = TrafficGraph::from(pair.build());
  const auto machine = parse_machine("mesh:4x4;slots=5-6");
  EXPECT_EQ(average_hops(graph, *machine, run(graph, *machine, {})), 1);
}

TEST(Geom, TiesAreAChoice) {
  const Extents job{2, 2};
  const auto graph = stencil(job);
  // Three nodes share the first coordinate; two of them go with the lower half.
  const auto machine = parse_machine("mesh:3x3/2;slots=0,2,4,12");
  MapOptions options = with_grid(job);
  EXPECT_EQ(run(graph, *machine, options), (Mapping{{Slot(2), Slot(4), Slot(12), Slot(0)}}));
  options.settings = {{"node-order", "first"}};
  EXPECT_EQ(run(graph, *machine, options), (Mapping{{Slot(0), Slot(2), Slot(12), Slot(4)}}));
  // The slots of a node keep their order.
  const auto node = parse_machine("mesh:1x1/4");
  options.settings = {};
  EXPECT_EQ(run(graph, *node, options), identity_mapping(4, *node, 1));
}

TEST(Geom, SaysWhatItLacks) {
  const auto graph = stencil({4});
  const auto message = [&](const Machine& machine, const MapOptions& options) -> std::string {
    try {
      run(graph, machine, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  };
  const auto tree = TreeMachine::symmetric({4}, {}, 1, "tree:4");
  EXPECT_THAT(message(testing::PlainMachine(*tree), with_grid({4})), HasSubstr("coordinates"));
  std::mt19937_64 random(3);
  const auto no_grid = TrafficGraph::from(testing::random_matrix(random, 30, 0.2, 9));
  const auto wide = parse_machine("tree:30");
  try {
    run(no_grid, *wide, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("coordinates"));
    EXPECT_THAT(error.what(), HasSubstr("not a grid"));
  }
  MapOptions options = with_grid({4});
  options.settings = {{"rotations", "some"}};
  EXPECT_THAT(message(*tree, options), HasSubstr("box or all"));
}

TEST(Geom, CutsAHundredThousandRanks) {
  const Extents job{64, 64, 32};
  const auto graph = stencil(job);
  const auto machine = parse_machine("torus:32x32x32/4");
  const Mapping mapping = run(graph, *machine, with_grid(job));
  check_mapping(mapping, *machine, 1);
  // Half of the edges stay inside nodes of 2 x 2 x 1 tasks, or are one hop long.
  EXPECT_LT(average_hops(graph, *machine, mapping), 3.1);
}

}  // namespace
}  // namespace kith
