// Processors that more processes share than there are.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "simulate/time_heap.hpp"

namespace kith::simulate {

/// Pools of processors. All processes of a pool that compute have equal parts of them, at most one
/// each. Those that wait in MPI look for messages all the time: they have as much, or a share of
/// that where they give way.
class Processors {
 public:
  /// `turn_of_waiting`: the share of a part that a waiting process has, 0 to 1.
  explicit Processors(double turn_of_waiting = 1) : turn_of_waiting_(turn_of_waiting) {}

  std::uint32_t add_pool(double processors);
  /// A process is of that pool from now on. Before anything begins.
  void join(std::uint32_t pool) { ++pools_[pool].processes; }

  /// Begins a computation of `seconds` (by a processor of its own) at `now`, which is no earlier
  /// than any time before.
  void start(std::uint32_t pool, double seconds, std::uint32_t item, double now);
  /// Whether the pool has more processes than processors.
  bool is_crowded(std::uint32_t pool) const {
    return pools_[pool].processes > pools_[pool].processors;
  }
  void begin_wait(std::uint32_t pool, double now) { change_waiting(pool, 1, now); }
  void end_wait(std::uint32_t pool, double now) { change_waiting(pool, -1, now); }
  /// When the next computation ends; infinite without any.
  double next_end() const;
  /// Ends one of the computations whose end is `now`, the time that next_end() gave. False if none
  /// ends now.
  bool end_one(double now, std::uint32_t& item);

 private:
  struct Computation {
    double end = 0;  ///< by the pool's clock of service
    std::uint64_t number = 0;
    std::uint32_t item = 0;
    bool operator>(const Computation& other) const {
      return end != other.end ? end > other.end : number > other.number;
    }
  };
  struct Pool {
    double processors = 1;
    double processes = 0;
    double waiting = 0;
    double rate = 1;    ///< of each computation
    double served = 0;  ///< what one would have had that began with the pool
    double served_at = 0;
    std::priority_queue<Computation, std::vector<Computation>, std::greater<>> computations;
  };

  static void serve(Pool& pool, double now);
  void change_waiting(std::uint32_t pool, double by, double now);
  void set_rate(std::uint32_t pool, double now);

  double turn_of_waiting_;
  std::uint64_t started_ = 0;
  std::vector<Pool> pools_;
  TimeHeap ends_;  ///< of the pools that compute: when the next computation ends
};

}  // namespace kith::simulate
