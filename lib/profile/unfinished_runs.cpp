#include "profile/profile.hpp"

#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <system_error>

namespace kith {
namespace {

namespace fs = std::filesystem;

/// Whoever has not come back in this time does not wonder any more.
constexpr std::chrono::hours forgotten_after{24 * 60};

void remove_old(const fs::path& folder) {
  const auto now = fs::file_time_type::clock::now();
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    std::error_code ignored;
    const auto written = entries->last_write_time(ignored);
    if (ignored || now - written < forgotten_after) continue;
    if (is_profile_name(entries->path().filename().string())) fs::remove(entries->path(), ignored);
  }
}

}  // namespace

UnfinishedRuns::UnfinishedRuns(const ProfileSettings& settings)
    : folder_(settings.home / "unfinished") {}

std::optional<std::uint64_t> UnfinishedRuns::earlier(const std::string& name) const {
  struct stat status {};
  if (::lstat((folder_ / name).c_str(), &status) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_mtim.tv_sec);
}

void UnfinishedRuns::begin(const std::string& name) const {
  ::mkdir(folder_.c_str(), 0700);
  remove_old(folder_);
  std::ofstream(folder_ / name).put('\n');  // so that it is as old as this run
}

void UnfinishedRuns::end(const std::string& name) const {
  std::error_code ignored;
  fs::remove(folder_ / name, ignored);
}

}  // namespace kith
