#include "profile/profile.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <functional>
#include <new>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "io/format/trace_text.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".mtx";
constexpr std::string_view temporary_mark = ".tmp-";
/// In the folder of a timeline: how large it is, since to look at each of its files takes long.
constexpr char size_file[] = "bytes";

/// A writer that was killed left its temporary file: after this many seconds no process writes it.
constexpr std::int64_t abandoned_after = 3600;

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

/// A file of the folder, as it was when it was looked at.
struct StoredFile {
  fs::path path;
  std::uint64_t bytes = 0;
  std::int64_t seconds = 0;  ///< when it was written, by the file system's clock
  std::int64_t nanoseconds = 0;
  std::string profile;  ///< whose it is
  bool is_timeline = false;
  bool is_temporary = false;

  bool is_older_than(const StoredFile& other) const {
    if (seconds != other.seconds) return seconds < other.seconds;
    if (nanoseconds != other.nanoseconds) return nanoseconds < other.nanoseconds;
    return path < other.path;
  }
};

/// Of a profile, of its timeline, or of what is to become one of them; false: of neither.
bool read_name(std::string name, StoredFile& file) {
  const std::size_t at = name.rfind(temporary_mark);
  const auto take_ending = [&](std::string_view what) {
    if (name.ends_with(what)) {
      name.resize(name.size() - what.size());
      return true;
    }
    file.is_temporary = at != std::string::npos && name.substr(0, at).ends_with(what);
    if (file.is_temporary) name.resize(at - what.size());
    return file.is_temporary;
  };
  file.is_timeline = take_ending(trace_names::companion_suffix);
  if (!file.is_timeline && !take_ending(ending)) return false;
  file.profile = name;
  return is_profile_name(name);
}

std::uint64_t bytes_below(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    const std::uint64_t size = entry->file_size(ignored);
    if (!ignored) bytes += size;
  }
  return bytes;
}

std::uint64_t bytes_of_timeline(const fs::path& folder) {
  std::ifstream file(folder / size_file);
  std::uint64_t bytes = 0;
  return file >> bytes ? bytes : bytes_below(folder);
}

/// Profiles, their timelines, and temporary files of both; all else in the folder is not ours.
std::vector<StoredFile> files_in(const fs::path& folder) {
  std::vector<StoredFile> files;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error == std::errc::no_such_file_or_directory) return files;
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    StoredFile file;
    file.path = entries->path();
    if (!read_name(file.path.filename().string(), file)) continue;
    struct stat status {};
    // Another job may have removed it meanwhile.
    if (::lstat(file.path.c_str(), &status) != 0) continue;
    if (file.is_timeline ? !S_ISDIR(status.st_mode) : !S_ISREG(status.st_mode)) continue;
    file.bytes = static_cast<std::uint64_t>(status.st_size);
    if (file.is_timeline && !file.is_temporary) file.bytes = bytes_of_timeline(file.path);
    file.seconds = status.st_mtim.tv_sec;
    file.nanoseconds = status.st_mtim.tv_nsec;
    files.push_back(std::move(file));
  }
  if (error)
    throw environment_error(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  return files;
}

/// A profile and its timeline.
struct StoredProfile {
  StoredFile file;
  std::uint64_t timeline_bytes = 0;  ///< 0: it has none

  std::uint64_t bytes() const { return file.bytes + timeline_bytes; }
};

/// Those in `files`.
std::vector<StoredProfile> profiles_among(const std::vector<StoredFile>& files) {
  std::unordered_map<std::string_view, std::uint64_t> timelines;
  for (const StoredFile& file : files) {
    if (file.is_timeline && !file.is_temporary) timelines[file.profile] = file.bytes;
  }
  std::vector<StoredProfile> profiles;
  for (const StoredFile& file : files) {
    if (file.is_timeline || file.is_temporary) continue;
    const auto timeline = timelines.find(file.profile);
    profiles.push_back({file, timeline == timelines.end() ? 0 : timeline->second});
  }
  return profiles;
}

void remove_folder(const fs::path& folder) {
  std::error_code ignored;  // another job may be removing it, too
  fs::remove_all(folder, ignored);
}

