// What Kith knows about the job it lives in.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/settings.hpp"
#include "kith/job.hpp"
#include "record/record.hpp"
#include "runtime/order.hpp"
#include "runtime/partial_trace.hpp"
#include "runtime/phase_book.hpp"
#include "runtime/team.hpp"

namespace kith::runtime {

struct JobState {
  Settings settings;           ///< of this process; decisions follow the root's
  std::unique_ptr<Team> team;  ///< of the library's world, launcher order; null outside MPI
  int program_rank = 0;        ///< of this process
  bool tracing = false;
  bool reorders_topologies = false;  ///< nobody minds, if there is no bypass
  std::string bypass;  ///< why some calls do not reach us, agreed by all; empty: all do
  record::Collectives collectives = record::Collectives::off;
  std::string trace_path;  ///< root only
  PartialTrace partial;
  bool is_job_known = false;          ///< everybody has helped to find out about it
  std::optional<JobDescription> job;  ///< root only
  std::optional<Order> world_order;   ///< what KITH_REORDER came to
  PhaseBook phases;
};

/// The one of this process, made at first use.
JobState& job_state();

}  // namespace kith::runtime
