// What a run makes of the profile that it found.
#pragma once

#include <cstdint>
#include <optional>

#include "profile/profile_file.hpp"

namespace kith {

/// From this cosine on two patterns are alike, as for phases in `kith info`.
inline constexpr double alike_from = 0.9;
/// A run that sent less than this between its ranks is not recorded: no order saves it anything.
inline constexpr std::uint64_t least_bytes_recorded = 1ULL << 20U;

/// What a run recorded.
struct RecordedRun {
  ProfileKey key;
  TrafficMatrix traffic;
  std::uint64_t now = 0;  ///< seconds since 1970
  /// Of a reordered run: the objective as a share of the launcher's order's, as the profile
  /// predicted it and by `traffic`.
  std::optional<double> predicted;
  std::optional<double> measured;
};

enum class Renewal {
  first,    ///< no profile existed
  blended,  ///< the program does what it did: cell by cell the mean of profile and run
  replaced  ///< it does something else, or the order gained less than half of what was predicted
};

struct RenewedProfile {
  Renewal renewal = Renewal::first;
  std::optional<double> similarity;  ///< cosine with the profile; nothing without one
  Profile profile;
};

/// True where the run is worth a profile: several ranks, and least_bytes_recorded between them.
bool is_worth_recording(const TrafficMatrix& traffic);

/// The profile to save. Deterministic: runs that do exactly what the profile says leave its traffic
/// as it is. O(entries).
RenewedProfile renewed(const std::optional<Profile>& found, RecordedRun run);

}  // namespace kith