/// What was killed before it was renamed or removed, and timelines whose profile has gone.
void remove_abandoned(const std::vector<StoredFile>& files, std::int64_t now) {
  std::unordered_set<std::string_view> profiles;
  for (const StoredFile& file : files) {
    if (!file.is_timeline && !file.is_temporary) profiles.insert(file.profile);
  }
  for (const StoredFile& file : files) {
    const bool has_use =
        !file.is_temporary && (!file.is_timeline || profiles.contains(file.profile));
    if (has_use || now - file.seconds <= abandoned_after) continue;
    if (file.is_timeline) {
      remove_folder(file.path);
    } else {
      ::unlink(file.path.c_str());
    }
  }
}

/// Renames `fresh` to `folder`, in the place of an older one.
void move_timeline(const fs::path& fresh, const fs::path& folder) {
  std::ofstream(fresh / size_file) << bytes_below(fresh) << "\n";
  const fs::path old = fresh.string() + "-old";
  std::error_code ignored;
  fs::rename(folder, old, ignored);
  fs::rename(fresh, folder, ignored);  // another job's may be there by now: it stays
  remove_folder(old);
}

}  // namespace

ProfileStore::ProfileStore(const ProfileSettings& settings)
    : folder_(settings.home / "profiles"),
      most_profiles_(settings.most_profiles),
      most_bytes_(settings.most_bytes) {
  if (settings.home.empty()) {
    throw environment_error("there is no folder for profiles: neither KITH_HOME nor HOME is set");
  }
}

fs::path ProfileStore::path_of(const std::string& name) const {
  return folder_ / (name + std::string(ending));
}

fs::path ProfileStore::timeline_of(const std::string& name) const {
  return folder_ / (name + trace_names::companion_suffix);
}

bool ProfileStore::has_timeline(const std::string& name) const {
  std::error_code error;
  return fs::is_directory(timeline_of(name), error);
}

void ProfileStore::prepare() const {
  const auto fail = [&](int error) {
    throw environment_error(
        fmt::format("cannot write into {}: {}", folder_.string(), reason_of(error)));
  };
  std::error_code error;
  fs::create_directories(folder_.parent_path(), error);
  if (error) fail(error.value());
  // Command lines may hold secrets.
  if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) fail(errno);
  if (::access(folder_.c_str(), R_OK | W_OK | X_OK) != 0) fail(errno);
}

FoundProfile ProfileStore::find(const ProfileKey& key) const {
  FoundProfile found;
  const fs::path own = path_of(key.name);
  struct stat status {};
  if (::lstat(own.c_str(), &status) == 0) {
    try {
      found.profile = read_profile(own, key.ranks);
      if (found.profile->key.work == key.work) return found;
      found.damage = own.string() + " is of another program";
    } catch (const Error& error) {
      found.damage = error.what();
    }
    found.profile.reset();
    return found;
  }
  fs::path joined;  // of several that of this build, the one used last
  std::pair<bool, std::uint64_t> joined_rank{false, 0};
  for (const StoredFile& file : files_in(folder_)) {
    if (file.is_temporary || file.is_timeline) continue;
    try {
      ProfileHeader header = read_profile_header(file.path);
      ProfileKey& other = header.key;
      if (other.ranks != key.ranks) continue;
      const bool is_of_build = other.build == key.build;
      // A build anew is in the place of the old one; elsewhere it is another program.
      if (!is_of_build && other.program != key.program) continue;
      ProfileKey as_built = key;
      as_built.build = other.build;
      const auto differing = differing_arguments(other, as_built);
      const std::pair rank{is_of_build, header.history.last_seen};
      if (differing && differing->empty() && rank >= joined_rank) {
        joined = file.path;
        joined_rank = rank;
      }
      if (!is_of_build || other.work != key.work) continue;
      found.profile = read_profile(file.path, key.ranks);
      found.profile->key = key;
      found.profile->key.free_arguments = std::move(other.free_arguments);
      return found;
    } catch (const Error&) {
      found.profile.reset();  // damaged, or gone: as if it were not there
    }
  }
  try {
    if (!joined.empty()) found.profile = read_profile(joined, key.ranks);
  } catch (const Error&) {
    found.profile.reset();
  }
  return found;
}

