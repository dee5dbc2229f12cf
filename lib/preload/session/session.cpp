#include "session/session.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

#include "binding/thread_binding.hpp"
#include "core/log.hpp"
#include "core/this_process.hpp"
#include "engine_client/engine_process.hpp"
#include "io/format/places_text.hpp"
#include "job/job_discovery.hpp"
#include "job/lone_worlds.hpp"
#include "job/presence.hpp"
#include "mpi/late_binding.hpp"
#include "mpi/library.hpp"
#include "mpi/own_keyval.hpp"
#include "mpi/world.hpp"
#include "order/job_state.hpp"
#include "order/order.hpp"
#include "order/topology/topology_order.hpp"
#include "protocol/messages.hpp"
#include "record/call_context.hpp"
#include "record/load_clock.hpp"
#include "record/record.hpp"
#include "session/job_trace.hpp"
#include "session/phase_watch.hpp"
#include "session/this_program.hpp"
#include "trace/recorded_facts.hpp"

namespace kith::preload {

JobState& job_state() {
  static JobState* const state = new JobState;  // never destroyed: MPI may outlive static objects
  return *state;
}

namespace {

/// On the root one process answers all that MPI_Init asks.
Engine& engine_of_init() {
  static auto* const engine = new Engine;  // never destroyed: MPI may outlive static objects
  return *engine;
}

void begin_recording(JobState& state, record::Collectives collectives,
                     std::size_t timeline_bytes) {
  record::begin(mpi::program_world(), collectives, timeline_bytes);
  state.recording = true;
}

/// What the root's settings ask of everybody.
struct Plan {
  bool trace = false;
  bool reorder = false;
  bool automatic = false;  ///< by a profile
  bool topologies = false;
  bool topologies_always = false;  ///< also where traffic is recorded, or the order is by a record
  bool check = false;
  std::uint64_t timeline_bytes = 0;  ///< of each rank; 0: no timeline
  bool threads = false;              ///< what they share belongs to the trace
  CollectiveSource collectives = CollectiveSource::best;
  PhaseCuts cuts;

