// Devices that programs choose by their local rank.
#pragma once

namespace kith::runtime {

/// Whether this process can see GPU devices: /dev/nvidia0 .. 9, /dev/kfd, or a variable that lists
/// them (CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES, ZE_AFFINITY_MASK) and is
/// neither empty nor -1.
bool sees_gpu_devices();

}  // namespace kith::runtime
