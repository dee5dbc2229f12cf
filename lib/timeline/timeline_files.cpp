#include "timeline/timeline_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

#include "kith/error.hpp"
#include "timeline/packed_rank.hpp"

namespace kith::timeline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".timeline";
constexpr std::uint64_t most_open_bytes = std::uint64_t{256} << 20U;

/// The files of a folder whose names begin so, sorted.
std::vector<fs::path> files_in(const fs::path& folder, std::string_view beginning) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(beginning) && name.ends_with(ending)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

[[noreturn]] void cannot_read(const fs::path& path) {
  throw bad_input(path.string(), "a file that can be read", std::strerror(errno));
}

std::string read_from(const fs::path& path, std::uint64_t place, std::uint64_t size) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!file.seekg(static_cast<std::streamoff>(place)) ||
      !file.read(bytes.data(), static_cast<std::streamsize>(size))) {
    cannot_read(path);
  }
  return bytes;
}

std::uint64_t size_of(const fs::path& path) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  if (error) throw bad_input(path.string(), "a file that can be read", error.message());
  return size;
}

/// What a killed rank left.
RankTimeline read_rank_file(const fs::path& path) {
  return unpack_rank(read_from(path, 0, size_of(path)), path.string());
}

}  // namespace

std::string why_no_timeline(const fs::path& trace) {
  return (trace / "").parent_path().extension() == ".partial"
             ? "no timeline in it (the run ended before its ranks first kept theirs, 2 seconds "
               "after MPI_Init, or was recorded with KITH_TIMELINE=0)"
             : "no timeline in it (a job of one rank has none; else recorded with KITH_TIMELINE=0 "
               "or by an earlier Kith, or removed since)";
}

bool TimelineFiles::has_timeline(const fs::path& trace) {
  return !files_in(trace / "timeline", "host-").empty() || !files_in(trace, "rank-").empty();
}

TimelineFiles::TimelineFiles(const fs::path& trace) {
  if (!fs::exists(trace)) throw bad_input(trace.string(), "a trace", "nothing of this name");
  for (const fs::path& path : files_in(trace / "timeline", "host-")) add_host_file(path);
  if (files_.empty()) {
    for (const fs::path& path : files_in(trace, "rank-")) add_rank_file(path);
    is_of_killed_job_ = true;
  }
  std::sort(places_.begin(), places_.end(),
            [](const Place& a, const Place& b) { return a.rank < b.rank; });
  for (const Place& place : places_) {
    if (!ranks_.empty() && ranks_.back() == place.rank) {
      throw bad_input(files_[place.file].string(), "each rank once",
                      "rank " + std::to_string(place.rank) + " again");
    }
    ranks_.push_back(place.rank);
  }
  if (ranks_.empty()) {
    throw bad_input(trace.string(), "a trace with a timeline", why_no_timeline(trace));
  }
  world_size_ = read(ranks_.front()).communicators.front().size;
  if (ranks_.back() >= world_size_) {
    throw bad_input(trace.string(), "ranks below " + std::to_string(world_size_),
                    "rank " + std::to_string(ranks_.back()));
  }
}

void TimelineFiles::add_host_file(const fs::path& path) {
  const std::uint64_t size = size_of(path);
  if (size < host_file_magic.size() + host_file_end) {
    throw bad_input(path.string(), "a timeline", std::to_string(size) + " bytes");
  }
  const std::string name = path.string();
  const std::string end = read_from(path, size - host_file_end, host_file_end);
  const std::uint64_t place = place_of_index(name, end, size);
  const HostFileIndex index = read_index(name, read_from(path, place, size - place), place);
  for (const RankPlace& rank : index.ranks) {
    places_.push_back({rank.rank, static_cast<std::uint32_t>(files_.size()), rank.place});
  }
  files_.push_back(path);
}

void TimelineFiles::add_rank_file(const fs::path& path) {
  const std::uint32_t rank = read_rank_file(path).rank;
  places_.push_back({rank, static_cast<std::uint32_t>(files_.size()), 0});
  files_.push_back(path);
}

const TimelineFiles::Place* TimelineFiles::find(std::uint32_t rank) const {
  const auto place =
      std::lower_bound(places_.begin(), places_.end(), rank,
                       [](const Place& a, std::uint32_t b) { return a.rank < b; });
  return place != places_.end() && place->rank == rank ? &*place : nullptr;
}

const HostFileReader& TimelineFiles::open(std::uint32_t file) {
  for (const OpenFile& one : open_) {
    if (one.file == file) return *one.reader;
  }
  const fs::path& path = files_[file];
  const std::uint64_t size = size_of(path);
  while (!open_.empty() && open_bytes_ + size > most_open_bytes) {
    open_bytes_ -= open_.front().size;
    open_.pop_front();
  }
  open_.push_back({file, size, std::make_unique<HostFileReader>(path.string(),
                                                                read_from(path, 0, size))});
  open_bytes_ += size;
  return *open_.back().reader;
}

RankTimeline TimelineFiles::read(std::uint32_t rank) {
  const Place* const place = find(rank);
  if (place == nullptr) {
    throw bad_argument("rank", "a rank that left a timeline", std::to_string(rank));
  }
  const fs::path& path = files_[place->file];
  RankTimeline timeline;
  if (path.filename().string().starts_with("rank-")) {
    timeline = read_rank_file(path);
  } else {
    timeline = open(place->file).read({place->rank, place->place});
  }
  if (world_size_ != 0 && timeline.communicators.front().size != world_size_) {
    throw bad_input(path.string(), "a world of " + std::to_string(world_size_) + " ranks",
                    std::to_string(timeline.communicators.front().size));
  }
  return timeline;
}

}  // namespace kith::timeline
