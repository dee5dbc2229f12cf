#include "kith/detail/allocation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kith/error.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

AllocationRequest request(std::uint64_t nodes, AllocationPolicy policy, double busy = 0,
                          std::uint64_t seed = 1) {
  return {nodes, policy, busy, seed};
}

constexpr AllocationPolicy policies[] = {AllocationPolicy::contiguous, AllocationPolicy::random,
                                         AllocationPolicy::best_fit};

TEST(NodeCurve, VisitsEachNodeOfAGridInStepsOfOne) {
  for (const char* spec :
       {"mesh:24x24x16", "torus:3x5", "mesh:7", "hypercube:5", "mesh:2x1x3x4", "mesh:4x5x3/2x2"}) {
    const auto machine = parse_machine(spec);
    const std::uint32_t slots_per_node =
        machine->slots() / static_cast<std::uint32_t>(machine->nodes());
    const auto curve = node_curve(*machine);
    const std::set<std::uint32_t> different(curve.begin(), curve.end());
    ASSERT_EQ(different.size(), machine->nodes()) << spec;
    const std::uint64_t step = slots_per_node == 1 ? 1 : 5;
    for (std::size_t i = 1; i < curve.size(); ++i) {
      ASSERT_EQ(machine->hops(Slot(curve[i - 1] * slots_per_node), Slot(curve[i] * slots_per_node)),
                step)
          << spec << " at " << i;
    }
  }
}

TEST(NodeCurve, RunsAlongTheShortestDimensionFirst) {
  const auto curve = node_curve(*parse_machine("mesh:24x24x16"));
  EXPECT_EQ(curve[15], 15U);  // (0,0,15)
  EXPECT_EQ(curve[16], 31U);  // (0,1,15)
  EXPECT_EQ(curve[31], 16U);  // (0,1,0)
  const auto wide = node_curve(*parse_machine("mesh:2x5"));
  EXPECT_THAT(std::vector(wide.begin(), wide.begin() + 4), ElementsAre(0, 5, 6, 1));
}

TEST(Allocation, TakesWhatWasAskedFor) {
  for (const char* spec : {"mesh:8x8x4/2x4", "torus:6x6", "tree:32x2x4", "hypercube:6"}) {
    const auto machine = parse_machine(spec);
    const auto per_node = machine->slots() / machine->nodes();
    for (const AllocationPolicy policy : policies) {
      const auto got = allocate_nodes(*machine, request(8, policy, 0.5));
      EXPECT_EQ(got.nodes.size(), 8U) << spec;
      EXPECT_TRUE(std::ranges::is_sorted(got.nodes));
      EXPECT_EQ(got.slots.size(), 8 * per_node) << spec;
      EXPECT_EQ(got.free_nodes, machine->nodes() / 2) << spec;
      EXPECT_GT(got.other_jobs, 0U) << spec;
      for (const Slot slot : got.slots.to_vector()) {
        EXPECT_TRUE(std::ranges::binary_search(got.nodes, machine->node_of(slot)));
      }
      EXPECT_EQ(machine->restricted_to(got.slots)->allowed().size(), 8 * per_node);
    }
  }
}

TEST(Allocation, PoliciesDifferAsTheyShould) {
  const auto machine = parse_machine("mesh:24x24x16");
  const auto hops = [&](AllocationPolicy policy) {
    return average_node_hops(*machine, allocate_nodes(*machine, request(128, policy, 0.8)).nodes);
  };
  const double box = hops(AllocationPolicy::contiguous);
  const double curve = hops(AllocationPolicy::best_fit);
  const double anywhere = hops(AllocationPolicy::random);
  EXPECT_LT(box, curve);
  EXPECT_LT(curve, anywhere * 0.7);
  const auto idle = allocate_nodes(*machine, request(128, AllocationPolicy::random)).nodes;
  EXPECT_NEAR(average_node_hops(*machine, idle), (24 + 24 + 16) / 3.0, 1.5);  // on a mesh
}

TEST(Allocation, ScattersAsMuchAsIsAskedFor) {
  const auto machine = parse_machine("mesh:24x24x16");
  AllocationRequest asked = request(256, AllocationPolicy::random);
  for (const std::uint64_t pieces : {1, 2, 8, 100, 256}) {
    asked.pieces = pieces;
    const auto got = allocate_nodes(*machine, asked);
    EXPECT_EQ(got.nodes.size(), 256U);
    EXPECT_EQ(got.pieces, pieces);
  }
  asked.pieces = 257;
  EXPECT_THROW(allocate_nodes(*machine, asked), Error);
  asked = request(9216, AllocationPolicy::random);
  asked.pieces = 4;
  EXPECT_EQ(allocate_nodes(*machine, asked).nodes.size(), 9216U);
}

TEST(Allocation, IsTheSameForASeed) {
  const auto machine = parse_machine("mesh:16x16");
  const auto with = [&](std::uint64_t seed) {
    return allocate_nodes(*machine, request(20, AllocationPolicy::random, 0.6, seed)).nodes;
  };
  EXPECT_EQ(with(5), with(5));
  EXPECT_NE(with(5), with(6));
}

TEST(Allocation, LeavesForbiddenSlotsAlone) {
  const auto machine = parse_machine("tree:4x4;slots=0-3,6,9-15");
  const auto got = allocate_nodes(*machine, request(4, AllocationPolicy::best_fit));
  EXPECT_EQ(got.slots, machine->allowed());
  const auto three = parse_machine("tree:4x4;slots=0-7,12-15");
  EXPECT_THAT(allocate_nodes(*three, request(3, AllocationPolicy::best_fit)).nodes,
              ElementsAre(0, 1, 3));
}

TEST(Allocation, SaysWhatCannotBe) {
  const auto refusal = [](const char* spec, const AllocationRequest& asked) -> std::string {
    try {
      allocate_nodes(*parse_machine(spec), asked);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "served";
  };
  EXPECT_THAT(refusal("mesh:4x4", request(17, AllocationPolicy::best_fit)),
              HasSubstr("1 to 16 nodes"));
  EXPECT_THAT(refusal("mesh:4x4", request(9, AllocationPolicy::best_fit, 0.5)),
              HasSubstr("1 to 8 nodes"));
  EXPECT_THAT(refusal("mesh:4x4", request(11, AllocationPolicy::contiguous)),
              HasSubstr("free box"));
  EXPECT_THAT(refusal("mesh:4x4", request(1, AllocationPolicy::random, 1)), HasSubstr("busy"));
}

TEST(AverageNodeHops, IsExactForFewAndCloseForMany) {
  const auto machine = parse_machine("mesh:40x40");
  EXPECT_EQ(average_node_hops(*machine, {0}), 0);
  EXPECT_EQ(average_node_hops(*parse_machine("mesh:40x40/2x4"), {0, 1, 2}), 4.0 / 3);
  EXPECT_EQ(average_node_hops(*parse_machine("tree:4x2x8"), {0, 1, 2}), 2);
  EXPECT_EQ(average_node_hops(*machine, {0, 1, 2}), 4.0 / 3);
  const auto all = allocate_nodes(*machine, request(1600, AllocationPolicy::random)).nodes;
  EXPECT_NEAR(average_node_hops(*machine, all), 2 * 40 / 3.0, 0.3);
}

}  // namespace
}  // namespace kith
