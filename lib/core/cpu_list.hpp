// CPUs as people and Linux write them.
#pragma once

#include <string>

#include "kith/detail/job.hpp"

namespace kith {

/// "0-3,8"; "" from none.
std::string cpu_list_text(const CpuSet& cpus, char separator = ',');

}  // namespace kith
