// Rank 0's part: it knows the host of each rank, and decides which pairs measure, and when.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kith-probe/pair_test.hpp"
#include "kith/detail/job.hpp"
#include "machine/probe_inference/probe_inference.hpp"

namespace kith::probe {

/// The job that measures.
struct HostSurvey {
  struct Host {
    std::string name;
    std::vector<int> ranks;      ///< ascending
    std::uint32_t cores = 0;     ///< that may be used; 0: not known
    std::uint32_t hardware = 0;  ///< index below
  };
  std::vector<Host> hosts;                       ///< in the order of their first ranks
  std::vector<std::vector<std::uint32_t>> cpus;  ///< that each rank may run on
  std::vector<JobHardware> hardware;  ///< of each kind of host, without XML where not known
};

/// Collective over MPI_COMM_WORLD; rank 0's answer is the survey, the others' are empty. Hosts are
/// told apart by name. One rank of each host looks at its hardware, one of each kind sends it.
HostSurvey survey_hosts();

/// Measures between hosts (one rank of each), then inside hosts of each kind. All other ranks wait
/// in follow().
class Conductor {
 public:
  struct Settings {
    double time_limit = 60;  ///< seconds for all; a measurement that has begun is finished
    bool progress = false;   ///< say on stdout what is being done
  };

  Conductor(HostSurvey survey, Settings settings);
  /// Ends when all ranks may go home.
  Report run();

 private:
  /// Two ranks that measure something; the first leads.
  struct Pair {
    int leader;
    int other;
    Order order;
  };

  double seconds() const;
  bool has_time(double share) const { return seconds() < share * settings_.time_limit; }
  void show(const std::string& doing);

  /// Has all pairs measure at the same time.
  std::vector<Result> conduct(std::span<const Pair> pairs);
  void measure_costs(std::span<MeasuredPair> round);
  void measure_between_hosts();
  void measure_bandwidths();
  void measure_inside_hosts();
  void measure_inside(const HostSurvey::Host& host);
  double bandwidth(int leader, int other, double cost);

  HostSurvey survey_;
  Settings settings_;
  Report report_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double last_shown_ = -1;
};

/// The part of all other ranks: does as ordered until told to end.
void follow();

}  // namespace kith::probe