std::vector<ProfileHeader> ProfileStore::relatives(const ProfileKey& key) const {
  constexpr std::size_t most_differing = 3;
  std::vector<ProfileHeader> found;
  for (const StoredFile& file : files_in(folder_)) {
    if (file.is_temporary || file.is_timeline) continue;
    try {
      ProfileHeader header = read_profile_header(file.path);
      const auto differing = differing_arguments(header.key, key);
      if (!differing || differing->size() > most_differing) continue;
      found.push_back(std::move(header));
    } catch (const Error&) {
      // Damaged, or gone.
    }
  }
  std::ranges::sort(found, std::greater(),
                    [](const ProfileHeader& header) { return header.history.last_seen; });
  return found;
}

void ProfileStore::save(const Profile& profile, const fs::path& timeline) const {
  const fs::path path = path_of(profile.key.name);
  write_profile(path, profile);
  // Not before: a timeline without a profile would be nobody's.
  if (!timeline.empty()) move_timeline(timeline, timeline_of(profile.key.name));
  evict(path);
}

void ProfileStore::remove_timeline(const std::string& name) const {
  remove_folder(timeline_of(name));
}

void ProfileStore::evict(const fs::path& saved) const {
  const std::vector<StoredFile> files = files_in(folder_);
  std::vector<StoredProfile> profiles = profiles_among(files);
  const auto path_of_file = [](const StoredProfile& profile) { return profile.file.path; };
  const auto ours = std::ranges::find(profiles, saved, path_of_file);
  if (ours == profiles.end()) return;  // another job has evicted it: it looks after the bounds
  remove_abandoned(files, ours->file.seconds);
  if (ours->bytes() > most_bytes_) {
    remove_timeline(ours->file.profile);
    ours->timeline_bytes = 0;
  }
  if (ours->bytes() > most_bytes_) {
    ::unlink(saved.c_str());
    throw bad_input("KITH_PROFILE_BYTES",
                    fmt::format("at least the {} bytes of {}", ours->bytes(), ours->file.profile),
                    std::to_string(most_bytes_));
  }
  std::ranges::sort(profiles, [&](const StoredProfile& a, const StoredProfile& b) {
    const bool is_ours = a.file.path == saved;
    if (is_ours != (b.file.path == saved)) return is_ours;  // ours stays, and counts
    return b.file.is_older_than(a.file);
  });
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  for (const StoredProfile& profile : profiles) {
    ++count;
    bytes += profile.bytes();
    if (count <= most_profiles_ && bytes <= most_bytes_) continue;
    ::unlink(profile.file.path.c_str());
    if (profile.timeline_bytes > 0) remove_timeline(profile.file.profile);
  }
}

std::vector<ListedProfile> ProfileStore::list() const {
  std::vector<ListedProfile> listed;
  for (const StoredProfile& stored : profiles_among(files_in(folder_))) {
    ListedProfile profile;
    profile.name = stored.file.profile;
    profile.path = stored.file.path;
    profile.bytes = stored.bytes();
    profile.timeline_bytes = stored.timeline_bytes;
    try {
      profile.header = read_profile_header(stored.file.path);
    } catch (const Error& error) {
      profile.damage = error.what();
    }
    listed.push_back(std::move(profile));
  }
  std::ranges::sort(listed, {}, &ListedProfile::name);
  return listed;
}

bool ProfileStore::remove(const std::string& name) const {
  if (!is_profile_name(name)) return false;
  const fs::path path = path_of(name);
  if (::unlink(path.c_str()) == 0) {
    remove_timeline(name);
    return true;
  }
  if (errno == ENOENT) return false;
  throw environment_error(fmt::format("cannot remove {}: {}", path.string(), reason_of(errno)));
}

namespace {

TrafficMatrix mean(const TrafficMatrix& a, const TrafficMatrix& b) {
  TrafficMatrixBuilder sum(a.ranks(), a.entries() + b.entries());
  for (const TrafficMatrix* const matrix : {&a, &b}) {
    for (std::uint32_t r = 0; r < matrix->ranks(); ++r) {
      const auto destinations = matrix->destinations(Rank(r));
      const auto weights = matrix->weights(Rank(r));
      for (std::size_t k = 0; k < destinations.size(); ++k) {
        // Of an odd weight the first matrix has the larger half, so that x and x make x.
        const Weight half = matrix == &a ? weights[k] - weights[k] / 2 : weights[k] / 2;
        sum.add(Rank(r), destinations[k], half);
      }
    }
  }
  return sum.build();
}

/// An order that saves less than half of what it was to save was made for another program.
bool is_disappointing(const RecordedRun& run) {
  if (!run.predicted || !run.measured) return false;
  constexpr double hardly_any = 0.98;  // it was made for something else than this number
  if (*run.predicted > hardly_any) return false;
  return 1 - *run.measured < (1 - *run.predicted) / 2;
}

}  // namespace

