#include "record/collectives/patterns/patterns.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace kith::record {
namespace {

using Shape = Tree::Shape;

constexpr Shape shapes[] = {Shape::binary,   Shape::in_order_binary,
                            Shape::binomial, Shape::in_order_binomial,
                            Shape::k_nomial, Shape::chains};

std::vector<int> children(const Tree& tree) {
  std::vector<int> list;
  tree.for_each_child([&](int child) { list.push_back(child); });
  return list;
}

// Both questions give the same tree, and it reaches everybody.
void expect_tree(Shape shape, int size, int root, int fanout) {
  SCOPED_TRACE(testing::Message() << "shape " << static_cast<int>(shape) << " size " << size
                                  << " root " << root << " fanout " << fanout);
  std::vector<int> parent(static_cast<std::size_t>(size), -2);
  for (int rank = 0; rank < size; ++rank) {
    for (const int child : children(Tree(shape, {size, rank}, root, fanout))) {
      ASSERT_GE(child, 0);
      ASSERT_LT(child, size);
      EXPECT_EQ(parent[static_cast<std::size_t>(child)], -2) << "two parents";
      parent[static_cast<std::size_t>(child)] = rank;
    }
  }
  for (int rank = 0; rank < size; ++rank) {
    const int asked = Tree(shape, {size, rank}, root, fanout).parent();
    EXPECT_EQ(asked, rank == root ? -1 : parent[static_cast<std::size_t>(rank)]) << rank;
    int at = rank;
    for (int steps = 0; at != root && steps <= size; ++steps) {
      at = parent[static_cast<std::size_t>(at)];
      ASSERT_GE(at, 0);
    }
    EXPECT_EQ(at, root);
  }
}

TEST(Trees, BothQuestionsGiveOneTreeThatReachesEverybody) {
  for (int size = 2; size <= 70; ++size) {
    for (const Shape shape : shapes) {
      if (shape == Shape::in_order_binary) {
        expect_tree(shape, size, size - 1, 2);
        continue;
      }
      for (const int root : std::set<int>{0, 1, size / 2, size - 1}) {
        for (const int fanout : {2, 3, 4, 9}) expect_tree(shape, size, root, fanout);
      }
    }
  }
}

TEST(Trees, AloneThereAreNoChildren) {
  for (const Shape shape : shapes) {
    EXPECT_TRUE(children(Tree(shape, {1, 0}, 0, 4)).empty());
    EXPECT_EQ(Tree(shape, {1, 0}, 0, 4).parent(), -1);
  }
}

TEST(Trees, ShapesAreTheKnownOnes) {
  const auto of = [](Shape shape, int size, int rank, int root, int fanout = 2) {
    return children(Tree(shape, {size, rank}, root, fanout));
  };
  EXPECT_EQ(of(Shape::binary, 7, 0, 0), (std::vector{1, 2}));
  EXPECT_EQ(of(Shape::binary, 7, 1, 0), (std::vector{3, 5}));
  EXPECT_EQ(of(Shape::binomial, 8, 0, 0), (std::vector{1, 2, 4}));
  EXPECT_EQ(of(Shape::binomial, 8, 1, 0), (std::vector{3, 5}));
  EXPECT_EQ(of(Shape::in_order_binomial, 8, 4, 0), (std::vector{5, 6}));
  EXPECT_EQ(of(Shape::in_order_binary, 7, 6, 6), (std::vector{5, 2}));
  EXPECT_EQ(of(Shape::k_nomial, 16, 0, 0, 4), (std::vector{1, 2, 3, 4, 8, 12}));
  EXPECT_EQ(of(Shape::chains, 10, 0, 0, 4), (std::vector{1, 4, 6, 8}));
  EXPECT_EQ(of(Shape::chains, 10, 9, 7, 4), (std::vector{0}));
}

}  // namespace
}  // namespace kith::record
