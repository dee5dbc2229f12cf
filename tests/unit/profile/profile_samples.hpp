// Profiles for tests.
#pragma once

#include "profile/profile.hpp"
#include "unit/test_files.hpp"

namespace kith {

/// A ring in which each rank sends `bytes` to the next.
inline TrafficMatrix ring(std::uint32_t ranks, Weight bytes, std::uint32_t step = 1) {
  TrafficMatrixBuilder builder(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) builder.add(Rank(r), Rank((r + step) % ranks), bytes);
  return builder.build();
}

inline Profile sample_profile(const std::string& program = "app", Weight bytes = 1U << 20U) {
  Profile profile;
  profile.key = key_of({{4, "/bin/" + program, "b1", {"-x"}}}, {});
  profile.history.runs = 3;
  profile.history.first_seen = 1000;
  profile.history.last_seen = 2000;
  profile.traffic = ring(4, bytes);
  return profile;
}

}  // namespace kith
