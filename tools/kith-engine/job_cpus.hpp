// The CPUs that a job holds on this host.
#pragma once

#include "kith/job.hpp"

namespace kith::tools {

/// Lets this process run on the CPUs of all the job's processes on this host: their ranks wait for
/// its answer. Returns how many threads make sense then, at least 1; 1 where the CPUs are not known
/// or the kernel does not allow it.
unsigned use_cpus_of_job(const JobDescription& job);

}  // namespace kith::tools
