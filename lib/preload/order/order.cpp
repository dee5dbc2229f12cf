#include "order/order.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

#include "engine_client/engine_process.hpp"
#include "mpi/library.hpp"
#include "mpi/own_keyval.hpp"
#include "mpi/world.hpp"
#include "order/job_state.hpp"

namespace kith::preload {
namespace {

int delete_order(MPI_Comm, int, void* value, void*) {
  delete static_cast<Order*>(value);
  return MPI_SUCCESS;
}

constinit mpi::OwnKeyval decisions(delete_order);

/// Why ranks of several hosts have to stay in the launcher's order, or empty. Local.
///
/// Open MPI's coll/han takes the ranks of each host to follow one another: of 4.1, MPI_Gather then
/// gives wrong results where they do not (Open MPI issue 11664), of 6.0, MPI_Gatherv hangs (pull
/// request 14197). It serves communicators where its priority is above coll/tuned's; that of 5.0
/// serves ranks in any order.
std::string library_obstacle() {
  const int han = mpi::library_number("coll_han_priority").value_or(-1);
  const int tuned = mpi::library_number("coll_tuned_priority").value_or(-1);
  if (han <= tuned || mpi::library_identity().is_open_mpi(5, 0)) return {};
  return "Open MPI's coll/han is in use, whose collectives go wrong unless the ranks of each host "
         "follow one another (--mca coll_han_priority 0 lets Kith reorder)";
}

/// Each of 0 .. ranks-1 exactly once, or nothing.
std::optional<std::vector<std::int32_t>> permutation(const std::vector<std::uint32_t>& new_rank,
                                                     int ranks) {
  std::vector<bool> seen(static_cast<std::size_t>(ranks), false);
  if (new_rank.size() != seen.size()) return std::nullopt;
  for (const std::uint32_t rank : new_rank) {
    if (rank >= seen.size() || seen[rank]) return std::nullopt;
    seen[rank] = true;
  }
  return std::vector<std::int32_t>(new_rank.begin(), new_rank.end());
}

/// On the root alone.
Order ask_for_order(OrderRequest& request, int ranks, Engine& engine) {
  const auto begin = std::chrono::steady_clock::now();
  const protocol::ReorderRequest question{situation_of(request, ranks), request.source,
                                          std::exchange(request.traffic, {}),
                                          std::exchange(request.grid, {}), request.program};
  const auto reply = engine.ask(question, request.settings.budget);
  Order order =
      reply.answer ? order_of(*reply.answer, ranks) : unchanged(reply.problem, reply.is_silent);
  order.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return order;
}

}  // namespace

int own_program() {
  int* number = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, static_cast<void*>(&number), &found);
  return found != 0 ? *number : 0;
}

void append_row(std::vector<protocol::TrafficCell>& traffic, std::uint32_t source,
                const record::Cells& row) {
  for (const record::RowCell& cell : row) {
    if (cell.total_bytes() > 0 || cell.messages > 0) {
      traffic.push_back({source, cell.peer, cell.total_bytes(), cell.messages});
    }
  }
}

protocol::Situation situation_of(const OrderRequest& request, int ranks) {
  protocol::Situation situation;
  situation.ranks = static_cast<std::uint32_t>(ranks);
  situation.algorithm = request.settings.algorithm;
  situation.topology = request.settings.topology;
  situation.launcher_ranks.assign(request.launcher_ranks.begin(), request.launcher_ranks.end());
  situation.min_gain = request.settings.min_gain;
  situation.keep_rank0 = request.settings.keep_rank0;
  situation.keep_local = request.keep_local;
  situation.has_state = request.has_state;
  situation.state_bytes = request.state_bytes;
  situation.remaining = request.remaining;
  if (request.job != nullptr) situation.job = *request.job;
  return situation;
}

std::string obstacle_of(const OrderRequest& request) {
  if (!request.obstacle.empty()) return request.obstacle;
  const bool one_host = request.job != nullptr && request.job->hosts.size() == 1;
  return one_host ? std::string() : library_obstacle();
}

Order unchanged(std::string reason, bool no_answer) {
  Order order;
  order.failed = true;
  order.no_answer = no_answer;
  order.reason = std::move(reason);
  return order;
}

bool names_setting(const Order& order) {
  return order.failed && order.reason.find("KITH_") != std::string::npos &&
         order.reason.find(": expected ") != std::string::npos;
}

Order order_of(const protocol::ReorderAnswer& answer, int ranks) {
  Order order;
  order.reason = answer.reason;
  order.failed = answer.refused;
  order.algorithm = answer.algorithm;
  order.cost_before = answer.cost_before;
  order.cost_after = answer.cost_after;
  order.moved_ranks = static_cast<std::int32_t>(answer.moved);
  order.moving_cost = answer.moving_cost;
  order.saving = answer.saving;
  if (!answer.apply) return order;
  auto new_rank = permutation(answer.new_rank, ranks);
  if (!new_rank) return unchanged("the engine's order is not a permutation of the ranks");
  order.new_rank = std::move(*new_rank);
  order.apply = true;
  return order;
}

std::string pack(const Order& order) {
  Packer packer;
  packer.put(order.apply);
  packer.put(order.no_answer);
  packer.put(order.failed);
  packer.put(order.cost_before);
  packer.put(order.cost_after);
  packer.put(order.seconds);
  packer.put(order.moved_ranks);
  packer.put(order.moving_cost);
  packer.put(order.saving);
  packer.put_text(order.algorithm);
  packer.put_text(order.reason);
  packer.put<std::uint64_t>(order.new_rank.size());
  for (const std::int32_t rank : order.new_rank) packer.put(rank);
  return packer.take();
}

