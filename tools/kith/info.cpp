// kith info: what a trace contains.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "core/plain_text.hpp"
#include "info_other.hpp"
#include "inputs.hpp"
#include "io/format/json_text.hpp"
#include "io/format/places_text.hpp"
#include "io/launch/launch_file.hpp"
#include "kith/error.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "report/report_json.hpp"
#include "results.hpp"
#include "run_time.hpp"
#include "seconds.hpp"
#include "trace_facts.hpp"

namespace kith::tools {
namespace {

void put_optional(JsonText& json, const std::optional<Weight>& value) {
  if (value) {
    json.value(*value);
  } else {
    json.null();
  }
}

void put_meta(JsonText& json, const TraceMeta& meta) {
  json.key("program").value(meta.program);
  json.key("arguments").begin_array(JsonLayout::line);
  for (const std::string& argument : meta.arguments) json.value(argument);
  json.end_array();
  for (const auto& [key, value] :
       {std::pair{"date", &meta.date}, {"job_id", &meta.job_id}, {"directory", &meta.directory}}) {
    if (value->empty()) {
      json.key(key).null();
    } else {
      json.key(key).value(*value);
    }
  }
  json.key("kith_version").value(meta.kith_version);
  json.key("mpi_library").value(meta.mpi_library);
  json.key("partial").value(meta.partial);
  json.key("hosts").begin_array(JsonLayout::line);
  for (const std::string& host : meta.hosts) json.value(host);
  json.end_array();
  json.key("sources").begin_object(JsonLayout::line);
  json.key("collectives").value(meta.collectives);
  if (!meta.note.empty()) json.key("note").value(meta.note);
  json.end_object();
  put_optional(json.key("neighbour_bytes"), meta.totals.neighbour_bytes);
  put_optional(json.key("self_messages"), meta.totals.self_messages);
  put_optional(json.key("foreign_bytes"), meta.totals.foreign_bytes);
  put_optional(json.key("foreign_messages"), meta.totals.foreign_messages);
}

void put_load(JsonText& json, const LoadFacts& load) {
  json.key("load").begin_object();
  json.key("cpu_outside_s").begin_object(JsonLayout::line);
  json.key("mean").value(load.mean_outside_s);
  json.key("max").value(load.max_outside_s);
  json.key("min").value(load.min_outside_s).end_object();
  json.key("imbalance").value(load.imbalance);
  json.key("inside_share").value(load.inside_share);
  put_optional(json.key("instructions"), load.instructions);
  json.end_object();
}

void put_sizes(JsonText& json, const std::vector<SizeFacts>& classes) {
  json.key("sizes").begin_array();
  for (const SizeFacts& one : classes) {
    json.begin_object();
    json.key("class").value(one.call_class).key("messages").value(one.messages);
    json.key("half_at_most").value(one.half_at_most).key("all_at_most").value(one.all_at_most);
    json.key("at_most").begin_array(JsonLayout::line);
    for (const SizeCount& size : one.sizes) {
      json.begin_array(JsonLayout::line).value(size.at_most_bytes).value(size.messages).end_array();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

template <class Value>
void put_list(JsonText& json, const char* name, const std::vector<Value>& values) {
  json.key(name).begin_array(JsonLayout::line);
  for (const auto& value : values) json.value(value);
  json.end_array();
}

void put_structure(JsonText& json, const std::optional<GridStructure>& structure) {
  json.key("structure");
  if (!structure) {
    json.null();
    return;
  }
  json.begin_object(JsonLayout::line);
  json.key("description").value(structure->description());
  put_list(json, "extents", structure->extents);
  put_list(json, "periodic", structure->periodic);
  json.key("stencil").value(structure->stencil);
  json.key("explained").value(structure->explained).end_object();
}

void put_cartesian(JsonText& json, const std::optional<CartesianTopology>& cartesian) {
  json.key("cartesian");
  if (!cartesian) {
    json.null();
    return;
  }
  json.begin_object(JsonLayout::line);
  put_list(json, "dims", cartesian->dims);
  put_list(json, "periods", cartesian->periods);
  if (cartesian->ranks.empty()) {
    json.key("ranks").null();
  } else {
    put_list(json, "ranks", cartesian->ranks);
  }
  json.end_object();
}

void put_topologies(JsonText& json, const ReorderedTopologies& topologies) {
  json.key("reordered_topologies").begin_object(JsonLayout::line);
  json.key("count").value(topologies.count);
  json.key("of_world").value(topologies.of_world).end_object();
}

void put_phases(JsonText& json, const Facts& facts) {
  json.key("phases").begin_array();
  for (const PhaseFacts& phase : facts.phases) {
    json.begin_object(JsonLayout::line);
    json.key("name").value(phase.name).key("bytes").value(phase.bytes).key("similarity");
    if (phase.similarity) {
      json.value(*phase.similarity);
    } else {
      json.null();
    }
    if (phase.wall_seconds) json.key("wall_seconds").value(*phase.wall_seconds);
    json.end_object();
  }
  json.end_array();
  json.key("phases_differ").value(facts.phases_differ);
}

void put_network(JsonText& json, const JobNetwork& network) {
  json.key("network").begin_object(JsonLayout::line).key("source").value(network.source);
  json.key("levels").begin_array(JsonLayout::line);
  for (const LevelCost& level : network.levels) json.value(level.level);
  json.end_array().end_object();
}

std::string as_json(const Trace& trace, const Facts& facts) {
  JsonText json;
  json.begin_object();
  json.key("ranks").value(trace.bytes.ranks());
  if (trace.meta) put_meta(json, *trace.meta);
  if (trace.partial) {
    json.key("rows").begin_object(JsonLayout::line).key("ranks").value(trace.partial->ranks);
    json.key("incomplete").value(trace.partial->incomplete).end_object();
  }
  json.key("entries").value(facts.entries);
  json.key("bytes").value(facts.bytes);
  json.key("self_bytes").value(facts.self_bytes);
  put_optional(json.key("messages"), facts.messages);
  json.key("classes").begin_object(JsonLayout::line);
  for (const ClassFacts& part : facts.classes) put_optional(json.key(part.name), part.bytes);
  json.end_object();
  json.key("pairs").value(facts.pairs);
  json.key("degree").begin_object(JsonLayout::line);
  json.key("mean").value(facts.mean_degree);
  json.key("max").value(facts.max_degree);
  json.end_object();
  json.key("heaviest").begin_array();
  for (const RankPair& pair : facts.heaviest) {
    json.begin_object(JsonLayout::line);
    json.key("ranks").begin_array(JsonLayout::line).value(pair.a.value).value(pair.b.value);
    json.end_array().key("bytes").value(pair.weight).end_object();
  }
  json.end_array();
  put_structure(json, facts.structure);
  if (trace.meta) put_cartesian(json, trace.meta->cartesian);
  if (trace.meta) put_topologies(json, trace.meta->reordered_topologies);
  if (trace.meta && trace.meta->wall_seconds) {
    json.key("wall_seconds").value(*trace.meta->wall_seconds);
  }
  put_phases(json, facts);
  if (facts.load) put_load(json, *facts.load);
  if (facts.time) put_time(json, trace, *facts.time);
  put_sizes(json, facts.sizes);
  if (trace.job && !trace.job->network.source.empty()) put_network(json, trace.job->network);
  json.key("places").begin_array();
  for (const Place& place : facts.places) {
    json.begin_object(JsonLayout::line);
    json.key("host").value(place.host).key("ranks").value(place.ranks).end_object();
  }
  json.end_array();
  if (trace.job) put_binding(json, facts.binding);
  if (facts.ranks_with_threads > 0) {
    json.key("threads").begin_object();
    json.key("ranks").value(facts.ranks_with_threads).key("most").value(facts.most_threads);
    json.end_object();
  }
  json.end_object();
  return json.take();
}

/// Lines of a name and what there is to say; a list has its name once.
class Report {
 public:
  void line(std::string_view name, const std::string& value) {
    text_ += fmt::format("{:<12} {}\n", name, printable(value));
  }

  template <class Items, class Describe>
  void list(std::string_view name, const Items& items, Describe&& describe) {
    for (const auto& item : items) {
      line(name, describe(item));
      name = "";
    }
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// "2026-03-01T12:34:56Z, slurm 1234, in /work/run, rank 0 on node17", as far as it is known.
std::string when_and_where(const Trace& trace) {
  const TraceMeta& meta = *trace.meta;
  std::vector<std::string> parts;
  if (!meta.date.empty()) parts.push_back(meta.date);
  if (!meta.job_id.empty()) parts.push_back(meta.job_id);
  if (!meta.directory.empty()) parts.push_back("in " + meta.directory);
  if (trace.job && !trace.job->processes.empty() && !parts.empty()) {
    parts.push_back("rank 0 on " + trace.job->hosts[trace.job->processes.front().host].name);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void tell_meta(Report& report, const Trace& trace) {
  const TraceMeta& meta = *trace.meta;
  if (meta.partial) report.line("", "partial: MPI_Finalize has written no whole trace");
  if (trace.partial) {
    std::string rows = fmt::format("partial: the rows of {} of {} ranks are here",
                                   trace.partial->ranks, meta.ranks);
    if (trace.partial->incomplete > 0) {
      rows += fmt::format(", {} of them lack some peers", trace.partial->incomplete);
    }
    report.line("", rows);
  }
  std::string command = meta.program;
  for (const std::string& argument : meta.arguments) command += " " + shell_word(argument);
  report.line("program", command);
  const std::string run = when_and_where(trace);
  if (!run.empty()) report.line("run", run);
  report.line("MPI", meta.mpi_library);
  report.line("hosts", fmt::format("{}", meta.hosts.size()));
  report.line("sources", fmt::format("collectives: {}{}{}", meta.collectives,
                                     meta.note.empty() ? "" : "; ", meta.note));
}

void tell_bytes(Report& report, const Trace& trace, const Facts& facts) {
  static const TraceTotals none;
  const TraceTotals& totals = trace.meta ? trace.meta->totals : none;
  report.line("bytes", bytes_text(facts.bytes));
  for (const ClassFacts& part : facts.classes) {
    if (!part.bytes) continue;
    const bool collectives = std::string_view(part.name) == "coll";
    report.line(
        fmt::format("  {}", part.name),
        bytes_text(*part.bytes) +
            (collectives && totals.neighbour_bytes.value_or(0) > 0
                 ? fmt::format(", of them {} by neighbourhood collectives", *totals.neighbour_bytes)
                 : ""));
  }
  report.line("  to itself", bytes_text(facts.self_bytes));
  if (facts.messages) report.line("messages", fmt::format("{}", *facts.messages));
  if (totals.self_messages.value_or(0) > 0) {
    report.line("  to itself", fmt::format("{}", *totals.self_messages));
  }
  if (totals.foreign_messages.value_or(0) > 0) {
    report.line("foreign", fmt::format("{} in {} messages to processes outside the world, in no "
                                       "matrix",
                                       bytes_text(totals.foreign_bytes.value_or(0)),
                                       *totals.foreign_messages));
  }
}

std::string describe(const SizeFacts& one) {
  return fmt::format("{}: {} messages, half of at most {} bytes, all of at most {}", one.call_class,
                     one.messages, one.half_at_most, one.all_at_most);
}

std::string describe(const PhaseFacts& phase) {
  return fmt::format(
      "{}: {}{}{}", phase.name, bytes_text(phase.bytes),
      phase.wall_seconds ? ", at most " + short_seconds(*phase.wall_seconds) + " on a rank" : "",
      phase.similarity ? fmt::format(", {:.2f} like the one before", *phase.similarity) : "");
}

void tell_phases(Report& report, const Trace& trace, const Facts& facts) {
  std::string_view name = "phases";
  for (const PhaseFacts& phase : facts.phases) {
    report.line(name, describe(phase));
    name = "";
    const std::string time =
        facts.time ? phase_time(*trace.meta, *facts.time, phase.name) : std::string();
    if (!time.empty()) report.line("", "  " + time);
  }
  if (facts.phases_differ) {
    report.line("", fmt::format("phases that hold much of the traffic differ (less than {} "
                                "alike): map one of them with --phase NAME",
                                alike));
  }
}

void tell_load(Report& report, const LoadFacts& load) {
  report.line("load", fmt::format("CPU outside MPI: mean {:.3g} s, {:.3g} to {:.3g}, imbalance "
                                  "(largest / mean) {:.2f}",
                                  load.mean_outside_s, load.min_outside_s, load.max_outside_s,
                                  load.imbalance));
  report.line("", fmt::format("{:.1f}% of the CPU time inside MPI", 100 * load.inside_share));
  if (load.instructions) report.line("", fmt::format("{} instructions", *load.instructions));
}

std::string describe(const JobNetwork& network) {
  std::vector<std::string> names;
  for (const LevelCost& level : network.levels) names.push_back(level.level);
  return fmt::format("{} between hosts, from {}",
                     names.size() < 2 ? "one level" : fmt::format("{}", fmt::join(names, ", ")),
                     network.source);
}

std::string describe(const GridStructure& structure) {
  return fmt::format("{}, {:.1f}% of the bytes", structure.description(),
                     100 * structure.explained);
}

std::string describe(const CartesianTopology& cartesian) {
  std::vector<std::string> extents;
  for (std::size_t d = 0; d < cartesian.dims.size(); ++d) {
    extents.push_back(
        fmt::format("{}{}", cartesian.dims[d], cartesian.periods[d] ? " (periodic)" : ""));
  }
  return fmt::format("{} by MPI_Cart_create, ranks {}", fmt::join(extents, " x "),
                     cartesian.ranks.empty() ? "row by row" : "in an order of its own");
}

std::string describe(const ReorderedTopologies& topologies) {
  return fmt::format(
      "{} reordered by Kith, {} of them of all ranks: the traffic is that of this "
      "layout",
      topologies.count, topologies.of_world);
}

/// The run as recorded, simulated: how far `kith predict` can be believed. Nothing where that is
/// not known, or takes more than a moment.
std::vector<std::string> simulated(const std::string& name, const Trace& trace,
                                   const Facts& facts) {
  constexpr double moment = 1;
  if (!facts.time || !trace.job || !facts.messages) return {};
  try {
    const auto machine = find_machine({}, trace);
    const auto predictor = quick_predictor(name, trace, *machine, 0, moment);
    if (!predictor) return {};
    std::vector<std::string> lines = clock_sentences(*predictor, *machine);
    if (predictor->fitted_bandwidth()) lines.push_back(assumptions_of(*predictor).front());
    return lines;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return {"not: " + message_of(error)};
  }
}

std::string as_text(const std::string& name, const Trace& trace, const Facts& facts) {
  Report report;
  report.line("trace", trace.path.string());
  if (trace.meta) tell_meta(report, trace);
  report.line("ranks", fmt::format("{}", trace.bytes.ranks()));
  report.line("entries", fmt::format("{}", facts.entries));
  tell_bytes(report, trace, facts);
  report.list("sizes", facts.sizes, [](const SizeFacts& one) { return describe(one); });
  report.line("pairs", fmt::format("{}, of a rank {:.2f} on average, {} at most", facts.pairs,
                                   facts.mean_degree, facts.max_degree));
  report.list("heaviest", facts.heaviest, [](const RankPair& pair) {
    return fmt::format("{} - {}: {}", pair.a.value, pair.b.value, bytes_text(pair.weight));
  });
  report.line("structure",
              facts.structure ? describe(*facts.structure) : "no grid found in the traffic");
  if (trace.meta && trace.meta->cartesian) {
    report.line("cartesian", describe(*trace.meta->cartesian));
  }
  if (trace.meta && trace.meta->reordered_topologies.count > 0) {
    report.line("topologies", describe(trace.meta->reordered_topologies));
  }
  if (trace.meta && trace.meta->wall_seconds) {
    report.line("wall time", fmt::format("{:.3g} s between MPI_Init and MPI_Finalize",
                                         *trace.meta->wall_seconds));
  }
  if (facts.time) {
    for (const auto& [title, value] : time_lines(*facts.time)) report.line(title, value);
    report.list("simulated", simulated(name, trace, facts),
                [](const std::string& line) { return line; });
    if (facts.load && facts.load->instructions) {
      report.line("instructions", fmt::format("{}", *facts.load->instructions));
    }
  } else if (facts.load) {
    tell_load(report, *facts.load);
  }
  tell_phases(report, trace, facts);
  if (trace.job && !trace.job->network.source.empty()) {
    report.line("network", describe(trace.job->network));
  }
  report.list("places", facts.places, [](const Place& place) {
    return fmt::format("{}: ranks {}", place.host, place.ranks);
  });
  if (facts.ranks_with_threads > 0) {
    report.line("threads", fmt::format("of {} it is known what their threads share ({} threads at "
                                       "most); kith map {} --threads-of RANK maps them",
                                       number_of(facts.ranks_with_threads, "rank"),
                                       facts.most_threads, trace.path.string()));
  }
  std::string_view title = "binding";
  for (const BindingFault& fault : facts.binding) {
    report.line(title, in_words(fault));
    report.line("", "  mend: " + fault.mend);
    title = "";
  }
  return report.take();
}

/// Of what threads share: no ranks, no bytes.
std::string thread_text(const Trace& trace, const Facts& facts, const std::string& comment) {
  Report report;
  report.line("matrix", trace.path.string());
  report.line("what", comment);
  report.line("threads", fmt::format("{}", trace.bytes.ranks()));
  report.line("touches", fmt::format("{}", facts.bytes));
  report.line("pairs", fmt::format("{}, of a thread {:.2f} on average, {} at most", facts.pairs,
                                   facts.mean_degree, facts.max_degree));
  report.list("heaviest", facts.heaviest, [](const RankPair& pair) {
    return fmt::format("{} - {}: {}", pair.a.value, pair.b.value, pair.weight);
  });
  report.line("structure",
              facts.structure ? describe(*facts.structure) : "no grid found in what they share");
  return report.take();
}

void tell_places(const Trace& trace, bool as_json) {
  if (!trace.job) {
    throw bad_input("--places", "a trace with a machine.json", trace.path.string());
  }
  const std::vector<PlacedRank> places = placed_ranks(*trace.job);
  if (!as_json) {
    print(places_text(places));
    return;
  }
  JsonText json;
  put_places(json, places);
  print(json.take());
}

struct InfoOptions {
  std::string trace;
  ColorChoice color = ColorChoice::automatic;
  bool json = false;
  bool places = false;
  bool picture = false;
};

void run_info(const InfoOptions& options) {
  const Terminal terminal = terminal_of(STDOUT_FILENO, options.color);
  if (options.picture && (options.json || options.places)) {
    throw bad_input("--picture", "neither --json nor --places with it", "both");
  }
  if (!options.places && is_named_mapping(options.trace)) {
    return print(mapping_facts(options.trace, options.json));
  }
  const Traffic traffic = read_traffic(options.trace);
  if (options.places) return tell_places(traffic.trace, options.json);
  Progress progress("looking through " + options.trace);
  const Facts facts = find_facts(traffic);
  if (options.json) return print(as_json(traffic.trace, facts));
  const std::string comment = thread_matrix_comment(options.trace);
  std::string text = comment.empty() ? as_text(options.trace, traffic.trace, facts)
                                     : thread_text(traffic.trace, facts, comment);
  if (options.picture || terminal.is_terminal) {
    const std::string picture = heatmap(traffic.trace.bytes, terminal);
    if (!picture.empty()) text += '\n' + picture;
  }
  print(text);
}

}  // namespace

std::function<void()> set_up_info(CLI::App& app) {
  const auto options = std::make_shared<InfoOptions>();
  app.description(
      "Tells what a trace contains: how much was sent and in which ways, who talks most to "
      "whom, which grid the pattern is, which phases the program had, where its time went, who "
      "waited for whom, who sat where; and what a mapping, or a matrix of threads, says. At a "
      "terminal a picture shows it: the heavier the tile, the more these ranks sent to those.");
  add_trace_argument(app, options->trace);
  app.add_flag(
      "--picture", options->picture,
      "A picture of who sends how much to whom also where standard output is not a terminal");
  add_color_option(app, options->color);
  app.add_flag("--json", options->json, "One JSON document");
  app.add_flag(
      "--places", options->places,
      "Only who sat where: rank, launcher's rank, host, place among the ranks of the host, "
      "and the CPUs that it was bound to");
  put_in_group(app, output_group, {"--picture", "--color", "--json", "--places"});
  app.footer(
      "How like two phases are is the cosine between their byte matrices: 1 where one is a "
      "multiple of the other, 0 where they have no pair of ranks in common. Below 0.9 phases "
      "differ; of those with less than 5% of the bytes nothing is said.\n"
      "Ranks enter and leave a phase at different times: the phases' times may add up to more than "
      "the run's.\n"
      "Structure is the grid whose stencil explains the traffic, whatever order the ranks have.\n"
      "Load is CPU time outside MPI: a rank that waits burns its time inside.\n"
      "Times come from the timeline of the trace: the first pass of a loop as measured, all others "
      "by their mean. A rank waits for those whose messages its receives and waits complete.\n"
      "Simulated is the run as recorded, beside what was measured (kith predict), where that takes "
      "no longer than a moment.\n"
      "Examples:\n"
      "  kith info app.kith\n"
      "  kith info app.kith --picture > app.txt\n"
      "  kith info matrix.mtx --json\n"
      "  kith info app.kith --places");
  return [options] { run_info(*options); };
}

}  // namespace kith::tools
