// Where each rank runs in a running or recorded job.
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "kith/detail/types.hpp"

namespace kith {

/// CPUs by their operating-system indices, kept as ranges: all of a large host cost 8 bytes.
class CpuSet {
 public:
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;  ///< inclusive
    auto operator<=>(const Range&) const = default;
  };

  CpuSet() = default;
  /// Ascending, without repetition.
  CpuSet(std::initializer_list<std::uint32_t> cpus);
  CpuSet(const std::vector<std::uint32_t>& cpus);

  /// Adds first .. last, all above what is in the set.
  void add(std::uint32_t first, std::uint32_t last);
  bool empty() const { return ranges_.empty(); }
  std::uint64_t size() const;
  bool contains(const CpuSet& other) const;
  /// Ascending; between two of them a CPU is missing.
  std::span<const Range> ranges() const { return ranges_; }
  friend bool operator==(const CpuSet&, const CpuSet&) = default;
  friend auto operator<=>(const CpuSet& a, const CpuSet& b) { return a.ranges_ <=> b.ranges_; }

 private:
  std::vector<Range> ranges_;
};
/// The CPUs of either.
CpuSet united(const CpuSet& a, const CpuSet& b);
/// The CPUs of both.
CpuSet intersected(const CpuSet& a, const CpuSet& b);

/// One process, in launcher order.
struct JobProcess {
  std::uint32_t rank = 0;  ///< the rank that the program saw
  std::uint32_t host = 0;  ///< index into JobDescription::hosts
  CpuSet cpus = {};        ///< that it may run on; empty: unknown
  /// That OpenMP starts in it, by OMP_NUM_THREADS or, for a program with parallel regions, one for
  /// each of its CPUs; 0: not known.
  std::uint32_t threads = 0;
  /// The GPUs that its environment lets it use, by number: "2", "0,1"; empty: not told. Where all
  /// ranks of a host name the same ones, these may be others: containers number their own.
  std::string gpus = {};
  CpuSet gpu_cpus = {};  ///< that are near these GPUs; empty: unknown
  /// The network devices that its environment names: "mlx5_0:1"; empty: not told.
  std::string nics = {};
  CpuSet nic_cpus = {};        ///< that are near these devices; empty: unknown
  std::string near_nics = {};  ///< "mlx5_1": other devices that work and are near its own CPUs
  /// That it could run on when it finalised MPI; empty: the same as before, or not known.
  CpuSet end_cpus = {};
};

/// One host of the job.
struct JobHost {
  std::string name;
  std::uint32_t hardware = 0;  ///< index into JobDescription::hardware
  /// The switches that it hangs on, top down: one for each of JobNetwork::levels but the first.
  std::vector<std::string> switches = {};
};

/// What it costs two ranks to talk that meet at a level.
struct LevelCost {
  std::string level;           ///< "network", "switch", "host", "package", ...
  std::uint64_t cost = 0;      ///< picoseconds a byte takes, latency included; 0: not known
  double latency_us = 0;       ///< of a small message, one way; 0: not known
  double megabytes_per_s = 0;  ///< of large messages, one way; 0: not known
  double burst_bytes = 0;      ///< that pass at once after a pause, above the bandwidth
  double overhead_us = 0;      ///< that a small send keeps its sender; 0: not known
  double shared_megabytes_per_s = 0;  ///< of all messages of a host that meet here together; 0: not
                                      ///< known
  double eager_bytes = 0;  ///< largest message that does not wait for its receive; 0: not known
};

/// A measured number of a level, and what files of networks (`key=3.5`) and JSON call it.
struct LevelMeasure {
  const char* key;
  const char* json_key;
  double LevelCost::*value;
};
inline constexpr LevelMeasure level_measures[] = {
    {"latency", "latency_us", &LevelCost::latency_us},
    {"bandwidth", "megabytes_per_s", &LevelCost::megabytes_per_s},
    {"burst", "burst_bytes", &LevelCost::burst_bytes},
    {"overhead", "overhead_us", &LevelCost::overhead_us},
    {"shared", "shared_megabytes_per_s", &LevelCost::shared_megabytes_per_s},
    {"eager", "eager_bytes", &LevelCost::eager_bytes},
};

/// What lies between the hosts.
struct JobNetwork {
  std::string source;                  ///< where this is from, for messages; empty: unknown
  std::vector<LevelCost> levels;       ///< top down; empty: one level where all hosts meet
  std::vector<LevelCost> host_levels;  ///< measured inside a host, by level name, top down
};

/// One distinct host kind.
struct JobHardware {
  std::string digest;  ///< of the XML
  std::string xml;     ///< hwloc XML; empty when the helper could not tell
  std::string origin =
      {};  ///< the file that the XML is from, for messages; empty where it is from none
};

/// What discover_this_host() finds.
struct ThisHost {
  JobHardware hardware;
  CpuSet cpus;  ///< that `hardware` has
};

/// What machine.json holds. processes[j] is launcher rank j.
struct JobDescription {
  std::vector<JobHost> hosts;
  std::vector<JobHardware> hardware;
  std::vector<JobProcess> processes;
  JobNetwork network;

  /// Digest of the host of each launcher rank, in launcher order: 16 hexadecimal digits. A mapping
  /// made for a job names it, so that it is not applied to another set of hosts.
  std::string hosts_digest() const;
};

/// The grid of all its ranks that the program asked MPI for (MPI_Cart_create). Plain data.
struct CartesianTopology {
  std::vector<std::uint32_t> dims;
  std::vector<bool> periods;  ///< one per dimension
  /// The rank at each place of the grid, places row-major; empty: rank i is at place i.
  std::vector<std::uint32_t> ranks;
};

/// Topologies of MPI that Kith gave another order than the program's communicators had, while a
/// trace was recorded: its traffic is that of this layout.
struct ReorderedTopologies {
  std::uint64_t count = 0;
  std::uint64_t of_world = 0;  ///< how many of them held all ranks
};

}  // namespace kith
