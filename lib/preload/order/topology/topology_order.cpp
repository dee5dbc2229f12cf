#include "order/topology/topology_order.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "comm/private_comm.hpp"
#include "core/log.hpp"
#include "engine_client/engine_process.hpp"
#include "job/job_discovery.hpp"
#include "job/presence.hpp"
#include "mpi/world.hpp"
#include "order/job_state.hpp"
#include "record/call_context.hpp"

namespace kith::preload {
namespace {

/// Of this process, for all communicators.
struct Memory {
  static constexpr std::size_t most_ranks = std::size_t{1} << 20;  // in all orders together
  static constexpr std::size_t most_orders = 4096;
  std::mutex mutex;
  std::map<std::uint64_t, Order> orders;
  std::size_t ranks = 0;
};

Memory& memory() {
  static auto* const kept = new Memory;  // never destroyed: MPI may outlive static objects
  return *kept;
}

/// FNV-1a, then mixed, as the members' digests are added up (Stafford's variant 13).
class PartDigest {
 public:
  template <class Number>
  PartDigest& add_number(Number number) {
    std::array<char, sizeof number> bytes;
    std::memcpy(bytes.data(), &number, sizeof number);
    return add_bytes({bytes.data(), bytes.size()});
  }
  PartDigest& add_bytes(std::string_view bytes) {
    for (const char c : bytes) {
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return *this;
  }
  std::uint64_t mixed() const {
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

std::uint64_t digest_of_part(MPI_Comm comm, Declared declared, const DeclaredGraph& graph) {
  int rank = 0;
  int launcher_rank = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_rank(MPI_COMM_WORLD, &launcher_rank);
  PartDigest digest;
  digest.add_number(rank).add_number(launcher_rank).add_number(declared).add_bytes(graph.edges);
  if (graph.grid) {
    for (const std::uint32_t extent : graph.grid->dims) digest.add_number(extent);
    for (const bool is_periodic : graph.grid->periods) digest.add_number(is_periodic);
  }
  return digest.mixed();
}

/// Collective over `comm`. Throws MpiFailure.
RequestSummary sum_up(MPI_Comm comm, Declared declared, const std::optional<DeclaredGraph>& graph) {
  const ErrorsReturned guard(comm);
  std::array<std::uint64_t, 3> sums{graph ? digest_of_part(comm, declared, *graph) : 0,
                                    graph ? graph->edges.size() : 0, graph ? 0U : 1U};
  check_mpi(PMPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_UINT64_T,
                           MPI_SUM, comm),
            "MPI_Allreduce");
  return {sums[0], sums[1], sums[2] == 0};
}

/// Collective: the order that was decided for an equal request; nothing, on all members, unless all
/// of them remember it. Throws MpiFailure.
std::optional<Order> remembered_order(MPI_Comm comm, const RequestSummary& request) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  std::optional<Order> order;
  try {
    const std::scoped_lock lock(memory().mutex);
    const auto found = memory().orders.find(request.key);
    if (found != memory().orders.end()) order = found->second;
  } catch (const std::bad_alloc&) {
    order.reset();
  }
  if (order && order->apply && order->new_rank.size() != static_cast<std::size_t>(size)) {
    order.reset();  // another request of the same digest
  }
  const ErrorsReturned guard(comm);
  std::array<std::uint64_t, 1> all_know{order ? 1U : 0U};
  agree_on_least(comm, all_know);
  if (all_know[0] == 0) order.reset();
  return order;
}

/// Local. Without memory it is forgotten, here and so everywhere.
void remember(const RequestSummary& request, const Order& order) noexcept {
  try {
    const std::scoped_lock lock(memory().mutex);
    Memory& kept = memory();
    if (kept.orders.size() >= Memory::most_orders ||
        kept.ranks + order.new_rank.size() > Memory::most_ranks) {
      kept.orders.clear();
      kept.ranks = 0;
    }
    kept.orders[request.key] = order;
    kept.ranks += order.new_rank.size();
  } catch (const std::bad_alloc&) {
    // The next equal request is decided anew, by all members.
  }
}

/// Discovered once, by everybody, whatever comes of it. processes[j] is launcher rank j.
const std::optional<JobDescription>& job_of_world(JobState& state, Engine& engine) {
  if (!state.is_job_known) {
    state.is_job_known = true;
    state.job = discover_job(*state.private_comm, state.program_rank, state.settings, engine);
  }
  return state.job;
}

JobDescription in_program_order(JobDescription job) {
  std::vector<JobProcess> by_rank(job.processes.size());
  for (JobProcess& process : job.processes) by_rank.at(process.rank) = std::move(process);
  job.processes = std::move(by_rank);
  return job;
}

/// Says in a request where they are. What it takes to meet is kept for the world, where programs
/// make most of their topologies; for other communicators it is made and freed, as there may be
/// thousands.
class Members {
 public:
  /// Collective over `comm`. Throws MpiFailure.
  Members(MPI_Comm comm, OrderRequest& request, Engine& engine)
      : private_comm_(job_state().private_comm.get()) {
    JobState& state = job_state();
    const bool are_world = comm == mpi::program_world();
    if (are_world && private_comm_ == nullptr) {
      state.private_comm = std::make_unique<PrivateComm>(MPI_COMM_WORLD);
      private_comm_ = state.private_comm.get();
    } else if (!are_world) {
      own_comm_ = std::make_unique<PrivateComm>(comm);
      private_comm_ = own_comm_.get();
    }
    prepare(request, [&] {
      if (!are_world) {
        job_ = discover_job(*private_comm_, private_comm_->rank(), request.settings, engine);
      } else if (const auto& job = job_of_world(state, engine)) {
        job_ = in_program_order(*job);
      }
    });
    if (job_) request.job = &*job_;
  }

