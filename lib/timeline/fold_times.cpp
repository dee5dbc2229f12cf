// What was measured at the positions of the folded stream.
#include <algorithm>

#include "timeline/fold.hpp"

namespace kith::timeline {

Folder::Times* Folder::times_at(Index node) {
  Index& at = nodes_[node].times;
  if (at != none) return &times_[at];
  if (free_times_ != none) {
    at = free_times_;
    free_times_ = times_[at].timed;
  } else {
    if (full_ || !times_.reserve(1)) return nullptr;
    at = static_cast<Index>(times_.size());
    times_.push({});
  }
  times_[at] = {};
  return &times_[at];
}

void Folder::measured(std::uint64_t before, std::uint64_t inside, std::uint64_t asleep) {
  if (position_ == none) return leave_out_times(before, inside);
  Times* const times = times_at(position_);
  if (times == nullptr) return;
  const auto b = before == unknown ? 0.0 : static_cast<double>(before);
  const auto i = inside == unknown ? 0.0 : static_cast<double>(inside);
  if (times->has_first == 0) {
    times->has_first = 1;
    times->first_before = static_cast<float>(b);
    times->first_inside = static_cast<float>(i);
    times->first_asleep = static_cast<float>(asleep);
    return;
  }
  const auto short_b = static_cast<float>(b);
  const auto short_i = static_cast<float>(i);
  if (times->timed == 0) {
    times->before_least = times->before_most = short_b;
    times->inside_least = times->inside_most = short_i;
  } else {
    times->before_least = std::min(times->before_least, short_b);
    times->before_most = std::max(times->before_most, short_b);
    times->inside_least = std::min(times->inside_least, short_i);
    times->inside_most = std::max(times->inside_most, short_i);
  }
  ++times->timed;
  times->asleep_sum += static_cast<float>(asleep);
  times->before_sum += b;
  times->before_squares += b * b;
  times->inside_sum += i;
  times->inside_squares += i * i;
}

void Folder::measured_if_new(std::uint64_t before, std::uint64_t inside, std::uint64_t asleep) {
  if (position_ == none) return;
  const Index at = nodes_[position_].times;
  if (at == none || times_[at].has_first == 0) measured(before, inside, asleep);
}

/// The times of two positions that became one; `kept` was first.
Folder::Index Folder::merged_times(Index kept, Index more) {
  if (more == none) return kept;
  if (kept == none) return more;
  Times& sum = times_[kept];
  const Times& other = times_[more];
  const auto take = [&](double b, double i, double bb, double ii, float b_least, float b_most,
                        float i_least, float i_most, std::uint32_t timed) {
    if (sum.timed == 0) {
      sum.before_least = b_least, sum.before_most = b_most;
      sum.inside_least = i_least, sum.inside_most = i_most;
    } else {
      sum.before_least = std::min(sum.before_least, b_least);
      sum.before_most = std::max(sum.before_most, b_most);
      sum.inside_least = std::min(sum.inside_least, i_least);
      sum.inside_most = std::max(sum.inside_most, i_most);
    }
    sum.timed += timed;
    sum.before_sum += b, sum.before_squares += bb;
    sum.inside_sum += i, sum.inside_squares += ii;
  };
  if (other.timed != 0) {
    take(other.before_sum, other.inside_sum, other.before_squares, other.inside_squares,
         other.before_least, other.before_most, other.inside_least, other.inside_most,
         other.timed);
  }
  if (other.has_first != 0) {
    const double b = other.first_before;
    const double i = other.first_inside;
    take(b, i, b * b, i * i, other.first_before, other.first_before, other.first_inside,
         other.first_inside, 1);
  }
  sum.asleep_sum += other.asleep_sum + other.first_asleep;
  times_[more].timed = free_times_;
  free_times_ = more;
  return kept;
}

}  // namespace kith::timeline
