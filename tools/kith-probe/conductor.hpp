// Rank 0's part: it knows the host of each rank, and decides which pairs measure, and when.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "kith/detail/job.hpp"
#include "machine/probe_inference/probe_inference.hpp"

namespace kith::probe {

/// The part of all other ranks: does as ordered until told to end.
void follow();

// How two ranks measure: what they are told and what they tell, how they wait without disturbing
// those that measure, and the test itself.

enum Tag : int { tag_order = 1, tag_result, tag_value, tag_message, tag_last_message };

enum class Task : std::int32_t {
  end,        ///< no more orders
  cost,       ///< latency and the cost of 64 KiB
  bandwidth,  ///< a stream of large messages
  arrivals,   ///< when the parts of a stream to the leading rank arrive
  burst,      ///< what passes at once after a pause
  eager,      ///< the largest message that does not wait for its receive
};

/// From rank 0 to both ranks of a pair.
struct Order {
  Task task = Task::end;
  std::int32_t peer = 0;
  std::int32_t leads = 0;   ///< 1 for the one that reports to rank 0
  std::int32_t chunk = 0;   ///< bytes of a message of the stream
  std::int32_t chunks = 0;  ///< messages in the stream, whole windows
  double megabytes_per_s = 0;  ///< of burst and eager: the bandwidth, as measured before
  double latency_us = 0;       ///< of burst: as measured before
};

/// A stream has at most so many windows.
inline constexpr int most_stream_windows = 12;

/// What the leading rank of a pair reports; values of both directions in their mean.
struct Result {
  double latency_us = 0;
  double cost = 0;
  double megabytes_per_s = 0;
  double burst_bytes = 0;
  double overhead_us = 0;
  double eager_bytes = 0;
  /// Seconds on the clock of the leading rank's host at which each window of its stream was whole;
  /// 0: no more.
  std::array<double, most_stream_windows> arrived{};
};

void send_order(const Order& order, int rank);
void send_result(const Result& result);

/// Sleeps while nothing is there, as other ranks measure meanwhile.
Order wait_for_order();
Result wait_for_result(int rank);

/// Messages of a stream that are on the way at a time.
inline constexpr int stream_window = 4;
/// A stream has at least so many windows.
inline constexpr int fewest_stream_windows = 4;

/// Does this rank's part of an order (all but end): both ranks of a pair call it at
/// the same time, and no other rank talks. The answer is complete on the rank that leads; the
/// other's is not to be used.
///
/// Latency: round trips of a small message. What disturbs only ever delays, so the tenth-fastest of
/// a hundred counts, halved: not the very fastest, which may be an accident of the clock. Overhead:
/// the middle one of what their sends took.
///
/// Cost: messages of 64 KiB, each sent when the one before has arrived. The first two are left out:
/// links that are limited by a token bucket let a burst through at full speed. Of the times between
/// arrivals the lower quartile counts, again because what disturbs delays; seen by the receiver
/// alone, so that clocks need not agree.
///
/// Bandwidth: a stream with several messages on the way; the first quarter and the end are left
/// out.
///
/// Arrivals: such a stream in one direction, to the leading rank.
///
/// Burst: after a pause, one message that is longer than what passes at once. What it lacks of the
/// time that its bytes take at the bandwidth is the burst; nothing where that is not clearly more
/// than the latency.
///
/// Eager: messages whose receive comes some ms after they are sent; those above the limit wait for
/// it. The size is doubled until one waits, and what lies between is halved down to 8 bytes.
/// Nothing where 1 MiB does not wait.
Result run_order(const Order& order);

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
  double burst(int leader, int other, const MeasuredPair& pair);
  double eager(int leader, int other, const MeasuredPair& pair);
  double shared_one_way(std::vector<Pair> pairs, double cost);
  double shared(std::vector<Pair> pairs, double cost);
  double shared_between(const HostSurvey::Host& a, const HostSurvey::Host& b, double cost);
  void measure_memory(const HostSurvey::Host& host, double cost);

  HostSurvey survey_;
  Settings settings_;
  Report report_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double last_shown_ = -1;
};

}  // namespace kith::probe
