#include "record/collectives/openmpi/inter.hpp"

namespace kith::record::openmpi {
namespace {

using Is = InterRoot::Is;

constexpr std::uint64_t int_bytes = 4;

bool is_first(const InterPlace& place) {
  return place.local.rank == 0;
}

Payload for_group(const InterPlace& place, const Payload& block) {
  return {block.count * place.local.size, block.element};
}

}  // namespace

void Inter::barrier(const InterPlace& place, InterSend send) const {
  allreduce(place, {1, int_bytes}, {}, send);
}

void Inter::bcast(const InterPlace& place, InterRoot root, const Payload& payload,
                  InterSend send) const {
  if (root.is == Is::caller) send.remote(0, payload.bytes());
  if (root.is == Is::other_group) within_.bcast(place.local, 0, payload, send.local);
}

void Inter::reduce(const InterPlace& place, InterRoot root, const Payload& payload,
                   Operands operands, InterSend send) const {
  if (root.is != Is::other_group) return;
  within_.reduce(place.local, 0, payload, operands, send.local);
  if (is_first(place)) send.remote(root.rank, payload.bytes());
}

void Inter::allreduce(const InterPlace& place, const Payload& payload, Operands operands,
                      InterSend send) const {
  within_.reduce(place.local, 0, payload, operands, send.local);
  if (is_first(place)) send.remote(0, payload.bytes());
  within_.bcast(place.local, 0, payload, send.local);
}

void Inter::gather(const InterPlace& place, InterRoot root, const Payload& block,
                   InterSend send) const {
  if (root.is != Is::other_group) return;
  within_.gather(place.local, 0, block, send.local);
  if (is_first(place)) send.remote(root.rank, for_group(place, block).bytes());
}

void Inter::gatherv(const InterPlace& place, InterRoot root, const Payload& block,
                    InterSend send) const {
  if (root.is != Is::other_group) return;
  within_.gather(place.local, 0, {1, int_bytes}, send.local);
  within_.gatherv(place.local, 0, block, send.local);
  if (is_first(place)) send.remote(root.rank, for_group(place, block).bytes());
}

void Inter::scatter(const InterPlace& place, InterRoot root, const Payload& block,
                    InterSend send) const {
  if (root.is == Is::caller) {
    send.remote(0, block.bytes() * static_cast<std::uint64_t>(place.remote_size));
  } else if (root.is == Is::other_group) {
    within_.scatter(place.local, 0, block, send.local);
  }
}

void Inter::scatterv(const InterPlace& place, InterRoot root, const Blocks& blocks,
                     const Payload& received, InterSend send) const {
  if (root.is == Is::caller) {
    send.remote(0, int_bytes * static_cast<std::uint64_t>(place.remote_size));
    send.remote(0, blocks.bytes(0, place.remote_size));
  } else if (root.is == Is::other_group) {
    within_.scatterv(place.local, 0, Blocks(received.count, received.element), send.local);
  }
}

void Inter::allgather(const InterPlace& place, const Payload& sent, const Payload& received,
                      InterSend send) const {
  if (sent.count > 0) within_.gather(place.local, 0, sent, send.local);
  if (is_first(place)) send.remote(0, for_group(place, sent).bytes());
  if (received.count == 0) return;
  within_.bcast(place.local, 0, {received.count * place.remote_size, received.element}, send.local);
}

void Inter::allgatherv(const InterPlace& place, const Payload& sent, const Blocks& received,
                       InterSend send) const {
  within_.gather(place.local, 0, {1, int_bytes}, send.local);
  within_.gatherv(place.local, 0, sent, send.local);
  if (is_first(place)) send.remote(0, for_group(place, sent).bytes());
  within_.bcast(place.local, 0, {1, received.bytes(0, place.remote_size)}, send.local);
}

void Inter::alltoall(const InterPlace& place, const Payload& block, InterSend send) const {
  for (int peer = 0; peer < place.remote_size; ++peer) send.remote(peer, block.bytes());
}

void Inter::alltoallv(const InterPlace& place, const Blocks& blocks, InterSend send) const {
  for (int peer = 0; peer < place.remote_size; ++peer) {
    if (blocks.count(peer) > 0) send.remote(peer, blocks.bytes(peer));
  }
}

void Inter::reduce_scatter(const InterPlace& place, const Blocks& blocks, InterSend send) const {
  send.remote(0, blocks.bytes(0, place.local.size));
  within_.scatterv(place.local, 0, blocks, send.local);
}

void Inter::reduce_scatter_block(const InterPlace& place, const Payload& block,
                                 InterSend send) const {
  send.remote(0, for_group(place, block).bytes());
  within_.scatter(place.local, 0, block, send.local);
}

}  // namespace kith::record::openmpi
