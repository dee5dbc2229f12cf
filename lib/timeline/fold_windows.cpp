// What is left out where memory is short, and the windows in between.
#include <algorithm>

#include "timeline/fold.hpp"

namespace kith::timeline {

/// Whether the beginning, or a window, ends before an event that no loop foresaw.
bool Folder::is_stretch_over() const {
  constexpr std::uint64_t least_beginning = 256;
  if (gap_count_ > 0) return news_ >= window_end_;
  return news_ >= least_beginning && account_.is_three_quarters_used();
}

// The beginning took three quarters of the memory: some 16 windows of a 48th of it fill the rest.
void Folder::begin_gap() {
  constexpr std::uint64_t least_gap = 1024;
  constexpr std::uint64_t least_window = 64;
  if (gap_count_ == 0) {
    window_ = std::max(least_window, news_ / 48);
    gap_length_ = std::max(least_gap, news_);
  } else {
    gap_length_ *= 2;
  }
  append_unit(first_gap_symbol + gap_count_, 1);
  open_gap(gap_count_ + 1 < most_gaps ? gap_length_ : endless);
}

void Folder::open_gap(std::uint64_t length) {
  gaps_[gap_count_++] = {events_ - left_out_, 0, 0, clock_ == nullptr ? 0 : clock_(), 0};
  gap_left_ = length;
}

void Folder::leave_out(std::uint64_t sent) {
  if (gap_left_ == 0) open_gap(endless);
  if (full_) gap_left_ = endless;
  position_ = none;
  ++left_out_;
  Gap& gap = gaps_[gap_count_ - 1];
  ++gap.events;
  gap.bytes += sent;
  if (gap_left_ == endless || --gap_left_ > 0) return;
  if (clock_ != nullptr) gap.ticks += clock_() - gap.began;
  window_end_ = news_ + window_;
}

// The clock was read when the first event had passed.
void Folder::leave_out_times(std::uint64_t before, std::uint64_t inside) {
  if (clock_ == nullptr || gap_left_ == 0 || gaps_[gap_count_ - 1].events != 1) return;
  if (before != unknown) gaps_[gap_count_ - 1].ticks += before;
  if (inside != unknown) gaps_[gap_count_ - 1].ticks += inside;
}

}  // namespace kith::timeline
