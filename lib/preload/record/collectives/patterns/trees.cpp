#include "record/collectives/patterns/patterns.hpp"

#include <bit>

namespace kith::record {

int Tree::parent() const {
  if (shape_ == Shape::in_order_binary) return in_order_binary().parent;
  const int own = relative_.of(place_.rank);
  if (own == 0) return -1;
  switch (shape_) {
    case Shape::binary: {
      // Level k holds the positions width - 1, ..., 2 x width - 2 with width = 2^k.
      const int width = power_of_two_within(own + 1);
      const int in_level = own + 1 - width;
      return relative_.rank(width / 2 - 1 + in_level % (width / 2));
    }
    case Shape::binomial:
      return relative_.rank(own - power_of_two_within(own));
    case Shape::in_order_binomial:
      return relative_.rank(own & (own - 1));
    case Shape::k_nomial: {
      std::int64_t step = fanout_;
      while (own % step == 0) step *= fanout_;
      return relative_.rank(static_cast<int>(own / step * step));
    }
    case Shape::chains:
      return relative_.rank(own == chain_head(chain_of(own)) ? 0 : own - 1);
    case Shape::in_order_binary:
      break;
  }
  return -1;
}

std::array<int, 2> Tree::binary_children(int own) const {
  const int width = power_of_two_within(own + 1);
  return {own + width, own + 2 * width};
}

// Walks down from the root of all ranks. A range of n ranks has its last rank as root; its first
// n / 2 ranks are the right subtree, the rest the left one.
Tree::InOrderBinary Tree::in_order_binary() const {
  int begin = 0;
  int size = place_.size;
  int parent = -1;
  for (;;) {
    const int root = begin + size - 1;
    const int right = size / 2;
    const int left_child = size > 1 ? root - 1 : -1;
    const int right_child = size > 2 ? begin + right - 1 : -1;
    if (place_.rank == root) return {parent, {left_child, right_child}};
    parent = root;
    if (right_child >= 0 && place_.rank <= right_child) {
      size = right;
    } else {
      const int skipped = size > 2 ? right : 0;
      begin += skipped;
      size -= skipped + 1;
    }
  }
}

// All positions but the root's stand in chains; the first ones are one longer where they do not
// divide evenly.
int Tree::chain_count() const {
  return std::max(1, std::min({fanout_, place_.size - 1, 32}));
}

int Tree::chain_of(int own) const {
  const int chains = chain_count();
  const int shorter = (place_.size - 1) / chains;
  const int longer_chains = (place_.size - 1) % chains;
  const int in_longer = longer_chains * (shorter + 1);
  if (own - 1 < in_longer) return (own - 1) / (shorter + 1);
  return longer_chains + (own - 1 - in_longer) / shorter;
}

int Tree::chain_head(int chain) const {
  const int chains = chain_count();
  const int shorter = (place_.size - 1) / chains;
  const int longer_chains = (place_.size - 1) % chains;
  return 1 + chain * shorter + std::min(chain, longer_chains);
}

int Tree::chain_end(int own) const {
  const int chain = chain_of(own);
  return chain + 1 == chain_count() ? place_.size : chain_head(chain + 1);
}

}  // namespace kith::record
