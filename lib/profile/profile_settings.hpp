// What the environment says about profiles: KITH_HOME, KITH_PROFILE and its relatives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kith {

/// A bad value becomes a warning and the default.
struct ProfileSettings {
  /// KITH_HOME, else $XDG_STATE_HOME/kith, else ~/.local/state/kith; empty: none of them is known.
  std::filesystem::path home;
  std::string name;                          ///< KITH_PROFILE: names the profile outright
  std::optional<std::size_t> arguments;      ///< KITH_PROFILE_ARGS: how many count; nothing: all
  std::uint64_t most_profiles = 100;         ///< KITH_PROFILE_COUNT
  std::uint64_t most_bytes = 256ULL << 20U;  ///< KITH_PROFILE_BYTES, of all profiles together
  std::vector<std::string> warnings;         ///< one sentence per bad value
};

/// The value of an environment variable, or null.
using Variables = std::function<const char*(const char* name)>;

ProfileSettings read_profile_settings(const Variables& variables);
/// Those of this process. A relative KITH_HOME counts from its working directory.
ProfileSettings read_profile_settings();

}  // namespace kith
