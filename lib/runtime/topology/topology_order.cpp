#include "runtime/topology/topology_order.hpp"

#include <atomic>

#include "core/log.hpp"
#include "record/call_context.hpp"
#include "runtime/decision.hpp"
#include "runtime/job_state.hpp"
#include "runtime/topology/members.hpp"

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
void add_graph(Team& team, Declared declared, std::optional<DeclaredGraph>& graph,
               std::string& edges, OrderRequest& request) {
  if (declared == Declared::in_parts) {
    const auto parts = team.gather(graph ? std::move(graph->edges) : std::string());
    if (team.is_root()) edges = collected(parts);
  } else if (team.is_root()) {
    if (!graph) throw std::runtime_error("memory was too short for the graph");
    if (graph->grid) {
      request.grid = &*graph->grid;
      return;
    }
    edges = collected({std::move(graph->edges)});
  }
  request.triplets = &edges;
}

}  // namespace

bool reorders_topologies(MPI_Comm comm) {
  const JobState& state = job_state();
  if (state.team == nullptr || !state.reorders_topologies || !is_of_this_job(comm)) return false;
  if (state.bypass.empty()) return true;
  static std::atomic<bool> told = false;
  if (state.team->is_root() && state.settings.verbose >= 1 && !told.exchange(true)) {
    log_line("reorder=1 is left to the MPI library: " + state.bypass);
  }
  return false;
}

TopologyOrder::TopologyOrder(MPI_Comm comm, Declared declared, std::optional<DeclaredGraph> graph,
                             const char* call) noexcept
    : comm_(comm), made_(MPI_COMM_NULL) {
  const record::OwnCalls own;
  int size = 0;
  PMPI_Comm_size(comm, &size);
  if (size < 2) {
    order_.reason = "there is one process";
    return;
  }
  try {
    decide(declared, std::move(graph));
    if (is_root_) tell_user(call);
  } catch (const std::exception& error) {
    order_ = {};
    log_line(std::string(call) + ": order unchanged: " + error.what());
  }
}

void TopologyOrder::decide(Declared declared, std::optional<DeclaredGraph> graph) {
  OrderRequest request;
  ask_for(comm_, request);
  request.settings.keep_rank0 = false;  // stdin belongs to the world's rank 0 alone
  Members members(comm_, request);
  Team& team = members.team();
  is_root_ = team.is_root();
  std::string edges;
  prepare(request, [&] { add_graph(team, declared, graph, edges, request); });
  if (engine_is_ill.load()) request.obstacle = "the engine gave no answer before";
  order_ = decide_order(team, request);
  if (order_.apply) made_ = make_reordered(team, comm_, order_);
  if (order_.apply && made_ == MPI_COMM_NULL) {
    order_.apply = false;
    order_.reason = "the reordered communicator could not be made";
  }
}

void TopologyOrder::tell_user(const char* call) const {
  constexpr int most = 3;
  const int verbose = job_state().settings.verbose;
  const bool is_news = order_.no_answer && !engine_is_ill.exchange(true);
  const bool is_worth_it =
      is_news || verbose >= 2 || (order_.apply && verbose >= 1 && lines_told.fetch_add(1) < most);
  if (!is_worth_it) return;
  log_line(std::string(call) + (order_.apply ? ": ranks reordered: " : ": order unchanged: ") +
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
