#include "record/collectives/patterns/gather_scatter.hpp"

namespace kith::record {
namespace {

// How many ranks lie below `position` (itself included) where subtrees are ranges.
int subtree_size(int size, int position) {
  const int span = position == 0 ? size : position & -position;
  return std::min(span, size - position);
}

std::uint64_t subtree_bytes(int size, int position, std::uint64_t block) {
  return block * static_cast<std::uint64_t>(subtree_size(size, position));
}

}  // namespace

void linear_gather(const Place& place, int root, std::uint64_t block, Send send) {
  if (place.rank != root) send(root, block);
}

void synchronised_gather(const Place& place, int root, const Payload& block,
                         std::int64_t first_piece, Send send) {
  if (place.rank == root) {
    for (int distance = 1; distance < place.size; ++distance) send(place.next(distance), 0);
    return;
  }
  send(root, block.bytes_of(first_piece));
  send(root, block.bytes_of(block.count - first_piece));
}

void binomial_gather(const Place& place, int root, std::uint64_t block, Send send) {
  const int parent = Tree(Tree::Shape::in_order_binomial, place, root).parent();
  if (parent < 0) return;
  send(parent, subtree_bytes(place.size, Relative{place.size, root}.of(place.rank), block));
}

void linear_scatter(const Place& place, int root, std::uint64_t block, Send send) {
  if (place.rank != root) return;
  for (int distance = 1; distance < place.size; ++distance) send(place.next(distance), block);
}

void binomial_scatter(const Place& place, int root, std::uint64_t block, Send send) {
  const Relative relative{place.size, root};
  Tree(Tree::Shape::in_order_binomial, place, root).for_each_child([&](int child) {
    send(child, subtree_bytes(place.size, relative.of(child), block));
  });
}

void linear_scatterv(const Place& place, int root, const Blocks& blocks, Send send) {
  if (place.rank != root) return;
  for (int peer = 0; peer < place.size; ++peer) {
    if (peer != root && blocks.count(peer) > 0) send(peer, blocks.bytes(peer));
  }
}

}  // namespace kith::record
