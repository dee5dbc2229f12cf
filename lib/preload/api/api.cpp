// kith.h
#include <cstring>
#include <new>
#include <string>

#include "api/redistribution/redistribute.hpp"
#include "api/reordering.hpp"
#include "comm/private_comm.hpp"
#include "core/log.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/late_mpi.h"
#include "mpi/world.hpp"
#include "order/job_state.hpp"
#include "order/order.hpp"
#include "record/call_context.hpp"

// After late_mpi.h, which redefines what mpi.h declares.
#include "kith/kith.h"

namespace kith::preload {
namespace {

constexpr std::size_t longest_phase_name = 255;

int checkpoint(MPI_Comm comm, const char* phase) {
  JobState& state = job_state();
  // Kith is off in this run: no trace to divide, and perhaps ranks without Kith, not to be asked.
  if (!state.has_begun) return MPI_SUCCESS;
  PrivateComm private_comm(comm);
  if (!private_comm.all_agree(phase != nullptr && *phase != '\0')) return MPI_ERR_ARG;
  const std::string name = private_comm.broadcast({phase, strnlen(phase, longest_phase_name)});
  bool is_marked = true;
  try {
    mark_checkpoint();
  } catch (const std::bad_alloc&) {
    is_marked = false;
  }
  if (!private_comm.all_agree(is_marked)) return MPI_ERR_NO_MEM;
  if (!state.tracing) return MPI_SUCCESS;  // only the trace tells phases apart
  state.phases.close(name);
  return MPI_SUCCESS;
}

/// MPI itself ends the process when it is asked about a world that it does not have. (A
/// communicator of an MPI session is good without MPI_Init.)
bool can_use(MPI_Comm comm, const char* function) {
  if (!mpi::bind()) return false;
  if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) return true;
  int has_begun = 0;
  int has_ended = 0;
  PMPI_Initialized(&has_begun);
  PMPI_Finalized(&has_ended);
  if (has_begun != 0 && has_ended == 0) return true;
  log_line(std::string(function) +
           (has_ended != 0 ? ": called after MPI_Finalize" : ": called before MPI_Init") +
           "; nothing was done");
  return false;
}

}  // namespace
}  // namespace kith::preload

using namespace kith::preload;

#define KITH_API extern "C" __attribute__((visibility("default")))

KITH_API int kith_reorder(MPI_Comm comm, const kith_options* options, MPI_Comm* reordered) {
  if (!can_use(comm, "kith_reorder")) return MPI_ERR_OTHER;
  const kith::record::OwnCalls own;
  comm = kith::mpi::seen(comm);
  if (!is_intracommunicator(comm)) return MPI_ERR_COMM;
  return reorder(comm, options, reordered);
}

KITH_API int kith_reorder_graph(MPI_Comm comm, int degree, const int peers[],
                                const double weights[], const kith_options* options,
                                MPI_Comm* reordered) {
  if (!can_use(comm, "kith_reorder_graph")) return MPI_ERR_OTHER;
  const kith::record::OwnCalls own;
  comm = kith::mpi::seen(comm);
  if (!is_intracommunicator(comm)) return MPI_ERR_COMM;
  return reorder_graph(comm, {degree, peers, weights}, options, reordered);
}

KITH_API int kith_checkpoint(MPI_Comm comm, const char* phase) {
  if (!can_use(comm, "kith_checkpoint")) return MPI_ERR_OTHER;
  const kith::record::OwnCalls own;
  comm = kith::mpi::seen(comm);
  if (!is_intracommunicator(comm)) return MPI_ERR_COMM;
  int relation = MPI_UNEQUAL;
  PMPI_Comm_compare(comm, kith::mpi::program_world(), &relation);
  if (relation == MPI_UNEQUAL) return MPI_ERR_COMM;
  try {
    return checkpoint(comm, phase);
  } catch (const std::exception& error) {
    kith::log_line(std::string("checkpoint: ") + error.what());
    return MPI_ERR_OTHER;
  }
}

KITH_API int kith_redistribute(MPI_Comm from, MPI_Comm to, void* buffer, MPI_Count count,
                               MPI_Datatype type) {
  if (!can_use(from, "kith_redistribute")) return MPI_ERR_OTHER;
  const kith::record::OwnCalls own;
  from = kith::mpi::seen(from);
  if (!is_intracommunicator(from)) return MPI_ERR_COMM;
  try {
    return redistribute(from, kith::mpi::seen(to), buffer, count, type);
  } catch (const std::exception& error) {
    kith::log_line(std::string("kith_redistribute: ") + error.what());
    return MPI_ERR_OTHER;
  }
}

KITH_API int kith_decision(MPI_Comm comm, kith_report* report) {
  if (!kith::mpi::bind() || comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  if (!is_report(report)) return MPI_ERR_ARG;
  const auto& world_order = job_state().world_order;
  const Order* const order =
      comm == MPI_COMM_WORLD ? (world_order ? &*world_order : nullptr) : attached(comm);
  if (order == nullptr) return MPI_ERR_COMM;
  fill(*order, report);
  return MPI_SUCCESS;
}
