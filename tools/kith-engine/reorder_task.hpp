// The question of a job: in which order should my ranks be?
#pragma once

#include <cstdint>
#include <string_view>

#include "kith-engine/question.hpp"
#include "kith/io.hpp"
#include "kith/traffic.hpp"
#include "protocol/exchange.hpp"

namespace kith::tools {

/// Request: ranks, source (a mapping or trace; empty: the item "traffic"), algorithm, topology,
/// min_gain, keep_rank0, job (core/job_packing.hpp). Answer: apply, reason, algorithm, cost_before,
/// cost_after, and where it applies new_rank: the program's rank of each launcher rank, in order.
/// Throws Error where the input is unusable.
Exchange reorder_task(const Exchange& request);

/// The same of traffic that is at hand. `earlier`: the run that left it; null: there is no more to
/// know than the matrix.
Exchange map_traffic(const Question& question, const TrafficMatrix& matrix, const Trace* earlier);

/// The item "traffic": source, destination (32 bits each) and bytes (64), any number of times.
TrafficMatrix unpack_traffic(std::string_view bytes, std::uint32_t ranks);

}  // namespace kith::tools
