#include "api/reordering.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>

#include "comm/private_comm.hpp"
#include "core/log.hpp"
#include "engine_client/engine_process.hpp"
#include "job/job_discovery.hpp"
#include "mpi/world.hpp"
#include "order/job_state.hpp"
#include "order/order.hpp"
#include "order/topology/declared_graph.hpp"
#include "record/record.hpp"
#include "trace/traffic_gather.hpp"

namespace kith::preload {
namespace {

/// What had been sent at the last checkpoint.
struct LastCheckpoint {
  std::mutex mutex;
  record::Row row;
};
LastCheckpoint& last_checkpoint() {
  static auto* const last = new LastCheckpoint;  // never destroyed: MPI may outlive static objects
  return *last;
}

record::Row row_for(bool since_checkpoint) {
  record::Row row = record::row_so_far();
  if (!since_checkpoint) return row;
  const std::scoped_lock lock(last_checkpoint().mutex);
  return record::difference(row, last_checkpoint().row);
}

// `row` with peers as ranks of `comm`; peers that are not members are left out.
record::Row within(MPI_Comm comm, record::Row row) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  PMPI_Comm_group(mpi::program_world(), &world);
  PMPI_Comm_group(comm, &members);
  for (record::Cells* const cells : {&row.sent, &row.fetched}) {
    std::erase_if(*cells, [&](record::RowCell& cell) {
      const int peer = static_cast<int>(cell.peer);
      int member = MPI_UNDEFINED;
      PMPI_Group_translate_ranks(world, 1, &peer, members, &member);
      if (member < 0) return true;
      cell.peer = static_cast<std::uint32_t>(member);
      return false;
    });
    std::ranges::sort(*cells, {}, &record::RowCell::peer);
  }
  PMPI_Group_free(&members);
  PMPI_Group_free(&world);
  return row;
}

/// Collective. This member's row, on all members or on none.
record::Row own_row(PrivateComm& private_comm, MPI_Comm comm, const kith_options& options) {
  const bool since_checkpoint =
      !private_comm.broadcast(options.since_checkpoint != 0 ? "1" : "").empty();
  record::Row row;
  if (private_comm.all_manage([&] { row = within(comm, row_for(since_checkpoint)); })) return row;
  throw std::runtime_error("not enough memory for the traffic");
}

/// Collective. On the root: what all members sent each other.
std::vector<protocol::TrafficCell> gather_traffic(PrivateComm& private_comm, MPI_Comm comm,
                                                  const kith_options& options) {
  const auto rows = gather_rows(private_comm, own_row(private_comm, comm, options));
  std::vector<protocol::TrafficCell> traffic;
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    append_row(traffic, static_cast<std::uint32_t>(rank), rows[rank]);
  }
  return traffic;
}

/// Where the library was linked too late, for one: said once, as nobody may ask for the reason.
Order not_seen(const PrivateComm& private_comm) {
  std::string reason = "Kith did not see MPI_Init on all members: it knows nothing about this job";
  static std::once_flag once;
  if (private_comm.rank() == 0) {
    std::call_once(once, [&] {
      log_line("kith_reorder: " + reason +
               " (is the kith library before the MPI library on the link line?)");
    });
  }
  return unchanged(std::move(reason));
}

/// Asks for an order; `add_traffic(request)`, collective, says what it is to suit.
template <class AddTraffic>
Order decide(PrivateComm& private_comm, MPI_Comm comm, const kith_options& options,
             AddTraffic&& add_traffic) {
  if (!private_comm.all_agree(job_state().has_begun)) return not_seen(private_comm);
  OrderRequest request;
  ask_for(comm, request);
  apply(options, request);
  prepare(request, [&] { add_traffic(request); });
  std::optional<JobDescription> job;
  Engine engine;  // one process for all that is asked here
  prepare(request,
          [&] { job = discover_job(private_comm, private_comm.rank(), request.settings, engine); });
  if (job) request.job = &*job;
  return agree_on_order(private_comm, request, engine);
}

