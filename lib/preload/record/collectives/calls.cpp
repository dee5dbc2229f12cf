// From the arguments of an MPI call to those of the decomposition.
#include "record/collectives/collectives.hpp"
#include "record/collectives/emitter.hpp"

namespace kith::record {
namespace {

// Calls within(library, place, send) or, between two groups, between(library, place, sends).
template <class Within, class Between>
void decompose(const CollectiveOn& on, Within within, Between between) {
  const auto member = member_of(on.comm);
  if (!member) return;
  Emitter emitter(*member, on, CallClass::coll);
  auto to_peer = [&](int peer, std::uint64_t bytes) { emitter.to_peer(peer, bytes); };
  auto to_own_group = [&](int peer, std::uint64_t bytes) { emitter.to_own_group(peer, bytes); };
  if (member->inter) {
    between(between_groups(on.timing), InterPlace{member->place, member->remote_size},
            InterSend{to_own_group, to_peer});
  } else if (member->place.size > 1) {
    within(within_group(on.timing), member->place, Send(to_peer));
  }
}

Payload payload_of(std::int64_t count, MPI_Datatype datatype) {
  return {count, size_of(datatype)};
}

bool commutes(MPI_Op op) {
  int flag = 1;
  PMPI_Op_commutative(op, &flag);
  return flag != 0;
}

InterRoot inter_root(int root) {
  if (root == MPI_ROOT) return {InterRoot::Is::caller};
  if (root == MPI_PROC_NULL) return {InterRoot::Is::same_group};
  return {InterRoot::Is::other_group, root};
}

// Calls without data that the bindings answer themselves; some are set up all the same where they
// are persistent, or not blocking.
bool answered_without_data(const CollectiveOn& on, bool no_data) {
  return no_data && on.timing != Timing::persistent;
}
bool blocking_without_data(const CollectiveOn& on, bool no_data) {
  return no_data && on.timing == Timing::blocking;
}

bool all_zero(const int counts[], int size) {
  for (int i = 0; i < size; ++i) {
    if (counts[i] != 0) return false;
  }
  return true;
}

}  // namespace

void barrier(const CollectiveOn& on) {
  decompose(
      on, [](const auto& library, const Place& place, Send send) { library.barrier(place, send); },
      [](const auto& library, const InterPlace& place, InterSend send) {
        library.barrier(place, send);
      });
}

void bcast(const CollectiveOn& on, int root, int count, MPI_Datatype datatype) {
  if (answered_without_data(on, count == 0)) return;
  const Payload payload = payload_of(count, datatype);
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        library.bcast(place, root, payload, send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        library.bcast(place, inter_root(root), payload, send);
      });
}

void reduce(const CollectiveOn& on, int root, int count, MPI_Datatype datatype, MPI_Op op) {
  if (count == 0) return;
  const Payload payload = payload_of(count, datatype);
  const auto operands = [&] { return Operands{commutes(op), false}; };
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        library.reduce(place, root, payload, operands(), send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        library.reduce(place, inter_root(root), payload, operands(), send);
      });
}

void allreduce(const CollectiveOn& on, const void* sendbuf, int count, MPI_Datatype datatype,
               MPI_Op op) {
  if (count == 0) return;
  const Payload payload = payload_of(count, datatype);
  const auto operands = [&] { return Operands{commutes(op), sendbuf == MPI_IN_PLACE}; };
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        library.allreduce(place, payload, operands(), send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        library.allreduce(place, payload, operands(), send);
      });
}

void gather(const CollectiveOn& on, int root, const void* sendbuf, int sendcount,
            MPI_Datatype sendtype, int recvcount, MPI_Datatype recvtype) {
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        const bool is_root = place.rank == root;
        const bool in_place = is_root && sendbuf == MPI_IN_PLACE;
        if (blocking_without_data(on, (in_place ? recvcount : sendcount) == 0)) return;
        const Payload block =
            is_root ? payload_of(recvcount, recvtype) : payload_of(sendcount, sendtype);
        library.gather(place, root, block, send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        const InterRoot where = inter_root(root);
        if (where.is != InterRoot::Is::other_group) return;  // it only receives
        if (blocking_without_data(on, sendcount == 0)) return;
        library.gather(place, where, payload_of(sendcount, sendtype), send);
      });
}

void gatherv(const CollectiveOn& on, int root, int sendcount, MPI_Datatype sendtype) {
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        if (place.rank == root) return;  // it only receives
        library.gatherv(place, root, payload_of(sendcount, sendtype), send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        const InterRoot where = inter_root(root);
        if (where.is != InterRoot::Is::other_group) return;
        library.gatherv(place, where, payload_of(sendcount, sendtype), send);
      });
}

void scatter(const CollectiveOn& on, int root, int sendcount, MPI_Datatype sendtype,
             const void* recvbuf, int recvcount, MPI_Datatype recvtype) {
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        const bool is_root = place.rank == root;
        const bool in_place = is_root && recvbuf == MPI_IN_PLACE;
        if (blocking_without_data(on, (in_place ? sendcount : recvcount) == 0)) return;
        const Payload block =
            is_root ? payload_of(sendcount, sendtype) : payload_of(recvcount, recvtype);
        library.scatter(place, root, block, send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        const InterRoot where = inter_root(root);
        if (where.is == InterRoot::Is::same_group) return;
        const Payload block = where.is == InterRoot::Is::caller ? payload_of(sendcount, sendtype)
                                                                : payload_of(recvcount, recvtype);
        if (blocking_without_data(on, block.count == 0)) return;
        library.scatter(place, where, block, send);
      });
}

