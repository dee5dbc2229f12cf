#include "simulate/time_asleep.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "timeline/activity.hpp"
#include "timeline/summary.hpp"

namespace kith::simulate {

void add_time_asleep(JobReplay& job, timeline::TimelineFiles& files) {
  constexpr double least_share = 0.05;
  timeline::Summarizer summarizer(files.world_size());
  for (const std::uint32_t rank : files.ranks()) summarizer.add(files.read(rank));
  std::unordered_map<std::uint32_t, double> factors;
  for (const timeline::RankSeconds& rank : summarizer.take().ranks) {
    // What follows the last operation is replayed by the clock on the wall.
    const double computing =
        timeline::of(rank.seconds, timeline::Activity::computing) - rank.computing_after_last;
    const double asleep = rank.off_cpu - (rank.after_last - rank.computing_after_last);
    if (rank.run <= 0 || asleep < least_share * rank.run || computing <= 0) continue;
    job.asleep = std::max(job.asleep, asleep / rank.run);
    factors.emplace(rank.rank, 1 + asleep / computing);
  }
  if (factors.empty()) return;
  for (Process& process : job.processes) {
    const auto factor = factors.find(process.rank);
    if (factor == factors.end()) continue;
    for (Action& action : process.actions) {
      if (action.kind == Action::Kind::compute) action.seconds *= factor->second;
    }
    if (process.after_last == 0) continue;
    process.actions.back().seconds -= (factor->second - 1) * process.after_last;
  }
}

}  // namespace kith::simulate
