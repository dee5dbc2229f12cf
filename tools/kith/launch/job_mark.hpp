// Whether any rank of a job joined Kith, where nothing that it leaves would tell.
#pragma once

#include <string>
#include <string_view>

namespace kith::tools {

constexpr std::string_view why_none_joins =
    "a program without MPI, a static program, or something that drops LD_PRELOAD (env, a "
    "container, sudo, a script)";

/// The same of a launcher that failed.
constexpr std::string_view why_none_of_failed =
    "Where it says why, mend that first; if it did start the program, no process called MPI_Init "
    "under Kith (kith run --check names the ranks)";

/// An empty folder of this host, for KITH_RUN_MARK: the first rank that joins removes it.
class JobMark {
 public:
  /// Without a folder where none can be made.
  JobMark();

  /// Its name; empty where none could be made.
  const std::string& path() const { return path_; }

  /// Says on stderr where no rank has come. Removes the folder. `failure`: how the launcher ended
  /// ("status 1"), where that is no success, else empty.
  void tell_if_nobody_came(const std::string& failure) const;

 private:
  std::string path_;
};

}  // namespace kith::tools