bool is_worth_recording(const TrafficMatrix& traffic) {
  return traffic.ranks() > 1 && traffic.total(false) >= least_bytes_recorded;
}

std::string_view hosts_of_layout(std::string_view layout) {
  return layout.substr(0, layout.find(layout_mark));
}

bool has_comparable_seconds(const ProfileHistory& history) {
  constexpr double most_apart = 0.1;
  if (!history.seconds || !history.seconds_reordered) return false;
  const auto [less, more] = std::minmax(history.bytes, history.bytes_reordered);
  return less == 0 || static_cast<double>(less) >= (1 - most_apart) * static_cast<double>(more);
}

bool was_slower(const ProfileHistory& history) {
  constexpr double noise = 0.05;
  constexpr double noise_seconds = 0.5;
  if (!has_comparable_seconds(history)) return false;
  const double more = *history.seconds_reordered - *history.seconds;
  return more > noise_seconds && more > noise * *history.seconds;
}

std::uint64_t runs_to_wait(const ProfileHistory& history) {
  constexpr std::uint64_t first_wait = 2;
  constexpr std::uint64_t most_doublings = 31;
  if (history.slower == 0 || !was_slower(history)) return 0;
  const std::uint64_t wait = first_wait << std::min(2 * (history.slower - 1), most_doublings);
  return wait > history.waited ? wait - history.waited : 0;
}

bool is_same_work(const TrafficMatrix& known, const TrafficMatrix& run,
                  const std::vector<std::uint32_t>& positions) {
  // Several arguments that change at once may well be another problem: then all has to agree.
  const bool is_one = positions.size() == 1;
  const double least_similarity = is_one ? 0.99 : 0.999;
  if (cosine_similarity(known, run).value_or(0) < least_similarity) return false;
  constexpr double most_apart = 0.01;
  const auto bytes = static_cast<double>(run.total(false));
  return is_one || std::abs(static_cast<double>(known.total(false)) - bytes) <= most_apart * bytes;
}

RenewedProfile renewed(const std::optional<Profile>& found, RecordedRun run) {
  RenewedProfile result;
  ProfileHistory& history = result.profile.history;
  history.first_seen = run.now;
  if (found) {
    history = found->history;
    result.similarity = cosine_similarity(found->traffic, run.traffic).value_or(0);
    const bool is_same = *result.similarity >= alike_from && !is_disappointing(run);
    result.renewal = is_same ? Renewal::blended : Renewal::replaced;
  }
  ++history.runs;
  history.last_seen = run.now;
  if (run.predicted) {
    ++history.reordered;
    history.predicted = run.predicted;
    history.measured = run.measured;
  }
  if (result.renewal == Renewal::replaced) ++history.renewed;
  const bool is_rebuilt = found && found->key.build != run.key.build;
  const bool is_other_work = result.renewal == Renewal::replaced || is_rebuilt;
  if (is_other_work || history.layout != run.layout) {
    // An order for another machine says nothing of this one's.
    history.seconds_reordered.reset();
    history.slower = 0;
  }
  if (is_other_work || hosts_of_layout(history.layout) != hosts_of_layout(run.layout)) {
    history.seconds.reset();
  }
  history.layout = run.layout;
  (run.is_reordered ? history.bytes_reordered : history.bytes) = run.traffic.total(false);
  (run.is_reordered ? history.seconds_reordered : history.seconds) = run.seconds;
  if (run.is_reordered) history.slower = was_slower(history) ? history.slower + 1 : 0;
  history.waited = run.is_reordered ? 0 : history.waited + 1;
  result.profile.key = std::move(run.key);
  result.profile.traffic = result.renewal == Renewal::blended ? mean(found->traffic, run.traffic)
                                                              : std::move(run.traffic);
  return result;
}

}  // namespace kith
