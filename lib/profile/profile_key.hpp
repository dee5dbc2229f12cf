// What a profile is found by (the program, its arguments, the number of ranks), and the settings of
// profiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kith {

// What the environment says about profiles: KITH_HOME, KITH_PROFILE and its relatives.

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

/// A program of the job and those of its ranks that follow each other.
struct ProgramPart {
  std::uint32_t ranks = 0;
  std::string path;   ///< of the executable, links followed
  std::string build;  ///< what tells one build of it from another
  std::vector<std::string> arguments;
};

/// A job's programs in launcher order; more than one where it runs several at once.
using ProgramIdentity = std::vector<ProgramPart>;

struct ProfileKey {
  /// "lmp-16-3f2a9c01": the profile's name. Its digits tell path, arguments that count, and ranks;
  /// with KITH_PROFILE its name and the ranks alone. Letters, digits and "._+-".
  std::string name;
  std::string program;    ///< for people: the path; of several programs all, " : " between them
  std::string arguments;  ///< for people: those that count, cut where they are long
  /// Digest of what ProfileKey::name tells, except for the folder that the program is in: a copy of
  /// the program has the same.
  std::string work;
  std::string build;  ///< digest over the builds of all programs
  std::uint32_t ranks = 0;
};

/// Precondition: `identity` has a part.
ProfileKey key_of(const ProgramIdentity& identity, const ProfileSettings& settings);

/// Whether `name` is one that key_of() makes: what else lies in the store is not a profile.
bool is_profile_name(std::string_view name);

}  // namespace kith
