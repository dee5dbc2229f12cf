// A profile and its file: a Matrix Market file whose comment says the rest.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "kith/traffic.hpp"
#include "profile/profile_key.hpp"

namespace kith {

/// What earlier runs came to.
struct ProfileHistory {
  std::uint64_t runs = 0;        ///< recorded under this name
  std::uint64_t reordered = 0;   ///< of them with their ranks reordered
  std::uint64_t renewed = 0;     ///< of them found another pattern than the profile had
  std::uint64_t first_seen = 0;  ///< seconds since 1970
  std::uint64_t last_seen = 0;
  /// Of the last reordered run: the objective, as a share of the launcher's order's. Predicted from
  /// the profile, then by what that run sent.
  std::optional<double> predicted;
  std::optional<double> measured;
};

struct Profile {
  ProfileKey key;
  ProfileHistory history;
  TrafficMatrix traffic;  ///< bytes, by ranks of the program
};

/// Key and history, without the matrix.
struct ProfileHeader {
  ProfileKey key;
  ProfileHistory history;
};

/// Writes to a temporary name beside `path` and renames. Throws Error (environment).
void write_profile(const std::filesystem::path& path, const Profile& profile);
/// One file, read once: what a concurrent write_profile() makes is not mixed in. Checks that it is
/// whole, as it was written, and of `ranks` ranks. Throws Error (input).
Profile read_profile(const std::filesystem::path& path, std::uint32_t ranks);
/// The beginning of the file; the rest of it is not looked at. Throws Error (input).
ProfileHeader read_profile_header(const std::filesystem::path& path);

}  // namespace kith
