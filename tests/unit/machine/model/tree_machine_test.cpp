#include "kith/detail/tree_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "kith/error.hpp"

namespace kith {
namespace {

/// The meeting level by walking up.
unsigned walked_meeting(const TreeMachine& tree, Slot a, Slot b) {
  std::uint64_t x = tree.leaf_of_slot(a);
  std::uint64_t y = tree.leaf_of_slot(b);
  unsigned level = tree.depth();
  while (x != y) {
    x = tree.parent(level, x);
    y = tree.parent(level, y);
    --level;
  }
  return level;
}

TEST(TreeMachine, CountsHopsToTheCommonAncestor) {
  const auto tree = TreeMachine::symmetric({4, 2, 3}, {}, 1, "tree:4x2x3");
  EXPECT_EQ(tree->slots(), 24U);
  EXPECT_EQ(tree->nodes(), 4U);
  EXPECT_EQ(tree->depth(), 3U);
  EXPECT_FALSE(tree->has_costs());
  EXPECT_EQ(tree->hops(Slot(5), Slot(5)), 0U);
  EXPECT_EQ(tree->hops(Slot(0), Slot(2)), 2U);
  EXPECT_EQ(tree->hops(Slot(2), Slot(3)), 4U);
  EXPECT_EQ(tree->hops(Slot(5), Slot(6)), 6U);
  EXPECT_EQ(tree->cost(Slot(5), Slot(6)), 6U);
  EXPECT_EQ(tree->levels()[0].objects, 1U);
  EXPECT_EQ(tree->levels()[1].objects, 4U);
  EXPECT_EQ(tree->levels()[2].objects, 8U);
}

TEST(TreeMachine, ChargesTheCostOfTheMeetingLevel) {
  const auto tree = TreeMachine::symmetric({2, 2}, {50, 3}, 10, "tree:2x2@5,.3");
  EXPECT_TRUE(tree->has_costs());
  EXPECT_EQ(tree->cost(Slot(0), Slot(1)), 3U);
  EXPECT_EQ(tree->cost(Slot(1), Slot(2)), 50U);
  EXPECT_EQ(tree->cost(Slot(1), Slot(1)), 0U);
  EXPECT_EQ(tree->hops(Slot(1), Slot(2)), 4U);
  EXPECT_EQ(tree->cost_scale(), 10U);
  EXPECT_EQ(tree->lowest_cost(), 3U);
}

TEST(TreeMachine, MeetsWhereWalkingUpMeets) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::uint32_t> arities(1 + random() % 5);
    for (auto& arity : arities) arity = 1 + static_cast<std::uint32_t>(random() % 5);
    const auto tree = TreeMachine::symmetric(arities, {}, 1, "tree");
    for (int i = 0; i < 200; ++i) {
      const Slot a(static_cast<std::uint32_t>(random() % tree->slots()));
      const Slot b(static_cast<std::uint32_t>(random() % tree->slots()));
      ASSERT_EQ(tree->meeting(a, b), walked_meeting(*tree, a, b));
    }
  }
}

TreeDescription random_description(std::mt19937& random) {
  TreeDescription tree;
  std::size_t objects = 1;
  const std::size_t depth = 1 + random() % 4;
  for (std::size_t l = 0; l < depth; ++l) {
    std::vector<std::uint32_t> children(objects);
    objects = 0;
    for (auto& count : children) {
      count = 1 + static_cast<std::uint32_t>(random() % 4);
      objects += count;
    }
    tree.children.push_back(children);
    tree.names.emplace_back(1, static_cast<char>('a' + l));
  }
  for (std::uint32_t i = 0; i < objects; ++i) tree.slot_of_leaf.emplace_back(i);
  std::shuffle(tree.slot_of_leaf.begin(), tree.slot_of_leaf.end(), random);
  tree.kind = "job";
  tree.spec = "job";
  tree.hosts_digest.assign("0123456789abcdef");
  return tree;
}

