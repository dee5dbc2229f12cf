#include "info/trace_facts.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "core/parse_number.hpp"
#include "io/format/trace_text.hpp"
#include "io/thread_matrices.hpp"
#include "kith/error.hpp"
#include "run_time.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t heaviest_pairs = 5;

/// The heaviest pairs, ties by lowest ranks. O(edges x heaviest_pairs).
std::vector<RankPair> find_heaviest(const TrafficGraph& graph) {
  std::vector<RankPair> best;
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    const auto neighbours = graph.neighbours(Rank(r));
    const auto weights = graph.weights(Rank(r));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (neighbours[i].value <= r) continue;
      if (best.size() == heaviest_pairs && weights[i] <= best.back().weight) continue;
      const RankPair pair{Rank(r), neighbours[i], weights[i]};
      const auto at = std::ranges::find_if(
          best, [&](const RankPair& other) { return other.weight < pair.weight; });
      best.insert(at, pair);
      if (best.size() > heaviest_pairs) best.pop_back();
    }
  }
  return best;
}

std::vector<Place> find_places(const JobDescription& job) {
  std::vector<std::vector<std::uint32_t>> ranks(job.hosts.size());
  for (const JobProcess& process : job.processes) ranks[process.host].push_back(process.rank);
  std::vector<Place> places;
  for (std::size_t host = 0; host < job.hosts.size(); ++host) {
    std::ranges::sort(ranks[host]);
    places.push_back({job.hosts[host].name, cpu_list_text(ranks[host])});
  }
  return places;
}

void add_wall_seconds(PhaseFacts& known, const TracePhase& phase) {
  if (!known.wall_seconds || !phase.wall_seconds) {
    known.wall_seconds.reset();
  } else {
    *known.wall_seconds += *phase.wall_seconds;
  }
}

/// Phases of one name count together, in the order of their first appearance. Three matrices are in
/// memory at a time.
void find_phases(const Trace& trace, Facts& facts) {
  // An order for a phase with less of the traffic than this saves nothing that counts.
  constexpr double large_share = 0.05;
  const double large = large_share * static_cast<double>(trace.bytes.total(true));
  std::map<std::string, std::size_t> seen;
  std::shared_ptr<const TrafficMatrix> before;
  std::shared_ptr<const TrafficMatrix> large_before;
  for (const TracePhase& phase : trace.meta->phases) {
    const auto [known, is_new] = seen.try_emplace(phase.name, facts.phases.size());
    if (!is_new) {
      add_wall_seconds(facts.phases[known->second], phase);
      continue;
    }
    const auto matrix = std::make_shared<const TrafficMatrix>(read_trace_phase(trace, phase.name));
    PhaseFacts& found = facts.phases.emplace_back(
        PhaseFacts{phase.name, matrix->total(true), {}, phase.wall_seconds});
    if (before) found.similarity = cosine_similarity(*before, *matrix);
    before = matrix;
    if (static_cast<double>(found.bytes) < large) continue;
    if (large_before && cosine_similarity(*large_before, *matrix).value_or(1) < alike) {
      facts.phases_differ = true;
    }
    large_before = matrix;
  }
}

std::optional<LoadFacts> find_load(const Trace& trace) {
  const std::vector<RankLoad> ranks = read_trace_load(trace);
  if (ranks.empty()) return std::nullopt;
  LoadFacts load;
  load.min_outside_s = ranks.front().cpu_outside_s;
  load.instructions = 0;
  double outside = 0;
  double inside = 0;
  for (const RankLoad& rank : ranks) {
    outside += rank.cpu_outside_s;
    inside += rank.cpu_inside_s;
    load.max_outside_s = std::max(load.max_outside_s, rank.cpu_outside_s);
    load.min_outside_s = std::min(load.min_outside_s, rank.cpu_outside_s);
    if (!rank.instructions) load.instructions.reset();
    if (load.instructions) *load.instructions += *rank.instructions;
  }
  if (outside + inside == 0) return std::nullopt;  // not measured
  load.mean_outside_s = outside / static_cast<double>(ranks.size());
  load.imbalance = outside == 0 ? 1 : load.max_outside_s / load.mean_outside_s;
  load.inside_share = inside / (outside + inside);
  return load;
}

