#include "timeline/traffic.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "kith/error.hpp"
#include "timeline/list_code.hpp"
#include "timeline/unroll.hpp"

namespace kith::timeline {
namespace {

/// The cells of one rank as they come.
class RankTraffic {
 public:
  explicit RankTraffic(std::uint32_t rank) : rank_(rank) {}

  void send(std::int64_t peer, std::uint64_t bytes, std::uint64_t messages) {
    if (peer != no_peer) add(rank_, world_rank(peer), bytes, messages);
  }
  void fetch(std::int64_t peer, std::uint64_t bytes, std::uint64_t messages) {
    if (peer != no_peer) add(world_rank(peer), rank_, bytes, messages);
  }
  std::vector<TrafficCell> take() { return summed(std::move(cells_)); }

 private:
  std::uint32_t world_rank(std::int64_t peer) const {
    return static_cast<std::uint32_t>(rank_ + peer);
  }
  void add(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, std::uint64_t messages) {
    std::uint64_t all = 0;
    if (__builtin_mul_overflow(bytes, messages, &all)) {
      throw bad_input("the timeline of rank " + std::to_string(rank_), "less than 2^64 bytes",
                      "more to rank " + std::to_string(to));
    }
    cells_.push_back({from, to, all, messages});
    if (cells_.size() < 2 * kept_ + many) return;
    cells_ = summed(std::move(cells_));
    kept_ = cells_.size();
  }

  std::uint32_t rank_;
  static constexpr std::size_t many = 1U << 16U;
  std::vector<TrafficCell> cells_;
  std::size_t kept_ = 0;  ///< when they were last summed
};

void add_one_sided(RankTraffic& traffic, const Event& event, std::uint64_t times) {
  const OneSidedBytes bytes = one_sided_bytes(event);
  if (bytes.goes) traffic.send(event.peer, bytes.there, times);
  if (bytes.comes) traffic.fetch(event.peer, bytes.back, times);
}

void add_list(RankTraffic& traffic, const std::string& list, std::uint64_t times,
              std::uint32_t rank) {
  const std::string name = "a list of rank " + std::to_string(rank);
  for_each_stretch<inner_message_fields>(ByteReader(name, list), [&](const auto& stretch) {
    for (std::uint64_t i = 0; i < stretch.entries; ++i) {
      std::uint64_t messages = 0;
      if (__builtin_mul_overflow(times, static_cast<std::uint64_t>(stretch.at(i, 2)), &messages)) {
        throw bad_input(name, "less than 2^64 messages", "more");
      }
      traffic.send(stretch.at(i, 0), static_cast<std::uint64_t>(stretch.at(i, 1)), messages);
    }
  });
}

}  // namespace

std::vector<TrafficCell> summed(std::vector<TrafficCell> cells) {
  std::sort(cells.begin(), cells.end(), [](const TrafficCell& a, const TrafficCell& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  std::size_t kept = 0;
  for (const TrafficCell& cell : cells) {
    if (kept == 0 || cells[kept - 1].from != cell.from || cells[kept - 1].to != cell.to) {
      cells[kept++] = cell;
      continue;
    }
    TrafficCell& sum = cells[kept - 1];
    if (__builtin_add_overflow(sum.bytes, cell.bytes, &sum.bytes) ||
        __builtin_add_overflow(sum.messages, cell.messages, &sum.messages)) {
      throw bad_input("the timeline of rank " + std::to_string(cell.from), "less than 2^64 bytes",
                      "more to rank " + std::to_string(cell.to));
    }
  }
  cells.resize(kept);
  return cells;
}

std::vector<TrafficCell> traffic_of(const RankTimeline& timeline) {
  RankTraffic traffic(timeline.rank);
  for (const ThreadStream& stream : timeline.threads) {
    const Program& program = stream.program;
    const std::vector<std::uint64_t> times = occurrences(program);
    std::vector<std::uint64_t> times_of_lists(program.lists.size());
    for (std::size_t i = 0; i < program.events.size(); ++i) {
      const Event& event = program.events[i];
      if (times[i] == 0) continue;
      if (is_send(event.op)) {
        traffic.send(event.peer, event.bytes, times[i]);
      } else if (is_one_sided(event.op)) {
        add_one_sided(traffic, event, times[i]);
      } else if (event.list != 0 && !is_completion(event.op)) {
        times_of_lists[event.list] += times[i];
      }
    }
    for (std::size_t i = 1; i < times_of_lists.size(); ++i) {
      if (times_of_lists[i] == 0) continue;
      add_list(traffic, program.lists[i], times_of_lists[i], timeline.rank);
    }
  }
  return traffic.take();
}

}  // namespace kith::timeline