  /// Whether all ranks have to see all calls of the program. Topologies of a run that is recorded
  /// keep their order, and looking through what is loaded takes a millisecond on each rank.
  bool changes_order() const {
    const bool is_recorded = trace || automatic;
    return reorder || (topologies && (topologies_always || !is_recorded));
  }
};

void say(int level, const std::string& message) {
  JobState& state = job_state();
  if (state.private_comm && state.private_comm->is_root() && state.settings.verbose >= level)
    log_line(message);
}

// On the root: what is asked, and what of it is possible.
Plan make_plan(JobState& state) {
  for (const std::string& warning : state.settings.warnings) log_line(warning);
  Plan plan;
  plan.collectives = state.settings.collectives;
  plan.cuts = {state.settings.window, signal_of_name(state.settings.checkpoint_signal)};
  if (plan.cuts.signal == 0 && !state.settings.checkpoint_signal.empty()) {
    log_line("KITH_CHECKPOINT_SIGNAL: expected USR1, USR2, HUP, WINCH or URG, found " +
             state.settings.checkpoint_signal + "; no signal is used");
  }
  plan.topologies = state.settings.topologies.value_or(true);
  plan.topologies_always = state.settings.topologies.value_or(false);
  plan.reorder = !state.settings.reorder.empty();
  plan.automatic = state.settings.reorder == automatic_order;
  if (plan.reorder && !plan.automatic) {
    state.settings.reorder = std::filesystem::absolute(state.settings.reorder).string();
  }
  plan.check = state.settings.check;
  if (!state.settings.trace.empty() && !plan.check) {
    const std::string obstacle = prepare_job_trace(state);
    plan.trace = obstacle.empty();
    if (!plan.trace) log_line("no trace will be written: " + obstacle);
  }
  plan.threads = plan.trace && state.settings.threads;
  const bool may_keep_timeline = plan.trace || (plan.automatic && !plan.check);
  if (may_keep_timeline && state.settings.timeline) {
    plan.timeline_bytes = state.settings.timeline_memory;
  }
  return plan;
}

Plan agree_on_plan(JobState& state) {
  std::string packed;
  if (state.private_comm->is_root()) {
    Plan plan;  // nothing, should making it fail: the others wait for an answer
    try {
      plan = make_plan(state);
    } catch (const std::exception& error) {
      log_line(std::string("no trace and no order in this run: ") + error.what());
      plan = {};
      plan.check = state.settings.check;
    }
    Packer packer;
    packer.put(plan);
    packed = packer.take();
  }
  const std::string agreed = state.private_comm->broadcast(std::move(packed));
  return Unpacker(agreed).get<Plan>();
}

/// Whether MPI_Finalize runs the callbacks of MPI_COMM_WORLD's attributes, as PMPI_Comm_free does
/// of the reordered one's: that of Open MPI 5.0 does not.
constinit bool drops_attributes_of_world = true;

// Runs when MPI_Finalize deletes the attributes of MPI_COMM_SELF, after the program's own callbacks
// (they were set later): until then MPI_COMM_WORLD means the reordered world.
int free_world(MPI_Comm, int, void*, void*) {
  MPI_Comm world = mpi::world_replacement.communicator.load(std::memory_order_relaxed);
  if (world != MPI_COMM_NULL && drops_attributes_of_world) PMPI_Comm_free(&world);
  mpi::restore_world(world);
  return MPI_SUCCESS;
}

// MPI_COMM_SELF's duplicates must not carry the callback.
int do_not_copy(MPI_Comm, int, void*, void*, void*, int* copy) {
  *copy = 0;
  return MPI_SUCCESS;
}

void replace_world(MPI_Comm world) {
  drops_attributes_of_world = !mpi::library_identity().is_open_mpi(5, 0);
  int keyval = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(do_not_copy, free_world, &keyval, nullptr);
  PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
  PMPI_Comm_free_keyval(&keyval);
  mpi::replace_world(world);
}

// Every rank must see all calls on the world, or two orders would be in use at once. `some`:
// whether some do not.
std::string agreed_bypass(JobState& state, bool some) {
  if (!some) return {};
  std::string reason;
  for (const std::string& other : state.private_comm->gather(state.bypass_reason())) {
    if (reason.empty()) reason = other;
  }
  return state.private_comm->broadcast(reason);
}

bool lists_devices(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string_view(value) != "-1";
}

/// Whether this process can see GPU devices: /dev/nvidia0 .. 9, /dev/kfd, or a variable that lists
/// them and is neither empty nor -1. Programs choose them by their local rank.
bool sees_gpu_devices() {
  for (const char* const variable : {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                     "HIP_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"}) {
    if (lists_devices(variable)) return true;
  }
  if (access("/dev/kfd", F_OK) == 0) return true;
  for (char digit = '0'; digit <= '9'; ++digit) {
    if (access((std::string("/dev/nvidia") + digit).c_str(), F_OK) == 0) return true;
  }
  return false;
}

/// What the ranks find out about each other at MPI_Init, in one round: each round costs, where
/// many ranks share a core.
struct Common {
  bool some_record = false;
  bool some_go_past_us = false;   ///< some calls of some ranks
  bool some_see_devices = false;  ///< GPUs, which they may have chosen by their local indices
  bool some_want_table = false;   ///< of hosts
  bool one_program = true;        ///< by MPI_APPNUM
  bool one_host = false;
  bool all_count_exactly = true;  ///< collectives, where that was tried before
};

/// Collective.
Common find_common(const JobState& state, const Plan& plan, bool counts_exactly) {
  const bool records = plan.trace || plan.automatic || state.calls.kith || state.calls.python;
  const bool all_seen = !plan.changes_order() || state.bypass_reason().empty();
  const bool sees_devices = plan.reorder && sees_gpu_devices();
  const auto program = static_cast<std::uint64_t>(own_program());
  const std::uint64_t host = kernel_identity().empty() ? 0 : host_digest();  // 0: not known
  std::array<std::uint64_t, 9> least{records ? 0U : 1U,
                                     all_seen ? 1U : 0U,
                                     sees_devices ? 0U : 1U,
                                     state.calls.maps ? 0U : 1U,
                                     program,
                                     ~program,
                                     host,
                                     host == 0 ? 0 : ~host,
                                     counts_exactly ? 1U : 0U};
  agree_on_least(state.private_comm->comm(), least);
  return {least[0] == 0,         least[1] == 0,         least[2] == 0, least[3] == 0,
          least[4] == ~least[5], least[6] == ~least[7], least[8] != 0};
}

/// Collective: what all ranks find out about each other, and how collectives are counted.
Common meet_others(JobState& state, const Plan& plan) {
  const bool all_record = plan.trace || plan.automatic;
  std::string problem;
  if (all_record) problem = install_exact_counting(plan.collectives);
  Common common = find_common(state, plan, problem.empty());
  if (common.one_host) state.private_comm->are_on_one_host();
  if (!common.some_record) return common;
  if (!all_record) {
    problem = install_exact_counting(plan.collectives);
    common.all_count_exactly = state.private_comm->all_agree(problem.empty());
  }
  state.collectives =
      agreed_collectives(*state.private_comm, plan.collectives, problem, common.all_count_exactly);
  return common;
}

void reorder_world(JobState& state, bool is_automatic, const Common& common, Engine& engine) {
  Order order;
  order.reason = state.bypass.value_or(std::string());
  order.failed = true;
  if (order.reason.empty()) {
    OrderRequest request;
    request.settings = state.settings;
    request.source = state.settings.reorder;
    request.keep_local = state.settings.keep_local.value_or(common.some_see_devices);
    request.job = state.job ? &*state.job : nullptr;
    request.program = program_name();
    order = is_automatic ? decide_by_profile(*state.private_comm, request, engine)
                         : agree_on_order(*state.private_comm, request, engine);
  }
  if (order.apply && !common.one_program && !keeps_programs(*state.private_comm, order)) {
    order = {};
    order.failed = true;
    order.reason = "ranks would run another program of this job (MPI_APPNUM)";
  }
  if (order.apply) {
    const MPI_Comm world = make_reordered(MPI_COMM_WORLD, order);
    if (world != MPI_COMM_NULL) {
      replace_world(world);
      state.program_rank = order.new_rank[static_cast<std::size_t>(state.private_comm->rank())];
      if (state.job) {
        for (std::size_t i = 0; i < state.job->processes.size(); ++i) {
          state.job->processes[i].rank = static_cast<std::uint32_t>(order.new_rank[i]);
        }
      }
    } else {
      order.apply = false;
      order.failed = true;
      order.reason = "the reordered world could not be made";
    }
  }
  // Of a run that is recorded the line at its end says why the order stayed.
  if (!state.settings.check && (order.apply || !is_recorded_in_profile())) {
    say(order.apply ? 1 : 0,
        (order.apply ? "ranks reordered: " : "order unchanged: ") + order.reason);
  }
  state.world_order = std::move(order);
}

/// Whether this run's traffic becomes a record that orders are made of, or its order was made of
/// one. A record of topologies in Kith's order fits no run without it; and a record knows more than
/// the graphs that a program declares. The same on all ranks.
bool goes_by_record(const JobState& state) {
  return state.tracing || is_recorded_in_profile() ||
         (state.world_order && !state.world_order->failed);
}

/// Whether the job's hosts are known, as no trace can do without: agreed by all.
bool find_job(JobState& state, Engine& engine) {
  std::string problem;
  try {
    state.cpus_at_begin = cpus_of_process();
    state.job = discover_job(*state.private_comm, state.program_rank, state.settings, engine);
  } catch (const MpiFailure&) {
    throw;
  } catch (const std::exception& error) {
    problem = error.what();
  }
  state.is_job_known = true;
  if (!problem.empty()) log_line(problem);
  // Leaders' engines look at the hardware meanwhile, on the cores that the ranks wait on.
  return state.private_comm->all_agree_in_time(problem.empty());
}

/// `kith run` ends the launcher as soon as it has read the report; when it does not, the job is
/// aborted.
[[noreturn]] void wait_for_end() {
  constexpr timespec patience{60, 0};
  nanosleep(&patience, nullptr);
  PMPI_Abort(MPI_COMM_WORLD, 3);
  _exit(3);
}

void write_out(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

CheckReport report_of(const JobState& state, Engine& engine) {
  CheckReport report;
  report.ranks = static_cast<std::uint32_t>(state.private_comm->size());
  if (state.job) {
    report.places = placed_ranks(*state.job);
    auto reply = engine.ask(protocol::BindingRequest{*state.job}, state.settings.budget);
    if (reply.answer) report.binding = std::move(reply.answer->faults);
  }
  if (state.world_order) {
    report.order_asked = true;
    report.order_applied = state.world_order->apply;
    report.order_failed = state.world_order->failed;
    report.order_reason = state.world_order->reason;
  }
  return report;
}

/// `kith run --check`. Collective, at the end of MPI_Init, with the job and its order known: the
/// root writes the report to its standard output, then every process finalises MPI and ends with
/// status 0.
[[noreturn]] void report_and_end(JobState& state, Engine& engine) {
  if (state.private_comm->is_root()) write_out(check_report_text(report_of(state, engine)));
  engine.end();
  state.private_comm->all_agree(true);
  state.private_comm.reset();
  std::fflush(nullptr);  // what the program printed before MPI_Init
  PMPI_Finalize();
  // MPICH 4.2 takes its leave of the launcher in a handler of exit: without that Hydra kills the others.
  if (mpi::library_identity().family == mpi::Family::mpich) std::exit(0);
  _exit(0);
}

/// The same where some ranks do not run under Kith and cannot be waited for: the first
/// rank under Kith writes the report, and all ranks under Kith wait for their end.
[[noreturn]] void report_missing_and_end(const Presence& presence) {
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (speaks_for_the_present()) {
    CheckReport report;
    report.ranks = static_cast<std::uint32_t>(size);
    report.missing.assign(presence.missing.begin(), presence.missing.end());
    report.missing_reason = presence.reason;
    write_out(check_report_text(report));
  }
  wait_for_end();
}

/// The same where the launcher's processes are no ranks of one world: a launcher that saw one of
/// them end would kill the one that has yet to speak.
[[noreturn]] void report_lone_worlds_and_end(const LoneWorlds& found) {
  if (found.is_speaker) {
    CheckReport report;
    report.ranks = 1;
    report.worlds = static_cast<std::uint32_t>(found.worlds);
    report.worlds_reason = found.reason;
    write_out(check_report_text(report));
  }
  wait_for_end();
}

/// At KITH_VERBOSE=2: the host and the cores of each rank, a line for each rank on the root's
/// standard error.
void log_places(const JobState& state) {
  if (!state.private_comm || !state.private_comm->is_root() || state.settings.verbose < 2 ||
      !state.job)
    return;
  for (const std::string& line : places_table(placed_ranks(*state.job))) log_line(line);
}

/// A spawned job inherits the environment of the job that spawned it, but not its trace, order or
/// places.
void drop_inherited(Settings& settings) {
  settings.trace.clear();
  settings.reorder.clear();
  settings.topology.clear();
  settings.check = false;
}

/// Whether all ranks meet at MPI_Init. The table of hosts for MPI_Cart_map and MPI_Graph_map must
/// be there before the program calls them, as they are local; every extension of Python refers to
/// them, and hardly a program calls them.
bool must_meet(const JobState& state) {
  const bool wants_table =
      state.settings.topologies.value_or(true) && state.calls.maps && !state.calls.python;
  return state.settings.ask_for_something() || state.calls.kith || wants_table;
}

/// The same on all ranks.
bool must_meet_now(const JobState& state, bool is_spawned) {
  if (!runs_several_programs()) return must_meet(state);
  return !is_spawned && first_rank_asks().value_or(must_meet(state));
}

/// Nothing is asked, so nothing is done: no message, no communicator. What the program may still
/// ask for, topologies and kith.h from Python, begins then.
void begin_quietly(JobState& state) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &state.program_rank);
  if (state.program_rank == 0) {
    for (const std::string& warning : state.settings.warnings) log_line(warning);
  }
  state.reorders_topologies = state.settings.topologies.value_or(true);
  if (state.calls.python || state.calls.kith) {
    begin_recording(state, record::Collectives::model, 0);
  }
  state.has_begun = true;
}

/// Collective.
void begin_together(JobState& state) {
  Engine& engine = engine_of_init();
  state.private_comm = std::make_unique<PrivateComm>(MPI_COMM_WORLD);
  state.has_met = true;
  state.program_rank = state.private_comm->rank();
  Plan plan = agree_on_plan(state);
  state.tracing = plan.trace;
  const Common common = meet_others(state, plan);
  const bool changes_order = plan.changes_order();
  if ((plan.trace || plan.reorder || plan.check) && !find_job(state, engine))
    plan.trace = state.tracing = false;
  state.reorders_topologies = plan.topologies;
  if (changes_order) {
    state.bypass = agreed_bypass(state, common.some_go_past_us);
    if (plan.reorder) reorder_world(state, plan.automatic, common, engine);
  }
  if (plan.check) report_and_end(state, engine);
  engine.end();
  state.keeps_topologies = !plan.topologies_always && goes_by_record(state);
  if (plan.reorder) log_places(state);
  if (plan.trace) begin_job_trace(state);
  state.settings.threads = plan.threads;  // the root's
  state.timeline = plan.timeline_bytes > 0 && (plan.trace || is_timeline_kept_in_profile());
  if (state.timeline) compare_clocks(state);
  if (common.some_record) {
    begin_recording(state, state.collectives, state.timeline ? plan.timeline_bytes : 0);
    const auto rank = static_cast<std::uint32_t>(state.program_rank);
    if (plan.trace && state.timeline) state.partial.keep_timeline(rank, since_origin(state));
  }
  state.has_begun = true;
  keep_host_table(common.some_want_table);
  if (state.tracing) {
    const std::string problem = watch_phases(plan.cuts);
    if (!problem.empty()) log_line("no phases by signal: " + problem);
  }
}

void start() {
  JobState& state = job_state();
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) drop_inherited(state.settings);
  if (!must_meet_now(state, parent != MPI_COMM_NULL)) {
    begin_quietly(state);
    return;
  }
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (const LoneWorlds found = find_lone_worlds(size); found.worlds > 0) {
    if (state.settings.check) report_lone_worlds_and_end(found);
    if (found.is_speaker) log_line("off for this run: " + found.reason);
    return;
  }
  if (const Presence presence = find_presence(Joins::at_init); !presence.reason.empty()) {
    if (state.settings.check) report_missing_and_end(presence);
    if (speaks_for_the_present()) log_line("off for this run: " + presence.reason);
    return;
  }
  begin_together(state);
}

