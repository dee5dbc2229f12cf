// The requests that a thread made last, as completions name them, while a folded stream is walked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "timeline/stream.hpp"

namespace kith::timeline {

/// Remembers as many requests as the completions of a program look back.
class RequestTrail {
 public:
  /// No completion that looks farther back than this is followed.
  static constexpr std::uint64_t most_looked_back = std::uint64_t{1} << 20U;

  explicit RequestTrail(const Program& program);

  std::uint64_t made() const { return made_; }
  void add(const Event& event, std::uint64_t times);
  /// As if what was added since `made` were added `times` more.
  void repeat_since(std::uint64_t made, std::uint64_t times);
  /// Requests were made that are not known.
  void forget() { made_ = 0; }
  /// The event that made the request before which `distance` others were made; null where that is
  /// not known.
  const Event* made_before(std::int64_t distance) const;

 private:
  void push(const Event* event) { ring_[made_++ % ring_.size()] = event; }

  std::vector<const Event*> ring_;
  std::uint64_t made_ = 0;
};

}  // namespace kith::timeline
