#include "session/automatic.hpp"

#include <chrono>
#include <new>

#include "core/log.hpp"
#include "engine_client/engine_process.hpp"
#include "order/order_question.hpp"
#include "protocol/packer.hpp"
#include "record/record.hpp"
#include "record/row.hpp"
#include "session/job_trace.hpp"
#include "session/program_identity.hpp"
#include "trace/fetched_exchange.hpp"

namespace kith::runtime {
namespace {

/// The root holds all of it at once, and so does the engine.
constexpr std::uint64_t most_triplet_bytes = std::uint64_t{1} << 29;

// Source, destination (32 bits each) and bytes (64) of every cell.
std::string pack_triplets(std::uint32_t rank, const record::Cells& cells) {
  Packer packer;
  for (const record::RowCell& cell : cells) {
    if (cell.total_bytes() == 0) continue;
    packer.put(rank);
    packer.put(cell.peer);
    packer.put(cell.total_bytes());
  }
  return packer.take();
}

// Takes a step in which the root alone may lack memory, while others wait for what it does next.
template <class Step>
bool on_root(Step&& step) {
  try {
    step();
    return true;
  } catch (const MpiFailure&) {
    throw;
  } catch (const std::exception&) {
    return false;
  }
}

/// What all ranks sent, on the root, or why it is not there.
struct GatheredTriplets {
  std::string triplets;
  std::string problem;
};

GatheredTriplets without(std::string problem) {
  return {{}, std::move(problem)};
}

GatheredTriplets gather_triplets(PrivateComm& private_comm, std::uint32_t rank) {
  constexpr const char* no_memory = "memory was too short";
  record::Row row;
  if (!private_comm.all_manage([&] { row = record::row_so_far(); })) return without(no_memory);
  const auto member_of = [&](std::uint32_t peer) { return launcher_rank_of(private_comm, peer); };
  const bool is_complete = hand_over_fetched(private_comm, rank, member_of, {&row});
  std::string own;
  const auto pack = [&] {
    if (!is_complete) throw std::bad_alloc();
    own = pack_triplets(rank, row.sent);
  };
  if (!private_comm.all_manage(pack)) return without(no_memory);
  const std::uint64_t bytes = private_comm.sum(own.size());
  if (bytes > most_triplet_bytes) return without("what the ranks sent is too much for a profile");
  GatheredTriplets all;
  const auto gather = [&] {
    for (std::string& part : private_comm.gather(std::move(own))) {
      all.triplets += part;
      std::string().swap(part);
    }
  };
  if (!on_root(gather)) return without(no_memory);
  return all;
}

// "2 0 1"
std::string joined(const std::vector<std::int32_t>& ranks) {
  std::string text;
  for (const std::int32_t rank : ranks) {
    if (!text.empty()) text += ' ';
    text += std::to_string(rank);
  }
  return text;
}

/// What decide_by_profile() leaves for the end of the run.
struct Kept {
  bool is_kept = false;
  std::string program;  ///< root only
  std::string begun;    ///< root only: what the engine wants to know again
};

Kept& kept() {
  static Kept* const state = new Kept;  // never destroyed: MPI may outlive static objects
  return *state;
}

// On the root.
Order ask_by_profile(const OrderRequest& request, const std::string& program, int ranks) {
  const auto begin = std::chrono::steady_clock::now();
  Exchange question = engine_request(request, ranks);
  question.set("task", "auto_begin");
  if (request.settings.check) question.set("check", "1");
  question.set("program", program);
  const EngineAnswer reply = ask_engine(question, request.settings.budget);
  Order order = order_of(reply, ranks);
  order.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // An engine that gave no answer may have the time when the run ends.
  kept() = {!reply.ok || reply.answer.text("keep") == "1", program, reply.answer.text("begun")};
  if (const std::string warnings = reply.answer.text("warnings"); !warnings.empty()) {
    log_line(warnings);
  }
  return order;
}

// On the root: what the engine says of the run.
std::string ask_to_renew(const JobState& state, GatheredTriplets all) {
  if (!all.problem.empty()) return "the run is not recorded: " + all.problem;
  OrderRequest request;
  request.settings = state.settings;
  request.job = state.job ? &*state.job : nullptr;
  Exchange question = engine_request(request, state.private_comm->size());
  question.set("task", "auto_end");
  question.set("program", kept().program);
  question.set("begun", kept().begun);
  question.set("traffic", std::move(all.triplets));
  const Order& world_order = *state.world_order;
  question.set("reason", world_order.reason);
  if (world_order.apply) question.set("new_rank", joined(world_order.new_rank));
  const EngineAnswer reply = ask_engine(question, state.settings.budget);
  if (!reply.ok) return "the run is not recorded: " + reply.problem;
  const std::string line = reply.answer.text("line");
  return line.empty() ? "the run is not recorded: " + reply.answer.text("problem") : line;
}

}  // namespace

Order decide_by_profile(PrivateComm& private_comm, const OrderRequest& request) {
  std::string program;
  std::string obstacle = private_comm.is_root() ? obstacle_of(request) : "";
  if (!on_root([&] { program = gather_program(private_comm); })) obstacle = "memory was too short";
  Packer packer;
  if (private_comm.is_root()) {
    Order order;
    order.reason = obstacle;
    order.failed = true;
    try {
      if (obstacle.empty()) order = ask_by_profile(request, program, private_comm.size());
    } catch (const std::exception& error) {
      order.reason = error.what();
    }
    packer.put(kept().is_kept);
    packer.put_bytes(pack(order));
  }
  const std::string agreed = private_comm.broadcast(packer.take());
  Unpacker unpacker(agreed);
  kept().is_kept = unpacker.get<bool>();
  return unpack_order(unpacker.get_bytes(unpacker.remaining()));
}

bool is_recorded_in_profile() {
  return kept().is_kept;
}

void renew_profile(JobState& state) {
  PrivateComm& private_comm = *state.private_comm;
  GatheredTriplets all =
      gather_triplets(private_comm, static_cast<std::uint32_t>(state.program_rank));
  if (private_comm.is_root()) {
    std::string line;
    try {
      line = ask_to_renew(state, std::move(all));
    } catch (const std::exception& error) {
      line = std::string("the run is not recorded: ") + error.what();
    }
    if (state.settings.verbose >= 1) log_line("auto: " + line);
  }
  private_comm.broadcast({});  // the others wait here, with patience
}

}  // namespace kith::runtime
