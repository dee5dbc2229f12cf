#include "mapping/budget.hpp"

namespace kith {
namespace {

constexpr std::uint64_t tests_per_look_at_the_clock = 256;
constexpr double forever = 1e9;  // seconds; more would overflow the clock's ticks

}  // namespace

Budget::Budget(const MapOptions& options)
    : tests_left_(options.work.value_or(0)), limited_work_(options.work.has_value()) {
  if (options.time_limit && *options.time_limit < forever) {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(*options.time_limit));
  }
}

bool Budget::exhausted() {
  if (stopped_ != Stopped::done) return true;
  if (limited_work_ && tests_left_ == 0) {
    stopped_ = Stopped::work;
  } else {
    is_out_of_time();
  }
  return stopped_ != Stopped::done;
}

bool Budget::is_out_of_time() {
  if (deadline_ == Clock::time_point::max() || Clock::now() < deadline_) return false;
  if (stopped_ == Stopped::done) stopped_ = Stopped::time;
  return true;
}

bool Budget::spend() {
  if (stopped_ != Stopped::done) return false;
  if (limited_work_ && tests_left_ == 0) {
    stopped_ = Stopped::work;
    return false;
  }
  if (until_clock_-- == 0) {
    until_clock_ = tests_per_look_at_the_clock;
    if (exhausted()) return false;
  }
  if (limited_work_) --tests_left_;
  ++spent_;
  return true;
}

bool Budget::spend(std::uint64_t tests) {
  if (stopped_ != Stopped::done) return false;
  if (limited_work_ && tests_left_ < tests) {
    stopped_ = Stopped::work;
    return false;
  }
  if (tests >= tests_per_look_at_the_clock && is_out_of_time()) return false;
  if (limited_work_) tests_left_ -= tests;
  spent_ += tests;
  return true;
}

Budget Budget::part() const {
  Budget part = *this;
  part.spent_ = 0;
  return part;
}

bool Budget::charge(const Budget& part) {
  if (part.stopped_ == Stopped::work && stopped_ == Stopped::done) stopped_ = Stopped::work;
  return spend(part.spent_);
}

bool Budget::has_time_for(double seconds) const {
  if (deadline_ == Clock::time_point::max()) return true;
  return std::chrono::duration<double>(deadline_ - Clock::now()).count() >= seconds;
}

void Budget::stop_for_time() {
  if (stopped_ == Stopped::done) stopped_ = Stopped::time;
}

}  // namespace kith
