// CPUs as people and Linux write them.
#pragma once

#include <string>
#include <string_view>

#include "kith/detail/job.hpp"

namespace kith {

/// "0-3,8"; "" from none.
std::string cpu_list_text(const CpuSet& cpus, char separator = ',');

/// The same back; empty for what is no such list in ascending order.
CpuSet cpus_of_list(std::string_view list);

}  // namespace kith
