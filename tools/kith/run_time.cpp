#include "run_time.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/plain_text.hpp"
#include "io/format/trace_text.hpp"
#include "seconds.hpp"
#include "simulate/crowding.hpp"
#include "timeline/timeline_files.hpp"
#include "timeline/traffic.hpp"

namespace kith::tools {
namespace {

using timeline::Activity;
using timeline::ActivitySeconds;
using timeline::OperationSum;
using timeline::PhaseSeconds;
using timeline::RankSeconds;
using timeline::Summary;

constexpr std::size_t most_operations = 5;
constexpr std::size_t most_waits = 5;
/// Largest by mean of what ranks compute: below, work is even.
constexpr double even = 1.05;

struct ActivityName {
  Activity activity;
  const char* text;
  const char* key;
};
constexpr ActivityName activity_names[] = {
    {Activity::computing, "computing", "computing_s"},
    {Activity::point_to_point, "point-to-point", "point_to_point_s"},
    {Activity::completion, "waits", "completions_s"},
    {Activity::collective, "collectives", "collectives_s"},
    {Activity::one_sided, "one-sided", "one_sided_s"},
    {Activity::setup, "setup", "setup_s"},
    {Activity::file, "files", "files_s"}};

/// Of a rank on average.
struct MeanTime {
  ActivitySeconds seconds{};
  double off_cpu = 0;
  double omitted = 0;

  double all() const {
    double sum = off_cpu + omitted;
    for (const double part : seconds) sum += part;
    return sum;
  }
};

MeanTime mean_time(const Summary& time) {
  MeanTime mean;
  const auto ranks = static_cast<double>(time.ranks.size());
  for (const RankSeconds& rank : time.ranks) {
    for (std::size_t i = 0; i < mean.seconds.size(); ++i)
      mean.seconds[i] += rank.seconds[i] / ranks;
    mean.off_cpu += rank.off_cpu / ranks;
    mean.omitted += rank.omitted / ranks;
  }
  return mean;
}

/// "computing 7.1 s (58%), ..."; what is next to nothing is left out.
std::string parts_text(const MeanTime& mean) {
  const double all = mean.all();
  std::vector<std::string> parts;
  const auto add = [&](const char* name, double seconds) {
    if (seconds < 0.0005 * all || seconds <= 0) return;
    parts.push_back(fmt::format("{} {} ({:.{}f}%)", name, short_seconds(seconds),
                                100 * seconds / all, seconds < 0.1 * all ? 1 : 0));
  };
  for (const ActivityName& one : activity_names) add(one.text, of(mean.seconds, one.activity));
  add("asleep or without a processor", mean.off_cpu);
  add("not in the timeline", mean.omitted);
  return fmt::format("{}", fmt::join(parts, ", "));
}

struct Computing {
  double mean = 0;
  double least = 0;
  double most = 0;
  std::uint32_t slowest = 0;

