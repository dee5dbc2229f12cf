#include "simulate/processors.hpp"

#include <algorithm>
#include <limits>

namespace kith::simulate {

std::uint32_t Processors::add_pool(double processors) {
  pools_.emplace_back().processors = processors;
  return static_cast<std::uint32_t>(pools_.size() - 1);
}

void Processors::serve(Pool& pool, double now) {
  pool.served += pool.rate * (now - pool.served_at);
  pool.served_at = now;
}

/// After a change; `now` has been served. Something computes.
void Processors::set_rate(std::uint32_t number, double now) {
  Pool& pool = pools_[number];
  const double sharing =
      static_cast<double>(pool.computations.size()) + turn_of_waiting_ * pool.waiting;
  pool.rate = std::min(1.0, pool.processors / sharing);
  const double left = std::max(0.0, pool.computations.top().end - pool.served);
  ends_.put(number, now + left / pool.rate);
}

void Processors::start(std::uint32_t number, double seconds, std::uint32_t item, double now) {
  Pool& pool = pools_[number];
  serve(pool, now);
  pool.computations.push({pool.served + seconds, started_++, item});
  set_rate(number, now);
}

void Processors::change_waiting(std::uint32_t number, double by, double now) {
  Pool& pool = pools_[number];
  pool.waiting += by;
  // Where each process has a processor nobody is in anybody's way.
  if (!is_crowded(number) || pool.computations.empty()) return;
  serve(pool, now);
  set_rate(number, now);
}

double Processors::next_end() const {
  return ends_.is_empty() ? std::numeric_limits<double>::infinity() : ends_.first_time();
}

bool Processors::end_one(double now, std::uint32_t& item) {
  if (next_end() > now) return false;
  const std::uint32_t number = ends_.first();
  Pool& pool = pools_[number];
  serve(pool, now);
  // What is left is the rounding of its end.
  pool.served = std::max(pool.served, pool.computations.top().end);
  item = pool.computations.top().item;
  pool.computations.pop();
  if (pool.computations.empty()) {
    ends_.remove(number);
  } else {
    set_rate(number, now);
  }
  return true;
}

}  // namespace kith::simulate
