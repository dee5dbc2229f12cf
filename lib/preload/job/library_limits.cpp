#include "job/library_limits.hpp"

#include <string_view>

#include "mpi/late_mpi.h"
#include "mpi/library_setting.hpp"

namespace kith::runtime {
namespace {

// The one whose coll/han serves ranks in any order.
bool is_open_mpi_5_0() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  if (PMPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return false;
  return std::string_view(text).starts_with("Open MPI v5.0.");
}

}  // namespace

std::string library_obstacle() {
  const int han = mpi::library_number("coll_han_priority").value_or(-1);
  const int tuned = mpi::library_number("coll_tuned_priority").value_or(-1);
  if (han <= tuned || is_open_mpi_5_0()) return {};
  return "Open MPI's coll/han is in use, whose collectives go wrong unless the ranks of each host "
         "follow one another (--mca coll_han_priority 0 lets Kith reorder)";
}

}  // namespace kith::runtime
