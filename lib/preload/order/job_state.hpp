// What Kith knows about the job it lives in.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "comm/private_comm.hpp"
#include "job/presence.hpp"
#include "kith/detail/job.hpp"
#include "order/order.hpp"
#include "protocol/settings.hpp"
#include "record/record.hpp"
#include "trace/partial_trace.hpp"
#include "trace/phase_book.hpp"

namespace kith::preload {

/// Why some calls of this program may not reach us, as a clause; empty when all do.
using BypassReason = std::string (*)();

struct JobState {
  Settings settings;  ///< of this process; decisions follow the root's
  ProgramCalls calls;
  bool may_order_topologies = false;  ///< what this rank has told the others before MPI_Init
  bool has_begun = false;             ///< MPI is initialised, and Kith is not off for this run
  bool has_met = false;               ///< with all others, at MPI_Init
  /// Of the library's world, launcher order. Null until there is something to do: outside MPI, and
  /// where nothing is asked.
  std::unique_ptr<PrivateComm> private_comm;
  int program_rank = 0;  ///< of this process
  bool tracing = false;
  bool recording = false;
  bool timeline = false;  ///< one is kept, for the trace or the profile; the same on all ranks
  // Where there is a timeline, in seconds:
  double clock_ahead = 0;  ///< of the root's, at MPI_Init
  double clock_origin =
      0;  ///< a moment of MPI_Init that is the same for all ranks, on the root's clock
  bool reorders_topologies = false;  ///< wanted; whether all calls reach us is another question
  bool keeps_topologies = false;     ///< ours, and their order stays; agreed by all
  BypassReason bypass_reason = nullptr;
  /// Why some calls do not reach us, agreed by all; empty: all do. Unset: not asked for yet.
  std::optional<std::string> bypass;
  record::Collectives collectives = record::Collectives::off;
  std::string trace_path;  ///< root only
  std::string directory;   ///< root only: of this process at MPI_Init, where there will be a trace
  PartialTrace partial;
  std::chrono::steady_clock::time_point begin;  ///< the end of MPI_Init
  double seconds = 0;                           ///< from there to MPI_Finalize, once that is called
  CpuSet cpus_at_begin;                         ///< of this process, when `job` was found out
  bool is_job_known = false;                    ///< everybody has helped to find out about it
  std::optional<JobDescription> job;            ///< root only
  std::optional<Order> world_order;             ///< what KITH_REORDER came to
  PhaseBook phases;
};

/// Wall seconds since the end of MPI_Init.
inline double seconds_since_init(const JobState& state) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - state.begin).count();
}

/// The one of this process, made at first use.
JobState& job_state();

}  // namespace kith::preload
