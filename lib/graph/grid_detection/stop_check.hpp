// How a search that has become pointless ends, however deep it is.
#pragma once

#include <cstdint>
#include <functional>

namespace kith {

/// Asked at each step of a long loop; looks further only now and then.
class StopCheck {
 public:
  /// What ends the search; find_grid_structure() catches it.
  struct Stopped {};

  /// `is_over`: empty for never. Must outlive this.
  explicit StopCheck(const std::function<bool()>& is_over) : is_over_(is_over) {}

  /// Throws Stopped where the search is over. Not thread-safe.
  void operator()() const {
    if (++steps_ % steps_per_look == 0) look();
  }
  /// The same, at once.
  void look() const {
    if (is_over_ && is_over_()) throw Stopped{};
  }

 private:
  static constexpr std::uint32_t steps_per_look = 4096;  // a millisecond at most
  const std::function<bool()>& is_over_;
  mutable std::uint32_t steps_ = 0;
};

}  // namespace kith
