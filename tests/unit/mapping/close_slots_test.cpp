#include "mapping/multilevel/multilevel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kith {
namespace {

using multilevel::close_slots;

std::uint64_t widest(const Machine& machine, const std::vector<Slot>& slots) {
  std::uint64_t widest = 0;
  for (const Slot a : slots) {
    for (const Slot b : slots) widest = std::max(widest, machine.hops(a, b));
  }
  return widest;
}

TEST(CloseSlots, AreABoxOfAFreeGrid) {
  const auto torus = parse_machine("torus:16x16x16");
  const auto hundred = close_slots(*torus, Objective::hop_bytes, 100, {});
  EXPECT_EQ(hundred.size(), 100U);
  EXPECT_EQ(widest(*torus, hundred), 4U + 4 + 3);
  const auto flat = parse_machine("torus:2x64x3/2x2");  // of 4 slots a node: 25 nodes, 2x5x3
  const auto thirty_nodes = close_slots(*flat, Objective::hop_bytes, 99, {});
  EXPECT_EQ(thirty_nodes.size(), 4U * 30);
  EXPECT_TRUE(std::ranges::is_sorted(thirty_nodes));
}

TEST(CloseSlots, AreFoundAmongScatteredOnes) {
  // One in seven is free, and a cube in the middle.
  const auto torus = parse_machine("mesh:20x20x20");
  std::vector<Slot> free;
  for (std::uint32_t s = 0; s < 8000; ++s) {
    const bool in_cube = s / 400 / 5 == 2 && s / 20 % 20 / 5 == 2 && s % 20 / 5 == 2;
    if (in_cube || s % 7 == 0) free.emplace_back(s);
  }
  const auto machine = torus->restricted_to(SlotSet::of(free));
  const auto close = close_slots(*machine, Objective::hop_bytes, 100, {});
  EXPECT_EQ(close.size(), 100U);
  EXPECT_LE(widest(*machine, close), 16U);
  for (const Slot slot : close) EXPECT_TRUE(machine->allowed().contains(slot));

  const auto near_end = close_slots(*machine, Objective::hop_bytes, 10, {Slot(7994)});
  EXPECT_TRUE(std::ranges::find(near_end, Slot(7994)) != near_end.end());
  EXPECT_LE(widest(*machine, near_end), 8U);
}

TEST(CloseSlots, AreAllWhereMostAreNeeded) {
  for (const char* spec : {"torus:4x4;slots=1-9", "dragonfly:3,2,2", "hypercube:3/2"}) {
    const auto machine = parse_machine(spec);
    const std::uint64_t half = machine->allowed().size() / 2 + 1;
    EXPECT_EQ(close_slots(*machine, Objective::hop_bytes, half, {}),
              machine->allowed().to_vector());
  }
}

TEST(CloseSlots, OfAHugeMachineAreFoundAtOnce) {
  const auto torus = parse_machine("torus:465x465x465");
  EXPECT_EQ(close_slots(*torus, Objective::hop_bytes, 10, {}).size(), 12U);
  const auto dragonfly = parse_machine("dragonfly:4000,200,100");
  const auto router = close_slots(*dragonfly, Objective::hop_bytes, 10, {});
  EXPECT_EQ(router.size(), 10U);
  EXPECT_EQ(widest(*dragonfly, router), 2U);
}

}  // namespace
}  // namespace kith