  double imbalance() const { return mean > 0 ? most / mean : 1; }
};

Computing computing_of(const Summary& time) {
  Computing found;
  found.least = of(time.ranks.front().seconds, Activity::computing);
  found.slowest = time.ranks.front().rank;
  for (const RankSeconds& rank : time.ranks) {
    const double seconds = of(rank.seconds, Activity::computing);
    found.mean += seconds / static_cast<double>(time.ranks.size());
    found.least = std::min(found.least, seconds);
    if (seconds > found.most) {
      found.most = seconds;
      found.slowest = rank.rank;
    }
  }
  return found;
}

std::string left_out_text(std::uint64_t omitted, std::uint64_t stretches) {
  std::string text = fmt::format(", {} of them found no room (KITH_TIMELINE_MEMORY)", omitted);
  if (stretches > 1) {
    text += fmt::format(": kept are the beginning and at most {} windows of a rank", stretches);
  }
  return text;
}

std::string covered_text(const RunTime& run) {
  const Summary& time = run.summary;
  const std::uint64_t omitted = time.events - time.covered_events;
  // Never 100 where something is missing.
  const auto percent = [](double share) { return std::floor(1000 * share) / 10; };
  const std::string traffic =
      !run.is_compared ? "of the run that recorded the profile"
      : run.is_exact   ? "all bytes and messages"
                       : fmt::format("{:.1f}% of the bytes and {:.1f}% of the messages",
                                     percent(run.bytes_share), percent(run.messages_share));
  return fmt::format("{} of {}{}, {}", number_of(time.events, "operation"),
                     number_of(time.ranks.size(), "rank"),
                     omitted == 0 ? "" : left_out_text(omitted, time.most_omissions), traffic);
}

/// `is_part`: the timeline has only a part of the run, which took so many seconds.
std::string balance_text(const Computing& computing, bool is_part, double run) {
  constexpr double counts = 0.002;
  const std::string range = fmt::format("ranks compute {} to {}", short_seconds(computing.least),
                                        short_seconds(computing.most));
  if (is_part) return "in what the timeline has of the run, " + range;
  if (computing.imbalance() < even) return "even work: " + range;
  if (computing.most - computing.mean < counts * run) return range;  // next to nothing
  return fmt::format(
      "uneven work: {}; rank {} has {:.2f} times the mean, and even work would save at most {}",
      range, computing.slowest, computing.imbalance(),
      short_seconds(computing.most - computing.mean));
}

/// Whether collectives take time that counts.
bool has_long_collectives(const Summary& time) {
  constexpr double much = 0.05;
  double seconds = 0;
  for (const OperationSum& one : time.operations) {
    if (timeline::is_collective(one.op)) seconds += one.seconds;
  }
  return seconds > much * time.seconds * static_cast<double>(time.ranks.size());
}

/// Operations by the time in them, longest first.
std::vector<OperationSum> longest_operations(const Summary& time) {
  std::vector<OperationSum> found = time.operations;
  std::erase_if(found, [](const OperationSum& one) { return one.op == timeline::Op::phase; });
  std::ranges::sort(found, [](const OperationSum& a, const OperationSum& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.name < b.name;
  });
  return found;
}

/// Of the phase with this index in meta.phases; null where the timeline has nothing of it.
const PhaseSeconds* phase_seconds(const Summary& time, std::size_t index) {
  const auto found = time.phases.find(static_cast<std::int32_t>(index + 1));
  return found == time.phases.end() ? nullptr : &found->second;
}

MeanTime mean_of_phase(const PhaseSeconds& phase) {
  MeanTime mean;
  mean.seconds = phase.seconds;
  for (double& part : mean.seconds) part /= std::max(1U, phase.ranks);
  return mean;
}

/// Whether times of loops and of another clock may say `seconds` of what took `wall`.
bool is_about(double seconds, double wall) {
  constexpr double more = 1.25;
  constexpr double moment = 0.001;
  return seconds <= more * wall + moment;
}

/// Of what the wall clock has more than the phases' sums: the share that belongs to time without a
/// processor, of which the run has so much. The rest are loops that go through several phases: each
/// has their mean time.
double share_without_processor(const RunTime& time) {
  double more = 0;
  for (const auto& [number, phase] : time.summary.phases) {
    if (number < 1 || static_cast<std::size_t>(number) >= time.phase_wall.size()) continue;
    const double wall = time.phase_wall[static_cast<std::size_t>(number)];
    more += std::max(0.0, wall - mean_of_phase(phase).all());
  }
  return more > 0 ? std::min(1.0, mean_time(time.summary).off_cpu / more) : 0;
}

/// With what the clock on the wall says beside; `index`: into meta.phases. Of the first part of a
/// run, or of ranks with several threads, it would say something else.
MeanTime whole_mean_of_phase(const PhaseSeconds& phase, const RunTime& time, std::size_t index) {
  MeanTime mean = mean_of_phase(phase);
  const Summary& summary = time.summary;
  const bool is_whole = summary.cut_ranks == 0 && summary.most_omissions == 0;
  if (!is_whole || summary.most_threads != 1 || index + 1 >= time.phase_wall.size()) return mean;
  const double wall = time.phase_wall[index + 1];
  const double all = mean.all();
  if (!(all > 0) || !is_about(all, wall)) return mean;
  if (wall > all) mean.off_cpu = (wall - all) * time.share_without_processor;
  for (double& part : mean.seconds) part *= (wall - mean.off_cpu) / all;
  return mean;
}

void put_seconds(JsonText& json, const MeanTime& mean) {
  for (const ActivityName& one : activity_names)
    json.key(one.key).value(of(mean.seconds, one.activity));
}

void put_phases(JsonText& json, const TraceMeta& meta, const RunTime& time) {
  json.key("phases").begin_array();
  for (std::size_t i = 0; i < meta.phases.size(); ++i) {
    const PhaseSeconds* const seconds = phase_seconds(time.summary, i);
    if (seconds == nullptr) continue;
    const MeanTime mean = whole_mean_of_phase(*seconds, time, i);
    json.begin_object(JsonLayout::line).key("name").value(meta.phases[i].name);
    put_seconds(json, mean);
    json.key("without_processor_s").value(mean.off_cpu);
    json.key("slowest_rank").value(seconds->slowest);
    json.key("most_computing_s").value(seconds->most_computing).end_object();
  }
  json.end_array();
}

void put_operations(JsonText& json, const Summary& time) {
  json.key("operations").begin_array();
  for (const OperationSum& sum : longest_operations(time)) {
    json.begin_object(JsonLayout::line).key("name").value(sum.name);
    json.key("calls").value(sum.calls).key("seconds").value(sum.seconds);
    json.key("bytes").value(sum.bytes).end_object();
  }
  json.end_array();
}

void put_waits(JsonText& json, const Summary& time) {
  json.key("waits").begin_array();
  for (const timeline::WaitPair& pair : time.waits) {
    json.begin_object(JsonLayout::line).key("rank").value(pair.waiting);
    json.key("for").value(pair.awaited).key("seconds").value(pair.seconds);
    json.key("sending").value(pair.is_sending).end_object();
  }
  json.end_array();
}

/// How much of a matrix the timeline has.
struct Agreement {
  double share = 1;
  bool is_exact = false;
};

/// `value`: what the matrix counts of a cell.
Agreement compare(const TrafficMatrix& matrix, const std::vector<timeline::TrafficCell>& cells,
                  std::uint64_t timeline::TrafficCell::*value) {
  Weight all = 0;
  std::uint64_t entries = 0;
  for (std::uint32_t rank = 0; rank < matrix.ranks(); ++rank) {
    for (const Weight weight : matrix.weights(Rank{rank})) {
      all += weight;
      entries += weight > 0 ? 1 : 0;
    }
  }
  Weight covered = 0;
  std::uint64_t equal = 0;
  std::uint64_t found = 0;
  for (const timeline::TrafficCell& cell : cells) {
    if (cell.*value == 0 || cell.from >= matrix.ranks() || cell.to >= matrix.ranks()) continue;
    const Weight weight = matrix.at(Rank{cell.from}, Rank{cell.to});
    covered += std::min<Weight>(weight, cell.*value);
    ++found;
    equal += weight == cell.*value ? 1 : 0;
  }
  Agreement agreement;
  if (all > 0) agreement.share = static_cast<double>(covered) / static_cast<double>(all);
  agreement.is_exact = equal == entries && found == entries;
  return agreement;
}

/// Compares the timeline's traffic with the matrices; one that is missing counts as equal.
void compare(const Trace& trace, const std::vector<timeline::TrafficCell>& cells, RunTime& time) {
  const Agreement bytes = compare(trace.bytes, cells, &timeline::TrafficCell::bytes);
  time.bytes_share = bytes.share;
  time.is_exact = bytes.is_exact;
  const auto messages = read_trace_part(trace, trace_names::messages);
  if (!messages) return;
  const Agreement agreement = compare(*messages, cells, &timeline::TrafficCell::messages);
  time.messages_share = agreement.share;
  time.is_exact = time.is_exact && agreement.is_exact;
}

/// "asleep or without a processor: rank 1 for 801 ms, rank 0 for 402 ms": the longest and the
/// shortest; empty where they are alike.
std::string sleep_text(const Summary& time) {
  constexpr double much = 0.05;
  const auto [least, most] = std::ranges::minmax_element(time.ranks, {}, &RankSeconds::off_cpu);
  if (most->off_cpu - least->off_cpu < much * time.seconds) return "";
  return fmt::format("asleep or without a processor: rank {} for {}, the longest; rank {} for {}",
                     most->rank, short_seconds(most->off_cpu), least->rank,
                     short_seconds(least->off_cpu));
}

}  // namespace

std::optional<RunTime> find_time(const Trace& trace) {
  const auto folder = find_timeline(trace.path);
  if (!folder || !timeline::TimelineFiles::has_timeline(*folder)) return std::nullopt;
  timeline::TimelineFiles files(*folder);
  timeline::Summarizer sums(files.world_size());
  std::vector<timeline::TrafficCell> cells;
  for (const std::uint32_t rank : files.ranks()) {
    const timeline::RankTimeline timeline = files.read(rank);
    sums.add(timeline);
    const std::vector<timeline::TrafficCell> more = timeline::traffic_of(timeline);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  RunTime time;
  time.summary = sums.take();
  time.is_compared = trace.meta.has_value();
  time.is_cut = trace.partial || (trace.meta && trace.meta->partial);
  if (trace.meta) time.phase_wall = read_mean_wall_seconds(trace);
  if (const auto machine = machine_of_run(trace)) {
    time.crowding = simulate::crowding_text(simulate::crowded_hosts(*trace.job, *machine));
  }
  time.share_without_processor = share_without_processor(time);
  if (time.is_compared) compare(trace, timeline::summed(std::move(cells)), time);
  return time;
}

std::string uneven_work(const Summary& time) {
  constexpr double much = 0.05;
  if (time.ranks.empty()) return "";
  const Computing computing = computing_of(time);
  const double saved = computing.most - computing.mean;
  if (saved < much * time.seconds) return "";
  return fmt::format(
      "Uneven work: rank {} computes {:.2f} times the mean; even work would save at most {}",
      computing.slowest, computing.imbalance(), short_seconds(saved));
}

namespace {

/// Whose messages a rank received in the same calls have like shares; which of them was late is not
/// known. Ranks with like shares are one line, that says their sum.
std::vector<std::string> longest_waits(const Summary& time) {
  constexpr double alike = 0.01;
  std::vector<std::pair<double, std::string>> found;
  std::vector<timeline::WaitPair> left = time.waits;
  while (!left.empty()) {
    const timeline::WaitPair first = left.front();
    const auto is_together = [&](const timeline::WaitPair& pair) {
      return pair.waiting == first.waiting && pair.is_sending == first.is_sending &&
             std::abs(pair.seconds - first.seconds) <= alike * first.seconds;
    };
    std::vector<std::uint32_t> awaited;
    double sum = 0;
    for (const timeline::WaitPair& pair : left) {
      if (!is_together(pair)) continue;
      awaited.push_back(pair.awaited);
      sum += pair.seconds;
    }
    std::erase_if(left, is_together);
    const std::string who = awaited.size() == 1 ? fmt::format("rank {}", awaited.front())
                                                : fmt::format("ranks {}", fmt::join(awaited, ", "));
    const std::string seconds = short_seconds(sum) + (awaited.size() == 1 ? "" : " in all");
    found.emplace_back(
        sum, first.is_sending
                 ? fmt::format("rank {} until {} take{} its messages: {}", first.waiting, who,
                               awaited.size() == 1 ? "s" : "", seconds)
                 : fmt::format("rank {} for messages of {}: {}", first.waiting, who, seconds));
  }
  std::ranges::stable_sort(found, std::greater{}, &std::pair<double, std::string>::first);
  found.resize(std::min(found.size(), most_waits));
  std::vector<std::string> lines;
  for (auto& [sum, line] : found) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

NamedLines time_lines(const RunTime& run) {
  const Summary& time = run.summary;
  NamedLines lines;
  lines.emplace_back("timeline", covered_text(run));
  const std::string whose =
      time.most_threads > 1
          ? fmt::format("a rank on average, its threads added up (up to {} call MPI): ",
                        time.most_threads)
          : "a rank on average: ";
  lines.emplace_back("time", whose + parts_text(mean_time(time)));
  if (!run.crowding.empty()) {
    lines.emplace_back("", run.crowding + ": most of what they wait in MPI may be for a processor");
  }
  lines.emplace_back("", balance_text(computing_of(time), run.is_cut || mean_time(time).omitted > 0,
                                      time.seconds));
  if (std::string asleep = sleep_text(time); !asleep.empty()) lines.emplace_back("", asleep);
  std::string name = "operations";
  std::vector<OperationSum> longest = longest_operations(time);
  longest.resize(std::min(longest.size(), most_operations));
  for (const OperationSum& sum : longest) {
    if (!(sum.seconds > 0)) continue;
    lines.emplace_back(
        std::exchange(name, ""),
        fmt::format("{}: {} of a rank, {} calls of all ranks", sum.name,
                    short_seconds(sum.seconds / static_cast<double>(time.ranks.size())),
                    sum.calls));
  }
  name = "waits";
  for (std::string& wait : longest_waits(time)) {
    lines.emplace_back(std::exchange(name, ""), std::move(wait));
  }
  if (has_long_collectives(time)) {
    lines.emplace_back(
        name,
        "(of messages; which ranks collectives wait for: the critical path that kith "
        "predict shows, unless its simulation takes half or twice as long as the run)");
  }
  if (time.cut_ranks > 0) {
    lines.emplace_back("", fmt::format("phases and waits of {}: only the beginning of the run",
                                       number_of(time.cut_ranks, "rank")));
  }
  return lines;
}

/// Whether a loop of the timeline runs through several phases, which then have its mean times: one
/// of them at least has more time than passed in it.
bool has_loops_across_phases(const TraceMeta& meta, const Summary& time) {
  for (std::size_t i = 0; i < meta.phases.size(); ++i) {
    const PhaseSeconds* const seconds = phase_seconds(time, i);
    const std::optional<double>& wall = meta.phases[i].wall_seconds;
    if (seconds == nullptr || !wall) continue;
    if (!is_about(mean_of_phase(*seconds).all(), *wall)) return true;
  }
  return false;
}

std::string phase_time(const TraceMeta& meta, const RunTime& time, const std::string& phase) {
  const auto named = std::ranges::find(meta.phases, phase, &TracePhase::name);
  const auto index = static_cast<std::size_t>(named - meta.phases.begin());
  const PhaseSeconds* const seconds = phase_seconds(time.summary, index);
  if (seconds == nullptr) return "";
  const MeanTime mean = whole_mean_of_phase(*seconds, time, index);
  if (!(mean.all() > 0)) return "";
  if (has_loops_across_phases(meta, time.summary)) {
    return "what ranks did in it is not known: the timeline has the mean times of loops that go "
           "through several phases";
  }
  std::string text = fmt::format("{} of a rank: {}", short_seconds(mean.all()), parts_text(mean));
  // Both by the timeline alone: `mean` also goes by the clock on the wall.
  const MeanTime recorded = mean_of_phase(*seconds);
  const double computing = of(recorded.seconds, Activity::computing);
  constexpr double counts = 0.01;  // of the phase's time
  const bool is_uneven = computing > 0 && seconds->most_computing >= even * computing;
  if (is_uneven && seconds->most_computing - computing >= counts * recorded.all()) {
    text += fmt::format("; rank {} computes {:.2f} times the mean", seconds->slowest,
                        seconds->most_computing / computing);
  }
  return text;
}

void put_time(JsonText& json, const Trace& trace, const RunTime& run) {
  const Summary& time = run.summary;
  double run_seconds = 0;
  for (const RankSeconds& rank : time.ranks) run_seconds = std::max(run_seconds, rank.run);
  json.key("timeline").begin_object(JsonLayout::line);
  json.key("ranks").value(std::uint64_t{time.ranks.size()});
  json.key("operations").value(time.events);
  json.key("omitted_operations").value(time.events - time.covered_events);
  json.key("most_omissions").value(time.most_omissions);
  if (run.is_compared) {
    json.key("bytes_share").value(run.bytes_share).key("messages_share").value(run.messages_share);
    json.key("exact").value(run.is_exact);
  }
  json.key("run_seconds").value(run_seconds).end_object();
  json.key("time").begin_object();
  const MeanTime mean = mean_time(time);
  json.key("mean").begin_object(JsonLayout::line);
  put_seconds(json, mean);
  json.key("without_processor_s").value(mean.off_cpu);
  json.key("not_in_timeline_s").value(mean.omitted).end_object();
  const Computing computing = computing_of(time);
  json.key("computing_s").begin_object(JsonLayout::line).key("mean").value(computing.mean);
  json.key("max").value(computing.most).key("min").value(computing.least);
  json.key("imbalance").value(computing.imbalance());
  json.key("slowest_rank").value(computing.slowest).end_object();
  put_operations(json, time);
  if (trace.meta) put_phases(json, *trace.meta, run);
  put_waits(json, time);
  json.end_object();
}

}  // namespace kith::tools
