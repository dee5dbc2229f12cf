// What the MPI library itself cannot do for ranks in another order.
#pragma once

#include <string>

namespace kith::runtime {

/// Why ranks of several hosts have to stay in the launcher's order, or empty. Local.
///
/// Open MPI's coll/han takes the ranks of each host to follow one another: of 4.1, MPI_Gather then
/// gives wrong results where they do not (Open MPI issue 11664), of 6.0, MPI_Gatherv hangs (pull
/// request 14197). It serves communicators where its priority is above coll/tuned's.
std::string library_obstacle();

}  // namespace kith::runtime