RankTraffic own_traffic(JobState& state) {
  RankTraffic own;
  own.total = record::row_so_far();
  own.sizes = record::size_histogram_so_far();
  own.load = record::load_so_far();
  own.load.wall_ns = static_cast<std::uint64_t>(std::max(0.0, state.seconds) * 1e9);
  own.phases = state.phases.finish(own.total, own.load);
  return own;
}

/// From the settings and what the program calls: where this process will meet the others.
PresenceNote find_plans(const ProgramCalls& calls) {
  JobState& state = job_state();
  state.settings = read_settings();
  if (!state.settings.run_mark.empty()) ::rmdir(state.settings.run_mark.c_str());
  state.calls = calls;
  state.may_order_topologies = state.settings.topologies.value_or(true) && calls.topologies;
  const bool asks = must_meet(state);
  return {asks || runs_several_programs(), state.may_order_topologies, asks};
}

}  // namespace

void before_session(const ProgramCalls& calls) noexcept {
  try {
    if (mpi::bind()) announce_presence_in_session(find_plans(calls));
  } catch (const std::exception&) {
    // Then it is done before MPI_Init.
  }
}

void before_init(const ProgramCalls& calls) noexcept {
  try {
    if (!mpi::bind()) return;
    const PresenceNote plans = find_plans(calls);
    if (plans.joins_at_init || plans.joins_at_topologies) announce_presence(plans);
    if (!plans.joins_at_init) return;
    const Settings& settings = job_state().settings;
    if (settings.ask_for_something()) look_ahead_at_hardware(settings, engine_of_init());
    prepare_collective_source(settings);
  } catch (const std::exception&) {
    // Exact counting may not be had then, and says so.
  }
}