TEST(TreeMachine, MeetsWhereWalkingUpMeetsInUnequalTrees) {
  std::mt19937 random(4);
  for (int round = 0; round < 100; ++round) {
    const auto description = random_description(random);
    const auto tree = TreeMachine::from(description);
    ASSERT_EQ(tree->hosts_digest(), "0123456789abcdef");
    for (std::uint32_t a = 0; a < tree->slots(); ++a) {
      ASSERT_EQ(tree->slot_of_leaf(tree->leaf_of_slot(Slot(a))), Slot(a));
      for (std::uint32_t b = 0; b < tree->slots(); ++b) {
        ASSERT_EQ(tree->meeting(Slot(a), Slot(b)), walked_meeting(*tree, Slot(a), Slot(b)));
      }
    }
    for (unsigned level = 0; level < tree->depth(); ++level) {
      ASSERT_EQ(tree->objects(level), description.children[level].size());
      for (std::uint64_t object = 0; object < tree->objects(level); ++object) {
        ASSERT_EQ(tree->first_child(level, object + 1) - tree->first_child(level, object),
                  description.children[level][object]);
        for (auto leaf = tree->first_leaf(level, object);
             leaf < tree->first_leaf(level, object + 1); ++leaf) {
          ASSERT_EQ(tree->ancestor(leaf, level), object);
        }
      }
    }
  }
}

TEST(TreeMachine, HugeTreesNeedNoTable) {
  const auto tree = TreeMachine::symmetric({4096, 3, 65536}, {}, 1, "tree");  // 805 million slots
  EXPECT_EQ(tree->slots(), 805306368U);
  EXPECT_EQ(tree->hops(Slot(0), Slot(65535)), 2U);
  EXPECT_EQ(tree->hops(Slot(65535), Slot(65536)), 4U);
  EXPECT_EQ(tree->hops(Slot(3 * 65536 - 1), Slot(3 * 65536)), 6U);
  EXPECT_EQ(tree->allowed_arities(), (std::vector<std::uint32_t>{4096, 3, 65536}));
}

TEST(TreeMachine, KnowsTheTreeOfASubset) {
  const auto tree = TreeMachine::symmetric({4, 2, 3}, {}, 1, "tree:4x2x3");
  const auto arities = [&](const char* slots) {
    return tree->restricted_to(SlotSet::parse(slots, "x"))->as_tree()->allowed_arities();
  };
  using Arities = std::vector<std::uint32_t>;
  EXPECT_EQ(tree->allowed_arities(), (Arities{4, 2, 3}));
  EXPECT_EQ(arities("0-11"), (Arities{2, 2, 3}));
  EXPECT_EQ(arities("0-1,6-7"), (Arities{2, 1, 2}));
  EXPECT_EQ(arities("0,3,7,10"), (Arities{2, 2, 1}));
  EXPECT_EQ(arities("5"), (Arities{1, 1, 1}));
  EXPECT_EQ(arities("0-2,6"), std::nullopt);
  EXPECT_EQ(arities("0-2,3,4"), std::nullopt);
}

TEST(TreeMachine, RestrictsWithoutRenumbering) {
  const auto tree = TreeMachine::symmetric({4, 2, 3}, {}, 1, "tree:4x2x3");
  const auto part = tree->restricted_to(SlotSet::parse("3-8", "x"));
  EXPECT_EQ(part->slots(), 24U);
  EXPECT_EQ(part->allowed().size(), 6U);
  EXPECT_EQ(part->hops(Slot(0), Slot(23)), 6U);
  EXPECT_EQ(part->spec(), "tree:4x2x3");
  const auto less = part->restricted_to(SlotSet::parse("0-4", "x"));
  EXPECT_EQ(less->allowed(), SlotSet::parse("3-4", "x"));
  EXPECT_THROW(tree->restricted_to(SlotSet::parse("20-24", "x")), Error);
  EXPECT_THROW(part->restricted_to(SlotSet::parse("0-2", "x")), Error);
  EXPECT_THROW(tree->restricted_to(SlotSet()), Error);
}

TEST(TreeMachine, RefusesContradictions) {
  EXPECT_THROW(TreeMachine::symmetric({}, {}, 1, "tree"), Error);
  EXPECT_THROW(TreeMachine::symmetric({2, 0}, {}, 1, "tree"), Error);
  EXPECT_THROW(TreeMachine::symmetric({65536, 65536}, {}, 1, "tree"), Error);
  TreeDescription tree;
  tree.children = {{2}, {1, 2, 3}};
  tree.names = {"a", "b"};
  EXPECT_THROW(TreeMachine::from(tree), Error);
  tree.children = {{2}, {1, 2}};
  EXPECT_EQ(TreeMachine::from(tree)->slots(), 3U);
  tree.slot_of_leaf = {Slot(0), Slot(1), Slot(1)};
  EXPECT_THROW(TreeMachine::from(tree), Error);
}

}  // namespace
}  // namespace kith
