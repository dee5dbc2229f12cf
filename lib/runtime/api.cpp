// kith.h
#include <algorithm>
#include <cstring>

#include "core/log.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/late_mpi.h"
#include "mpi/world.hpp"
#include "record/call_context.hpp"
#include "record/record.hpp"
#include "runtime/communicators.hpp"
#include "runtime/decision.hpp"
#include "runtime/job_discovery.hpp"
#include "runtime/job_state.hpp"
#include "runtime/order.hpp"
#include "runtime/redistribution/redistribute.hpp"
#include "runtime/traffic_gather.hpp"

// After late_mpi.h, which redefines what mpi.h declares.
#include "kith/kith.h"

namespace kith::runtime {
namespace {

constexpr std::size_t longest_phase_name = 255;

// The row of this process with peers as ranks of `comm`; who is no member is left out.
record::Row row_within(MPI_Comm comm) {
  record::Row row = record::row_so_far();
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  PMPI_Comm_group(mpi::program_world(), &world);
  PMPI_Comm_group(comm, &members);
  for (record::Cells* const cells : {&row.sent, &row.fetched}) {
    std::erase_if(*cells, [&](record::RowCell& cell) {
      const int peer = static_cast<int>(cell.peer);
      int member = MPI_UNDEFINED;
      PMPI_Group_translate_ranks(world, 1, &peer, members, &member);
      if (member < 0) return true;
      cell.peer = static_cast<std::uint32_t>(member);
      return false;
    });
    std::ranges::sort(*cells, {}, &record::RowCell::peer);
  }
  PMPI_Group_free(&members);
  PMPI_Group_free(&world);
  return row;
}

void apply(const kith_options& options, OrderRequest& request) {
  Settings& settings = request.settings;
  if (options.algorithm != nullptr) settings.algorithm = options.algorithm;
  if (options.min_gain >= 0) settings.min_gain = options.min_gain;
  if (options.keep_rank0 >= 0) settings.keep_rank0 = options.keep_rank0 != 0;
  if (options.topology != nullptr) {
    settings.topology = options.topology;
    request.launcher_ranks.clear();
  }
}

Order decide(Team& team, MPI_Comm comm, const kith_options* options) {
  if (!job_state().team) {
    Order order;
    order.reason = "Kith did not see MPI_Init: nothing was recorded";
    return order;
  }
  OrderRequest request;
  std::vector<record::Cells> traffic;
  prepare(request, [&] { traffic = gather_rows(team, row_within(comm)); });
  ask_for(comm, request);
  if (options != nullptr) apply(*options, request);
  std::optional<JobDescription> job;
  prepare(request, [&] { job = discover_job(team, team.rank(), request.settings); });
  request.traffic = &traffic;
  request.has_state = true;
  if (job) request.job = &*job;
  return decide_order(team, request);
}

// Same result everywhere: either all get the reordered communicator or all a duplicate.
int reorder(MPI_Comm comm, const kith_options* options, MPI_Comm* reordered) {
  Order order;
  MPI_Comm made = MPI_COMM_NULL;
  try {
    Team team(comm);
    order = decide(team, comm, options);
    if (order.apply) {
      made = make_reordered(team, comm, order);
      if (made == MPI_COMM_NULL) {
        order.apply = false;
        order.reason = "the reordered communicator could not be made";
      }
    }
  } catch (const std::exception& error) {
    order = {};
    order.reason = error.what();
  }
  int code = MPI_SUCCESS;
  if (made == MPI_COMM_NULL) code = PMPI_Comm_dup(comm, &made);
  if (code != MPI_SUCCESS) return code;
  try {
    attach(made, std::move(order));
  } catch (const std::bad_alloc&) {
    // kith_decision will not know this communicator; the communicator itself is good.
  }
  *reordered = made;
  return MPI_SUCCESS;
}

int checkpoint(MPI_Comm comm, const char* phase) {
  JobState& state = job_state();
  if (!state.team) return MPI_SUCCESS;  // Kith is off in this run: there is no trace to divide
  Team team(comm);
  const std::string name = team.broadcast(std::string(phase).substr(0, longest_phase_name));
  if (!state.tracing) return MPI_SUCCESS;  // only the trace tells phases apart
  state.phases.close(name);
  return MPI_SUCCESS;
}

void copy_text(const std::string& text, char* out, std::size_t room) {
  const std::size_t length = std::min(text.size(), room - 1);
  std::memcpy(out, text.data(), length);
  out[length] = '\0';
}

}  // namespace
}  // namespace kith::runtime

using namespace kith::runtime;

#define KITH_API extern "C" __attribute__((visibility("default")))

KITH_API int kith_reorder(MPI_Comm comm, const kith_options* options, MPI_Comm* reordered) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  const kith::record::OwnCalls own;
  comm = kith::mpi::seen(comm);
  if (!is_intracommunicator(comm)) return MPI_ERR_COMM;
  if (reordered == nullptr) return MPI_ERR_ARG;
  if (options != nullptr && options->size != sizeof(kith_options)) return MPI_ERR_ARG;
  return reorder(comm, options, reordered);
}

KITH_API int kith_checkpoint(MPI_Comm comm, const char* phase) {
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
  const kith::record::OwnCalls own;
  comm = kith::mpi::seen(comm);
  if (!is_intracommunicator(comm)) return MPI_ERR_COMM;
  if (phase == nullptr || *phase == '\0') return MPI_ERR_ARG;
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
  if (!kith::mpi::bind()) return MPI_ERR_OTHER;
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
  if (report == nullptr || report->size != sizeof(kith_report)) return MPI_ERR_ARG;
  const auto& world_order = job_state().world_order;
  const Order* const order =
      comm == MPI_COMM_WORLD ? (world_order ? &*world_order : nullptr) : attached(comm);
  if (order == nullptr) return MPI_ERR_COMM;
  *report = {};
  report->size = sizeof(kith_report);
  report->reordered = order->apply ? 1 : 0;
  report->cost_before = order->cost_before;
  report->cost_after = order->cost_after;
  report->seconds = order->seconds;
  copy_text(order->algorithm, report->algorithm, sizeof report->algorithm);
  copy_text(order->reason, report->reason, sizeof report->reason);
  return MPI_SUCCESS;
}
