// Jobs of several programs: mpirun -n 2 a : -n 6 b.
#pragma once

#include "order/order.hpp"

namespace kith::runtime {

/// Collective over `private_comm`, of the library's world. Whether every rank runs the same
/// program of the command line (MPI_APPNUM) in the new order as in the launcher's: coupled codes
/// count on that. Throws MpiFailure.
bool keeps_programs(PrivateComm& private_comm, const Order& order);

}  // namespace kith::runtime
