#include "profile/profile.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "kith/error.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".mtx";

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
  bool is_temporary = false;

  bool is_older_than(const StoredFile& other) const {
    if (seconds != other.seconds) return seconds < other.seconds;
    if (nanoseconds != other.nanoseconds) return nanoseconds < other.nanoseconds;
    return path < other.path;
  }
};

/// The name of the profile in a file, or of its temporary file; empty: it is neither.
std::string profile_name(const std::string& file, bool& is_temporary) {
  const std::size_t end = file.find(ending);
  if (end == std::string::npos) return {};
  const std::string rest = file.substr(end + ending.size());
  is_temporary = rest.starts_with(".tmp-");
  if (!rest.empty() && !is_temporary) return {};
  std::string name = file.substr(0, end);
  return is_profile_name(name) ? name : "";
}

/// Profiles and temporary files of profiles; all else in the folder is not ours.
std::vector<StoredFile> files_in(const fs::path& folder) {
  std::vector<StoredFile> files;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error == std::errc::no_such_file_or_directory) return files;
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    StoredFile file;
    file.path = entries->path();
    if (profile_name(file.path.filename().string(), file.is_temporary).empty()) continue;
    struct stat status {};
    // Another job may have removed it meanwhile.
    if (::lstat(file.path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    file.bytes = static_cast<std::uint64_t>(status.st_size);
    file.seconds = status.st_mtim.tv_sec;
    file.nanoseconds = status.st_mtim.tv_nsec;
    files.push_back(std::move(file));
  }
  if (error)
    throw environment_error(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  return files;
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
  for (const StoredFile& file : files_in(folder_)) {
    if (file.is_temporary) continue;
    try {
      const ProfileKey other = read_profile_header(file.path).key;
      if (other.work != key.work || other.build != key.build || other.ranks != key.ranks) continue;
      found.profile = read_profile(file.path, key.ranks);
      found.profile->key = key;
      return found;
    } catch (const Error&) {
      found.profile.reset();  // damaged, or gone: as if it were not there
    }
  }
  return found;
}

void ProfileStore::save(const Profile& profile) const {
  const fs::path path = path_of(profile.key.name);
  write_profile(path, profile);
  evict(path);
}

void ProfileStore::evict(const fs::path& saved) const {
  std::vector<StoredFile> files = files_in(folder_);
  const auto ours = std::ranges::find(files, saved, &StoredFile::path);
  if (ours == files.end()) return;  // another job has evicted it: it looks after the bounds
  const std::int64_t now = ours->seconds;
  if (ours->bytes > most_bytes_) {
    const std::uint64_t bytes = ours->bytes;
    ::unlink(saved.c_str());
    throw bad_input("KITH_PROFILE_BYTES",
                    fmt::format("at least the {} bytes of {}", bytes, saved.stem().string()),
                    std::to_string(most_bytes_));
  }
  std::ranges::sort(files, [&](const StoredFile& a, const StoredFile& b) {
    if ((a.path == saved) != (b.path == saved)) return a.path == saved;  // ours stays, and counts
    return b.is_older_than(a);
  });
  std::uint64_t profiles = 0;
  std::uint64_t bytes = 0;
  for (const StoredFile& file : files) {
    if (file.is_temporary) {
      if (now - file.seconds > abandoned_after) ::unlink(file.path.c_str());
      continue;
    }
    ++profiles;
    bytes += file.bytes;
    if (profiles > most_profiles_ || bytes > most_bytes_) ::unlink(file.path.c_str());
  }
}

std::vector<ListedProfile> ProfileStore::list() const {
  std::vector<ListedProfile> listed;
  for (const StoredFile& file : files_in(folder_)) {
    if (file.is_temporary) continue;
    ListedProfile profile;
    profile.name = file.path.stem().string();
    profile.path = file.path;
    profile.bytes = file.bytes;
    try {
      profile.header = read_profile_header(file.path);
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
  if (::unlink(path.c_str()) == 0) return true;
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
  if (result.renewal == Renewal::replaced || history.layout != run.layout) {
    // They are of another program, or of other hosts.
    history.seconds.reset();
    history.seconds_reordered.reset();
  }
  history.layout = run.layout;
  (run.is_reordered ? history.seconds_reordered : history.seconds) = run.seconds;
  result.profile.key = std::move(run.key);
  result.profile.traffic = result.renewal == Renewal::blended ? mean(found->traffic, run.traffic)
                                                              : std::move(run.traffic);
  return result;
}

}  // namespace kith
