#include "record/collectives/openmpi/libnbc.hpp"

namespace kith::record::openmpi {
namespace {

using Is = InterRoot::Is;

void to_all_remote(const InterPlace& place, std::uint64_t bytes, Send send) {
  for (int peer = 0; peer < place.remote_size; ++peer) send(peer, bytes);
}

// Everybody sends to the first of the other group, which gives the result to its own.
void reduce_and_scatter(const InterPlace& place, const Blocks& blocks, InterSend send) {
  send.remote(0, blocks.bytes(0, place.local.size));
  if (place.local.rank != 0) return;
  for (int peer = 1; peer < place.local.size; ++peer) send.local(peer, blocks.bytes(peer));
}

}  // namespace

void LibnbcInter::barrier(const InterPlace& place, InterSend send) const {
  send.remote(0, 0);
  if (place.local.rank != 0) return;
  for (int peer = 1; peer < place.remote_size; ++peer) send.remote(peer, 0);
}

void LibnbcInter::bcast(const InterPlace& place, InterRoot root, const Payload& payload,
                        InterSend send) const {
  if (root.is == Is::caller) to_all_remote(place, payload.bytes(), send.remote);
}

void LibnbcInter::reduce(const InterPlace& /*place*/, InterRoot root, const Payload& payload,
                         Operands /*operands*/, InterSend send) const {
  if (root.is == Is::other_group && payload.count > 0) send.remote(root.rank, payload.bytes());
}

void LibnbcInter::allreduce(const InterPlace& place, const Payload& payload, Operands /*operands*/,
                            InterSend send) const {
  if (payload.count == 0) return;
  send.remote(0, payload.bytes());
  if (place.local.rank == 0) to_all_remote(place, payload.bytes(), send.remote);
}

void LibnbcInter::gather(const InterPlace& /*place*/, InterRoot root, const Payload& block,
                         InterSend send) const {
  if (root.is == Is::other_group) send.remote(root.rank, block.bytes());
}

void LibnbcInter::gatherv(const InterPlace& place, InterRoot root, const Payload& block,
                          InterSend send) const {
  gather(place, root, block, send);
}

void LibnbcInter::scatter(const InterPlace& place, InterRoot root, const Payload& block,
                          InterSend send) const {
  if (root.is == Is::caller) to_all_remote(place, block.bytes(), send.remote);
}

void LibnbcInter::scatterv(const InterPlace& place, InterRoot root, const Blocks& blocks,
                           const Payload& /*received*/, InterSend send) const {
  if (root.is != Is::caller) return;
  for (int peer = 0; peer < place.remote_size; ++peer) send.remote(peer, blocks.bytes(peer));
}

void LibnbcInter::allgather(const InterPlace& place, const Payload& sent,
                            const Payload& /*received*/, InterSend send) const {
  to_all_remote(place, sent.bytes(), send.remote);
}

void LibnbcInter::allgatherv(const InterPlace& place, const Payload& sent,
                             const Blocks& /*received*/, InterSend send) const {
  if (sent.count > 0) to_all_remote(place, sent.bytes(), send.remote);
}

void LibnbcInter::alltoall(const InterPlace& place, const Payload& block, InterSend send) const {
  to_all_remote(place, block.bytes(), send.remote);
}

void LibnbcInter::alltoallv(const InterPlace& place, const Blocks& blocks, InterSend send) const {
  for (int peer = 0; peer < place.remote_size; ++peer) {
    if (blocks.count(peer) > 0) send.remote(peer, blocks.bytes(peer));
  }
}

void LibnbcInter::reduce_scatter(const InterPlace& place, const Blocks& blocks,
                                 InterSend send) const {
  reduce_and_scatter(place, blocks, send);
}

void LibnbcInter::reduce_scatter_block(const InterPlace& place, const Payload& block,
                                       InterSend send) const {
  reduce_and_scatter(place, Blocks(block.count, block.element), send);
}

}  // namespace kith::record::openmpi
