#include "record/collectives/model.hpp"

#include <atomic>
#include <cstring>
#include <new>

#include "record/collectives/mpich/mpich.hpp"
#include "record/collectives/openmpi/inter.hpp"
#include "record/collectives/openmpi/libnbc.hpp"
#include "record/collectives/openmpi/tuned.hpp"
#include "record/collectives/openmpi/users_settings.hpp"
#include "record/pml/exact.hpp"

namespace kith::record {
namespace {

// What one library does; by Timing, where it makes a difference.
struct Library {
  const IntraCollectives& blocking;
  const IntraCollectives& nonblocking;
  const InterCollectives& inter_blocking;
  const InterCollectives& inter_nonblocking;
  int agreements_to_make_communicator;
};

struct OpenMpi {
  openmpi::Settings settings = openmpi::users_settings();
  openmpi::Tuned tuned{settings};
  openmpi::Libnbc libnbc{settings};
  openmpi::Inter inter{tuned};
  openmpi::LibnbcInter libnbc_inter;
  Library library{tuned, libnbc, inter, libnbc_inter, 3};  // which is free, do all have it, done
};

// Between two groups MPICH, too, goes through the first ranks.
struct MpichFamily {
  Mpich mpich;
  openmpi::Inter inter{mpich};
  Library library{mpich, mpich, inter, inter, 0};
};

bool is_mpich() {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  if (PMPI_Get_library_version(version, &length) != MPI_SUCCESS) return false;
  for (const char* const name : {"MPICH", "MVAPICH", "Intel(R) MPI"}) {
    if (std::strstr(version, name) != nullptr) return true;
  }
  return false;
}

// Never destroyed: MPI calls may come from exit handlers. Throws std::bad_alloc.
const Library* make_library() {
  if (is_mpich()) return &(new MpichFamily)->library;
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

std::optional<Member> member_of(MPI_Comm comm) {
  if (!model_on.load(std::memory_order_acquire) || counted_exactly(comm)) return std::nullopt;
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

const IntraCollectives& within_group(Timing timing) {
  return timing == Timing::blocking ? in_use().blocking : in_use().nonblocking;
}

int agreements_to_make_communicator() {
  return in_use().agreements_to_make_communicator;
}

const InterCollectives& between_groups(Timing timing) {
  return timing == Timing::blocking ? in_use().inter_blocking : in_use().inter_nonblocking;
}

}  // namespace kith::record