bool is_something_asked() noexcept {
  return job_state().settings.ask_for_something();
}

void after_init(BypassReason bypass_reason) noexcept {
  const record::OwnCalls own;
  try {
    if (!mpi::bind()) return;
    job_state().bypass_reason = bypass_reason;
    job_state().begin = std::chrono::steady_clock::now();
    start();
    engine_of_init().end();
    job_state().begin = std::chrono::steady_clock::now();
    job_state().phases.begin(job_state().begin);
  } catch (const std::exception& error) {
    log_line(std::string("off for this run: ") + error.what());
    engine_of_init().end();
    if (job_state().settings.check) PMPI_Abort(MPI_COMM_WORLD, 3);  // the program is not to run
  }
}

void phase_opened(int level) noexcept {
  JobState& state = job_state();
  if (!state.tracing) return;
  try {
    state.phases.open("level " + std::to_string(level));
  } catch (const std::exception& error) {
    log_line(std::string("MPI_Pcontrol: the phase could not be closed: ") + error.what());
  }
}

void before_finalize() noexcept {
  const record::OwnCalls own;
  try {
    JobState& state = job_state();
    if (!mpi::bind()) return;
    mpi::free_own_keyvals();
    state.seconds = seconds_since_init(state);
    leave();
    state.has_begun = false;
    if (state.private_comm) {
      stop_watching_phases();
      if (is_recorded_in_profile()) renew_profile(state);
      if (state.tracing) finish_job_trace(state, [&] { return own_traffic(state); });
    }
    if (state.recording) record::end();
    state.private_comm.reset();
  } catch (const std::exception& error) {
    log_line(std::string("no trace was written: ") + error.what());
  }
}

}  // namespace kith::preload