/// The greatest of all members' codes: MPI_SUCCESS where no member objects.
int agreed_code(PrivateComm& private_comm, int code) {
  return static_cast<int>(UINT64_MAX -
                          private_comm.least(UINT64_MAX - static_cast<std::uint64_t>(code)));
}

/// Same result everywhere: either all get the reordered communicator or all a duplicate.
int make(MPI_Comm comm, Order order, MPI_Comm* reordered) {
  MPI_Comm made = MPI_COMM_NULL;
  if (order.apply) {
    made = make_reordered(comm, order);
    if (made == MPI_COMM_NULL) {
      order.apply = false;
      order.failed = true;
      order.reason = "the reordered communicator could not be made";
    }
  }
  int code = MPI_SUCCESS;
  if (made == MPI_COMM_NULL) code = PMPI_Comm_dup(comm, &made);
  if (code != MPI_SUCCESS) return code;
  try {
    attach(made, std::move(order));
  } catch (const std::bad_alloc&) {
    // kith_decision will not know this communicator; the communicator itself is good.
  }
  *reordered = made;
  return MPI_SUCCESS;
}

/// Where an option of the call has overruled the setting that the reason names.
void name_option(const kith_options& options, Order& order) {
  const auto rename = [&](const char* given, const std::string& setting, const char* option) {
    if (given == nullptr || !order.failed || !order.reason.starts_with(setting)) return;
    order.reason.replace(0, setting.size(), option);
  };
  rename(options.algorithm, "KITH_ALGORITHM", "options.algorithm");
  rename(options.topology, "KITH_TOPOLOGY", "options.topology");
}

/// What is wrong in a setting, once, as a program may reorder thousands of communicators; what is
/// wrong in its own options a program can read in the report. With KITH_VERBOSE=2 every decision.
void tell_user(const PrivateComm& private_comm, const kith_options& options, const Order& order) {
  static std::atomic<bool> is_told = false;
  if (!private_comm.is_root()) return;
  const bool is_by_settings = options.algorithm == nullptr && options.topology == nullptr;
  const bool is_news = is_by_settings && names_setting(order) && !is_told.exchange(true);
  if (!is_news && job_state().settings.verbose < 2) return;
  log_line((order.apply ? "ranks reordered: " : "order unchanged: ") + order.reason);
}

/// `objection`: of this member to the call's other arguments; `choose(private_comm,
/// options)` gives the order.
template <class Choose>
int reorder_by(MPI_Comm comm, const kith_options* given, MPI_Comm* reordered, int objection,
               Choose&& choose) {
  const std::optional<kith_options> options = read_options(given);
  if (!options || reordered == nullptr) objection = MPI_ERR_ARG;
  try {
    PrivateComm private_comm(comm);
    if (const int code = agreed_code(private_comm, objection); code != MPI_SUCCESS) return code;
    Order order;
    try {
      order = choose(private_comm, *options);
    } catch (const MpiFailure&) {
      throw;
    } catch (const std::exception& error) {
      order = unchanged(error.what());
    }
    name_option(*options, order);
    tell_user(private_comm, *options, order);
    return make(comm, std::move(order), reordered);
  } catch (const std::exception&) {
    return objection != MPI_SUCCESS ? objection : PMPI_Comm_dup(comm, reordered);
  }
}

// --- a declared graph ----------------------------------------------------------------------------

constexpr double heaviest = 1e60;  // any number of such edges has a finite sum

int objection_to(const DeclaredPeers& declared, int processes) {
  if (declared.degree < 0) return MPI_ERR_ARG;
  if (declared.degree > 0 && declared.peers == nullptr) return MPI_ERR_ARG;
  for (int i = 0; i < declared.degree; ++i) {
    const int peer = declared.peers[i];
    if (peer != MPI_PROC_NULL && (peer < 0 || peer >= processes)) return MPI_ERR_RANK;
    const double weight = declared.weights == nullptr ? 1 : declared.weights[i];
    if (!(weight >= 0 && weight <= heaviest)) return MPI_ERR_ARG;
  }
  return MPI_SUCCESS;
}

