// The timeline of a trace: the files of all hosts, or what a job that ended early left behind.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "timeline/host_file.hpp"

namespace kith::timeline {

/// What is found where a trace, or what a killed job left, has no timeline, and why.
std::string why_no_timeline(const std::filesystem::path& trace);

/// Knows which rank is in which file; holds the files of the last hosts in memory, since ranks may
/// lie on hosts in turns.
class TimelineFiles {
 public:
  /// `trace`: NAME.kith with its folder timeline/, or NAME.kith.partial with a file per rank. Throws
  /// Error (input) where it has no timeline.
  explicit TimelineFiles(const std::filesystem::path& trace);

  /// Whether a trace has one.
  static bool has_timeline(const std::filesystem::path& trace);

  /// Ascending.
  const std::vector<std::uint32_t>& ranks() const { return ranks_; }
  bool has(std::uint32_t rank) const { return find(rank) != nullptr; }
  /// Then the timelines of its ranks end at different times: each has what its rank kept last.
  bool is_of_killed_job() const { return is_of_killed_job_; }
  /// Ranks of the world: more than ranks() where some left nothing.
  std::uint32_t world_size() const { return world_size_; }
  RankTimeline read(std::uint32_t rank);

 private:
  struct Place {
    std::uint32_t rank = 0;
    std::uint32_t file = 0;
    std::uint64_t place = 0;
  };

  void add_host_file(const std::filesystem::path& path);
  void add_rank_file(const std::filesystem::path& path);
  const Place* find(std::uint32_t rank) const;
  const HostFileReader& open(std::uint32_t file);

  std::vector<std::filesystem::path> files_;
  std::vector<Place> places_;  ///< by rank
  std::vector<std::uint32_t> ranks_;
  std::uint32_t world_size_ = 0;
  bool is_of_killed_job_ = false;
  struct OpenFile {
    std::uint32_t file = 0;
    std::uint64_t size = 0;
    std::unique_ptr<HostFileReader> reader;
  };
  std::deque<OpenFile> open_;  ///< the one opened last at the end
  std::uint64_t open_bytes_ = 0;
};

}  // namespace kith::timeline
