#include "record/collectives/patterns/reduce_scatter.hpp"

namespace kith::record {
namespace {

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

void doubling_reduce_scatter_block(const Place& place, std::uint64_t block, Send send) {
  // Everything but the blocks of the ranks begin, ..., begin + step - 1.
  const auto all_but = [&](int begin, int step) {
    const int after = std::max(0, place.size - begin - step);
    return block * static_cast<std::uint64_t>(begin + after);
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
