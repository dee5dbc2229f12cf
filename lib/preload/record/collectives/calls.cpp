// From the arguments of an MPI call to those of the model.
#include "record/collectives/calls.hpp"

#include "core/digest.hpp"
#include "record/collectives/library.hpp"

namespace kith::record {
namespace {

/// The event of a collective, without its list.
timeline::Event event_of(const Listeners& listeners, const CollectiveOn& on, Collective collective,
                         const Arguments& call) {
  constexpr auto first = static_cast<std::uint8_t>(Op::allgather);
  timeline::Event event;
  event.op = static_cast<Op>(first + static_cast<std::uint8_t>(collective));
  event.comm = number_of(*listeners.timeline, on.comm);
  event.bytes = call.payload.bytes();
  event.element = static_cast<std::uint32_t>(call.payload.element);
  if (call.root_is == RootIs::rank) event.peer = call.root;
  if (call.root_is == RootIs::caller) event.peer = timeline::root_is_caller;
  if (call.root_is == RootIs::own_group) event.peer = timeline::root_in_own_group;
  if (call.in_place) event.flags |= timeline::in_place;
  if (!call.commutes) event.flags |= timeline::not_commutative;
  return event;
}

/// Of counts that the event does not hold.
std::uint64_t digest_of(const Member& member, Collective collective, const Arguments& call) {
  std::uint64_t hash = call.blocks.element();
  if (!call.blocks.are_listed())
    return hash_with(hash, static_cast<std::uint64_t>(call.blocks.count(0)));
  const bool by_own_group = !member.inter || collective == Collective::reduce_scatter;
  const int size = by_own_group ? member.place.size : member.remote_size;
  for (int i = 0; i < size; ++i) {
    hash = hash_with(hash, static_cast<std::uint64_t>(call.blocks.count(i)));
  }
  return hash;
}

// Calls fill(member, arguments), which is false where this rank sends nothing. An emitter of its
// own even then: a persistent request whose handle came back has no messages any more.
template <class Fill>
void decompose(const CollectiveOn& on, Collective collective, Fill fill) {
  const auto listeners = listeners_of(on.comm);
  if (!listeners) return;
  const Member& member = listeners->member;
  ThreadTimeline* const thread = listeners->timeline;
  Arguments arguments;
  const bool sends = !member.is_alone() && fill(member, arguments);
  if (thread == nullptr) {
    Emitter emitter(*listeners, on, CallClass::coll, nullptr);
    if (sends) emit_messages(collective, on.timing, member, arguments, emitter);
    return;
  }
  CollectiveCall call(*thread, on, event_of(*listeners, on, collective, arguments));
  const bool is_known =
      !sends ||
      (!arguments.bytes_to && call.find_list(digest_of(member, collective, arguments)));
  {
    Emitter emitter(*listeners, on, CallClass::coll, is_known ? nullptr : &thread->numbers);
    thread->numbers.clear();
    if (sends && (listeners->counters || !is_known)) {
      emit_messages(collective, on.timing, member, arguments, emitter);
    }
    if (!is_known) call.take_list(emitter.listed());
  }
  if (!member.is_alone()) call.append();
}

Payload payload_of(std::int64_t count, MPI_Datatype datatype) {
  return {count, size_of(datatype)};
}

Blocks blocks_of(Counts counts, MPI_Datatype datatype) {
  return {counts, size_of(datatype)};
}

/// One of MPI's own, by its handle; what Open MPI sends doesn't depend on it.
bool is_built_in([[maybe_unused]] MPI_Op op) {
#if defined(OPEN_MPI)
  return true;
#elif defined(KITH_STANDARD_INTERFACE)
  return reinterpret_cast<std::uintptr_t>(op) < 4096;
#else
  return static_cast<unsigned>(op) >> 30 == 1;
#endif
}

void set_operation(MPI_Op op, Arguments& call) {
  int flag = 1;
  PMPI_Op_commutative(op, &flag);
  call.commutes = flag != 0;
  call.is_built_in = is_built_in(op);
}

void set_root(const Member& member, int root, Arguments& call) {
  call.root = root;
  if (member.inter && root == MPI_ROOT) call.root_is = RootIs::caller;
  if (member.inter && root == MPI_PROC_NULL) call.root_is = RootIs::own_group;
}

/// Within a group, or between two.
bool is_root(const Member& member, const Arguments& call) {
  return member.inter ? call.root_is == RootIs::caller : member.place.rank == call.root;
}

// Calls without data that the bindings answer themselves; some are set up all the same where they
// are persistent, or not blocking.
bool answered_without_data(const CollectiveOn& on, bool no_data) {
  return no_data && on.timing != Timing::persistent;
}
bool blocking_without_data(const CollectiveOn& on, bool no_data) {
  return no_data && on.timing == Timing::blocking;
}

bool all_zero(Counts counts, int size) {
  for (int i = 0; i < size; ++i) {
    if (counts[i] != 0) return false;
  }
  return true;
}

constexpr std::uint64_t int_bytes = 4;

}  // namespace

void barrier(const CollectiveOn& on) {
  decompose(on, Collective::barrier, [](const Member&, Arguments&) { return true; });
}

void bcast(const CollectiveOn& on, int root, std::int64_t count, MPI_Datatype datatype) {
  if (answered_without_data(on, count == 0)) return;
  decompose(on, Collective::bcast, [&](const Member& member, Arguments& call) {
    set_root(member, root, call);
    call.payload = payload_of(count, datatype);
    return true;
  });
}

void reduce(const CollectiveOn& on, int root, std::int64_t count, MPI_Datatype datatype,
            MPI_Op op) {
  if (count == 0) return;
  decompose(on, Collective::reduce, [&](const Member& member, Arguments& call) {
    set_root(member, root, call);
    call.payload = payload_of(count, datatype);
    set_operation(op, call);
    return true;
  });
}

void allreduce(const CollectiveOn& on, const void* sendbuf, std::int64_t count,
               MPI_Datatype datatype, MPI_Op op) {
  if (count == 0) return;
  decompose(on, Collective::allreduce, [&](const Member&, Arguments& call) {
    call.payload = payload_of(count, datatype);
    set_operation(op, call);
    call.in_place = sendbuf == MPI_IN_PLACE;
    return true;
  });
}

void gather(const CollectiveOn& on, int root, const void* sendbuf, std::int64_t sendcount,
            MPI_Datatype sendtype, std::int64_t recvcount, MPI_Datatype recvtype) {
  decompose(on, Collective::gather, [&](const Member& member, Arguments& call) {
    set_root(member, root, call);
    const bool receives = is_root(member, call);
    if (member.inter && call.root_is != RootIs::rank) return false;  // it only receives
    const bool in_place = receives && sendbuf == MPI_IN_PLACE;
    if (blocking_without_data(on, (in_place ? recvcount : sendcount) == 0)) return false;
    call.payload = receives ? payload_of(recvcount, recvtype) : payload_of(sendcount, sendtype);
    return true;
  });
}

void gatherv(const CollectiveOn& on, int root, std::int64_t sendcount, MPI_Datatype sendtype) {
  decompose(on, Collective::gatherv, [&](const Member& member, Arguments& call) {
    set_root(member, root, call);
    const bool sends = call.root_is == RootIs::rank && !is_root(member, call);
    if (sends) call.payload = payload_of(sendcount, sendtype);
    return sends;
  });
}

void scatter(const CollectiveOn& on, int root, std::int64_t sendcount, MPI_Datatype sendtype,
             const void* recvbuf, std::int64_t recvcount, MPI_Datatype recvtype) {
  decompose(on, Collective::scatter, [&](const Member& member, Arguments& call) {
    set_root(member, root, call);
    if (call.root_is == RootIs::own_group) return false;
    const bool sends = is_root(member, call);
    call.payload = sends ? payload_of(sendcount, sendtype) : payload_of(recvcount, recvtype);
    // What this rank receives decides, and what it sends where it receives nothing.
    const bool receives_nothing = sends && (member.inter || recvbuf == MPI_IN_PLACE);
    return !blocking_without_data(on, (receives_nothing ? sendcount : recvcount) == 0);
  });
}

void scatterv(const CollectiveOn& on, int root, Counts sendcounts, MPI_Datatype sendtype,
              std::int64_t recvcount, MPI_Datatype recvtype) {
  decompose(on, Collective::scatterv, [&](const Member& member, Arguments& call) {
    set_root(member, root, call);
    if (is_root(member, call)) {
      call.blocks = blocks_of(sendcounts, sendtype);
      return true;
    }
    if (!member.inter || call.root_is == RootIs::own_group) return false;  // it only receives
    call.payload = payload_of(recvcount, recvtype);
    return true;
  });
}

void allgather(const CollectiveOn& on, const void* sendbuf, std::int64_t sendcount,
               MPI_Datatype sendtype, std::int64_t recvcount, MPI_Datatype recvtype) {
  decompose(on, Collective::allgather, [&](const Member& member, Arguments& call) {
    const bool in_place = sendbuf == MPI_IN_PLACE;
    const bool sends_nothing = !in_place && sendcount == 0;
    const bool receives_nothing = recvcount == 0;
    const bool no_data =
        member.inter ? sends_nothing && receives_nothing : sends_nothing || receives_nothing;
    if (blocking_without_data(on, no_data)) return false;
    const std::uint64_t received = size_of(recvtype);
    call.payload = {sendcount, in_place ? received : size_of(sendtype)};
    call.blocks = Blocks(std::int64_t{recvcount}, received);
    return true;
  });
}

void allgatherv(const CollectiveOn& on, const void* sendbuf, std::int64_t sendcount,
                MPI_Datatype sendtype, Counts recvcounts, MPI_Datatype recvtype) {
  decompose(on, Collective::allgatherv, [&](const Member& member, Arguments& call) {
    const bool no_data = !member.inter && all_zero(recvcounts, member.place.size);
    if (blocking_without_data(on, no_data)) return false;
    call.blocks = blocks_of(recvcounts, recvtype);
    const bool in_place = sendbuf == MPI_IN_PLACE;
    call.payload = {sendcount, in_place ? call.blocks.element() : size_of(sendtype)};
    return true;
  });
}

void alltoall(const CollectiveOn& on, const void* sendbuf, std::int64_t sendcount,
              MPI_Datatype sendtype, std::int64_t recvcount, MPI_Datatype recvtype) {
  decompose(on, Collective::alltoall, [&](const Member& member, Arguments& call) {
    call.in_place = !member.inter && sendbuf == MPI_IN_PLACE;
    const Payload received = payload_of(recvcount, recvtype);
    if (!member.inter && blocking_without_data(on, received.bytes() == 0)) return false;
    call.payload = call.in_place ? received : payload_of(sendcount, sendtype);
    return true;
  });
}

void alltoallv(const CollectiveOn& on, const void* sendbuf, Counts sendcounts,
               MPI_Datatype sendtype, Counts recvcounts, MPI_Datatype recvtype) {
  decompose(on, Collective::alltoallv, [&](const Member& member, Arguments& call) {
    // In place, the receive arguments describe what is sent as well.
    call.in_place = !member.inter && sendbuf == MPI_IN_PLACE;
    call.blocks = call.in_place ? blocks_of(recvcounts, recvtype) : blocks_of(sendcounts, sendtype);
    return true;
  });
}

void alltoallw(const CollectiveOn& on, const void* sendbuf, Counts sendcounts,
               const MPI_Datatype sendtypes[], Counts recvcounts, const MPI_Datatype recvtypes[]) {
  const bool in_place = sendbuf == MPI_IN_PLACE;
  const Counts counts = in_place ? recvcounts : sendcounts;
  const MPI_Datatype* const datatypes = in_place ? recvtypes : sendtypes;
  const auto bytes_to = [&](int peer) -> std::uint64_t {
    return counts[peer] == 0 ? 0 : payload_of(counts[peer], datatypes[peer]).bytes();
  };
  decompose(on, Collective::alltoallw, [&](const Member&, Arguments& call) {
    call.in_place = in_place;
    call.bytes_to = bytes_to;
    return true;
  });
}

void reduce_scatter(const CollectiveOn& on, Counts recvcounts, MPI_Datatype datatype, MPI_Op op) {
  decompose(on, Collective::reduce_scatter, [&](const Member& member, Arguments& call) {
    if (all_zero(recvcounts, member.place.size)) return false;
    call.blocks = blocks_of(recvcounts, datatype);
    set_operation(op, call);
    return true;
  });
}

void reduce_scatter_block(const CollectiveOn& on, std::int64_t recvcount, MPI_Datatype datatype,
                          MPI_Op op) {
  if (answered_without_data(on, recvcount == 0)) return;
  decompose(on, Collective::reduce_scatter_block, [&](const Member&, Arguments& call) {
    call.payload = payload_of(recvcount, datatype);
    set_operation(op, call);
    return true;
  });
}

void scan(const CollectiveOn& on, std::int64_t count, MPI_Datatype datatype) {
  if (answered_without_data(on, count == 0)) return;
  decompose(on, Collective::scan, [&](const Member&, Arguments& call) {
    call.payload = payload_of(count, datatype);
    return true;
  });
}

void exscan(const CollectiveOn& on, std::int64_t count, MPI_Datatype datatype) {
  if (blocking_without_data(on, count == 0)) return;
  decompose(on, Collective::exscan, [&](const Member&, Arguments& call) {
    call.payload = payload_of(count, datatype);
    return true;
  });
}

// --- making a communicator: its members agree on an identifier, by collectives on the old one
// -----

namespace {

void agree(const Member& member, Timing timing, Emitter& emitter) {
  const Agreement agreement = agreement_on_identifier();
  const Arguments ints{.payload = {agreement.ints, int_bytes}};
  for (int i = 0; i < agreement.rounds; ++i) {
    emit_messages(Collective::allreduce, timing, member, ints, emitter);
  }
}

void count_agreement(MPI_Comm from, bool is_nonblocking) {
  const auto member = member_of(from);
  if (!member || member->inter || member->is_alone()) return;
  const Timing timing = is_nonblocking ? Timing::nonblocking : agreement_on_identifier().timing;
  const CollectiveOn on(from);
  Emitter emitter(*member, on, CallClass::coll);
  agree(*member, timing, emitter);
}

}  // namespace

void communicator_made(MPI_Comm from) {
  count_agreement(from, false);
}

// What is seen of its messages within the call is the beginning; the rest goes in any later one.
void duplicate_begun(MPI_Comm from) {
  count_agreement(from, true);
  const auto listeners = listeners_of(from);
  if (!listeners || listeners->counters || listeners->timeline == nullptr) return;
  if (listeners->member.inter || listeners->member.is_alone()) return;
  ThreadTimeline& thread = *listeners->timeline;
  thread.forget_inner_messages();
  thread.numbers.clear();
  const CollectiveOn on(from);
  Emitter emitter(*listeners, on, CallClass::coll, &thread.numbers);
  agree(listeners->member, Timing::nonblocking, emitter);
  for (std::size_t i = 0; i + 2 < thread.numbers.size(); i += 3) {
    thread.inner_message(static_cast<std::int32_t>(thread.numbers.data()[i]),
                         static_cast<std::uint64_t>(thread.numbers.data()[i + 1]));
  }
}

void communicator_split(MPI_Comm from) {
  const auto member = member_of(from);
  if (!member || member->inter || member->is_alone()) return;
  const CollectiveOn on(from);
  Emitter emitter(*member, on, CallClass::coll);
  const Arguments colour_and_key{.payload = {2, int_bytes},
                                 .blocks = Blocks(std::int64_t{2}, int_bytes)};
  emit_messages(Collective::allgather, Timing::blocking, *member, colour_and_key, emitter);
  communicator_made(from);
}

}  // namespace kith::record
