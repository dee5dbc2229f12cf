#include "record/collectives/library.hpp"

#include <atomic>

#include "mpi/library.hpp"
#include "record/collectives/models.hpp"
#include "record/pml/exact.hpp"

namespace kith::record {
namespace {

// What one library does; by Timing, where it makes a difference.
struct Library {
  const IntraModel& blocking;
  const IntraModel& nonblocking;
  const InterModel& inter_blocking;
  const InterModel& inter_nonblocking;
  Agreement agreement;
};

struct OpenMpi {
  openmpi::Settings settings = openmpi::users_settings();
  openmpi::Tuned tuned{settings};
  openmpi::Libnbc libnbc{settings};
  openmpi::Inter inter{tuned};
  openmpi::LibnbcInter libnbc_inter;
  // Which is free, do all have it, done.
  Library library{tuned, libnbc, inter, libnbc_inter, {3, 1, Timing::nonblocking}};
};

struct MpichFamily {
  Mpich blocking{Mpich::Calls::blocking};
  Mpich nonblocking{Mpich::Calls::nonblocking};
  MpichInter inter_blocking{blocking};
  MpichInter inter_nonblocking{nonblocking};
  // A bit for each identifier that is free, and a word that says who may take one.
  Library library{
      blocking, nonblocking, inter_blocking, inter_nonblocking, {1, 65, Timing::blocking}};
};

// Never destroyed: MPI calls may come from exit handlers. Throws std::bad_alloc.
const Library* make_library() {
  if (mpi::library_identity().family == mpi::Family::mpich) return &(new MpichFamily)->library;
  return &(new OpenMpi)->library;
}

constinit std::atomic<bool> model_on{false};
constinit std::atomic<const Library*> library{nullptr};  // made once

const Library& in_use() {
  return *library.load(std::memory_order_acquire);
}

}  // namespace

void set_collective_model(bool on) {
  if (on && library.load(std::memory_order_acquire) == nullptr) {
    try {
      library.store(make_library(), std::memory_order_release);
    } catch (const std::bad_alloc&) {
      on = false;
    }
  }
  model_on.store(on, std::memory_order_release);
}

namespace {

Member membership(MPI_Comm comm) {
  Member member{comm, {0, 0}, false, 0};
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  PMPI_Comm_size(comm, &member.place.size);
  PMPI_Comm_rank(comm, &member.place.rank);
  if (is_inter != 0) {
    member.inter = true;
    PMPI_Comm_remote_size(comm, &member.remote_size);
  }
  return member;
}

bool is_modelled(MPI_Comm comm) {
  return model_on.load(std::memory_order_acquire) && !counted_exactly(comm);
}

}  // namespace

std::optional<Member> member_of(MPI_Comm comm) {
  if (!is_modelled(comm)) return std::nullopt;
  return membership(comm);
}

std::optional<Listeners> listeners_of(MPI_Comm comm) {
  const bool counters = is_modelled(comm);
  ThreadTimeline* const timeline =
      model_on.load(std::memory_order_acquire) && has_timeline() ? this_timeline() : nullptr;
  if (!counters && timeline == nullptr) return std::nullopt;
  return Listeners{membership(comm), counters, timeline};
}

void emit_messages(Collective collective, Timing timing, const Member& member,
                   const Arguments& arguments, Emitter& emitter) {
  const Library& models = in_use();
  const bool is_blocking = timing == Timing::blocking;
  auto to_peer = [&](int peer, std::uint64_t bytes) { emitter.to_peer(peer, bytes); };
  if (!member.inter) {
    const IntraModel& model = is_blocking ? models.blocking : models.nonblocking;
    model.messages(collective, member.place, arguments, to_peer);
    return;
  }
  auto to_own_group = [&](int peer, std::uint64_t bytes) { emitter.to_own_group(peer, bytes); };
  const InterModel& model = is_blocking ? models.inter_blocking : models.inter_nonblocking;
  model.messages(collective, {member.place, member.remote_size}, arguments,
                 {to_own_group, to_peer});
}

Agreement agreement_on_identifier() {
  return in_use().agreement;
}

}  // namespace kith::record
