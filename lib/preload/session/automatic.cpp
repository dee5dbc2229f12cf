#include "session/job_trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <vector>

#include "core/digest.hpp"
#include "core/log.hpp"
#include "core/this_process.hpp"
#include "engine_client/engine_process.hpp"
#include "protocol/messages.hpp"
#include "record/record.hpp"
#include "record/row.hpp"
#include "session/this_program.hpp"
#include "trace/timeline_gather.hpp"
#include "trace/trace_output.hpp"
#include "trace/traffic_gather.hpp"

namespace kith::preload {
namespace {

/// The root holds all of it at once, and so does the engine.
constexpr std::uint64_t most_traffic_bytes = std::uint64_t{1} << 29;

std::string pack_this_program() {
  Packer packer;
  packer.put_text(program_name());
  packer.put_text(build_of_this_program());
  packer.put_text(command_line());
  return packer.take();
}

protocol::Program program_of(std::string_view packed, std::size_t ranks) {
  Unpacker unpacker(packed);
  protocol::Program program;
  program.ranks = static_cast<std::uint32_t>(ranks);
  program.path = unpacker.get_text();
  program.build = unpacker.get_text();
  program.command = unpacker.get_text();
  return program;
}

/// Equal ones in a row are one part.
std::vector<protocol::Program> parts_of(const std::vector<std::string>& by_rank) {
  std::vector<protocol::Program> parts;
  for (std::size_t first = 0; first < by_rank.size();) {
    std::size_t end = first + 1;
    while (end < by_rank.size() && by_rank[end] == by_rank[first]) ++end;
    parts.push_back(program_of(by_rank[first], end - first));
    first = end;
  }
  return parts;
}

/// Collective. On the root: each program of the job, with how many ranks in a row run it: one part
/// where all ranks run the same with the same arguments. Elsewhere: empty.
std::vector<protocol::Program> gather_programs(PrivateComm& private_comm) {
  const std::string own = pack_this_program();
  const std::string of_root = private_comm.broadcast(own);
  if (!private_comm.all_agree(own == of_root)) {
    const std::vector<std::string> all = private_comm.gather(own);
    return parts_of(all);
  }
  if (!private_comm.is_root()) return {};
  return {program_of(own, static_cast<std::size_t>(private_comm.size()))};
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
struct GatheredTraffic {
  std::vector<protocol::TrafficCell> cells;
  std::string problem;
};

GatheredTraffic without(std::string problem) {
  return {{}, std::move(problem)};
}

GatheredTraffic gather_traffic(PrivateComm& private_comm, std::uint32_t rank) {
  constexpr const char* no_memory = "not enough memory";
  record::Row row;
  if (!private_comm.all_manage([&] { row = record::row_so_far(); })) return without(no_memory);
  const auto member_of = [&](std::uint32_t peer) { return launcher_rank_of(private_comm, peer); };
  const bool is_complete = hand_over_fetched(private_comm, rank, member_of, {&row});
  std::string own;
  const auto pack = [&] {
    if (!is_complete) throw std::bad_alloc();
    std::vector<protocol::TrafficCell> cells;
    append_row(cells, rank, row.sent);
    own.assign(reinterpret_cast<const char*>(cells.data()), cells.size() * sizeof cells[0]);
  };
  if (!private_comm.all_manage(pack)) return without(no_memory);
  const std::uint64_t bytes = private_comm.sum(own.size());
  if (bytes > most_traffic_bytes)
    return without("the traffic matrix is too large for a profile (at most 512 MiB)");
  GatheredTraffic all;
  const auto gather = [&] {
    for (std::string& part : private_comm.gather(std::move(own))) {
      protocol::append_cells(all.cells, part);
      std::string().swap(part);
    }
  };
  if (!on_root(gather)) return without(no_memory);
  return all;
}

/// What decide_by_profile() leaves for the end of the run.
struct Kept {
  bool is_kept = false;
  bool has_timeline = false;                ///< which is to be kept as well
  std::vector<protocol::Program> programs;  ///< root only
  protocol::BegunRun begun;                 ///< root only
};

Kept& kept() {
  static Kept* const state = new Kept;  // never destroyed: MPI may outlive static objects
  return *state;
}

// On the root.
Order ask_by_profile(const OrderRequest& request, std::vector<protocol::Program> programs,
                     int ranks, Engine& engine) {
  const auto begin = std::chrono::steady_clock::now();
  const protocol::AutoBeginRequest question{situation_of(request, ranks), programs,
                                            request.settings.check};
  auto reply = engine.ask(question, request.settings.budget);
  Order order = reply.answer ? order_of(reply.answer->order, ranks)
                             : unchanged(reply.problem, reply.is_silent);
  order.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // An engine that gave no answer may have the time when the run ends.
  kept() = {reply.is_silent, false, std::move(programs), {}};
  if (reply.answer) {
    kept().is_kept = reply.answer->is_kept;
    kept().begun = std::move(reply.answer->begun);
    kept().has_timeline = kept().is_kept && !kept().begun.timeline.empty();
    if (!reply.answer->warnings.empty()) log_line(reply.answer->warnings);
  }
  return order;
}

/// On the root: beside the profile, until the engine gives it its name. Empty without memory, where
/// no folder can be made.
std::string name_of_new_timeline() {
  std::string name;
  on_root([&] {
    name = kept().begun.timeline + ".tmp-" + this_host() + "-" + std::to_string(getpid());
  });
  return name;
}

/// Collective. The root writes everyone's timeline and the machine into a new folder; nothing stays
/// of what cannot be whole.
void write_timeline(JobState& state, FileSet& files) {
  PrivateComm& private_comm = *state.private_comm;
  std::string own = packed_timeline(run_times(state, record::load_so_far()), {}, {});
  if (!private_comm.is_root())
    return gather_timelines(private_comm, std::move(own), nullptr, nullptr);
  const FileSizeSignalBlocked guard;
  TraceMetaText::TimelineShare covered;
  files.make_directory("");
  gather_timelines(private_comm, std::move(own), &files, &covered);
  const auto finish = [&] {
    if (covered.ranks == 0) files.fail("no rank has a timeline");
    if (state.job) write_machine(files, *state.job);
    files.flush();
  };
  if (!on_root(finish)) files.fail("not enough memory");
  if (!files.ok()) files.remove_all();
}

// On the root: what the engine says of the run.
std::string ask_to_renew(const JobState& state, double seconds, GatheredTraffic all,
                         std::string timeline) {
  constexpr const char* not_recorded = "the run is not recorded: ";
  if (!all.problem.empty()) return not_recorded + all.problem;
  OrderRequest request;
  request.settings = state.settings;
  request.job = state.job ? &*state.job : nullptr;
  const Order& world_order = *state.world_order;
  protocol::AutoEndRequest question;
  question.situation = situation_of(request, state.private_comm->size());
  question.programs = kept().programs;
  question.begun = kept().begun;
  question.seconds = seconds;
  question.traffic = std::move(all.cells);
  question.timeline = std::move(timeline);
  question.reason = world_order.reason;
  if (world_order.apply) {
    question.new_rank.assign(world_order.new_rank.begin(), world_order.new_rank.end());
  }
  Engine engine;
  const auto reply = engine.ask(question, state.settings.budget);
  return reply.answer ? reply.answer->line : not_recorded + reply.problem;
}

/// Collective: the greatest of all ranks' seconds.
double seconds_of_slowest(PrivateComm& private_comm, double seconds) {
  const auto nanoseconds = static_cast<std::uint64_t>(std::max(0.0, seconds) * 1e9);
  return 1e-9 * static_cast<double>(UINT64_MAX - private_comm.least(UINT64_MAX - nanoseconds));
}

}  // namespace

Order decide_by_profile(PrivateComm& private_comm, const OrderRequest& request, Engine& engine) {
  std::vector<protocol::Program> programs;
  std::string obstacle = private_comm.is_root() ? obstacle_of(request) : "";
  if (!on_root([&] { programs = gather_programs(private_comm); })) {
    obstacle = "not enough memory";
  }
  Packer packer;
  if (private_comm.is_root()) {
    Order order;
    order.reason = obstacle;
    order.failed = true;
    try {
      if (obstacle.empty()) {
        order = ask_by_profile(request, std::move(programs), private_comm.size(), engine);
      }
    } catch (const std::exception& error) {
      order.reason = error.what();
    }
    packer.put(kept().is_kept);
    packer.put(kept().has_timeline);
    packer.put_bytes(pack(order));
  }
  const std::string agreed = private_comm.broadcast(packer.take());
  Unpacker unpacker(agreed);
  kept().is_kept = unpacker.get<bool>();
  kept().has_timeline = unpacker.get<bool>();
  return unpack_order(unpacker.get_bytes(unpacker.remaining()));
}

bool is_recorded_in_profile() {
  return kept().is_kept;
}

bool is_timeline_kept_in_profile() {
  return kept().has_timeline;
}

void renew_profile(JobState& state) {
  PrivateComm& private_comm = *state.private_comm;
  GatheredTraffic all =
      gather_traffic(private_comm, static_cast<std::uint32_t>(state.program_rank));
  const double seconds = seconds_of_slowest(private_comm, state.seconds);
  FileSet timeline(private_comm.is_root() ? name_of_new_timeline() : "");
  if (state.timeline && is_timeline_kept_in_profile()) write_timeline(state, timeline);
  if (private_comm.is_root()) {
    std::string line;
    try {
      line = ask_to_renew(state, seconds, std::move(all),
                          timeline.is_made() ? timeline.directory() : "");
    } catch (const std::exception& error) {
      line = std::string("the run is not recorded: ") + error.what();
    }
    timeline.remove_all();  // what the engine did not take
    if (state.settings.verbose >= 1) log_line("auto: " + line);
  }
  private_comm.broadcast({});  // the others wait here, with patience
}

}  // namespace kith::preload
