#include <algorithm>

#include "reporting/report.hpp"
#include "run_time.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::tools {
namespace {

constexpr std::size_t most_waits = 40;

/// The rank to look at first: the one that others waited for most; else the one that computes most.
std::uint32_t most_awaited(const timeline::Summary& summary) {
  const auto awaited = std::ranges::max_element(summary.awaited);
  if (awaited != summary.awaited.end() && *awaited > 0) {
    return static_cast<std::uint32_t>(awaited - summary.awaited.begin());
  }
  const auto computing = [](const timeline::RankSeconds& rank) {
    return of(rank.seconds, timeline::Activity::computing);
  };
  return std::ranges::max_element(summary.ranks, {}, computing)->rank;
}

timeline::ShadeSeconds shades_of(const timeline::RankSeconds& rank) {
  using timeline::Activity;
  const timeline::ActivitySeconds& seconds = rank.seconds;
  return {of(seconds, Activity::computing),
          of(seconds, Activity::point_to_point) + of(seconds, Activity::completion),
          of(seconds, Activity::collective),
          of(seconds, Activity::one_sided) + of(seconds, Activity::setup) +
              of(seconds, Activity::file)};
}

/// Means over the ranks of each row of the picture.
std::vector<timeline::ShadeSeconds> rows_of(const timeline::Summary& summary,
                                            const timeline::RunPicture& run) {
  std::vector<timeline::ShadeSeconds> rows(run.rows);
  std::vector<double> ranks(run.rows);
  for (const timeline::RankSeconds& rank : summary.ranks) {
    const timeline::ShadeSeconds seconds = shades_of(rank);
    const std::size_t row = rank.rank / run.block;
    ++ranks[row];
    for (std::size_t i = 0; i < seconds.size(); ++i) rows[row][i] += seconds[i];
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (double& seconds : rows[row]) seconds /= std::max(1.0, ranks[row]);
  }
  return rows;
}

std::vector<ReportTime::Band> bands_of(const timeline::RunPicture& run, const Trace& trace,
                                       const ReportData& data) {
  std::vector<ReportTime::Band> bands;
  for (const timeline::PhaseBand& band : run.phases) {
    ReportTime::Band known{band.begin, band.end};
    const auto number = static_cast<std::size_t>(band.number);
    if (trace.meta && band.number > 0 && number <= trace.meta->phases.size()) {
      const auto phase =
          std::ranges::find(data.phases, trace.meta->phases[number - 1].name, &ReportPhase::name);
      if (phase != data.phases.end()) known.phase = static_cast<int>(phase - data.phases.begin());
    }
    bands.push_back(known);
  }
  return bands;
}

void move_by(timeline::Period& period, double seconds) {
  period.begin += seconds;
  period.end += seconds;
  for (timeline::PeriodRank& rank : period.ranks) rank.begin += seconds;
}

}  // namespace

void add_time(const Trace& trace, ReportData& data) {
  const auto folder = find_timeline(trace.path);
  if (!folder || !timeline::TimelineFiles::has_timeline(*folder)) return;
  timeline::TimelineFiles files(*folder);
  timeline::Summarizer sums(files.world_size(), most_waits);
  for (const std::uint32_t rank : files.ranks()) sums.add(files.read(rank));
  const timeline::Summary summary = sums.take();
  timeline::RunPainter painter(files.world_size(), summary.begin, summary.seconds);
  for (const std::uint32_t rank : files.ranks()) painter.add(files.read(rank));
  ReportTime time;
  time.ranks = files.world_size();
  if (summary.events > 0) {
    time.covered =
        static_cast<double>(summary.covered_events) / static_cast<double>(summary.events);
  }
  time.run = painter.take();
  time.rows = rows_of(summary, time.run);
  time.bands = bands_of(time.run, trace, data);
  time.waits = summary.waits;
  time.uneven = uneven_work(summary);
  time.period = find_period(files, most_awaited(summary));
  move_by(time.period, -summary.begin);
  data.time = std::move(time);
}

}  // namespace kith::tools
