// Profiles: the key by which one is found, its file, the store of all, and when one is renewed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kith/traffic.hpp"

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
  /// Digest of the programs' file names, ranks and numbers of arguments, and of an interpreter's
  /// script: where it differs, arguments cannot be compared. Empty: they are too many, or do not
  /// count.
  std::string base;
  std::vector<std::string> argument_digests;  ///< of each argument that counts
  /// Positions, from 0, of those that make no difference to the traffic, as runs have shown.
  std::vector<std::uint32_t> free_arguments;
};

/// Precondition: `identity` has a part.
ProfileKey key_of(const ProgramIdentity& identity, const ProfileSettings& settings);

/// The positions at which the arguments of two runs of one build differ, in ascending order.
/// Positions that are free in `known` are left out. Nothing where arguments cannot be compared.
std::optional<std::vector<std::uint32_t>> differing_arguments(const ProfileKey& known,
                                                              const ProfileKey& run);

/// "argument 2", "arguments 2 and 4": counted from 1.
std::string positions_text(const std::vector<std::uint32_t>& positions);

/// Whether `name` has the form that key_of() makes. Any other file in the store is not a profile.
bool is_profile_name(std::string_view name);

// A profile and its file: a Matrix Market file whose comment says the rest.

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
  /// Wall seconds from the end of MPI_Init to the beginning of MPI_Finalize, of the last run in the
  /// launcher's order and of the last reordered one.
  std::optional<double> seconds;
  std::optional<double> seconds_reordered;
  std::string layout;  ///< digest of the launcher's order of hosts in these two runs, and of the
                       ///< machine that was named behind layout_mark
  /// That these two runs sent between ranks; 0: not known.
  std::uint64_t bytes = 0;
  std::uint64_t bytes_reordered = 0;
  /// How many reordered runs, one after the other, were slower than the launcher's order, and how
  /// many runs stayed in the launcher's order since the last of them.
  std::uint64_t slower = 0;
  std::uint64_t waited = 0;
};

/// Whether both seconds are known, of runs that sent about as much: one with more steps sends more.
bool has_comparable_seconds(const ProfileHistory& history);
/// Whether the last reordered run took clearly longer than the last one in the launcher's order: by
/// more than two runs of one order differ.
bool was_slower(const ProfileHistory& history);
/// In ProfileHistory::layout: what stands before it is of the hosts alone.
inline constexpr char layout_mark = '/';
std::string_view hosts_of_layout(std::string_view layout);
/// For how many more runs an order that was slower is not tried; 0: it may be tried now. One slow
/// run may be the fault of the machine, two in a row hardly: 2 runs, then 8, 32, and so on.
std::uint64_t runs_to_wait(const ProfileHistory& history);

struct Profile {
  ProfileKey key;
  ProfileHistory history;
  TrafficMatrix traffic;  ///< bytes on the wire, by ranks of the program
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

// The profiles in KITH_HOME: found, saved, listed, removed; used by many jobs at once.

/// What find() came to.
struct FoundProfile {
  std::optional<Profile> profile;
  std::string damage;  ///< why an existing file is no profile; empty: no file, or a good one
};

/// A file of the store.
struct ListedProfile {
  std::string name;
  std::filesystem::path path;
  std::uint64_t bytes = 0;           ///< with its timeline
  std::uint64_t timeline_bytes = 0;  ///< of them; 0: it has no timeline
  std::optional<ProfileHeader> header;
  std::string damage;  ///< why there is no header
};

/// A folder with a file per profile and, beside it, a folder with the timeline of the run that
/// recorded it: where one is, the other goes. No locks: files are renamed into place, so that
/// readers on any file system see an old one or a new one, and of two jobs that save the same
/// profile the later stays.
class ProfileStore {
 public:
  /// Touches nothing. Throws Error (environment) where no home is known.
  explicit ProfileStore(const ProfileSettings& settings);

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path path_of(const std::string& name) const;
  std::filesystem::path timeline_of(const std::string& name) const;
  bool has_timeline(const std::string& name) const;

  /// Makes the folder (readable by its owner alone) if it does not exist. Throws Error
  /// (environment) unless files can be made in it.
  void prepare() const;

  /// The profile of that name; without one, that of the same build with the same work, which a copy
  /// of the program left; without that, one from which only arguments that are free there tell it,
  /// which keeps its own key. Throws std::bad_alloc.
  FoundProfile find(const ProfileKey& key) const;
  /// Profiles of the same build from which at most three arguments tell it, the one used last
  /// first.
  std::vector<ProfileHeader> relatives(const ProfileKey& key) const;

  /// Writes the profile under its name, then evicts: those used least lately go until the bounds
  /// hold. Throws Error: environment where it cannot be written, input where it alone is larger
  /// than all together may be; then it is not kept.
  /// `timeline`: a folder beside timeline_of(), named so and ".tmp-..." behind, which becomes it;
  /// where both together are larger than all may be, or it cannot be renamed, the profile has none.
  /// Empty: it keeps the one that it has.
  void save(const Profile& profile, const std::filesystem::path& timeline = {}) const;
  void remove_timeline(const std::string& name) const;

  /// By name. Empty where there is no folder. Throws Error (environment) where it cannot be read.
  std::vector<ListedProfile> list() const;
  /// False if no profile has that name. Throws Error (environment).
  bool remove(const std::string& name) const;

 private:
  void evict(const std::filesystem::path& saved) const;

  std::filesystem::path folder_;
  std::uint64_t most_profiles_;
  std::uint64_t most_bytes_;
};

/// Notes on runs without a profile, in KITH_HOME/unfinished. A run writes a note when it begins and
/// removes it at its end. A killed run leaves its note; the next run tells the user about it. A
/// note that cannot be written is left out.
class UnfinishedRuns {
 public:
  explicit UnfinishedRuns(const ProfileSettings& settings);

  /// When the last run began, in seconds since 1970, that has not come to its end; it may still
  /// run. Nothing: all have, or their notes are older than 60 days.
  std::optional<std::uint64_t> earlier(const std::string& name) const;
  /// `name`: ProfileKey's.
  void begin(const std::string& name) const;
  void end(const std::string& name) const;

 private:
  std::filesystem::path folder_;
};

// What a run makes of the profile that it found.

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
  double seconds = 0;  ///< ProfileHistory::seconds, or seconds_reordered
  bool is_reordered = false;
  std::string layout;  ///< ProfileHistory's
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

/// Whether a run and a profile, whose arguments differ at `positions`, do so alike that these
/// arguments are taken to make no difference.
bool is_same_work(const TrafficMatrix& known, const TrafficMatrix& run,
                  const std::vector<std::uint32_t>& positions);

/// The profile to save. Deterministic: runs that do exactly what the profile says leave its traffic
/// as it is. O(entries).
RenewedProfile renewed(const std::optional<Profile>& found, RecordedRun run);

}  // namespace kith
