// Whether any rank of a job joined Kith, where nothing that it leaves would tell.
#pragma once

#include <string>
#include <string_view>

namespace kith::tools {

constexpr std::string_view why_none_joins =
    "a program without MPI, a static program, or something that drops LD_PRELOAD (env, a "
    "container, sudo, a script)";

/// An empty folder of this host, for KITH_RUN_MARK: the first rank that joins removes it.
class JobMark {
 public:
  /// Without a folder where none can be made.
  JobMark();

  /// Its name; empty where none could be made.
  const std::string& path() const { return path_; }

  /// Says on stderr where no rank has come. Removes the folder.
  void tell_if_nobody_came() const;

 private:
  std::string path_;
};

}  // namespace kith::tools
