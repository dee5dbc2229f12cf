// Which job of a batch system this process belongs to.
#pragma once

#include <string>

namespace kith {

/// "slurm 1234", "pbs 17.head": the batch system and its number of the job, by the environment that
/// it gives to its jobs. Empty outside any.
std::string batch_job_id();

/// The number alone; empty outside any.
std::string batch_job_number();

}  // namespace kith
