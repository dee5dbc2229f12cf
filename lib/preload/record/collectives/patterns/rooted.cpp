// Broadcast, gather and scatter: one rank has or gets all.
#include "record/collectives/patterns/patterns.hpp"

namespace kith::record {
namespace {

// `count` elements in equal scatter blocks, one per rank, the last ones short or empty.
struct ScatterBlocks {
  Payload payload;
  std::int64_t block;

  ScatterBlocks(const Payload& all, int size)
      : payload(all), block((all.count + size - 1) / size) {}

  /// Elements in the blocks first, ..., first + blocks - 1.
  std::int64_t count(std::int64_t first, std::int64_t blocks) const {
    return std::min(payload.count, (first + blocks) * block) -
           std::min(payload.count, first * block);
  }
  std::uint64_t bytes(std::int64_t first, std::int64_t blocks) const {
    return payload.bytes_of(count(first, blocks));
  }
};

// Each node passes the blocks of its subtrees on; empty ones are not sent.
void scatter_blocks(const Place& place, const Relative& relative, const ScatterBlocks& blocks,
                    Send send) {
  const int own = relative.of(place.rank);
  for (int step = 1; (own & step) == 0 && step < place.size; step *= 2) {
    const int child = own + step;
    if (child >= place.size || blocks.count(child, step) == 0) continue;
    send(relative.rank(child), blocks.bytes(child, step));
  }
}

// How many ranks lie below `position` (itself included) where subtrees are ranges.
int subtree_size(int size, int position) {
  const int span = position == 0 ? size : position & -position;
  return std::min(span, size - position);
}

std::uint64_t subtree_bytes(int size, int position, std::uint64_t block) {
  return block * static_cast<std::uint64_t>(subtree_size(size, position));
}

}  // namespace

std::int64_t segment_count(const Payload& payload, std::uint64_t segment_bytes) {
  if (payload.element == 0 || segment_bytes < payload.element) return payload.count;
  if (segment_bytes >= payload.bytes()) return payload.count;
  const std::uint64_t whole = segment_bytes / payload.element;
  const std::uint64_t rest = segment_bytes % payload.element;
  return static_cast<std::int64_t>(whole + (rest > payload.element / 2 ? 1 : 0));
}

void send_segments(int peer, const Payload& payload, std::int64_t segment, Send send) {
  for (std::int64_t sent = 0; sent < payload.count; sent += segment) {
    send(peer, payload.bytes_of(std::min(segment, payload.count - sent)));
  }
}

void linear_broadcast(const Place& place, int root, const Payload& payload, Send send) {
  if (place.rank != root) return;
  for (int distance = 1; distance < place.size; ++distance) {
    send(place.next(distance), payload.bytes());
  }
}

void tree_broadcast(const Tree& tree, const Payload& payload, std::int64_t segment, Send send) {
  tree.for_each_child([&](int child) { send_segments(child, payload, segment, send); });
}

void split_binary_broadcast(const Place& place, int root, const Payload& payload,
                            std::uint64_t segment_bytes, Send send) {
  const std::int64_t half[2] = {(payload.count + 1) / 2, payload.count / 2};
  if (segment_bytes > 0) segment_bytes = std::max(segment_bytes, payload.element);
  if (half[1] == 0 || segment_bytes > payload.bytes_of(half[1])) {
    const Tree chain(Tree::Shape::chains, place, root, 1);
    tree_broadcast(chain, payload, segment_count(payload, segment_bytes), send);
    return;
  }
  const auto segment_of = [&](std::int64_t all) {
    if (segment_bytes == 0 || payload.element == 0) return all;
    return static_cast<std::int64_t>(segment_bytes / payload.element);
  };
  const auto pass_on = [&](int child, std::int64_t count) {
    send_segments(child, {count, payload.element}, segment_of(count), send);
  };
  const int own = Relative{place.size, root}.of(place.rank);
  const int side = (own + 1) % 2;  // which half this rank gets on the way down
  const Tree tree(Tree::Shape::binary, place, root);
  int child_number = 0;
  tree.for_each_child([&](int child) {
    pass_on(child, own == 0 ? half[child_number] : half[side]);
    ++child_number;
  });
  // The exchange. With an even number of ranks the last one has the root as partner.
  const bool even = place.size % 2 == 0;
  if (own == 0) {
    if (even) send(place.previous(1), payload.bytes_of(half[1]));
  } else if (!even || own != place.size - 1) {
    send(side == 0 ? place.next(1) : place.previous(1), payload.bytes_of(half[side]));
  }
}

void scatter_doubling_broadcast(const Place& place, int root, const Payload& payload, Send send) {
  if (payload.element == 0) return;
  if (payload.count < place.size) {
    linear_broadcast(place, root, payload, send);
    return;
  }
  const Relative relative{place.size, root};
  const ScatterBlocks blocks(payload, place.size);
  scatter_blocks(place, relative, blocks, send);
  const int own = relative.of(place.rank);
  for (int step = 1; step < place.size; step *= 2) {
    const int partner = own ^ step;
    const int begin = subtree_begin(own, step);
    const int partner_begin = subtree_begin(partner, step);
    if (partner < place.size) send(relative.rank(partner), blocks.bytes(begin, step));
    if (partner_begin + step <= place.size) continue;
    // The partner's half is incomplete: those who had a partner there pass on what they got.
    const int served = place.size - begin - step;
    for (int half = step / 2; half > 0; half /= 2) {
      const int other = own ^ half;
      const int reached = subtree_begin(own, 2 * half) + served;
      if (other > own && own < reached && other >= reached) {
        send(relative.rank(other), blocks.bytes(partner_begin, step));
      }
    }
  }
}

void scatter_ring_broadcast(const Place& place, int root, const Payload& payload, Send send) {
  if (payload.element == 0) return;
  if (payload.count < place.size) {
    linear_broadcast(place, root, payload, send);
    return;
  }
  const Relative relative{place.size, root};
  const ScatterBlocks blocks(payload, place.size);
  scatter_blocks(place, relative, blocks, send);
  const int own = relative.of(place.rank);
  for (int round = 0; round + 1 < place.size; ++round) {
    send(place.next(1), blocks.bytes((own - round + place.size) % place.size, 1));
  }
}

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
