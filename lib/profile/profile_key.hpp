// What a profile is found by: who runs, with which arguments, on how many ranks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile_settings.hpp"

namespace kith {

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