std::vector<SizeFacts> find_sizes(const Trace& trace) {
  std::vector<SizeFacts> classes;
  for (const SizeCount& size : read_trace_sizes(trace)) {
    if (classes.empty() || classes.back().call_class != size.call_class) {
      classes.push_back({size.call_class, 0, 0, 0, {}});
    }
    classes.back().messages += size.messages;
    classes.back().sizes.push_back(size);
  }
  for (SizeFacts& one : classes) {
    one.all_at_most = one.sizes.back().at_most_bytes;
    std::uint64_t smaller = 0;
    for (const SizeCount& size : one.sizes) {
      smaller += size.messages;
      one.half_at_most = size.at_most_bytes;
      if (smaller >= one.messages - smaller) break;
    }
  }
  return classes;
}

void find_time_of(const Trace& trace, Facts& facts) {
  try {
    facts.time = find_time(trace);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    facts.damage = error;
  }
}

/// Of a trace that calls itself whole.
std::vector<std::string> find_absent(const Trace& trace) {
  std::vector<std::string> absent;
  if (trace.meta->partial) return absent;
  for (const char* const file :
       {trace_names::messages, trace_names::p2p_bytes, trace_names::coll_bytes,
        trace_names::rma_bytes, trace_names::load, trace_names::sizes, trace_names::machine}) {
    if (!std::filesystem::exists(trace.path / file)) absent.emplace_back(file);
  }
  return absent;
}

}  // namespace

std::vector<BindingFault> find_binding_faults(const JobDescription& job,
                                              const std::vector<SharingThreads>& sharing) {
  try {
    return judge_bindings(job, sharing);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return {};
  }
}

Facts find_facts(const Traffic& traffic) {
  const TrafficMatrix& matrix = traffic.trace.bytes;
  const TrafficGraph& graph = traffic.graph;
  Facts facts;
  facts.entries = matrix.entries();
  facts.bytes = matrix.total(true);
  facts.self_bytes = facts.bytes - matrix.total(false);
  facts.pairs = graph.edges();
  if (graph.ranks() > 0) {
    facts.mean_degree = 2.0 * static_cast<double>(graph.edges()) / graph.ranks();
  }
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    facts.max_degree = std::max(facts.max_degree, graph.degree(Rank(r)));
  }
  facts.heaviest = find_heaviest(graph);
  facts.structure = find_any_grid(graph);
  if (facts.structure) facts.structure = with_plain_stencil(graph, std::move(*facts.structure));
  if (facts.structure && !is_worth_naming(graph, *facts.structure)) facts.structure.reset();
  if (traffic.trace.job) {
    facts.places = find_places(*traffic.trace.job);
    std::vector<SharingThreads> sharing;
    visit_thread_matrices(traffic.trace, [&](const ThreadMatrix& of_rank) {
      ++facts.ranks_with_threads;
      facts.most_threads = std::max(facts.most_threads, of_rank.threads());
      facts.most_samples = std::max(facts.most_samples, of_rank.samples);
      if (!of_rank.is_sharing()) return;
      ++facts.ranks_with_sharing;
      sharing.push_back({of_rank.rank, of_rank.threads()});
    });
    facts.binding = find_binding_faults(*traffic.trace.job, sharing);
  }
  find_time_of(traffic.trace, facts);
  if (!traffic.trace.meta) return facts;
  const auto total = [&](const char* file) -> std::optional<Weight> {
    const auto part = read_trace_part(traffic.trace, file);
    if (!part) return std::nullopt;
    return part->total(true);
  };
  facts.absent = find_absent(traffic.trace);
  facts.messages = total(trace_names::messages);
  for (ClassFacts& part : facts.classes) part.bytes = total(part.file);
  find_phases(traffic.trace, facts);
  facts.load = find_load(traffic.trace);
  facts.sizes = find_sizes(traffic.trace);
  return facts;
}

}  // namespace kith::tools
