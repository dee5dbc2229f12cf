// Processors that more processes share than there are.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace kith::simulate {

/// Pools of processors. Of those who compute in one pool each has the same speed, at most that of a
/// processor. Who waits in MPI looks for messages all the time: it counts as a part of one that
/// computes.
class Processors {
 public:
  /// `waiting_weight`: what a waiting process takes, as a fraction of a computing one.
  explicit Processors(double waiting_weight) : waiting_weight_(waiting_weight) {}

  std::uint32_t add_pool(double processors);

  /// Begins a computation of `seconds` (by a processor of its own) at `now`, which is no earlier
  /// than any time before.
  void start(std::uint32_t pool, double seconds, std::uint32_t item, double now);
  void begin_wait(std::uint32_t pool, double now) { change_waiting(pool, 1, now); }
  void end_wait(std::uint32_t pool, double now) { change_waiting(pool, -1, now); }
  /// When the next computation ends; infinite without any.
  double next_end();
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
    double rate = 1;    ///< of each computation
    double served = 0;  ///< what one would have had that began with the pool
    double served_at = 0;
    double waiting = 0;
    std::uint32_t version = 0;  ///< of its entry among the ends
    std::priority_queue<Computation, std::vector<Computation>, std::greater<>> computations;
  };
  struct End {
    double time = 0;
    std::uint32_t pool = 0;
    std::uint32_t version = 0;
    bool operator>(const End& other) const {
      return time != other.time ? time > other.time : pool > other.pool;
    }
  };

  static void serve(Pool& pool, double now);
  void change_waiting(std::uint32_t pool, double by, double now);
  void set_rate(std::uint32_t pool, double now);

  double waiting_weight_;
  std::uint64_t started_ = 0;
  std::vector<Pool> pools_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace kith::simulate
