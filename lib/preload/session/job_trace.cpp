#include "session/job_trace.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <string_view>

#include "binding/thread_binding.hpp"
#include "core/batch_job.hpp"
#include "core/log.hpp"
#include "io/format/trace_name.hpp"
#include "mpi/library.hpp"
#include "mpi/world.hpp"
#include "order/topology/topology_order.hpp"
#include "protocol/messages.hpp"
#include "session/this_program.hpp"
#include "trace/phase_book.hpp"
#include "trace/recorded_facts.hpp"
#include "trace/thread_matrices.hpp"
#include "trace/timeline_gather.hpp"
#include "trace/trace_output.hpp"
#include "trace/traffic_gather.hpp"

namespace kith::preload {
namespace {

double steady_seconds(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

/// "2026-03-01T12:34:56Z": the time so long ago.
std::string date_before(std::chrono::steady_clock::duration ago) {
  const auto then = std::chrono::system_clock::now() -
                    std::chrono::duration_cast<std::chrono::system_clock::duration>(ago);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(then);
  std::tm parts{};
  std::array<char, 32> text{};
  if (gmtime_r(&seconds, &parts) == nullptr) return {};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Without the name that the program was called by.
std::vector<std::string> arguments_in(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!words.empty()) words.erase(words.begin());
  return words;
}

TraceContent content_of(const JobState& state, std::string collectives) {
  TraceContent content;
  content.program = program_name();
  content.arguments = arguments_in(command_line());
  content.date = date_before(std::chrono::steady_clock::now() - state.begin);
  content.job_id = batch_job_id();
  content.directory = state.directory;
  content.launch = state.settings.run_number;
  content.mpi_library = mpi::library_identity().text;
  content.collectives = std::move(collectives);
  content.job = *state.job;
  return content;
}

/// What a rank gives to the trace beside its traffic; nothing: no rank is asked for it.
struct RankExtras {
  std::optional<std::string> timeline;  ///< packed
  std::optional<std::string> threads;   ///< the matrix of what they share; may be empty
};

RankExtras extras_of(JobState& state, const RankTraffic& own, const TraceStream& stream) {
  RankExtras extras;
  if (state.timeline) {
    extras.timeline =
        packed_timeline(run_times(state, own.load), names_of(own.phases), stream.phases);
  }
  if (state.settings.threads) extras.threads = own_thread_matrix();
  return extras;
}

/// Collective. `files` is the root's.
std::optional<TraceMetaText::TimelineShare> gather_extras(JobState& state, std::uint32_t rank,
                                                          RankExtras extras, FileSet* files) {
  std::optional<TraceMetaText::TimelineShare> covered;
  if (extras.timeline) {
    covered.emplace();
    gather_timelines(*state.private_comm, std::move(*extras.timeline), files, &*covered);
  }
  if (!extras.threads) return covered;
  const auto written =
      gather_thread_matrices(*state.private_comm, rank, std::move(*extras.threads), files);
  if (files != nullptr && files->ok() && written == 0) {
    log_line(
        "KITH_THREADS: no rank knows what its threads share: none had two threads that were looked "
        "at");
  }
  return covered;
}

// On the root: empty when the trace is in place.
std::string write_whole_trace(JobState& state, std::string collectives,
                              std::optional<CartesianTopology> cartesian,
                              const ReorderedTopologies& topologies, const TraceStream& stream,
                              RankTraffic own, RankExtras extras) {
  bool streamed = false;
  bool is_rest_streamed = false;
  const auto stream_rows = [&](SectionWriter& writer) {
    streamed = true;
    stream_traffic(*state.private_comm, stream, std::move(own), &writer);
  };
  const auto stream_rest = [&](FileSet& files) {
    is_rest_streamed = true;
    return gather_extras(state, stream.rank, std::move(extras), &files);
  };
  try {
    TraceContent content = content_of(state, std::move(collectives));
    content.phases = stream.phases;
    content.cartesian = std::move(cartesian);
    content.reordered_topologies = topologies;
    return write_trace(state.trace_path, content, state.settings.force, stream_rows, stream_rest);
  } catch (const MpiFailure&) {
    throw;
  } catch (const std::exception& error) {
    FileSet nowhere("");  // the others wait to be served
    nowhere.fail(error.what());
    if (!streamed) {
      SectionWriter writer(nowhere, 0, 0);
      stream_rows(writer);
    }
    if (!is_rest_streamed) stream_rest(nowhere);
    return error.what();
  }
}

void report(const JobState& state, const std::string& problem) {
  if (problem.empty()) {
    if (state.settings.verbose >= 2) log_line("trace written to " + state.trace_path);
    return;
  }
  const std::string remains = state.partial.what_remains();
  log_line("no trace was written: " + problem + (remains.empty() ? "" : "; " + remains));
}

/// Collective, except where no rank can have reordered a topology.
ReorderedTopologies sum_of_topologies(JobState& state) {
  if (state.keeps_topologies || !state.reorders_topologies) return {};
  const ReorderedTopologies own = reordered_topologies();
  return {state.private_comm->sum(own.count), state.private_comm->sum(own.of_world)};
}

std::string name_of(record::Collectives collectives) {
  switch (collectives) {
    case record::Collectives::off:
      return "off";
    case record::Collectives::model:
      return "model";
    case record::Collectives::exact:
      break;
  }
  return "exact";
}

}  // namespace

int launcher_rank_of(const PrivateComm& private_comm, std::uint32_t rank) {
  MPI_Group program = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  PMPI_Comm_group(mpi::program_world(), &program);
  PMPI_Comm_group(private_comm.comm(), &members);
  const int seen = static_cast<int>(rank);
  int member = MPI_UNDEFINED;
  PMPI_Group_translate_ranks(program, 1, &seen, members, &member);
  PMPI_Group_free(&members);
  PMPI_Group_free(&program);
  return member;
}

std::string prepare_job_trace(JobState& state) {
  std::error_code unknown;
  state.directory = std::filesystem::current_path(unknown).string();
  state.trace_path = trace_directory_of(state.settings.trace);
  clear_leftovers(state.trace_path);
  if (is_of_this_launch(state.trace_path, state.settings.run_number)) {
    const std::string earlier =
        state.trace_path + " is of an earlier program of this script: %p in the name keeps both";
    if (!state.settings.force) return earlier;
    log_line(earlier + "; this one replaces it (--force)");
  }
  const std::string obstacle = trace_obstacle(state.trace_path, state.settings.force);
  if (!obstacle.empty() || !state.settings.partial) return obstacle;
  return state.partial.make_folder(state.trace_path);
}

void compare_clocks(JobState& state) {
  state.clock_ahead = state.private_comm->clock_ahead();
  const double now = steady_seconds(std::chrono::steady_clock::now()) - state.clock_ahead;
  constexpr double in_ns = 1e9;
  const auto first =
      state.private_comm->least(static_cast<std::uint64_t>(std::max(0.0, now * in_ns)));
  state.clock_origin = static_cast<double>(first) / in_ns;
}

RunTimes run_times(JobState& state, const record::Load& load) {
  RunTimes times;
  times.rank = static_cast<std::uint32_t>(state.program_rank);
  times.began = std::max(0.0, steady_seconds(state.begin) - state.clock_ahead - state.clock_origin);
  const double drift = state.private_comm->clock_ahead() - state.clock_ahead;
  times.seconds = std::max(0.0, state.seconds - drift);
  times.computing = static_cast<double>(load.outside_ns) * 1e-9;
  return times;
}

double since_origin(const JobState& state) {
  const double now = steady_seconds(std::chrono::steady_clock::now());
  return std::max(0.0, now - state.clock_ahead - state.clock_origin);
}

void begin_job_trace(JobState& state) {
  const auto content = [&] { return content_of(state, name_of(state.collectives)); };
  state.partial.begin(*state.private_comm, static_cast<std::uint32_t>(state.program_rank), content,
                      state.settings.force);
}

namespace {

/// Collective: the root learns which processes may run on other CPUs than when MPI began.
void find_changed_cpus(JobState& state) {
  const CpuSet now = cpus_of_process();
  const CpuSet& before = state.cpus_at_begin;
  const bool is_changed = !before.empty() && !now.empty() && now != before;
  if (state.private_comm->all_agree(!is_changed)) return;
  Packer packer;
  if (is_changed) protocol::pack_cpus(packer, now);
  const std::vector<std::string> all = state.private_comm->gather(packer.take());
  if (!state.private_comm->is_root()) return;
  for (std::size_t i = 0; i < all.size() && i < state.job->processes.size(); ++i) {
    Unpacker unpacker(all[i]);
    if (!unpacker.done()) state.job->processes[i].end_cpus = protocol::unpack_cpus(unpacker);
  }
}

}  // namespace

void finish_job_trace(JobState& state, const std::function<RankTraffic()>& own_traffic) {
  PrivateComm& private_comm = *state.private_comm;
  RankTraffic own;
  if (!private_comm.all_manage([&] { own = own_traffic(); })) {
    if (private_comm.is_root()) report(state, "not enough memory for what a rank recorded");
    return;
  }
  TraceStream stream;
  stream.rank = static_cast<std::uint32_t>(state.program_rank);
  stream.member_of = [&](std::uint32_t rank) { return launcher_rank_of(private_comm, rank); };
  stream.phases = agree_on_phases(private_comm, stream.rank, own.phases);
  std::string collectives = collective_source_used(private_comm, state.collectives);
  auto cartesian = agree_on_cartesian(private_comm, stream.rank);
  const ReorderedTopologies topologies = sum_of_topologies(state);
  find_changed_cpus(state);
  RankExtras extras = extras_of(state, own, stream);
  std::string outcome;
  if (private_comm.is_root()) {
    outcome = write_whole_trace(state, std::move(collectives), std::move(cartesian), topologies,
                                stream, std::move(own), std::move(extras));
    report(state, outcome);
  } else {
    stream_traffic(private_comm, stream, std::move(own), nullptr);
    gather_extras(state, stream.rank, std::move(extras), nullptr);
  }
  if (private_comm.broadcast(outcome).empty()) state.partial.remove(private_comm);
}

}  // namespace kith::preload
