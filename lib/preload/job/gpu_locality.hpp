// Which CPUs are near the GPUs that a process may use. Without MPI and without the GPUs' libraries.
#pragma once

#include <string>

#include "kith/detail/job.hpp"

namespace kith::preload {

/// Sets `gpus` and `gpu_cpus` of this process. By CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES,
/// HIP_VISIBLE_DEVICES or ZE_AFFINITY_MASK, whichever is set first and lists numbers (not
/// identities such as GPU-1f2e): a number counts the maker's devices in the order of their
/// addresses on the PCI bus, as the makers do where all are alike. `devices`: where Linux lists
/// them. Nothing where no such list is set; no CPUs where a number has no device there. Throws
/// std::bad_alloc.
void find_gpus(JobProcess& process, const std::string& devices = "/sys/bus/pci/devices");

}  // namespace kith::preload
