// Tells the user at the end of a job where its trace is, or why it has none.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kith::tools {

/// Knows what there was before the launcher was started.
class TraceWatch {
 public:
  /// `trace`: its directory's whole path, in which %j and %p may be open; `likely_cause`: a
  /// sentence about what is known already, or empty.
  /// Its number is in the environment of this process from now on: the job's traces have it.
  TraceWatch(std::string trace, std::string likely_cause);

  /// Whether a program without MPI is what was started, which has something to tell but no trace.
  enum class NoMpi { is_amiss, is_fine };
  TraceWatch(std::string trace, NoMpi no_mpi);

  /// Says on stderr where the trace is (not where `is_quiet`), that it is missing, or that only a
  /// part of it was kept. `failure`: how the launcher ended ("status 1"), where that is no success,
  /// else empty.
  void tell_of_end(const std::string& failure, bool is_quiet) const;

 private:
  /// Which file has a name, and when it was last changed: a new one may get the number of the old.
  struct File {
    ino_t number;
    std::int64_t seconds;
    std::int64_t nanoseconds;
    bool operator==(const File&) const = default;
  };
  /// What there is under the names that a pattern of glob(3) stands for: other files after they
  /// were replaced.
  using Found = std::map<std::string, File>;

  static Found find_all(const std::string& pattern);
  using Names = std::vector<std::string>;
  /// Those that were not there before, and are not of another job; the first one made first.
  Names new_ones(const std::string& pattern, const Found& before) const;
  /// Waits a little for one; empty: none came.
  Names appearing(const std::string& pattern, const Found& before) const;
  /// Whether it is known to be of a job that another `kith run` started.
  bool is_of_another(const std::string& trace) const;

  /// "; app.kith is of an earlier run", or of another one; empty where none was there.
  std::string older_one() const;

  std::string number_;
  std::string name_;  ///< as it was asked for
  std::string likely_cause_;
  NoMpi no_mpi_ = NoMpi::is_amiss;
  std::string trace_;  ///< pattern
  std::string partial_;
  Found traces_before_;
  Found partials_before_;
};

}  // namespace kith::tools
