// Collectives between two groups.
#include "record/collectives/models.hpp"
#include "record/collectives/remote_group.hpp"

namespace kith::record::openmpi {
namespace {

constexpr std::uint64_t int_bytes = 4;
constexpr Payload one_int{1, int_bytes};

bool is_first(const InterPlace& place) {
  return place.local.rank == 0;
}

Payload for_group(const InterPlace& place, const Payload& block) {
  return {block.count * place.local.size, block.element};
}

/// One blocking call on one rank.
struct InterCall {
  const IntraModel& library;  ///< within the group
  const InterPlace& place;
  const Arguments& call;
  InterSend send;

  /// The same in the own group, with its first rank as root.
  void within(Collective collective, const Arguments& arguments) const {
    library.messages(collective, place.local, arguments, send.local);
  }
  /// The first rank sends to a rank of the other group.
  void from_first(int peer, const Payload& payload) const {
    if (is_first(place)) send.remote(peer, payload.bytes());
  }

  void bcast() const {
    if (call.root_is == RootIs::caller) send.remote(0, call.payload.bytes());
    if (call.root_is == RootIs::rank) within(Collective::bcast, {.payload = call.payload});
  }

  void reduce() const {
    if (call.root_is != RootIs::rank) return;
    within(Collective::reduce, {.payload = call.payload, .commutes = call.commutes});
    from_first(call.root, call.payload);
  }

  void allreduce(const Payload& payload, bool commutes) const {
    within(Collective::reduce, {.payload = payload, .commutes = commutes});
    from_first(0, payload);
    within(Collective::bcast, {.payload = payload});
  }

  void gather() const {
    if (call.root_is != RootIs::rank) return;
    within(Collective::gather, {.payload = call.payload});
    from_first(call.root, for_group(place, call.payload));
  }

  void gatherv(int root) const {
    within(Collective::gather, {.payload = one_int});
    within(Collective::gatherv, {.payload = call.payload});
    from_first(root, for_group(place, call.payload));
  }

  void scatter() const {
    if (call.root_is == RootIs::caller) {
      send.remote(0, call.payload.bytes() * static_cast<std::uint64_t>(place.remote_size));
    } else if (call.root_is == RootIs::rank) {
      within(Collective::scatter, {.payload = call.payload});
    }
  }

  void scatterv() const {
    const Payload& received = call.payload;
    if (call.root_is == RootIs::caller) {
      send.remote(0, int_bytes * static_cast<std::uint64_t>(place.remote_size));
      send.remote(0, call.blocks.bytes(0, place.remote_size));
    } else if (call.root_is == RootIs::rank) {
      within(Collective::scatterv, {.blocks = Blocks(received.count, received.element)});
    }
  }

  void allgather() const {
    if (call.payload.count > 0) within(Collective::gather, {.payload = call.payload});
    from_first(0, for_group(place, call.payload));
    const std::int64_t received = call.blocks.count(0, place.remote_size);
    if (received == 0) return;
    within(Collective::bcast, {.payload = {received, call.blocks.element()}});
  }

  void allgatherv() const {
    gatherv(0);
    within(Collective::bcast, {.payload = {1, call.blocks.bytes(0, place.remote_size)}});
  }

  void reduce_scatter() const {
    send.remote(0, call.blocks.bytes(0, place.local.size));
    within(Collective::scatterv, {.blocks = call.blocks});
  }

  void reduce_scatter_block() const {
    send.remote(0, for_group(place, call.payload).bytes());
    within(Collective::scatter, {.payload = call.payload});
  }
};

// Everybody sends to the first of the other group, which gives the result to its own.
void reduce_and_scatter(const InterPlace& place, const Blocks& blocks, InterSend send) {
  send.remote(0, blocks.bytes(0, place.local.size));
  if (!is_first(place)) return;
  for (int peer = 1; peer < place.local.size; ++peer) send.local(peer, blocks.bytes(peer));
}

// Everybody to the first of the other group, and it to all of them.
void through_first(const InterPlace& place, std::uint64_t bytes, InterSend send) {
  send.remote(0, bytes);
  if (is_first(place)) to_each_remote(place, bytes, send);
}

}  // namespace

void Inter::messages(Collective collective, const InterPlace& place, const Arguments& call,
                     InterSend send) const {
  const InterCall inter{within_, place, call, send};
  switch (collective) {
    case Collective::barrier:
      return inter.allreduce(one_int, true);
    case Collective::bcast:
      return inter.bcast();
    case Collective::reduce:
      return inter.reduce();
    case Collective::allreduce:
      return inter.allreduce(call.payload, call.commutes);
    case Collective::gather:
      return inter.gather();
    case Collective::gatherv:
      if (call.root_is == RootIs::rank) inter.gatherv(call.root);
      return;
    case Collective::scatter:
      return inter.scatter();
    case Collective::scatterv:
      return inter.scatterv();
    case Collective::allgather:
      return inter.allgather();
    case Collective::allgatherv:
      return inter.allgatherv();
    case Collective::alltoall:
      return to_each_remote(place, call.payload.bytes(), send);
    case Collective::alltoallv:
      return own_block_to_each_remote(place, call.blocks, send);
    case Collective::alltoallw:
      return own_type_to_each_remote(place, call.bytes_to, send);
    case Collective::reduce_scatter:
      return inter.reduce_scatter();
    case Collective::reduce_scatter_block:
      return inter.reduce_scatter_block();
    case Collective::scan:
    case Collective::exscan:
      return;  // MPI has none between groups
  }
}

void LibnbcInter::messages(Collective collective, const InterPlace& place, const Arguments& call,
                           InterSend send) const {
  const Payload& payload = call.payload;
  const bool is_root = call.root_is == RootIs::caller;
  const bool is_to_root = call.root_is == RootIs::rank;
  switch (collective) {
    case Collective::barrier:
      send.remote(0, 0);
      if (!is_first(place)) return;
      for (int peer = 1; peer < place.remote_size; ++peer) send.remote(peer, 0);
      return;
    case Collective::bcast:
    case Collective::scatter:
      if (is_root) to_each_remote(place, payload.bytes(), send);
      return;
    case Collective::reduce:
      if (is_to_root && payload.count > 0) send.remote(call.root, payload.bytes());
      return;
    case Collective::allreduce:
      if (payload.count > 0) through_first(place, payload.bytes(), send);
      return;
    case Collective::gather:
    case Collective::gatherv:
      if (is_to_root) send.remote(call.root, payload.bytes());
      return;
    case Collective::scatterv:
      for (int peer = 0; is_root && peer < place.remote_size; ++peer) {
        send.remote(peer, call.blocks.bytes(peer));
      }
      return;
    case Collective::allgatherv:
      if (payload.count > 0) to_each_remote(place, payload.bytes(), send);
      return;
    case Collective::allgather:
    case Collective::alltoall:
      return to_each_remote(place, payload.bytes(), send);
    case Collective::alltoallv:
      return own_block_to_each_remote(place, call.blocks, send);
    case Collective::alltoallw:
      return own_type_to_each_remote(place, call.bytes_to, send);
    case Collective::reduce_scatter:
      return reduce_and_scatter(place, call.blocks, send);
    case Collective::reduce_scatter_block:
      return reduce_and_scatter(place, Blocks(payload.count, payload.element), send);
    case Collective::scan:
    case Collective::exscan:
      return;  // MPI has none between groups
  }
}

}  // namespace kith::record::openmpi
