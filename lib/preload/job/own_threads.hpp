// How many threads OpenMP starts in this process.
#pragma once

#include <cstdint>

#include "kith/detail/job.hpp"

namespace kith::preload {

/// JobProcess::threads: what OMP_NUM_THREADS says where an OpenMP library is loaded; without it, of
/// a program that has parallel regions and does not set their number itself, one for each of
/// `cpus`, on which this process may run. 0: not known.
std::uint32_t threads_of_this_process(const CpuSet& cpus);

}  // namespace kith::preload
