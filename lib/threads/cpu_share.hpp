// Which of the CPUs that several processes may run on each of them takes for its threads.
#pragma once

#include <cstdint>
#include <span>

#include "kith/detail/job.hpp"

namespace kith::threads {

/// The share of process `position`, below `processes`, of CPUs that so many processes may all run
/// on: neighbouring cores, no CPU in two shares, as far as there are enough. `cores`: those of the
/// host, left to right; a core goes to one process whole, unless there are more processes than
/// cores: then `pus` are shared out. Not empty, unless `cpus` is.
CpuSet share_of(const CpuSet& cpus, std::uint32_t position, std::uint32_t processes,
                std::span<const CpuSet> cores, std::span<const CpuSet> pus);

}  // namespace kith::threads
