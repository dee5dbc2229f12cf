#include "simulate/time_asleep.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "timeline/activity.hpp"
#include "timeline/summary.hpp"

namespace kith::simulate {
namespace {

/// Seconds for which a rank neither computed nor waited for its turn; 0 where that is not clear.
/// `computing`: of them before its last operation.
double seconds_asleep(const timeline::RankSeconds& rank, double computing, double crowding) {
  constexpr double least_share = 0.05;
  // Turns are not as even as that: only where much more than all turns is missing.
  constexpr double uneven = 1.5;
  const double away = rank.off_cpu - (rank.after_last - rank.computing_after_last);
  if (rank.preempted) {
    const double asleep = away - *rank.preempted;
    return asleep < least_share * rank.run ? 0 : asleep;
  }
  const double turns = computing * (crowding - 1);
  if (away - uneven * turns < least_share * rank.run) return 0;
  return away - turns;
}

/// `share`: seconds without a processor for each second of computing. What was seen lies where it
/// was seen.
void spread(double share, Process& process) {
  // Of the sleep goes evenly as much as if every computation were that share of it longer.
  constexpr double even_share = 0.05;
  double computing = 0;
  double seen = 0;
  std::size_t computations = 0;
  for (std::size_t i = 0; i < process.actions.size(); ++i) {
    if (process.actions[i].kind != Action::Kind::compute) continue;
    const double seconds = process.seconds_before_last(i);
    computing += seconds;
    seen += process.actions[i].asleep();
    if (seconds > 0) ++computations;
  }
  if (computations == 0) return;
  double sleep = share * computing;
  if (seen > 0) process.seen_asleep = std::min(1.0, sleep / seen);
  sleep -= process.seen_asleep * seen;
  const double evenly = even_share * sleep;
  process.asleep = sleep / (computing + evenly);
  process.asleep_each = process.asleep * evenly / static_cast<double>(computations);
}

}  // namespace

void add_time_asleep(JobReplay& job, timeline::TimelineFiles& files,
                     const std::vector<double>& crowding) {
  timeline::Summarizer summarizer(files.world_size());
  for (const std::uint32_t rank : files.ranks()) summarizer.add(files.read(rank));
  std::unordered_map<std::uint32_t, double> shares;
  std::unordered_map<std::uint32_t, double> asleep_after_last;
  double shared_computing = 0;
  double shared_clock = 0;
  for (const timeline::RankSeconds& rank : summarizer.take().ranks) {
    // What follows the last operation is replayed by the clock on the wall.
    const double computing =
        timeline::of(rank.seconds, timeline::Activity::computing) - rank.computing_after_last;
    job.displaced = std::max(job.displaced, rank.preempted.value_or(0));
    asleep_after_last.emplace(rank.rank,
                              std::max(0.0, rank.after_last - rank.computing_after_last));
    if (rank.run <= 0 || computing <= 0) continue;
    const double on_processor = rank.rank < crowding.size() ? crowding[rank.rank] : 1;
    if (on_processor > 1 && rank.off_cpu > 0) {
      shared_computing += computing;
      const double away = rank.off_cpu - (rank.after_last - rank.computing_after_last);
      shared_clock += computing + rank.preempted.value_or(away);
    }
    const double asleep = seconds_asleep(rank, computing, std::max(1.0, on_processor));
    if (asleep <= 0) continue;
    job.asleep = std::max(job.asleep, asleep / rank.run);
    shares.emplace(rank.rank, asleep / computing);
  }
  if (shared_computing > 0) job.dilation = shared_clock / shared_computing;
  for (Process& process : job.processes) {
    if (const auto share = shares.find(process.rank); share != shares.end()) {
      spread(share->second, process);
    }
    const auto after = asleep_after_last.find(process.rank);
    if (after == asleep_after_last.end()) continue;
    process.asleep_after_last = std::min(after->second, process.after_last);
  }
}

}  // namespace kith::simulate
