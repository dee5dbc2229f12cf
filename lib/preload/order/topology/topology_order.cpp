#include "order/topology/topology_order.hpp"

#include <atomic>
#include <new>

#include "core/log.hpp"
#include "job/presence.hpp"
#include "order/decision.hpp"
#include "order/job_state.hpp"
#include "order/topology/members.hpp"
#include "order/topology/small_order.hpp"
#include "record/call_context.hpp"

namespace kith::runtime {
namespace {

/// A program may make thousands of communicators: only the first are worth a line, and an engine
/// that gave no answer is not waited for again.
std::atomic<int> lines_told = 0;
std::atomic<bool> engine_is_ill = false;

/// On the root: the parts of all members behind each other, each without its first byte.
std::string collected(const std::vector<std::string>& parts) {
  std::string edges;
  for (const std::string& part : parts) {
    if (part.empty()) throw std::runtime_error("the graph is not one that MPI allows");
    edges.append(part, 1);
  }
  return edges;
}

/// Brings the graph to the root and into the request, as a grid or as `edges`.
void add_graph(PrivateComm& private_comm, Declared declared, std::optional<DeclaredGraph>& graph,
               std::string& edges, OrderRequest& request) {
  if (declared == Declared::in_parts) {
    const auto parts = private_comm.gather(graph ? std::move(graph->edges) : std::string());
    if (private_comm.is_root()) edges = collected(parts);
  } else if (private_comm.is_root()) {
    if (!graph) throw std::runtime_error("memory was too short for the graph");
    if (graph->grid) {
      request.grid = &*graph->grid;
      return;
    }
    edges = collected({std::move(graph->edges)});
  }
  request.triplets = &edges;
}

/// On the root: why the job's places leave no choice. Empty: they may.
std::string obstacle_of_places(const OrderRequest& request) {
  const JobDescription* const job = request.job;
  if (job == nullptr || !request.settings.topology.empty()) return {};
  const bool one_each = job->hosts.size() == job->processes.size();
  const bool are_equal = job->network.levels.size() <= 1;
  return one_each && are_equal ? "each process has a host of its own, all equally far" : "";
}

/// Whether ranks without Kith would leave us waiting. Local, and the same answer on all ranks that
/// run under Kith.
bool all_may_join(const JobState& state) {
  if (state.bypass) return true;                                            // all met at MPI_Init
  if (!state.may_order_topologies && pmix_serves_this_job()) return false;  // the others miss us
  static const Presence presence = find_presence(Joins::at_topologies);
  static std::atomic<bool> told = false;
  if (presence.reason.empty()) return true;
  if (speaks_for_the_present() && state.settings.verbose >= 1 && !told.exchange(true)) {
    log_line("reorder=1 is left to the MPI library: " + presence.reason);
  }
  return false;
}

/// Why some calls may go past Kith: agreed at MPI_Init where all met there, else by the members of
/// `comm`, to whom alone it matters.
std::string agreed_bypass(const JobState& state, MPI_Comm comm) {
  if (state.bypass) return *state.bypass;
  static const std::string own = state.bypass_reason();
  const ErrorsReturned guard(comm);
  const int mine = own.empty() ? 1 : 0;
  int all = 0;
  if (PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS) all = 0;
  if (all == 1) return {};
  return own.empty() ? "calls of other ranks go past Kith" : own;
}

}  // namespace

bool all_have_met() {
  return job_state().has_begun && job_state().has_met;
}

bool reorders_topologies(MPI_Comm comm) {
  const record::OwnCalls own;
  const JobState& state = job_state();
  if (!state.has_begun || !state.reorders_topologies || !is_of_this_job(comm)) return false;
  if (!all_may_join(state)) return false;
  const std::string bypass = agreed_bypass(state, comm);
  if (bypass.empty()) return true;
  static std::atomic<bool> told = false;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && state.settings.verbose >= 1 && !told.exchange(true)) {
    log_line("reorder=1 is left to the MPI library: " + bypass);
  }
  return false;
}

