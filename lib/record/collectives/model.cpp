#include "record/collectives/model.hpp"

#include <atomic>
#include <new>

#include "record/collectives/openmpi/inter.hpp"
#include "record/collectives/openmpi/libnbc.hpp"
#include "record/collectives/openmpi/tuned.hpp"
#include "record/collectives/openmpi/users_settings.hpp"
#include "record/message_layer/exact.hpp"

namespace kith::record {
namespace {

struct OpenMpi {
  openmpi::Settings settings = openmpi::users_settings();
  openmpi::Tuned tuned{settings};
  openmpi::Libnbc libnbc{settings};
  openmpi::Inter inter{tuned};
  openmpi::LibnbcInter libnbc_inter;
};

constinit std::atomic<bool> model_on{false};
// Made once and never destroyed: MPI calls may come from exit handlers.
constinit std::atomic<const OpenMpi*> library{nullptr};

const OpenMpi& in_use() {
  return *library.load(std::memory_order_acquire);
}

}  // namespace

void set_collective_model(bool on) {
  if (on && library.load(std::memory_order_acquire) == nullptr) {
    try {
      library.store(new OpenMpi, std::memory_order_release);
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
  if (timing == Timing::blocking) return in_use().tuned;
  return in_use().libnbc;
}

const InterCollectives& between_groups(Timing timing) {
  if (timing == Timing::blocking) return in_use().inter;
  return in_use().libnbc_inter;
}

}  // namespace kith::record
