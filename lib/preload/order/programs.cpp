#include "order/programs.hpp"

namespace kith::runtime {
namespace {

int own_program() {
  int* number = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, static_cast<void*>(&number), &found);
  return found != 0 ? *number : 0;
}

}  // namespace

bool keeps_programs(PrivateComm& private_comm, const Order& order) {
  const int own = own_program();
  const auto first = static_cast<int>(private_comm.least(static_cast<std::uint64_t>(own)));
  if (private_comm.all_agree(own == first)) return true;
  std::vector<int> programs(static_cast<std::size_t>(private_comm.size()));
  check_mpi(PMPI_Allgather(&own, 1, MPI_INT, programs.data(), 1, MPI_INT, private_comm.comm()),
            "MPI_Allgather");
  const int new_rank = order.new_rank[static_cast<std::size_t>(private_comm.rank())];
  return private_comm.all_agree(programs[static_cast<std::size_t>(new_rank)] == own);
}

}  // namespace kith::runtime