Order unpack_order(std::string_view bytes) {
  Unpacker unpacker(bytes);
  Order order;
  order.apply = unpacker.get<bool>();
  order.no_answer = unpacker.get<bool>();
  order.failed = unpacker.get<bool>();
  order.cost_before = unpacker.get<double>();
  order.cost_after = unpacker.get<double>();
  order.seconds = unpacker.get<double>();
  order.moved_ranks = unpacker.get<std::int32_t>();
  order.moving_cost = unpacker.get<double>();
  order.saving = unpacker.get<double>();
  order.algorithm = unpacker.get_text();
  order.reason = unpacker.get_text();
  order.new_rank.resize(unpacker.get<std::uint64_t>());
  for (std::int32_t& rank : order.new_rank) rank = unpacker.get<std::int32_t>();
  return order;
}

bool is_of_this_job(MPI_Comm comm) {
  if (comm == mpi::program_world()) return true;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  MPI_Group both = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Comm_group(comm, &members);
  PMPI_Group_intersection(members, all, &both);
  int size = 0;
  int within = -1;
  PMPI_Group_size(members, &size);
  PMPI_Group_size(both, &within);
  for (MPI_Group* const group : {&both, &members, &all}) PMPI_Group_free(group);
  return within == size;
}

std::vector<std::int32_t> launcher_ranks_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  std::vector<std::int32_t> members(static_cast<std::size_t>(size));
  std::ranges::generate(members, [rank = 0]() mutable { return rank++; });
  std::vector<std::int32_t> launched(members.size());
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Comm_group(comm, &group);
  PMPI_Group_translate_ranks(group, size, members.data(), all, launched.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&all);
  if (std::ranges::any_of(launched, [](std::int32_t rank) { return rank < 0; })) launched.clear();
  return launched;
}

void ask_for(MPI_Comm comm, OrderRequest& request) {
  request.settings = job_state().settings;
  if (request.settings.topology.empty()) return;
  request.launcher_ranks = launcher_ranks_of(comm);
  if (request.launcher_ranks.empty()) request.settings.topology.clear();
}

void prepare_call(OrderRequest& request, void (*call)(const void*), const void* step) {
  try {
    call(step);
  } catch (const MpiFailure&) {
    throw;
  } catch (const std::exception& error) {
    request.obstacle = error.what();
  }
}

Order agree_on_order(PrivateComm& private_comm, OrderRequest& request, Engine& engine) {
  std::string packed;
  if (private_comm.is_root()) {
    Order order;
    try {
      const std::string obstacle = obstacle_of(request);
      order = obstacle.empty() ? ask_for_order(request, private_comm.size(), engine)
                               : unchanged(obstacle);
    } catch (const std::exception& error) {
      order = unchanged(error.what());
    }
    packed = pack(order);
  }
  const std::string agreed = private_comm.broadcast(std::move(packed));
  if (agreed.size() <= PrivateComm::little) return unpack_order(agreed);
  Order order;
  if (private_comm.all_manage([&] { order = unpack_order(agreed); })) return order;
  return unchanged("not enough memory for the order");
}

bool keeps_programs(PrivateComm& private_comm, const Order& order) {
  const int own = own_program();
  std::vector<int> programs(static_cast<std::size_t>(private_comm.size()));
  check_mpi(PMPI_Allgather(&own, 1, MPI_INT, programs.data(), 1, MPI_INT, private_comm.comm()),
            "MPI_Allgather");
  const int new_rank = order.new_rank[static_cast<std::size_t>(private_comm.rank())];
  return private_comm.all_agree(programs[static_cast<std::size_t>(new_rank)] == own);
}

MPI_Comm make_reordered(MPI_Comm comm, const Order& order) {
  MPI_Comm made = MPI_COMM_NULL;
  int before = 0;
  PMPI_Comm_rank(comm, &before);
  const int key = order.new_rank[static_cast<std::size_t>(before)];
  int is_made = 0;
  {
    const ErrorsReturned guard(comm);
    const int code = PMPI_Comm_split(comm, 0, key, &made);
    if (code != MPI_SUCCESS) made = MPI_COMM_NULL;
    int rank = -1;
    if (made != MPI_COMM_NULL) PMPI_Comm_rank(made, &rank);
    const int own = rank == key ? 1 : 0;
    check_mpi(PMPI_Allreduce(&own, &is_made, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  }
  if (is_made != 0) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;  // the split inherited our temporary one
    PMPI_Comm_get_errhandler(comm, &handler);
    PMPI_Comm_set_errhandler(made, handler);
    PMPI_Errhandler_free(&handler);
    return made;
  }
  if (made != MPI_COMM_NULL) PMPI_Comm_free(&made);
  return MPI_COMM_NULL;
}

void attach(MPI_Comm comm, Order order) {
  auto kept = std::make_unique<Order>(std::move(order));
  if (decisions.set(comm, kept.get())) {
    (void)kept.release();  // delete_order frees it with the communicator
  }
}

const Order* attached(MPI_Comm comm) {
  return static_cast<const Order*>(decisions.get(comm));
}

}  // namespace kith::preload