  /// All members, in an order of its own.
  PrivateComm& private_comm() { return *private_comm_; }

 private:
  std::unique_ptr<PrivateComm> own_comm_;
  PrivateComm* private_comm_;
  std::optional<JobDescription> job_;  // of the request
};

/// A program may make thousands of communicators: only the first are worth a line, and an engine
/// that gave no answer is not waited for again.
std::atomic<int> lines_told = 0;
std::atomic<bool> engine_is_ill = false;
std::atomic<bool> setting_told = false;  // by this process

std::atomic<std::uint64_t> reordered_here = 0;
std::atomic<std::uint64_t> reordered_of_world = 0;

/// On the root: the parts of all members behind each other, each without its first byte.
std::vector<protocol::TrafficCell> collected(const std::vector<std::string>& parts) {
  std::vector<protocol::TrafficCell> edges;
  for (const std::string_view part : parts) {
    if (part.empty()) throw std::runtime_error("the graph is not one that MPI allows");
    protocol::append_cells(edges, part.substr(1));
  }
  return edges;
}

/// Brings the graph to the root and into the request.
void add_graph(PrivateComm& private_comm, Declared declared, std::optional<DeclaredGraph>& graph,
               OrderRequest& request) {
  if (declared == Declared::in_parts) {
    const auto parts = private_comm.gather(graph ? std::move(graph->edges) : std::string());
    if (private_comm.is_root()) request.traffic = collected(parts);
  } else if (private_comm.is_root()) {
    if (!graph) throw std::runtime_error("not enough memory for the graph");
    if (graph->grid) {
      request.grid = std::move(graph->grid);
    } else {
      request.traffic = collected({std::move(graph->edges)});
    }
  }
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
  if (state.has_met) return true;                                           // at MPI_Init
  if (!state.may_order_topologies && launcher_takes_notes()) return false;  // the others miss us
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
  return own.empty() ? "calls of MPI by other ranks go past Kith" : own;
}

}  // namespace

ReorderedTopologies reordered_topologies() {
  return {reordered_here.load(), reordered_of_world.load()};
}

void count_reordered_topology(MPI_Comm comm) noexcept {
  const record::OwnCalls own;
  int rank = -1;
  int size = 0;
  int world_size = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  PMPI_Comm_size(MPI_COMM_WORLD, &world_size);
  if (rank != 0) return;
  reordered_here.fetch_add(1);
  if (size == world_size) reordered_of_world.fetch_add(1);
}

bool all_have_met() {
  return job_state().has_begun && job_state().has_met;
}

bool reorders_topologies(MPI_Comm comm) {
  const record::OwnCalls own;
  const JobState& state = job_state();
  if (!state.has_begun || !state.reorders_topologies || !is_of_this_job(comm)) return false;
  int size = 0;
  PMPI_Comm_size(comm, &size);
  if (size < 2) return true;  // nothing to ask anybody: the order that there is
  if (state.keeps_topologies && !state.bypass) return true;  // likewise, as agreed at MPI_Init
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
    if (job_state().keeps_topologies) {
      order_.reason = "this run is recorded, or was given an order";
      tell_user();
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
  order_.failed = true;
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
    order.reason = "not enough memory for the graph, or it is not one that MPI allows";
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
  Engine engine;                        // one process for all that is asked here
  Members members(comm_, request, engine);
  PrivateComm& private_comm = members.private_comm();
  prepare(request, [&] { add_graph(private_comm, declared, graph, request); });
  if (request.obstacle.empty()) request.obstacle = obstacle_of_places(request);
  if (engine_is_ill.load()) request.obstacle = "the engine gave no answer before";
  return agree_on_order(private_comm, request, engine);
}

void TopologyOrder::make() {
  if (!order_.apply) return;
  made_ = make_reordered(comm_, order_);
  if (made_ != MPI_COMM_NULL) return;
  order_.apply = false;
  order_.failed = true;
  order_.reason = "the reordered communicator could not be made";
}

void TopologyOrder::tell_user() const {
  if (!is_root_) return;
  constexpr int most = 3;
  const int verbose = job_state().settings.verbose;
  const bool is_news = (order_.no_answer && !engine_is_ill.exchange(true)) ||
                       (names_setting(order_) && !setting_told.exchange(true));
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
  order_.failed = true;
  order_.reason = "the lists of neighbours could not be exchanged";
}

void TopologyOrder::free() {
  if (made_ == MPI_COMM_NULL) return;
  const record::OwnCalls own;
  PMPI_Comm_free(&made_);
}

void TopologyOrder::tell(MPI_Comm topology) noexcept {
  if (topology == MPI_COMM_NULL) return;
  if (is_reordered()) count_reordered_topology(topology);
  try {
    attach(topology, order_);
  } catch (const std::bad_alloc&) {
    // kith_decision will not know this communicator; the communicator itself is good.
  }
}

}  // namespace kith::preload
