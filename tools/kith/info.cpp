// kith info: what a trace contains.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "command.hpp"
#include "inputs.hpp"
#include "io/format/json_text.hpp"
#include "io/format/trace_names.hpp"
#include "io/format/trace_text.hpp"
#include "kith/error.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t heaviest_pairs = 5;

struct Pair {
  Rank a;
  Rank b;
  Weight weight;
};

struct Phase {
  std::string name;
  Weight bytes;
};

struct Class {
  const char* name;
  const char* file;
  std::optional<Weight> bytes;
};

/// The ranks of one host, in words.
struct Place {
  std::string host;
  std::string ranks;
};

/// What is printed, in either form. Absent: a single matrix file does not tell.
struct Facts {
  std::uint64_t entries = 0;
  Weight bytes = 0;
  Weight self_bytes = 0;
  std::optional<Weight> messages;
  std::vector<Class> classes{{"p2p", trace_names::p2p_bytes, {}},
                             {"coll", trace_names::coll_bytes, {}},
                             {"rma", trace_names::rma_bytes, {}}};
  std::uint64_t pairs = 0;
  double mean_degree = 0;
  std::uint64_t max_degree = 0;
  std::vector<Pair> heaviest;
  std::vector<Phase> phases;
  std::vector<Place> places;
};

/// The heaviest pairs, ties by lowest ranks. O(edges x heaviest_pairs).
std::vector<Pair> find_heaviest(const TrafficGraph& graph) {
  std::vector<Pair> best;
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    const auto neighbours = graph.neighbours(Rank(r));
    const auto weights = graph.weights(Rank(r));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (neighbours[i].value <= r) continue;
      if (best.size() == heaviest_pairs && weights[i] <= best.back().weight) continue;
      const Pair pair{Rank(r), neighbours[i], weights[i]};
      const auto at =
          std::ranges::find_if(best, [&](const Pair& other) { return other.weight < pair.weight; });
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

/// Phases of one name count together, in the order of their first appearance.
std::vector<Phase> find_phases(const Trace& trace) {
  std::vector<Phase> phases;
  std::map<std::string, std::size_t> index_of;
  for (const TracePhase& phase : trace.meta->phases) {
    const auto matrix = read_trace_part(trace, phase.file);
    if (!matrix) {
      throw bad_input((trace.path / phase.file).string(),
                      fmt::format("the bytes of phase \"{}\"", phase.name), "no such file");
    }
    const auto [at, is_new] = index_of.emplace(phase.name, phases.size());
    if (is_new) phases.push_back({phase.name, 0});
    phases[at->second].bytes += matrix->total(true);
  }
  return phases;
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
  if (traffic.trace.job) facts.places = find_places(*traffic.trace.job);
  if (!traffic.trace.meta) return facts;
  const auto total = [&](const char* file) -> std::optional<Weight> {
    const auto part = read_trace_part(traffic.trace, file);
    if (!part) return std::nullopt;
    return part->total(true);
  };
  facts.messages = total(trace_names::messages);
  for (Class& part : facts.classes) part.bytes = total(part.file);
  facts.phases = find_phases(traffic.trace);
  return facts;
}

void put_optional(JsonText& json, const std::optional<Weight>& value) {
  if (value) {
    json.value(*value);
  } else {
    json.null();
  }
}

void put_meta(JsonText& json, const TraceMeta& meta) {
  json.key("program").value(meta.program);
  json.key("kith_version").value(meta.kith_version);
  json.key("mpi_library").value(meta.mpi_library);
  json.key("partial").value(meta.partial);
  json.key("hosts").begin_array(JsonLayout::line);
  for (const std::string& host : meta.hosts) json.value(host);
  json.end_array();
  json.key("sources").begin_object(JsonLayout::line);
  json.key("collectives").value(meta.collectives);
  json.end_object();
}

std::string as_json(const Trace& trace, const Facts& facts) {
  JsonText json;
  json.begin_object();
  json.key("ranks").value(trace.bytes.ranks());
  if (trace.meta) put_meta(json, *trace.meta);
  json.key("entries").value(facts.entries);
  json.key("bytes").value(facts.bytes);
  json.key("self_bytes").value(facts.self_bytes);
  put_optional(json.key("messages"), facts.messages);
  json.key("classes").begin_object(JsonLayout::line);
  for (const Class& part : facts.classes) put_optional(json.key(part.name), part.bytes);
  json.end_object();
  json.key("pairs").value(facts.pairs);
  json.key("degree").begin_object(JsonLayout::line);
  json.key("mean").value(facts.mean_degree);
  json.key("max").value(facts.max_degree);
  json.end_object();
  json.key("heaviest").begin_array();
  for (const Pair& pair : facts.heaviest) {
    json.begin_object(JsonLayout::line);
    json.key("ranks").begin_array(JsonLayout::line).value(pair.a.value).value(pair.b.value);
    json.end_array().key("bytes").value(pair.weight).end_object();
  }
  json.end_array();
  json.key("phases").begin_array();
  for (const Phase& phase : facts.phases) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(phase.name).key("bytes").value(phase.bytes).end_object();
  }
  json.end_array();
  json.key("places").begin_array();
  for (const Place& place : facts.places) {
    json.begin_object(JsonLayout::line);
    json.key("host").value(place.host).key("ranks").value(place.ranks).end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

std::string as_text(const Trace& trace, const Facts& facts) {
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("{:<12} {}\n", name, printable(value));
  };
  line("trace", trace.path.string());
  if (trace.meta) {
    const TraceMeta& meta = *trace.meta;
    if (meta.partial) line("", "partial: the program did not reach MPI_Finalize");
    line("program", meta.program);
    line("MPI", meta.mpi_library);
    line("hosts", fmt::format("{}", meta.hosts.size()));
    line("sources", fmt::format("collectives: {}", meta.collectives));
  }
  line("ranks", fmt::format("{}", trace.bytes.ranks()));
  line("entries", fmt::format("{}", facts.entries));
  line("bytes", bytes_text(facts.bytes));
  for (const Class& part : facts.classes) {
    if (part.bytes) line(fmt::format("  {}", part.name), bytes_text(*part.bytes));
  }
  line("  to itself", bytes_text(facts.self_bytes));
  if (facts.messages) line("messages", fmt::format("{}", *facts.messages));
  line("pairs", fmt::format("{}, of a rank {:.2f} on average, {} at most", facts.pairs,
                            facts.mean_degree, facts.max_degree));
  for (const Pair& pair : facts.heaviest) {
    line(&pair == facts.heaviest.data() ? "heaviest" : "",
         fmt::format("{} - {}: {}", pair.a.value, pair.b.value, bytes_text(pair.weight)));
  }
  for (const Phase& phase : facts.phases) {
    line(&phase == facts.phases.data() ? "phases" : "",
         fmt::format("{}: {}", phase.name, bytes_text(phase.bytes)));
  }
  for (const Place& place : facts.places) {
    line(&place == facts.places.data() ? "places" : "",
         fmt::format("{}: ranks {}", place.host, place.ranks));
  }
  return text;
}

}  // namespace

std::function<void()> set_up_info(CLI::App& app) {
  struct Options {
    std::string trace;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  add_trace_argument(app, options->trace);
  app.add_flag("--json", options->json, "One JSON document");
  app.footer("Examples:\n  kith info app.kith\n  kith info matrix.mtx --json");
  return [options] {
    const Traffic traffic = read_traffic(options->trace);
    const Facts facts = find_facts(traffic);
    print(options->json ? as_json(traffic.trace, facts) : as_text(traffic.trace, facts));
  };
}

}  // namespace kith::tools
