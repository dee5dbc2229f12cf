// The question of a job: in which order should my ranks be?
#pragma once

#include "core/exchange.hpp"

namespace kith::tools {

/// Request: ranks, source (a mapping or trace; empty: the item "traffic"), algorithm, topology,
/// min_gain, keep_rank0, job (core/job_packing.hpp). Answer: apply, reason, algorithm, cost_before,
/// cost_after, and where it applies new_rank: the program's rank of each launcher rank, in order.
/// Throws Error where the input is unusable.
Exchange reorder_task(const Exchange& request);

}  // namespace kith::tools