/// All weights of a graph together, except for those that are passed over.
struct Weights {
  double sum = 0;
  bool are_whole = true;
};

Weights add_up(PrivateComm& private_comm, const DeclaredPeers& declared) {
  constexpr double exact = 0x1p44;  // times the largest of distances it still fits 64 bits
  Weights own;
  for (int i = 0; i < declared.degree; ++i) {
    if (declared.peers[i] == MPI_PROC_NULL || declared.peers[i] == private_comm.rank()) continue;
    const double weight = declared.weights == nullptr ? 1 : declared.weights[i];
    own.sum += weight;
    const bool is_whole =
        weight <= exact && weight == static_cast<double>(static_cast<std::int64_t>(weight));
    own.are_whole = own.are_whole && is_whole;
  }
  Weights all;
  check_mpi(PMPI_Allreduce(&own.sum, &all.sum, 1, MPI_DOUBLE, MPI_SUM, private_comm.comm()),
            "MPI_Allreduce");
  all.are_whole = private_comm.all_agree(own.are_whole) && all.sum <= exact;
  return all;
}

/// What weights are multiplied by to become whole numbers: a power of 2, so that the engine's sums
/// of weight x distance stay within 64 bits and small weights are told from each other.
double scale_of(const Weights& weights) {
  constexpr double aim = 0x1p40;
  constexpr double most = 0x1p900;
  double scale = 1;
  if (weights.are_whole || weights.sum <= 0) return scale;
  while (weights.sum * scale < aim / 2 && scale < most) scale *= 2;
  while (weights.sum * scale > aim) scale /= 2;
  return scale;
}

/// On the root: the edges of all members, behind each other.
std::vector<protocol::TrafficCell> collect(PrivateComm& private_comm, int rank,
                                           const DeclaredPeers& declared, double scale) {
  std::string own;
  try {
    own = declared_peers(private_comm.size(), rank, declared.degree, declared.peers,
                         declared.weights, scale)
              .edges;
  } catch (const std::bad_alloc&) {
    // The root will say so; the others wait for this member's part.
  }
  std::vector<protocol::TrafficCell> edges;
  bool is_whole = true;
  for (const std::string_view part : private_comm.gather(std::move(own))) {
    is_whole = is_whole && !part.empty();
    if (!part.empty()) protocol::append_cells(edges, part.substr(1));
  }
  if (!is_whole) throw std::runtime_error("not enough memory for the graph");
  return edges;
}

}  // namespace

int reorder(MPI_Comm comm, const kith_options* options, MPI_Comm* reordered) noexcept {
  return reorder_by(comm, options, reordered, MPI_SUCCESS,
                    [&](PrivateComm& private_comm, const kith_options& chosen) {
                      return decide(private_comm, comm, chosen, [&](OrderRequest& request) {
                        request.traffic = gather_traffic(private_comm, comm, chosen);
                      });
                    });
}

int reorder_graph(MPI_Comm comm, const DeclaredPeers& declared, const kith_options* options,
                  MPI_Comm* reordered) noexcept {
  int processes = 0;
  PMPI_Comm_size(comm, &processes);
  const auto choose = [&](PrivateComm& private_comm, const kith_options& chosen) {
    const double scale = scale_of(add_up(private_comm, declared));
    Order order = decide(private_comm, comm, chosen, [&](OrderRequest& request) {
      request.state_bytes *= scale;
      request.traffic = collect(private_comm, private_comm.rank(), declared, scale);
    });
    for (double* const cost :
         {&order.cost_before, &order.cost_after, &order.moving_cost, &order.saving}) {
      *cost /= scale;
    }
    return order;
  };
  return reorder_by(comm, options, reordered, objection_to(declared, processes), choose);
}

void mark_checkpoint() {
  record::Row row = record::row_so_far();
  const std::scoped_lock lock(last_checkpoint().mutex);
  last_checkpoint().row = std::move(row);
}

}  // namespace kith::preload
