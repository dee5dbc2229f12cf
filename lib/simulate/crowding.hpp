// Hosts where more ranks ran than they had processors for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kith/detail/job.hpp"
#include "kith/machine.hpp"

namespace kith::simulate {

/// A host of a recorded job whose ranks shared processors.
struct CrowdedHost {
  std::uint64_t node = 0;  ///< of the machine
  std::string name;
  std::uint32_t ranks = 0;
  std::uint32_t processors = 0;  ///< that any of its ranks might run on
};

/// Counts the ranks of each host, and the processors that they may run on.
class CrowdCount {
 public:
  /// A rank. `node`: any number that its host has for itself; `cpus`: empty where not known.
  void add(std::uint64_t node, const std::string& name, const CpuSet& cpus);
  /// By node; none of a rank whose processors are not known.
  std::vector<CrowdedHost> crowded() const;

 private:
  struct Host {
    std::string name;
    std::uint32_t ranks = 0;
    bool is_known = true;
    CpuSet cpus;
  };
  std::map<std::uint64_t, Host> hosts_;
};

/// By node. Empty where the machine is not that of the job, or where the job does not tell which
/// CPUs its ranks might run on.
std::vector<CrowdedHost> crowded_hosts(const JobDescription& job, const Machine& machine);

/// Whether ranks of a recorded job took turns on processors; false where that is not known.
bool shared_processors(const JobDescription& job);

/// `seconds` of a recorded run where other times may be compared with them: nothing where ranks
/// shared processors, as what such a run takes is mostly chance. `job`: null where not known.
std::optional<double> comparable_seconds(const JobDescription* job, std::optional<double> seconds);

/// By rank: how many ranks there were for each processor of its host, at least 1. Empty where none
/// of these hosts, which are those of the job on that machine, was crowded.
std::vector<double> ranks_per_processor(const std::vector<CrowdedHost>& crowded,
                                        const JobDescription& job, const Machine& machine);

/// "8 ranks shared 2 processors of h0 (and likewise on 3 more hosts)".
std::string crowding_text(const std::vector<CrowdedHost>& crowded);

}  // namespace kith::simulate
