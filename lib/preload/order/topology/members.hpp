// The members of a communicator: how they talk about it, and where they are.
#pragma once

#include <memory>
#include <optional>

#include "comm/team.hpp"
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
  Team& team() { return *team_; }

 private:
  std::unique_ptr<Team> own_team_;
  Team* team_;
  std::optional<JobDescription> job_;  // of the request
};

}  // namespace kith::runtime
