// The processes of the job that may run on the CPUs of this one, though each should have its own.
#pragma once

#include <cstdint>

#include "kith/detail/job.hpp"

namespace kith::preload {

struct SharingProcesses {
  std::uint32_t count = 1;     ///< this one among them
  std::uint32_t position = 0;  ///< of this one, by local rank
};

/// The processes of this host with our launcher's variables (Open MPI, MPICH and its relatives,
/// Slurm), by /proc, whose CPUs overlap with `own`: launchers that do not bind, `taskset mpirun`.
/// No message is sent. Waits 0.3 s at most for processes that have not started yet. Where they
/// cannot be seen: those of the host share where `own` is all that the host has. Throws
/// std::bad_alloc.
SharingProcesses find_sharing_processes(const CpuSet& own);

}  // namespace kith::preload
