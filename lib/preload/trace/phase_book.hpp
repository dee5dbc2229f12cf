// The phases of the run, of this process and of the job.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "comm/private_comm.hpp"
#include "trace/host_rows.hpp"

namespace kith::preload {

/// Any thread may close a phase; closing does not communicate. What equal names hold is added
/// up.
class PhaseBook {
 public:
  /// The run begins now: at the end of MPI_Init.
  void begin(std::chrono::steady_clock::time_point now) { began_ = now; }

  /// What happened since the last close belongs to phase `name`. Throws std::bad_alloc.
  void close(const std::string& name);

  /// The same under the name that the phase was opened with (before the first: "start", behind one
  /// that close() named "setup": "after setup"), and the next one is `next`: what is closed under
  /// no other name belongs to it.
  void open(const std::string& next);

  /// All phases, with what came after the last close; none where nothing was ever closed. `whole`
  /// is the run until now; `load` with its wall time.
  std::vector<Phase> finish(const record::Row& whole, const record::Load& load);

 private:
  void add(const std::string& name, const record::Row& row, const record::Load& load);
  void close_locked(const std::string& name);

  std::mutex mutex_;
  std::chrono::steady_clock::time_point began_;
  std::string open_;       ///< name of the open phase; empty: not named yet
  std::string closed_as_;  ///< name of the last one that close() named
  record::Row closed_;
  record::Load closed_load_;
  std::vector<Phase> phases_;
  std::unordered_map<std::string, std::size_t> index_;
};

// The phases of the job: closing one is local, so ranks may know different ones.

/// The names in the order of their first appearance, each once.
std::vector<std::string> names_of(const std::vector<Phase>& phases);

/// Adds those of `more` that are not in `names`.
void append_new(std::vector<std::string>& names, const std::vector<std::string>& more);

/// Collective over `private_comm`: the same list everywhere. First what rank 0 has closed,
/// in its order; then what only others have, by lowest rank. `rank`: the one that the program sees.
/// Ranks talk about what they lack, so that a million equal lists cost a broadcast.
std::vector<std::string> agree_on_phases(PrivateComm& private_comm, std::uint32_t rank,
                                         const std::vector<Phase>& own);

}  // namespace kith::preload
