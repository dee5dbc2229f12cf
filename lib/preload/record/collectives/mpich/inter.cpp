// Collectives between two groups, as MPICH sends them.
#include "record/collectives/models.hpp"
#include "record/collectives/remote_group.hpp"

namespace kith::record {
namespace {

constexpr std::uint64_t short_total =
    2048;  // of gathered or scattered bytes: through the first ranks
constexpr Payload one_byte{1, 1};

bool is_first(const InterPlace& place) {
  return place.local.rank == 0;
}

/// One call on one rank.
struct InterCall {
  const IntraModel& library;  ///< within the group
  const InterPlace& place;
  const Arguments& call;
  InterSend send;

  bool is_root() const { return call.root_is == RootIs::caller; }
  bool is_to_root() const { return call.root_is == RootIs::rank; }

  /// The same in the own group, with its first rank as root.
  void within(Collective collective, const Arguments& arguments) const {
    library.messages(collective, place.local, arguments, send.local);
  }
  /// From the first rank to the first of the other group, which tells its own.
  void swap_and_tell(std::uint64_t own, const Payload& theirs) const {
    if (is_first(place)) send.remote(0, own);
    within(Collective::bcast, {.payload = theirs});
  }

  void barrier() const {
    within(Collective::barrier, {});
    swap_and_tell(one_byte.bytes(), one_byte);
  }

  void bcast() const {
    if (is_root()) send.remote(0, call.payload.bytes());
    if (is_to_root()) within(Collective::bcast, {.payload = call.payload});
  }

  /// To rank `root` of the other group.
  void reduce(int root, const Payload& payload) const {
    within(Collective::reduce,
           {.payload = payload, .commutes = call.commutes, .is_built_in = call.is_built_in});
    if (is_first(place)) send.remote(root, payload.bytes());
  }

  void allreduce() const {
    within(Collective::reduce,
           {.payload = call.payload, .commutes = call.commutes, .is_built_in = call.is_built_in});
    swap_and_tell(call.payload.bytes(), call.payload);
  }

  void gather() const {
    if (!is_to_root()) return;
    const std::uint64_t all = call.payload.bytes() * static_cast<std::uint64_t>(place.local.size);
    if (all >= short_total) {
      send.remote(call.root, call.payload.bytes());
      return;
    }
    within(Collective::gather, {.payload = call.payload});
    if (is_first(place)) send.remote(call.root, all);
  }

  void scatter() const {
    const bool is_in_root_group = !is_to_root();
    const int receivers = is_in_root_group ? place.remote_size : place.local.size;
    const std::uint64_t all = call.payload.bytes() * static_cast<std::uint64_t>(receivers);
    if (all >= short_total) {
      if (is_root()) to_each_remote(place, call.payload.bytes(), send);
      return;
    }
    if (is_root()) send.remote(0, all);
    if (is_to_root()) within(Collective::scatter, {.payload = call.payload});
  }

  void scatterv() const {
    if (is_root()) own_block_to_each_remote(place, call.blocks, send);
  }

  void allgather() const {
    if (call.payload.count > 0) within(Collective::gather, {.payload = call.payload});
    const std::int64_t received = call.blocks.count(0, place.remote_size);
    if (is_first(place) && call.payload.count > 0) {
      send.remote(0, call.payload.bytes() * static_cast<std::uint64_t>(place.local.size));
    }
    if (received > 0) within(Collective::bcast, {.payload = {received, call.blocks.element()}});
  }

  void allgatherv() const {
    if (call.payload.count > 0) send.remote(0, call.payload.bytes());
    within(Collective::bcast, {.payload = {1, call.blocks.bytes(0, place.remote_size)}});
  }

  void reduce_scatter() const {
    reduce(0, {call.blocks.count(0, place.local.size), call.blocks.element()});
    within(Collective::scatterv, {.blocks = call.blocks});
  }

  void reduce_scatter_block() const {
    reduce(0, {call.payload.count * place.local.size, call.payload.element});
    within(Collective::scatter, {.payload = call.payload});
  }
};

}  // namespace

void MpichInter::messages(Collective collective, const InterPlace& place, const Arguments& call,
                          InterSend send) const {
  const InterCall inter{within_, place, call, send};
  switch (collective) {
    case Collective::barrier:
      return inter.barrier();
    case Collective::bcast:
      return inter.bcast();
    case Collective::reduce:
      if (inter.is_to_root()) inter.reduce(call.root, call.payload);
      return;
    case Collective::allreduce:
      return inter.allreduce();
    case Collective::gather:
      return inter.gather();
    case Collective::gatherv:
      if (inter.is_to_root() && call.payload.count > 0)
        send.remote(call.root, call.payload.bytes());
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

}  // namespace kith::record
