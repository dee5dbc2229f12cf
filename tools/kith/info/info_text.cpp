// What kith info prints, as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/plain_text.hpp"
#include "info/info_output.hpp"
#include "io/launch/launch_file.hpp"
#include "results.hpp"
#include "run_time.hpp"
#include "seconds.hpp"

namespace kith::tools {
namespace {

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

void tell_meta(Report& report, const Trace& trace, bool has_times) {
  const TraceMeta& meta = *trace.meta;
  if (meta.partial) {
    report.line("", fmt::format("partial: MPI_Finalize has written no whole trace{}",
                                has_times ? "" : ": times and phases are not in it"));
  }
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
  // They are counted by powers of two.
  const auto next = [](std::uint64_t bytes) { return bytes + (bytes == UINT64_MAX ? 0 : 1); };
  if (one.all_at_most == 0) {
    return fmt::format("{}: {} messages, all empty", one.call_class, one.messages);
  }
  if (one.half_at_most == one.all_at_most) {
    return fmt::format("{}: {} messages, most of them {} to {} bytes, none larger", one.call_class,
                       one.messages, next(one.all_at_most) / 2, one.all_at_most);
  }
  if (one.half_at_most == 0) {
    return fmt::format("{}: {} messages, half of them empty, all below {} bytes", one.call_class,
                       one.messages, next(one.all_at_most));
  }
  return fmt::format("{}: {} messages, half below {} bytes, all below {}", one.call_class,
                     one.messages, next(one.half_at_most), next(one.all_at_most));
}

/// A share of 1 that differs from 1 is never called 100%.
std::string likeness_text(const std::optional<double>& similarity) {
  if (!similarity) return "";
  if (*similarity == 0) return ", nothing like the one before";
  return fmt::format(", {:.0f}% like the one before",
                     *similarity < 1 ? std::min(100 * *similarity, 99.0) : 100);
}

std::string describe(const PhaseFacts& phase) {
  return fmt::format(
      "{}: {}{}{}", phase.name, bytes_text(phase.bytes),
      phase.wall_seconds ? ", at most " + short_seconds(*phase.wall_seconds) + " on a rank" : "",
      likeness_text(phase.similarity));
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

/// `of_what`: "bytes", or what else the matrix counts.
std::string describe(const GridStructure& structure, std::string_view of_what = "bytes") {
  return fmt::format("{}, {:.1f}% of the {}", structure.description(), 100 * structure.explained,
                     of_what);
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
/// not known.
std::vector<std::string> simulated(const std::string& name, const Trace& trace,
                                   const Facts& facts) {
  constexpr double moment = 1;
  if (!facts.time || !trace.job || !facts.messages) return {};
  try {
    const auto machine = find_machine({}, trace);
    const auto predictor = quick_predictor(name, trace, *machine, 0, moment);
    if (!predictor)
      return {"not, as it takes more than a moment: kith predict " + shell_word(name)};
    if (simulate::is_hopeless(predictor->miss().value_or(0))) {
      return {"not: " + miss_text(*predictor)};
    }
    std::vector<std::string> lines = clock_sentences(*predictor, *machine);
    if (predictor->fitted_bandwidth()) lines.push_back(assumptions_of(*predictor).front());
    return lines;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return {"not: " + message_of(error)};
  }
}

/// What is known of the memory that threads share, and what to do with it.
std::string threads_text(const Facts& facts, const std::string& trace) {
  std::string known = fmt::format("of {} it is known what their threads share ({} threads at most",
                                  number_of(facts.ranks_with_threads, "rank"), facts.most_threads);
  if (facts.ranks_with_sharing > 0) {
    return known + fmt::format("); kith map {} --threads-of RANK maps them", trace);
  }
  if (facts.most_samples == 0) return known + "): next to nothing";
  const std::uint64_t pairs = std::uint64_t{facts.most_threads} * (facts.most_threads - 1) / 2;
  constexpr std::uint64_t enough_of_a_pair = 40;
  const bool is_enough = facts.most_samples >= enough_of_a_pair * pairs;
  return known + fmt::format(", {} samples of a rank at most): {}", facts.most_samples,
                             is_enough ? "next to nothing"
                                       : fmt::format("too few to tell, {} for each pair of threads "
                                                     "are needed (threads that compute for longer)",
                                                     enough_of_a_pair));
}

}  // namespace

std::string info_text(const std::string& name, const Trace& trace, const Facts& facts) {
  Report report;
  report.line("trace", trace.path.string());
  if (trace.meta) tell_meta(report, trace, facts.time || !facts.phases.empty());
  report.line("ranks", fmt::format("{}", trace.bytes.ranks()));
  report.line("entries", fmt::format("{}, each from one rank to another", facts.entries));
  tell_bytes(report, trace, facts);
  report.list("sizes", facts.sizes, [](const SizeFacts& one) { return describe(one); });
  report.line("pairs",
              fmt::format("{} that send either way, of a rank {:.2f} on average, {} at most",
                          facts.pairs, facts.mean_degree, facts.max_degree));
  report.list("heaviest", facts.heaviest, [](const RankPair& pair) {
    return fmt::format("{} - {}: {} both ways", pair.a.value, pair.b.value,
                       bytes_text(pair.weight));
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
  if (facts.damage) report.line("timeline", "damaged: where the time went is not known");
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
  if (!facts.absent.empty()) {
    report.line("not there",
                fmt::format("{}: what they tell is not known", fmt::join(facts.absent, ", ")));
  }
  if (trace.job && !trace.job->network.source.empty()) {
    report.line("network", describe(trace.job->network));
  }
  if (const std::string text = order_note(trace); !text.empty()) report.line("order", text);
  report.list("places", facts.places, [](const Place& place) {
    return fmt::format("{}: ranks {}", place.host, place.ranks);
  });
  if (facts.ranks_with_threads > 0) {
    report.line("threads", threads_text(facts, trace.path.string()));
  }
  std::string_view title = "binding";
  for (const BindingFault& fault : facts.binding) {
    report.line(title, in_words(fault));
    report.line("", "  mend: " + fault.mend);
    title = "";
  }
  return report.take();
}

std::string thread_info_text(const Trace& trace, const Facts& facts, const std::string& comment) {
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
  report.line("structure", facts.structure ? describe(*facts.structure, "touches")
                                           : "no grid found in what they share");
  return report.take();
}

}  // namespace kith::tools
