#include "runtime/topology/topology_order.hpp"

#include <atomic>

#include "core/log.hpp"
#include "record/call_context.hpp"
#include "runtime/decision.hpp"
#include "runtime/job_state.hpp"
#include "runtime/topology/members.hpp"

namespace kith::runtime {
namespace {

constexpr char valid = 1;

/// On the root: the parts of all members behind each other.
std::string collected(const std::vector<std::string>& parts) {
  std::string edges;
  for (const std::string& part : parts) {
    if (part.empty() || part[0] != valid) {
      throw std::runtime_error("the graph is not one that MPI allows");
    }
    edges.append(part, 1);
  }
  return edges;
}

/// A program may make thousands of communicators: only the first are worth a line.
bool is_worth_a_line(const Order& order) {
  static std::atomic<int> told = 0;
  constexpr int most = 3;
  const int verbose = job_state().settings.verbose;
  if (verbose >= 2) return true;
  return order.apply && verbose >= 1 && told.fetch_add(1) < most;
}

}  // namespace

bool reorders_topologies() {
  const JobState& state = job_state();
  return state.team != nullptr && state.reorders_topologies;
}

TopologyOrder::TopologyOrder(MPI_Comm comm, const std::optional<DeclaredGraph>& part,
                             const char* call) noexcept
    : comm_(comm), made_(MPI_COMM_NULL) {
  const record::OwnCalls own;
  try {
    decide(part, call);
  } catch (const std::exception& error) {
    order_ = {};
    log_line(std::string(call) + ": order unchanged: " + error.what());
  }
}

void TopologyOrder::decide(const std::optional<DeclaredGraph>& part, const char* call) {
  OrderRequest request;
  ask_for(comm_, request);
  request.settings.keep_rank0 = false;  // stdin belongs to the world's rank 0 alone
  Members members(comm_, request);
  Team& team = members.team();
  std::string edges;
  if (part && part->grid) {
    request.grid = &*part->grid;
  } else {
    prepare(request, [&] {
      const auto parts = team.gather(part ? valid + part->edges : std::string());
      if (team.is_root()) edges = collected(parts);
    });
    request.triplets = &edges;
  }
  order_ = decide_order(team, request);
  if (order_.apply) made_ = make_reordered(team, comm_, order_);
  if (order_.apply && made_ == MPI_COMM_NULL) {
    order_.apply = false;
    order_.reason = "the reordered communicator could not be made";
  }
  if (team.is_root() && is_worth_a_line(order_)) {
    log_line(std::string(call) + (order_.apply ? ": ranks reordered: " : ": order unchanged: ") +
             order_.reason);
  }
}

TopologyOrder::~TopologyOrder() {
  give_up();
}

void TopologyOrder::give_up() {
  const record::OwnCalls own;
  if (made_ != MPI_COMM_NULL) PMPI_Comm_free(&made_);
}

void TopologyOrder::tell(MPI_Comm topology) noexcept {
  if (topology == MPI_COMM_NULL) return;
  try {
    attach(topology, order_);
  } catch (const std::bad_alloc&) {
    // kith_decision will not know this communicator; the communicator itself is good.
  }
}

}  // namespace kith::runtime