void scatterv(const CollectiveOn& on, int root, const int sendcounts[], MPI_Datatype sendtype,
              int recvcount, MPI_Datatype recvtype) {
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        if (place.rank != root) return;  // the others only receive
        library.scatterv(place, root, Blocks(sendcounts, size_of(sendtype)), send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        const InterRoot where = inter_root(root);
        if (where.is == InterRoot::Is::same_group) return;
        const bool is_root = where.is == InterRoot::Is::caller;
        const Blocks blocks =
            is_root ? Blocks(sendcounts, size_of(sendtype)) : Blocks(std::int64_t{0}, 0);
        const Payload received = is_root ? Payload{0, 0} : payload_of(recvcount, recvtype);
        library.scatterv(place, where, blocks, received, send);
      });
}

void allgather(const CollectiveOn& on, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
               int recvcount, MPI_Datatype recvtype) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const Payload received = payload_of(recvcount, recvtype);
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        const bool no_data = (!in_place && sendcount == 0) || recvcount == 0;
        if (blocking_without_data(on, no_data)) return;
        const std::uint64_t element = in_place ? received.element : size_of(sendtype);
        library.allgather(place, Payload{sendcount, element}.bytes(), received, send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        if (blocking_without_data(on, sendcount == 0 && recvcount == 0)) return;
        library.allgather(place, payload_of(sendcount, sendtype), received, send);
      });
}

void allgatherv(const CollectiveOn& on, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                const int recvcounts[], MPI_Datatype recvtype) {
  const Blocks blocks(recvcounts, size_of(recvtype));
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        if (blocking_without_data(on, all_zero(recvcounts, place.size))) return;
        const bool in_place = sendbuf == MPI_IN_PLACE;
        library.allgatherv(place, in_place ? blocks.element() : size_of(sendtype), blocks, send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        library.allgatherv(place, payload_of(sendcount, sendtype), blocks, send);
      });
}

void alltoall(const CollectiveOn& on, const void* sendbuf, int sendcount, MPI_Datatype sendtype,
              int recvcount, MPI_Datatype recvtype) {
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        const bool in_place = sendbuf == MPI_IN_PLACE;
        const Payload received = payload_of(recvcount, recvtype);
        if (blocking_without_data(on, received.bytes() == 0)) return;
        const Payload block = in_place ? received : payload_of(sendcount, sendtype);
        library.alltoall(place, block, Operands{true, in_place}, send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        library.alltoall(place, payload_of(sendcount, sendtype), send);
      });
}

void alltoallv(const CollectiveOn& on, const void* sendbuf, const int sendcounts[],
               MPI_Datatype sendtype, const int recvcounts[], MPI_Datatype recvtype) {
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        // In place, the receive arguments describe what is sent as well.
        const bool in_place = sendbuf == MPI_IN_PLACE;
        const Blocks blocks = in_place ? Blocks(recvcounts, size_of(recvtype))
                                       : Blocks(sendcounts, size_of(sendtype));
        library.alltoallv(place, blocks, Operands{true, in_place}, send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        library.alltoallv(place, Blocks(sendcounts, size_of(sendtype)), send);
      });
}

void alltoallw(const CollectiveOn& on, const void* sendbuf, const int sendcounts[],
               const MPI_Datatype sendtypes[], const int recvcounts[],
               const MPI_Datatype recvtypes[]) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const int* const counts = in_place ? recvcounts : sendcounts;
  const MPI_Datatype* const datatypes = in_place ? recvtypes : sendtypes;
  const auto bytes_to = [&](int peer) {
    return counts[peer] == 0 ? 0 : payload_of(counts[peer], datatypes[peer]).bytes();
  };
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        const Operands operands{true, in_place};
        for (int distance = 1; distance < place.size; ++distance) {
          const int peer = place.next(distance);
          const std::uint64_t bytes = bytes_to(peer);
          if (bytes > 0 || library.alltoallw_sends_empty(place, peer, operands)) send(peer, bytes);
        }
      },
      [&](const auto&, const InterPlace& place, InterSend send) {
        for (int peer = 0; peer < place.remote_size; ++peer) {
          const std::uint64_t bytes = bytes_to(peer);
          if (bytes > 0) send.remote(peer, bytes);
        }
      });
}

void reduce_scatter(const CollectiveOn& on, const int recvcounts[], MPI_Datatype datatype,
                    MPI_Op op) {
  const Blocks blocks(recvcounts, size_of(datatype));
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        if (all_zero(recvcounts, place.size)) return;
        library.reduce_scatter(place, blocks, Operands{commutes(op), false}, send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        if (all_zero(recvcounts, place.local.size)) return;
        library.reduce_scatter(place, blocks, send);
      });
}

void reduce_scatter_block(const CollectiveOn& on, int recvcount, MPI_Datatype datatype, MPI_Op op) {
  if (answered_without_data(on, recvcount == 0)) return;
  const Payload block = payload_of(recvcount, datatype);
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        library.reduce_scatter_block(place, block, Operands{commutes(op), false}, send);
      },
      [&](const auto& library, const InterPlace& place, InterSend send) {
        library.reduce_scatter_block(place, block, send);
      });
}

void scan(const CollectiveOn& on, int count, MPI_Datatype datatype) {
  if (answered_without_data(on, count == 0)) return;
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        library.scan(place, payload_of(count, datatype), send);
      },
      [](const auto&, const InterPlace&, InterSend) {});  // MPI has none between groups
}

void exscan(const CollectiveOn& on, int count, MPI_Datatype datatype) {
  if (blocking_without_data(on, count == 0)) return;
  decompose(
      on,
      [&](const auto& library, const Place& place, Send send) {
        library.exscan(place, payload_of(count, datatype), send);
      },
      [](const auto&, const InterPlace&, InterSend) {});
}

}  // namespace kith::record
