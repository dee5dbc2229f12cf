// Which CPUs are near the network devices that a process is told to use. Without MPI.
#pragma once

#include <string>

#include "kith/detail/job.hpp"

namespace kith::preload {

/// Sets `nics`, `nic_cpus` and `near_nics` of this process, whose CPUs are known. By
/// UCX_NET_DEVICES, FI_CXI_DEVICE_NAME, MV2_IBA_HCA, OMPI_MCA_btl_openib_if_include or HFI_UNIT,
/// whichever is set first and names devices that Linux lists in `classes`. Nothing where none is
/// set: MPI libraries choose a near device themselves then. Throws std::bad_alloc.
void find_nics(JobProcess& process, const std::string& classes = "/sys/class");

}  // namespace kith::preload
