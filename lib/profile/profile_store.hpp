// The profiles in KITH_HOME: found, saved, listed, removed; used by many jobs at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile_file.hpp"
#include "profile/profile_key.hpp"

namespace kith {

/// What find() came to.
struct FoundProfile {
  std::optional<Profile> profile;
  std::string damage;  ///< why an existing file is no profile; empty: no file, or a good one
};

/// A file of the store.
struct ListedProfile {
  std::string name;
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  std::optional<ProfileHeader> header;
  std::string damage;  ///< why there is no header
};

/// A folder with a file per profile. No locks: files are renamed into place, so that readers on any
/// file system see an old one or a new one, and of two jobs that save the same profile the later
/// stays.
class ProfileStore {
 public:
  /// Touches nothing. Throws Error (environment) where no home is known.
  explicit ProfileStore(const ProfileSettings& settings);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path path_of(const std::string& name) const;

  /// Makes the folder (readable by its owner alone) where there is none. Throws Error (environment)
  /// unless files can be made in it.
  void prepare() const;

  /// The profile of that name; without one, that of the same build with the same work, which a copy
  /// of the program left. Throws std::bad_alloc.
  FoundProfile find(const ProfileKey& key) const;

  /// Writes the profile under its name, then evicts: those used least lately go until the bounds
  /// hold. Throws Error: environment where it cannot be written, input where it alone is larger
  /// than all together may be; then it is not kept.
  void save(const Profile& profile) const;

  /// By name. Empty where there is no folder. Throws Error (environment) where it cannot be read.
  std::vector<ListedProfile> list() const;
  /// False when there is none of that name. Throws Error (environment).
  bool remove(const std::string& name) const;

 private:
  void evict(const std::filesystem::path& saved) const;

  std::filesystem::path folder_;
  std::uint64_t most_profiles_;
  std::uint64_t most_bytes_;
};

}  // namespace kith
