#include "launch/job_mark.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "output.hpp"

namespace kith::tools {

JobMark::JobMark() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) return;
  std::string name = (folder / "kith-run-XXXXXX").string();
  if (::mkdtemp(name.data()) != nullptr) path_ = name;
}

void JobMark::tell_if_nobody_came(const std::string& failure) const {
  if (path_.empty() || ::rmdir(path_.c_str()) != 0) return;
  // In a container with a /tmp of its own ranks cannot remove it.
  if (!failure.empty()) {
    tell(fmt::format("nothing was reordered: the launcher ended with {}. {}", failure,
                     why_none_of_failed));
    return;
  }
  tell(fmt::format(
      "if Kith said nothing else, nothing was reordered: no process of the job called MPI_Init "
      "under Kith: {}",
      why_none_joins));
}

}  // namespace kith::tools
