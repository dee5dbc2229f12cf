// Reductions to one rank, to all, and of blocks.
#include "record/collectives/patterns/patterns.hpp"

#include <array>

namespace kith::record {
namespace {

// What a rank of the core keeps and gives away in each round of recursive halving.
struct Halving {
  std::array<std::int64_t, 32> kept{};
  std::array<std::int64_t, 32> given{};
  int rounds = 0;

  Halving(const Folded& folded, int position, std::int64_t count) {
    for (int step = 1; step < folded.core; step *= 2, ++rounds) {
      const bool lower = position < (position ^ step);
      const auto round = static_cast<std::size_t>(rounds);
      kept[round] = lower ? count / 2 : count - count / 2;
      given[round] = count - kept[round];
      count = kept[round];
    }
  }

  /// Whole blocks, one for each rank of the core. `before(n)`: elements of the first n blocks.
  template <class Before>
  Halving(const Folded& folded, int position, Before before) {
    int first = 0;
    int width = folded.core;
    for (int step = 1; step < folded.core; step *= 2, ++rounds) {
      width /= 2;
      const bool lower = position < (position ^ step);
      const std::int64_t low = before(first + width) - before(first);
      const std::int64_t high = before(first + 2 * width) - before(first + width);
      const auto round = static_cast<std::size_t>(rounds);
      kept[round] = lower ? low : high;
      given[round] = lower ? high : low;
      if (!lower) first += width;
    }
  }
};

/// Elements before block n of a core.
struct ElementsBefore {
  std::int64_t count;
  int core;
  Rest rest;
  std::int64_t operator()(int n) const {
    if (rest == Rest::to_last) return n == core ? count : n * (count / core);
    return n * (count / core) + std::min<std::int64_t>(n, count % core);
  }
};

// The two ranks of a pair reduce one half each; then the odd one hands its half to the even one.
void fold_halves(const Place& place, const Folded& folded, const Payload& payload, Send send) {
  if (place.rank >= 2 * folded.extra) return;
  const std::int64_t lower = payload.count / 2;
  if (place.rank % 2 == 0) {
    send(place.rank + 1, payload.bytes_of(payload.count - lower));
  } else {
    send(place.rank - 1, payload.bytes_of(lower));
    send(place.rank - 1, payload.bytes_of(payload.count - lower));
  }
}

// The gathering half of halving_gather_reduce: a rank collects what its subtree keeps until its
// partner is nearer to the root, then hands it on. An odd root of a pair takes position 0 over.
// `cut`: elements, or elements before each block.
template <class Cut>
void gather_halves(const Place& place, int root, const Folded& folded, int position, Cut cut,
                   const Payload& payload, Send send) {
  const bool root_takes_over = root < 2 * folded.extra && root % 2 != 0;
  const int root_position = root_takes_over ? 0 : folded.position(root);
  if (root_takes_over && place.rank == root) {
    position = 0;
  } else if (root_takes_over && position == 0) {
    const Halving halving(folded, 0, cut);
    send(root, payload.bytes_of(halving.kept[static_cast<std::size_t>(halving.rounds - 1)]));
    return;
  }
  if (position < 0) return;
  const Halving halving(folded, position, cut);
  for (int round = halving.rounds - 1; round >= 0; --round) {
    const int partner = position ^ (1 << round);
    if ((partner >> round) != (root_position >> round)) continue;  // it hands on to us
    const int peer = root_takes_over && partner == 0 ? root : folded.rank(partner);
    send(peer, payload.bytes_of(halving.kept[static_cast<std::size_t>(round)]));
    return;
  }
}

// Blocks as the ranks of the core see them: a folded pair's two blocks are one.
struct CoreBlocks {
  const Folded& folded;
  const Blocks& blocks;

