#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "timeline/event.hpp"

namespace kith::timeline {
namespace {

constexpr std::array<const char*, op_count> names{
    "MPI_Send",
    "MPI_Bsend",
    "MPI_Ssend",
    "MPI_Rsend",
    "MPI_Isend",
    "MPI_Ibsend",
    "MPI_Issend",
    "MPI_Irsend",
    "MPI_Start (send)",
    "MPI_Recv",
    "MPI_Irecv",
    "MPI_Start (receive)",
    "MPI_Mrecv",
    "MPI_Imrecv",
    "MPI_Sendrecv (send)",
    "MPI_Sendrecv (receive)",
    "MPI_Isendrecv (send)",
    "MPI_Isendrecv (receive)",
    "MPI_Probe",
    "MPI_Iprobe",
    "MPI_Mprobe",
    "MPI_Improbe",
    "MPI_Wait",
    "MPI_Waitall",
    "MPI_Waitany",
    "MPI_Waitsome",
    "MPI_Test",
    "MPI_Testall",
    "MPI_Testany",
    "MPI_Testsome",
    "MPI_Request_free",
    "MPI_Allgather",
    "MPI_Allgatherv",
    "MPI_Allreduce",
    "MPI_Alltoall",
    "MPI_Alltoallv",
    "MPI_Alltoallw",
    "MPI_Barrier",
    "MPI_Bcast",
    "MPI_Exscan",
    "MPI_Gather",
    "MPI_Gatherv",
    "MPI_Reduce",
    "MPI_Reduce_scatter",
    "MPI_Reduce_scatter_block",
    "MPI_Scan",
    "MPI_Scatter",
    "MPI_Scatterv",
    "MPI_Neighbor_allgather",
    "MPI_Neighbor_allgatherv",
    "MPI_Neighbor_alltoall",
    "MPI_Neighbor_alltoallv",
    "MPI_Neighbor_alltoallw",
    "MPI_Put",
    "MPI_Get",
    "MPI_Accumulate",
    "MPI_Get_accumulate",
    "MPI_Fetch_and_op",
    "MPI_Compare_and_swap",
    "MPI_Win_fence",
    "MPI_Win_lock",
    "MPI_Win_unlock",
    "MPI_Win_lock_all",
    "MPI_Win_unlock_all",
    "MPI_Win_flush",
    "MPI_Win_flush_all",
    "MPI_Win_post",
    "MPI_Win_start",
    "MPI_Win_complete",
    "MPI_Win_wait",
    "MPI_Win_sync",
    "making communicators and windows",
    "MPI_File",
    "phase",
};
static_assert(names.back() != nullptr, "one name for each Op");

}  // namespace

const char* name_of(Op op) {
  const auto index = static_cast<std::size_t>(op);
  return index < names.size() ? names[index] : "unknown operation";
}

std::string name_of(Op op, std::uint8_t flags) {
  std::string name = name_of(op);
  constexpr std::size_t behind_prefix = std::string_view("MPI_").size();
  const bool is_known = is_collective(op) || is_one_sided(op);
  if (!is_known || name.size() <= behind_prefix) return name;
  if ((flags & persistent) != 0) return "MPI_Start (" + name + ")";
  if ((flags & nonblocking) == 0) return name;
  char& first = name[behind_prefix];
  first = static_cast<char>(std::tolower(static_cast<unsigned char>(first)));
  return name.insert(behind_prefix, is_collective(op) ? "I" : "R");
}

}  // namespace kith::timeline
