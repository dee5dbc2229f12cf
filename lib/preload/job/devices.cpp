#include "job/devices.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace kith::runtime {
namespace {

bool lists_devices(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string_view(value) != "-1";
}

}  // namespace

bool sees_gpu_devices() {
  for (const char* const variable : {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                     "HIP_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"}) {
    if (lists_devices(variable)) return true;
  }
  if (access("/dev/kfd", F_OK) == 0) return true;
  for (char digit = '0'; digit <= '9'; ++digit) {
    if (access((std::string("/dev/nvidia") + digit).c_str(), F_OK) == 0) return true;
  }
  return false;
}

}  // namespace kith::runtime
