// The members of a communicator: how they talk about it, and where they are.
#pragma once

#include <memory>
#include <optional>

#include "comm/private_comm.hpp"
#include "kith/job.hpp"
#include "order/order.hpp"

namespace kith::runtime {

/// Says in a request where they are. What it takes to meet is kept for the world, where programs
/// make most of their topologies; for other communicators it is made and freed, as there may be
/// thousands.
class Members {
 public:
  /// Collective over `comm`. Throws MpiFailure.
  Members(MPI_Comm comm, OrderRequest& request);

  /// All members, in an order of its own.
  PrivateComm& private_comm() { return *private_comm_; }

 private:
  std::unique_ptr<PrivateComm> own_comm_;
  PrivateComm* private_comm_;
  std::optional<JobDescription> job_;  // of the request
};

}  // namespace kith::runtime