TopologyOrder::TopologyOrder(MPI_Comm comm, const char* call) noexcept
    : comm_(comm), made_(MPI_COMM_NULL), call_(call) {
  const record::OwnCalls own;
  int rank = 0;
  PMPI_Comm_size(comm, &size_);
  PMPI_Comm_rank(comm, &rank);
  is_root_ = rank == 0;
  try {
    if (size_ < 2) {
      order_.reason = "there is one process";
      return;
    }
    where_ = find_whereabouts(comm);
    may_gain_ = where_.has_topology || where_.hosts != 1;
    if (may_gain_) return;
    order_.reason = "all processes are on one host";
    tell_user();
  } catch (const std::exception& error) {
    stay(error);
  }
}

void TopologyOrder::stay(const std::exception& error) {
  order_ = {};
  log_line(std::string(call_) + ": order unchanged: " + error.what());
}

void TopologyOrder::decide(Declared declared, std::optional<DeclaredGraph> graph) noexcept {
  if (!may_gain_) return;
  const record::OwnCalls own;
  try {
    order_ = find_order(declared, std::move(graph));
    make();
    tell_user();
  } catch (const std::exception& error) {
    stay(error);
  }
}

Order TopologyOrder::find_order(Declared declared, std::optional<DeclaredGraph> graph) {
  const RequestSummary request = sum_up(comm_, declared, graph);
  Order order;
  if (!request.is_whole) {
    order.failed = true;
    order.reason = "memory was too short for the graph, or it is not one that MPI allows";
    return order;
  }
  if (declared == Declared::in_parts && request.bytes == static_cast<std::uint64_t>(size_)) {
    order.reason = "there are no neighbours";  // one byte in each part
    return order;
  }
  if (std::optional<Order> known = remembered_order(comm_, request)) return *std::move(known);
  // Of hosts with one process each only the engine may know that some are nearer than others.
  const bool is_in_reach = !where_.has_topology && !where_.wants_engine && where_.hosts < size_;
  std::optional<Order> found;
  if (is_in_reach && where_.hosts > 0 && is_small(size_, request)) {
    found = decide_small_order(comm_, declared, graph, job_state().settings.min_gain);
  }
  order = found ? *std::move(found) : ask_engine(declared, std::move(graph));
  if (!order.no_answer) remember(request, order);
  return order;
}

Order TopologyOrder::ask_engine(Declared declared, std::optional<DeclaredGraph> graph) {
  OrderRequest request;
  ask_for(comm_, request);
  request.settings.keep_rank0 = false;  // stdin belongs to the world's rank 0 alone
  Members members(comm_, request);
  PrivateComm& private_comm = members.private_comm();
  std::string edges;
  prepare(request, [&] { add_graph(private_comm, declared, graph, edges, request); });
  if (request.obstacle.empty()) request.obstacle = obstacle_of_places(request);
  if (engine_is_ill.load()) request.obstacle = "the engine gave no answer before";
  return decide_order(private_comm, request);
}

void TopologyOrder::make() {
  if (!order_.apply) return;
  made_ = make_reordered(comm_, order_);
  if (made_ != MPI_COMM_NULL) return;
  order_.apply = false;
  order_.reason = "the reordered communicator could not be made";
}

void TopologyOrder::tell_user() const {
  if (!is_root_) return;
  constexpr int most = 3;
  const int verbose = job_state().settings.verbose;
  const bool is_news = order_.no_answer && !engine_is_ill.exchange(true);
  const bool is_worth_it =
      is_news || verbose >= 2 || (order_.apply && verbose >= 1 && lines_told.fetch_add(1) < most);
  if (!is_worth_it) return;
  log_line(std::string(call_) + (order_.apply ? ": ranks reordered: " : ": order unchanged: ") +
           order_.reason);
}

TopologyOrder::~TopologyOrder() {
  free();
}

void TopologyOrder::give_up() {
  free();
  order_.apply = false;
  order_.reason = "the lists of neighbours could not be exchanged";
}

void TopologyOrder::free() {
  if (made_ == MPI_COMM_NULL) return;
  const record::OwnCalls own;
  PMPI_Comm_free(&made_);
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
