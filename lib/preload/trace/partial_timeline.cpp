#include "trace/partial_trace.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>

#include "core/this_process.hpp"
#include "record/record.hpp"
#include "timeline/packed_rank.hpp"

namespace kith::preload {
namespace {

using Clock = std::chrono::steady_clock;

struct Keeper {
  std::string path;
  std::uint32_t rank = 0;
  pid_t owner = 0;
  double began = 0;  ///< after the job's common moment, seconds
  Clock::time_point kept_since;
};

// Never destroyed: MPI calls may come from exit handlers.
Keeper* keeper = nullptr;

bool write_all(int fd, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

bool replace_file(const std::string& path, const std::string& bytes) {
  const FileSizeSignalBlocked guard;
  const std::string fresh = path + ".new";
  const int fd = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (fd < 0) return false;
  const bool whole = write_all(fd, bytes);
  close(fd);
  if (whole && rename(fresh.c_str(), path.c_str()) == 0) return true;
  unlink(fresh.c_str());
  return false;
}

/// Seconds until the next time; 0: never again.
double write_timeline() noexcept {
  if (keeper == nullptr || keeper->owner != getpid()) return 0;
  try {
    const auto begin = Clock::now();
    const auto seconds = [](Clock::duration time) {
      return std::chrono::duration<double>(time).count();
    };
    timeline::RankTimeline own = record::timeline_of_this_thread();
    own.rank = keeper->rank;
    own.init_seconds = keeper->began;
    own.run_seconds = seconds(begin - keeper->kept_since);
    if (!replace_file(keeper->path, timeline::pack_rank(own))) return 0;
    constexpr double least = 2;
    constexpr double most = 60;
    constexpr double share = 0.005;
    const double cost = seconds(Clock::now() - begin);
    const double rarely = std::min(own.run_seconds / 4, most);
    return std::max({least, rarely, cost / share});
  } catch (const std::exception&) {
    return 0;
  }
}

}  // namespace

void keep_timeline_in(const std::string& path, std::uint32_t rank, double began) {
  if (keeper == nullptr) keeper = new Keeper;
  *keeper = {path, rank, getpid(), began, Clock::now()};
  constexpr double first = 2;
  record::snapshot_timeline_by(write_timeline, first);
}

void remove_timeline_file() {
  if (keeper == nullptr || keeper->owner != getpid()) return;
  record::snapshot_timeline_by(nullptr, 0);
  unlink(keeper->path.c_str());
  unlink((keeper->path + ".new").c_str());
  keeper->owner = 0;
}

}  // namespace kith::preload
