#include "objective/distance.hpp"

#include <gtest/gtest.h>

#include <random>
#include <type_traits>

namespace kith {
namespace {

/// Whether with_distance() says what the machine says, of random pairs and the ends.
void expect_same(const Machine& machine, Objective objective) {
  std::mt19937_64 random(5);
  const auto any_slot = [&] {
    return Slot(static_cast<std::uint32_t>(random() % 8 == 0 ? machine.slots() - 1
                                                             : random() % machine.slots()));
  };
  with_distance(machine, objective, [&](const auto& distance) {
    for (int i = 0; i < 3000; ++i) {
      const Slot a = any_slot();
      const Slot b = random() % 4 == 0 ? Slot(a.value ^ (a.value + 1 < machine.slots() ? 1U : 0U))
                                       : any_slot();
      const std::uint64_t expected =
          objective == Objective::hop_bytes ? machine.hops(a, b) : machine.cost(a, b);
      if (b.value < machine.slots()) {
        ASSERT_EQ(distance(a, b), expected) << machine.spec() << " " << a.value << " " << b.value;
      }
    }
  });
}

TEST(Distance, IsTheMachines) {
  for (const char* spec :
       {"tree:4x3x2",       "tree:64x64x2000",  "tree:128x128x256",  "tree:(5,2,4)@3,1.5",
        "torus:7",          "torus:4294967295", "mesh:4294967295",   "mesh:3000000000/1",
        "torus:5x4",        "mesh:1x5x1x4",     "torus:3x4x5",       "mesh:3x4x5/2x3",
        "torus:2x3x4x5",    "torus:2x3x2x3x2",  "mesh:3x2x3x2x3x2",  "torus:3x3x3x3x3x3x3",
        "torus:2x2x2",      "torus:2x1x2/3",    "torus:1",           "hypercube:1",
        "hypercube:31",     "hypercube:5/4",    "torus:64x64x64/64", "fattree:3,3,2/2",
        "dragonfly:9,4,2/3"}) {
    const auto machine = parse_machine(spec);
    expect_same(*machine, Objective::hop_bytes);
    expect_same(*machine, Objective::sum_com);
  }
}

TEST(Distance, IsInlinedOnTreesAndGrids) {
  const auto kind = [](const char* spec) {
    return with_distance(*parse_machine(spec), Objective::hop_bytes, [](const auto& distance) {
      using Distance = std::decay_t<decltype(distance)>;
      return std::is_same_v<Distance, TreeDistance>   ? 't'
             : std::is_same_v<Distance, GridDistance> ? 'g'
                                                      : 'a';
    });
  };
  EXPECT_EQ(kind("fattree:2,2"), 't');
  EXPECT_EQ(kind("torus:3x3/4"), 'g');
  EXPECT_EQ(kind("hypercube:3"), 'g');
  EXPECT_EQ(kind("dragonfly:3,2,1"), 'a');
}

}  // namespace
}  // namespace kith
