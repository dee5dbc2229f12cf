#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/slot_tree.hpp"

namespace kith {
namespace {

TEST(SlotTree, GroupsSlotsAsTheMachineDoes) {
  for (const char* spec : {"tree:3x1x4;slots=1-2,4-9", "torus:3x2/2x2;slots=2-9,13,20-23",
                           "mesh:2x3;slots=1,3-5", "hypercube:3/2x2", "dragonfly:3,2,2/2"}) {
    const auto machine = parse_machine(spec);
    const SlotTree tree(*machine);
    std::vector<SlotTree::Object> children;
    std::uint64_t at = 0;
    for (const SlotTree::Object& node : tree.nodes()) {
      EXPECT_EQ(node.first, at) << spec;
      for (; at < node.last; ++at) {
        EXPECT_EQ(tree.slot(at), machine->allowed().at(at));
        EXPECT_EQ(machine->node_of(tree.slot(at)), machine->node_of(tree.slot(node.first)));
      }
    }
    EXPECT_EQ(at, machine->allowed().size());
    tree.children(tree.root(), children);
    EXPECT_GE(children.size(), 2U);
    for (const SlotTree::Object& child : children) {
      if (child.slots() == 1) continue;
      const std::uint64_t inside = machine->hops(tree.slot(child.first), tree.slot(child.last - 1));
      const std::uint64_t across =
          machine->hops(tree.slot(children.front().first), tree.slot(children.back().last - 1));
      EXPECT_LT(inside, across) << spec;
    }
  }
}

}  // namespace
}  // namespace kith
