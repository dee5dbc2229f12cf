#include "reporting/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/line_reader.hpp"
#include "io/format/trace_text.hpp"
#include "io/matrix_formats.hpp"
#include "report/heat_picture.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t most_phases = 512;
/// The load of a phase costs a look through the whole table.
constexpr std::size_t most_timed_phases = 64;
constexpr std::uint32_t most_load_blocks = 2048;

/// Files of METIS and Scotch tell what a pair exchanges, not who of the two sends it.
bool is_undirected(const Trace& trace) {
  if (trace.meta || !std::filesystem::is_regular_file(trace.path)) return false;
  auto format = format_of_name(trace.path);
  if (!format) {
    LineReader in(trace.path);
    const std::string_view head = in.head();
    format = format_of_content(head, in.bytes() == head.size());
  }
  return format == MatrixFormat::metis || format == MatrixFormat::scotch;
}

void add_run(const Trace& trace, ReportData& data) {
  data.title = trace.path.filename().empty() ? trace.path.parent_path().filename().string()
                                             : trace.path.filename().string();
  data.run.ranks = trace.bytes.ranks();
  data.run.is_undirected = is_undirected(trace);
  if (trace.job) data.run.hosts = trace.job->hosts.size();
  if (!trace.meta) return;
  data.run.program = trace.meta->program;
  data.run.mpi = trace.meta->mpi_library;
  data.run.is_partial = trace.meta->partial || trace.partial;
  data.run.collectives = trace.meta->collectives;
}

void add_totals(const Traffic& traffic, ReportData& data) {
  const TrafficMatrix& matrix = traffic.trace.bytes;
  data.totals.bytes = matrix.total(true);
  data.totals.self_bytes = data.totals.bytes - matrix.total(false);
  data.totals.pairs = traffic.graph.edges();
  if (!traffic.trace.meta) {
    data.missing.push_back({"classes", "A matrix file does not tell classes of calls apart."});
    return;
  }
  static constexpr std::pair<const char*, const char*> classes[] = {
      {"p2p", trace_names::p2p_bytes},
      {"coll", trace_names::coll_bytes},
      {"rma", trace_names::rma_bytes}};
  for (const auto& [name, file] : classes) {
    const auto part = read_trace_part(traffic.trace, file);
    if (part) data.totals.classes[name] = part->total(true);
  }
}

void add_sizes(const Trace& trace, ReportData& data) {
  std::map<std::uint64_t, ReportSize> by_size;
  if (trace.meta) {
    for (const SizeCount& size : read_trace_sizes(trace)) {
      ReportSize& sum = by_size[size.at_most_bytes];
      sum.up_to = size.at_most_bytes;
      sum.count += size.messages;
      sum.classes[size.call_class] += size.messages;
    }
  }
  for (auto& [up_to, size] : by_size) data.sizes.push_back(std::move(size));
  if (data.sizes.empty()) {
    data.missing.push_back({"sizes", "The trace does not tell how large its messages were."});
  }
}

void add_load(const Trace& trace, ReportData& data) {
  const std::vector<RankLoad> ranks = trace.meta ? read_trace_load(trace) : std::vector<RankLoad>();
  const bool is_measured = std::ranges::any_of(
      ranks, [](const RankLoad& rank) { return rank.cpu_inside_s > 0 || rank.cpu_outside_s > 0; });
  if (!is_measured) {
    data.missing.push_back({"load", "The trace does not tell where its ranks spent their time."});
    return;
  }
  ReportLoad load;
  load.ranks = static_cast<std::uint32_t>(ranks.size());
  while ((load.ranks + load.block - 1) / load.block > most_load_blocks) load.block *= 2;
  for (std::size_t begin = 0; begin < ranks.size(); begin += load.block) {
    const std::size_t end = std::min(begin + load.block, ranks.size());
    double inside = 0;
    double outside = 0;
    for (std::size_t r = begin; r < end; ++r) {
      inside += ranks[r].cpu_inside_s;
      outside += ranks[r].cpu_outside_s;
    }
    load.inside.push_back(inside / static_cast<double>(end - begin));
    load.outside.push_back(outside / static_cast<double>(end - begin));
  }
  data.load = std::move(load);
}

