// Where the threads of a process go: by a policy, by who shares memory with whom, or by a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/job.hpp"
#include "kith/machine.hpp"

namespace kith::threads {

/// A mapper by which threads are bound.
struct BindingPolicy {
  std::string_view name;
  bool needs_matrix = false;
};
inline constexpr BindingPolicy binding_policies[] = {
    {"compact"},         {"scatter"},         {"balanced"},   {"eagermap", true},
    {"treematch", true}, {"choicemap", true}, {"kith", true},
};
/// Throws Error (input) that lists them; `where` names the culprit.
const BindingPolicy& find_binding_policy(std::string_view name, std::string_view where);

struct BindingOptions {
  /// One of binding_policies, or the name of a mapping file.
  std::string policy = "compact";
  /// A thread is bound to a core with all its processing units, or to one of these.
  Granularity granularity = Granularity::pu;
  /// That are expected; 0: as many as the matrix has, or as there is room for.
  std::uint32_t threads = 0;
  CpuSet cpus;                  ///< that the process may use
  std::uint32_t processes = 1;  ///< of the job, that may use just these
  std::uint32_t position = 0;   ///< of this process among them
  std::string matrix;           ///< a file: what each thread shares with each; empty: not known
};

struct BindingPlan {
  /// Of thread i: entry i, modulo their number. At least one; all within what the process may use.
  std::vector<CpuSet> cpus;
  std::string policy;  ///< that made it: "eagermap", "a mapping of FILE"
};

/// Threads beyond the expected ones get what is left, then as the first ones. Processes that may
/// use the same CPUs by mistake get shares of them (cpu_share.hpp). Source of the policies: P. N.
/// Soomro, "A Framework for Task Placement on Multicore Architectures", thesis, Koc University,
/// 2018, chapters 3 to 5. Throws Error (input): for an unknown policy, a missing matrix, a mapping
/// file of other slots than the host's; (environment) where hwloc refuses the hardware.
BindingPlan plan_binding(const BindingOptions& options, const JobHardware& hardware);

}  // namespace kith::threads
