// What is wrong with the binding of a job's ranks, and what mends it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/job.hpp"

namespace kith {

/// One mistake, on all hosts that show it alike.
struct BindingFault {
  std::string_view rule;  ///< "shared-core", ...: a row of the table in binding_rules.cpp
  std::vector<std::uint32_t> ranks;  ///< that the program sees; those of the first host, ascending
  std::vector<std::string> hosts;    ///< in the job's order
  std::string what;                  ///< a sentence about the first host, without full stop
  std::string mend;                  ///< options of launchers: "mpirun --bind-to core; srun ..."
};

/// A rank whose threads share memory.
struct SharingThreads {
  std::uint32_t rank = 0;  ///< that the program sees
  std::uint32_t threads = 0;
};

/// The mistakes in the order of the table. Ranks that may run everywhere on their host are not
/// bound and make none, nor does a host whose hardware or bindings are not known; what no other
/// binding could do better (more ranks than cores) is no mistake. `sharing`: ascending by rank;
/// ranks that are not in it may share or not. Throws Error (input) for hardware that hwloc does not
/// read.
std::vector<BindingFault> judge_bindings(const JobDescription& job,
                                         std::span<const SharingThreads> sharing = {});

/// "on h0, and 3 more hosts alike: ranks 0 and 1 share one core, while ..."
std::string in_words(const BindingFault& fault);

}  // namespace kith
