#include "order/order.hpp"

#include <algorithm>

#include "core/parse_number.hpp"
#include "engine_client/engine_process.hpp"
#include "job/library_limits.hpp"
#include "mpi/world.hpp"
#include "order/job_state.hpp"
#include "order/order_question.hpp"
#include "protocol/job_packing.hpp"
#include "protocol/packer.hpp"

namespace kith::runtime {
namespace {

// Triplets of source, destination and bytes.
std::string pack_traffic(const std::vector<record::Cells>& traffic) {
  Packer packer;
  for (std::size_t rank = 0; rank < traffic.size(); ++rank) {
    for (const record::RowCell& cell : traffic[rank]) {
      if (cell.total_bytes() == 0) continue;
      packer.put(static_cast<std::uint32_t>(rank));
      packer.put(cell.peer);
      packer.put(cell.total_bytes());
    }
  }
  return packer.take();
}

// "4 2 1"
template <class Number>
std::string joined(const std::vector<Number>& numbers) {
  std::string text;
  for (const Number number : numbers) {
    if (!text.empty()) text += ' ';
    text += std::to_string(number);
  }
  return text;
}

// "3 0 1 2": each of 0 .. ranks-1 exactly once, or nothing.
std::optional<std::vector<std::int32_t>> parse_order(std::string_view text, int ranks) {
  std::vector<std::int32_t> order;
  std::vector<bool> seen(static_cast<std::size_t>(ranks), false);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const auto rank = parse_unsigned(text.substr(0, end));
    if (!rank || *rank >= seen.size() || seen[*rank]) return std::nullopt;
    seen[*rank] = true;
    order.push_back(static_cast<std::int32_t>(*rank));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (order.size() != seen.size()) return std::nullopt;
  return order;
}

Order unchanged(std::string reason) {
  Order order;
  order.failed = true;
  order.reason = std::move(reason);
  return order;
}

// On the root alone.
Order ask_for_order(const OrderRequest& request, int ranks) {
  const auto begin = std::chrono::steady_clock::now();
  Order order =
      order_of(ask_engine(engine_request(request, ranks), request.settings.budget), ranks);
  order.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return order;
}

}  // namespace

Exchange engine_request(const OrderRequest& request, int ranks) {
  Exchange out;
  out.set("task", "reorder");
  out.set("ranks", std::to_string(ranks));
  out.set("source", request.source);
  out.set("algorithm", request.settings.algorithm);
  out.set("topology", request.settings.topology);
  out.set("launcher_ranks", joined(request.launcher_ranks));
  Packer min_gain;  // as text it would follow the program's locale
  min_gain.put(request.settings.min_gain);
  out.set("min_gain", min_gain.take());
  out.set("keep_rank0", request.settings.keep_rank0 ? "1" : "0");
  out.set("keep_local", request.keep_local ? "1" : "0");
  out.set("has_state", request.has_state ? "1" : "0");
  Packer state;
  state.put(request.state_bytes);
  state.put(request.remaining);
  out.set("state", state.take());
  if (request.traffic != nullptr) out.set("traffic", pack_traffic(*request.traffic));
  if (request.triplets != nullptr) out.set("traffic", *request.triplets);
  if (request.grid != nullptr) {
    out.set("dims", joined(request.grid->dims));
    out.set("periods", joined(request.grid->periods));
  }
  if (request.job != nullptr) out.set("job", pack_job(*request.job));
  return out;
}

std::string obstacle_of(const OrderRequest& request) {
  if (!request.obstacle.empty()) return request.obstacle;
  const bool one_host = request.job != nullptr && request.job->hosts.size() == 1;
  return one_host ? std::string() : library_obstacle();
}

Order order_of(const EngineAnswer& reply, int ranks) {
  if (!reply.ok) {
    Order order = unchanged(reply.problem);
    order.no_answer = true;
    return order;
  }
  const Exchange& answer = reply.answer;
  if (answer.get("problem")) return unchanged(answer.text("problem"));
  Order order;
  order.reason = answer.text("reason");
  order.failed = answer.text("refused") == "1";
  order.algorithm = answer.text("algorithm");
  order.cost_before = parse_decimal(answer.text("cost_before")).value_or(0);
  order.cost_after = parse_decimal(answer.text("cost_after")).value_or(0);
  order.moved_ranks = static_cast<std::int32_t>(parse_unsigned(answer.text("moved")).value_or(0));
  order.moving_cost = parse_decimal(answer.text("moving_cost")).value_or(0);
  order.saving = parse_decimal(answer.text("saving")).value_or(0);
  if (answer.text("apply") == "1") {
    auto new_rank = parse_order(answer.text("new_rank"), ranks);
    if (!new_rank) return unchanged("the engine's order is no permutation of the ranks");
    order.new_rank = std::move(*new_rank);
    order.apply = true;
  }
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

std::vector<std::int32_t> launcher_ranks(MPI_Comm comm) {
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
  request.launcher_ranks = launcher_ranks(comm);
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

Order decide_order(PrivateComm& private_comm, const OrderRequest& request) {
  std::string packed;
  if (private_comm.is_root()) {
    Order order;
    try {
      const std::string obstacle = obstacle_of(request);
      order = obstacle.empty() ? ask_for_order(request, private_comm.size()) : unchanged(obstacle);
    } catch (const std::exception& error) {
      order = unchanged(error.what());
    }
    packed = pack(order);
  }
  const std::string agreed = private_comm.broadcast(std::move(packed));
  Order order;
  if (private_comm.all_manage([&] { order = unpack_order(agreed); })) return order;
  return unchanged("memory was too short for the order");
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

}  // namespace kith::runtime