  /// First rank whose block belongs to `position`.
  int begin(int position) const {
    return position < folded.extra ? 2 * position : position + folded.extra;
  }
  std::int64_t count(int first, int last) const { return blocks.count(begin(first), begin(last)); }
  std::uint64_t bytes(int first, int last) const { return blocks.bytes(begin(first), begin(last)); }
};

int bit_reversed(int position, int core) {
  int reversed = 0;
  for (int bit = 1; bit < core; bit *= 2) reversed = 2 * reversed + ((position & bit) != 0 ? 1 : 0);
  return reversed;
}

}  // namespace

void linear_reduce(const Place& place, int root, const Payload& payload, Send send) {
  if (place.rank != root) send(root, payload.bytes());
}

void tree_reduce(const Tree& tree, const Payload& payload, std::int64_t segment, Send send) {
  const int parent = tree.parent();
  if (parent >= 0) send_segments(parent, payload, segment, send);
}

void in_order_binary_reduce(const Place& place, int root, const Payload& payload,
                            std::int64_t segment, Send send) {
  const int last = place.size - 1;
  tree_reduce(Tree(Tree::Shape::in_order_binary, place, last), payload, segment, send);
  if (place.rank == last && root != last) send(root, payload.bytes());
}

void halving_gather_reduce(const Place& place, int root, const Payload& payload, Send send) {
  const Folded folded(place, Folded::Keeps::even);
  fold_halves(place, folded, payload, send);
  const int position = folded.position(place.rank);
  if (position >= 0) {
    const Halving halving(folded, position, payload.count);
    for (int round = 0; round < halving.rounds; ++round) {
      send(folded.rank(position ^ (1 << round)),
           payload.bytes_of(halving.given[static_cast<std::size_t>(round)]));
    }
  }
  gather_halves(place, root, folded, position, payload.count, payload, send);
}

void halving_doubling_allreduce(const Place& place, const Payload& payload, Send send) {
  const Folded folded(place, Folded::Keeps::even);
  fold_halves(place, folded, payload, send);
  const int position = folded.position(place.rank);
  if (position < 0) return;
  const Halving halving(folded, position, payload.count);
  for (int round = 0; round < halving.rounds; ++round) {
    const int partner = folded.rank(position ^ (1 << round));
    const auto i = static_cast<std::size_t>(round);
    send(partner, payload.bytes_of(halving.given[i]));  // on the way down
    send(partner, payload.bytes_of(halving.kept[i]));   // on the way back
  }
  if (place.rank < 2 * folded.extra) send(place.rank + 1, payload.bytes());
}

void block_halving_gather_reduce(const Place& place, int root, const Payload& payload, Rest rest,
                                 Send send) {
  const Folded folded(place, Folded::Keeps::even);
  const int position = folded.position(place.rank);
  const ElementsBefore before{payload.count, folded.core, rest};
  if (position < 0) {
    send(place.rank - 1, payload.bytes());
  } else {
    const Halving halving(folded, position, before);
    for (int round = 0; round < halving.rounds; ++round) {
      send(folded.rank(position ^ (1 << round)),
           payload.bytes_of(halving.given[static_cast<std::size_t>(round)]));
    }
  }
  gather_halves(place, root, folded, position, before, payload, send);
}

void block_halving_doubling_allreduce(const Place& place, const Payload& payload, Rest rest,
                                      Send send) {
  const Folded folded(place, Folded::Keeps::odd);
  const int position = folded.position(place.rank);
  if (position < 0) {
    send(place.rank + 1, payload.bytes());
    return;
  }
  const Halving halving(folded, position, ElementsBefore{payload.count, folded.core, rest});
  for (int round = 0; round < halving.rounds; ++round) {
    const int partner = folded.rank(position ^ (1 << round));
    const auto i = static_cast<std::size_t>(round);
    send(partner, payload.bytes_of(halving.given[i]));  // on the way down
    send(partner, payload.bytes_of(halving.kept[i]));   // on the way back
  }
  if (place.rank < 2 * folded.extra) send(place.rank - 1, payload.bytes());
}

void doubling_allreduce(const Place& place, const Payload& payload, Send send) {
  const Folded folded(place, Folded::Keeps::odd);
  const int position = folded.position(place.rank);
  if (position < 0) {
    send(place.rank + 1, payload.bytes());
    return;
  }
  for (int step = 1; step < folded.core; step *= 2) {
    send(folded.rank(position ^ step), payload.bytes());
  }
  if (place.rank < 2 * folded.extra) send(place.rank - 1, payload.bytes());
}

void ring_allreduce(const Place& place, const Payload& payload, Send send) {
  if (payload.count < place.size) {
    doubling_allreduce(place, payload, send);
    return;
  }
  segmented_ring_allreduce(place, payload, payload.count, send);
}

void segmented_ring_allreduce(const Place& place, const Payload& payload, std::int64_t segment,
                              Send send) {
  const std::int64_t round_count = place.size * segment;  // elements of all ranks in one phase
  std::int64_t phases = 1;
  if (payload.count >= round_count) {
    phases = payload.count / round_count;
    const std::int64_t rest = payload.count % round_count;
    if (rest >= place.size && rest > round_count / 2) ++phases;
  } else if (payload.count < place.size) {
    doubling_allreduce(place, payload, send);
    return;
  }
  const EvenParts blocks{payload.count, place.size};
  for (std::int64_t phase = 0; phase < phases; ++phase) {
    for (int round = 0; round + 1 < place.size; ++round) {
      const EvenParts parts{blocks.of(place.previous(round)), static_cast<int>(phases)};
      send(place.next(1), payload.bytes_of(parts.of(phase)));
    }
  }
  for (int round = 0; round + 1 < place.size; ++round) {
    send(place.next(1),
         payload.bytes_of(blocks.of((place.rank + 1 - round + place.size) % place.size)));
  }
}

void ring_reduce_scatter(const Place& place, const Blocks& blocks, Send send) {
  for (int round = 1; round < place.size; ++round) {
    send(place.next(1), blocks.bytes(place.previous(round)));
  }
}

void halving_reduce_scatter(const Place& place, const Blocks& blocks, Send send) {
  if (blocks.count(0, place.size) == 0) return;
  const Folded folded(place, Folded::Keeps::odd);
  const int position = folded.position(place.rank);
  if (position < 0) {
    send(place.rank + 1, blocks.bytes(0, place.size));
    return;
  }
  const CoreBlocks core{folded, blocks};
  for (int step = folded.core / 2; step > 0; step /= 2) {
    const int partner = position ^ step;
    const int given = subtree_begin(partner, step);
    if (core.count(given, given + step) == 0) continue;
    send(folded.rank(partner), core.bytes(given, given + step));
  }
  if (place.rank < 2 * folded.extra && blocks.count(place.rank - 1) != 0) {
    send(place.rank - 1, blocks.bytes(place.rank - 1));
  }
}

void butterfly_reduce_scatter(const Place& place, const Blocks& blocks, Send send) {
  const Folded folded(place, Folded::Keeps::odd);
  const int position = folded.position(place.rank);
  if (position < 0) {
    send(place.rank + 1, blocks.bytes(0, place.size));
    return;
  }
  const CoreBlocks core{folded, blocks};
  int kept = 0;  // the blocks kept, ..., kept + width - 1 are still ours to reduce
  int width = folded.core;
  for (int step = 1; step < folded.core; step *= 2) {
    width /= 2;
    const bool lower = (position & step) == 0;
    const int given = lower ? kept + width : kept;
    send(folded.rank(position ^ step), core.bytes(given, given + width));
    if (!lower) kept += width;
  }
  // We hold the blocks of the position that is ours with the bits reversed.
  const int owner = bit_reversed(position, folded.core);
  const int first = core.begin(owner);
  if (owner < folded.extra) send(first, blocks.bytes(first));
  if (owner != position) {
    send(folded.rank(owner), blocks.bytes(owner < folded.extra ? first + 1 : first));
  }
}

void butterfly_reduce_scatter_block(const Place& place, std::uint64_t block, Send send) {
  if (!is_power_of_two(place.size)) {
    butterfly_reduce_scatter(place, Blocks(1, block), send);
    return;
  }
  int width = place.size;
  for (int step = 1; step < place.size; step *= 2) {
    width /= 2;
    send(place.rank ^ step, block * static_cast<std::uint64_t>(width));
  }
}

void doubling_reduce_scatter(const Place& place, const Blocks& blocks, Send send) {
  // Everything but the blocks of the ranks begin, ..., begin + step - 1.
  const auto all_but = [&](int begin, int step) {
    return blocks.bytes(0, begin) + blocks.bytes(begin + step, place.size);
  };
  const int own = place.rank;
  for (int step = 1; step < place.size; step *= 2) {
    const int partner = own ^ step;
    const int begin = subtree_begin(own, step);
    const int partner_begin = subtree_begin(partner, step);
    if (partner < place.size) send(partner, all_but(begin, step));
    if (partner_begin + step <= place.size) continue;
    const int served = place.size - begin - step;
    for (int half = step / 2; half > 0; half /= 2) {
      const int other = own ^ half;
      const int reached = subtree_begin(own, 2 * half) + served;
      if (other > own && own < reached && other >= reached) {
        send(other, all_but(partner_begin, step));
      }
    }
  }
}

}  // namespace kith::record
