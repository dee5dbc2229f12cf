// The trees that collectives travel along: each by its two questions, who is my parent, who are my
// children. Sources: Pjesivac-Grbovic et al., "Performance Analysis of MPI Collective Operations"
// (2005); the shapes are those of Open MPI's "base" collectives.
#pragma once

#include <array>

#include "record/collectives/patterns/message.hpp"

namespace kith::record {

/// The place of one rank in a tree. Nothing is allocated: children are counted, not listed.
class Tree {
 public:
  enum class Shape : std::uint8_t {
    binary,           ///< level by level; the two children of a node stand side by side
    in_order_binary,  ///< root is the last rank, subtrees are ranges: keeps the order of operands
    binomial,         ///< a node's parent lacks its highest bit: the root's children are 1, 2, 4...
    in_order_binomial,  ///< a node's parent lacks its lowest bit: subtrees are ranges
    k_nomial,           ///< in_order_binomial to base `fanout`
    chains,             ///< the root feeds `fanout` chains of (nearly) equal length
  };

  /// `fanout` is read for k_nomial (> 1) and chains (< 1 means 1).
  Tree(Shape shape, const Place& place, int root, int fanout = 2)
      : shape_(shape), place_(place), relative_{place.size, root}, fanout_(fanout) {}

  /// Parent of the place's rank; -1 at the root.
  int parent() const;

  /// Calls visit(child) for each child.
  template <class Visit>
  void for_each_child(Visit&& visit) const {
    const int own = relative_.of(place_.rank);
    switch (shape_) {
      case Shape::binary:
        for (const int child : binary_children(own)) {
          if (child < place_.size) visit(relative_.rank(child));
        }
        return;
      case Shape::in_order_binary:
        for (const int child : in_order_binary().children) {
          if (child >= 0) visit(child);
        }
        return;
      case Shape::binomial: {
        int step = 1;
        while (step <= own) step *= 2;
        for (; own + step < place_.size; step *= 2) visit(relative_.rank(own + step));
        return;
      }
      case Shape::in_order_binomial:
        for (int step = 1; (own & step) == 0 && step < place_.size; step *= 2) {
          if (own + step < place_.size) visit(relative_.rank(own + step));
        }
        return;
      case Shape::k_nomial:
        for (std::int64_t step = 1; step < place_.size && own % (fanout_ * step) == 0;
             step *= fanout_) {
          for (std::int64_t k = 1; k < fanout_ && own + k * step < place_.size; ++k) {
            visit(relative_.rank(static_cast<int>(own + k * step)));
          }
        }
        return;
      case Shape::chains:
        if (own != 0) {
          const int child = own + 1;
          if (child < chain_end(own)) visit(relative_.rank(child));
        } else {
          for (int c = 0; c < chain_count() && chain_head(c) < place_.size; ++c) {
            visit(relative_.rank(chain_head(c)));
          }
        }
        return;
    }
  }

  bool has_children() const {
    bool any = false;
    for_each_child([&](int) { any = true; });
    return any;
  }

 private:
  struct InOrderBinary {
    int parent;
    std::array<int, 2> children;  // -1 where there is none
  };

  std::array<int, 2> binary_children(int own) const;
  InOrderBinary in_order_binary() const;
  int chain_count() const;
  int chain_of(int own) const;
  int chain_head(int chain) const;
  int chain_end(int own) const;  // one past the last position of own's chain

  Shape shape_;
  Place place_;
  Relative relative_;
  int fanout_;
};

}  // namespace kith::record
