// NAME.kith.partial: what is left of the trace when MPI_Finalize is never reached.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

#include "comm/private_comm.hpp"
#include "trace/trace_output.hpp"

namespace kith::preload {

/// The folder of the row files of this run, on the file systems that its hosts see.
class PartialTrace {
 public:
  /// On the root, before anybody counts: makes the folder beside `trace`; an old one, which
  /// trace_obstacle() has let pass, is removed first. Empty on success, else the obstacle.
  std::string make_folder(const std::string& trace);

  /// Collective, after make_folder(): the root describes the run in the folder, the leaders of
  /// hosts that do not see it make one of their own, and every rank keeps its rows there. What
  /// fails is one line of the root's; the rows of those ranks are private then, and where those are
  /// all there is no folder. `content` and
  /// `force` are the root's; `rank` is that of the program.
  void begin(PrivateComm& private_comm, std::uint32_t rank,
             const std::function<TraceContent()>& content, bool force);

  /// After begin() and after recording has begun: this rank's timeline is kept there, too.
  void keep_timeline(std::uint32_t rank, double began);

  /// Collective, when the whole trace is in place: removes the row files and the folders.
  void remove(PrivateComm& private_comm);

  /// "what was counted stays in FOLDER"; empty where no rank keeps its rows. After begin().
  std::string what_remains() const;

 private:
  struct Identity {
    dev_t device = 0;
    ino_t inode = 0;
    bool operator==(const Identity&) const = default;
  };
  static Identity identity_of(const std::string& folder);
  std::string text_of_meta(const std::function<TraceContent()>& content, std::uint64_t run);
  std::string describe(const TraceContent& content, std::uint64_t run);
  std::string join_folder(const std::string& meta, bool force);
  std::string make(const std::string& folder);

  std::string folder_;
  bool made_here_ = false;  ///< this process made it and removes it
  Identity identity_;
  std::uint64_t ranks_ = 0;
  std::uint64_t without_ = 0;  ///< ranks whose rows found no place
};

// The timeline in it (partial_timeline.cpp).

/// From now on this process writes the timeline of its first thread to `path` from time to time,
/// inside a call of MPI: after 2 seconds, then ever more rarely, so that it takes less than 1% of
/// the time. Each time it writes the whole file under another name and renames it: the file always
/// holds a whole timeline, up to some moment. If it cannot be written, nothing is said. `began`:
/// seconds from the job's common moment until now (RankTimeline::init_seconds).
void keep_timeline_in(const std::string& path, std::uint32_t rank, double began);

/// No more. Removes the file.
void remove_timeline_file();

}  // namespace kith::preload
