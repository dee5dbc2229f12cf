#include "timeline_facts.hpp"

#include <algorithm>
#include <vector>

#include "timeline/timeline_files.hpp"
#include "timeline/traffic.hpp"

namespace kith::tools {
namespace {

/// Compares the timeline's traffic with the matrix.
void compare(const TrafficMatrix& bytes, const std::vector<timeline::TrafficCell>& cells,
             TimelineFacts& facts) {
  Weight all = 0;
  std::uint64_t entries = 0;
  for (std::uint32_t rank = 0; rank < bytes.ranks(); ++rank) {
    for (const Weight weight : bytes.weights(Rank{rank})) {
      all += weight;
      entries += weight > 0 ? 1 : 0;
    }
  }
  Weight covered = 0;
  std::uint64_t equal = 0;
  std::uint64_t found = 0;
  for (const timeline::TrafficCell& cell : cells) {
    if (cell.bytes == 0 || cell.from >= bytes.ranks() || cell.to >= bytes.ranks()) continue;
    const Weight weight = bytes.at(Rank{cell.from}, Rank{cell.to});
    covered += std::min<Weight>(weight, cell.bytes);
    ++found;
    equal += weight == cell.bytes ? 1 : 0;
  }
  facts.bytes_share = all == 0 ? 1 : static_cast<double>(covered) / static_cast<double>(all);
  facts.is_exact = equal == entries && found == entries;
}

}  // namespace

std::optional<TimelineFacts> timeline_facts(const Trace& trace) {
  if (!timeline::TimelineFiles::has_timeline(trace.path)) return std::nullopt;
  timeline::TimelineFiles files(trace.path);
  TimelineFacts facts;
  std::vector<timeline::TrafficCell> cells;
  for (const std::uint32_t rank : files.ranks()) {
    const timeline::RankTimeline timeline = files.read(rank);
    ++facts.ranks;
    facts.run_seconds = std::max(facts.run_seconds, timeline.run_seconds);
    for (const timeline::ThreadStream& stream : timeline.threads) {
      facts.operations += stream.events;
      for (const timeline::Omission& omission : stream.omissions) {
        facts.omitted_operations += omission.events;
      }
    }
    const std::vector<timeline::TrafficCell> more = timeline::traffic_of(timeline);
    cells.insert(cells.end(), more.begin(), more.end());
  }
  compare(trace.bytes, timeline::summed(std::move(cells)), facts);
  return facts;
}

}  // namespace kith::tools