/// Phases of one name count together, at the place of the first.
void add_phase_names(const Trace& trace, ReportData& data) {
  std::set<std::string> seen;
  if (trace.meta) {
    for (const TracePhase& phase : trace.meta->phases) {
      if (!seen.insert(phase.name).second) continue;
      if (data.phases.size() < most_phases) {
        data.phases.push_back({phase.name});
      } else {
        ++data.phases_left_out;
      }
    }
  }
  if (data.phases.empty()) {
    data.missing.push_back(
        {"phases",
         "The trace has no phases: neither MPI_Pcontrol nor kith_checkpoint() was "
         "called, nor KITH_WINDOW set."});
  }
}

/// CPU time of a rank in a phase, on average.
double mean_cpu_seconds(const Trace& trace, std::size_t phase) {
  const std::vector<RankLoad> ranks = read_trace_load(trace, phase);
  double seconds = 0;
  for (const RankLoad& rank : ranks) seconds += rank.cpu_inside_s + rank.cpu_outside_s;
  return ranks.empty() ? 0 : seconds / static_cast<double>(ranks.size());
}

/// Wall seconds of each phase; CPU time of traces without.
void add_phase_times(const Trace& trace, ReportData& data) {
  if (data.phases.empty()) return;
  const std::vector<TracePhase>& phases = trace.meta->phases;
  data.has_wall_phases = std::ranges::all_of(
      phases, [](const TracePhase& phase) { return phase.wall_seconds.has_value(); });
  // Otherwise the table is read once for each.
  if (!data.has_wall_phases && phases.size() > most_timed_phases) return;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const double seconds =
        data.has_wall_phases ? *phases[i].wall_seconds : mean_cpu_seconds(trace, i + 1);
    const auto phase = std::ranges::find(data.phases, phases[i].name, &ReportPhase::name);
    if (seconds == 0 || phase == data.phases.end()) continue;
    phase->seconds = phase->seconds.value_or(0) + seconds;
  }
}

}  // namespace

void add_trace_views(const Traffic& traffic, ReportData& data) {
  add_run(traffic.trace, data);
  add_totals(traffic, data);
  add_sizes(traffic.trace, data);
  add_load(traffic.trace, data);
  add_phase_names(traffic.trace, data);
  add_phase_times(traffic.trace, data);
}

void add_matrices(const Traffic& traffic, const TrafficMatrix* messages,
                  const MachineLevels* levels, std::uint64_t most_bytes, ReportData& data) {
  const std::uint64_t for_all = data.phases.empty() ? most_bytes : most_bytes * 3 / 5;
  const std::uint64_t taken =
      add_heat_matrices({"all", traffic.trace.bytes, messages, levels}, for_all, data.orders);
  std::uint64_t left = most_bytes - taken;
  std::size_t without = taken == 0 ? 1 : 0;
  std::optional<TrafficMatrix> before;
  for (std::size_t i = 0; i < data.phases.size(); ++i) {
    ReportPhase& phase = data.phases[i];
    TrafficMatrix matrix = read_trace_phase(traffic.trace, phase.name);
    phase.bytes = matrix.total(true);
    if (before) phase.similarity = cosine_similarity(*before, matrix);
    const std::uint64_t for_phase =
        add_heat_matrices({"phase:" + std::to_string(i), matrix, nullptr, levels},
                          left / (data.phases.size() - i), data.orders);
    left -= for_phase;
    without += for_phase == 0 ? 1 : 0;
    before = std::move(matrix);
  }
  if (without > 0) {
    data.missing.push_back(
        {"matrices", fmt::format("{} of {} heatmaps are left out: the page would become too large.",
                                 without, data.phases.size() + 1)});
  }
}

}  // namespace kith::tools
