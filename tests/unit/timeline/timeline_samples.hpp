// Timelines made by hand: programs of several ranks that send to each other in loops.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "timeline/list_code.hpp"
#include "timeline/stream.hpp"

namespace kith::timeline {

/// Writes a thread's stream rule by rule. Items go into rule 0 until loop() opens another.
class StreamMaker {
 public:
  StreamMaker() {
    stream_.program.lists.emplace_back();
    stream_.program.rules.emplace_back();
    stream_.times.emplace_back();
  }

  /// An event `repeats` times, with times of some ns.
  StreamMaker& add(Event event, std::uint64_t repeats = 1) {
    Item item;
    item.index = number_of(event);
    item.repeats = repeats;
    item.times = static_cast<std::uint32_t>(stream_.times.size());
    stream_.times.push_back(times_like(1000.0 * static_cast<double>(item.times), 100 * repeats));
    stream_.program.rules[open_.empty() ? 0 : open_.back()].items.push_back(item);
    return *this;
  }
  StreamMaker& add(Event event, const std::vector<std::int64_t>& list) {
    event.list = list_of(list, is_completion(event.op) ? 4 : 3);
    return add(event);
  }
  StreamMaker& loop(std::uint64_t repeats) {
    const auto rule = static_cast<std::uint32_t>(stream_.program.rules.size());
    Item item;
    item.is_rule = true;
    item.index = rule;
    item.repeats = repeats;
    stream_.program.rules[open_.empty() ? 0 : open_.back()].items.push_back(item);
    stream_.program.rules.emplace_back();
    open_.push_back(rule);
    return *this;
  }
  StreamMaker& end() {
    open_.pop_back();
    return *this;
  }
  ThreadStream take() {
    stream_.begin = 0.25;
    stream_.end = 2.5;
    stream_.events = length(0);
    return std::move(stream_);
  }

  static PositionTimes times_like(double mean, std::uint64_t timed) {
    PositionTimes times;
    times.timed = timed;
    const auto count = static_cast<double>(timed);
    times.before = {mean * count, mean * mean * 1.01 * count, mean * 0.5, mean * 3};
    times.inside = {2 * mean * count, 4.01 * mean * mean * count, mean, mean * 7};
    times.has_first = true;
    times.first_before = 10 * mean;
    times.first_inside = 5 * mean;
    return times;
  }

 private:
  std::uint32_t number_of(const Event& event) {
    auto& events = stream_.program.events;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events[i] == event) return i;
    }
    events.push_back(event);
    return static_cast<std::uint32_t>(events.size() - 1);
  }
  std::uint32_t list_of(const std::vector<std::int64_t>& numbers, int fields) {
    std::string bytes(encode_list(numbers, fields, nullptr, 0), '\0');
    encode_list(numbers, fields, bytes.data(), bytes.size());
    auto& lists = stream_.program.lists;
    for (std::uint32_t i = 0; i < lists.size(); ++i) {
      if (lists[i] == bytes) return i;
    }
    lists.push_back(bytes);
    return static_cast<std::uint32_t>(lists.size() - 1);
  }
  std::uint64_t length(std::uint32_t rule) const {
    std::uint64_t sum = 0;
    for (const Item& item : stream_.program.rules[rule].items) {
      sum += item.repeats * (item.is_rule ? length(item.index) : 1);
    }
    return sum;
  }

  ThreadStream stream_;
  std::vector<std::uint32_t> open_;
};

inline Event event_of(Op op, std::int32_t peer = no_peer, std::uint64_t bytes = 0,
                      std::int32_t tag = 0) {
  Event event;
  event.op = op;
  event.peer = peer;
  event.bytes = bytes;
  event.tag = tag;
  return event;
}

/// A rank of a world, alone with its world and itself.
inline RankTimeline rank_of(std::uint32_t rank, std::uint32_t ranks) {
  RankTimeline timeline;
  timeline.rank = rank;
  timeline.communicators.resize(2);
  timeline.communicators[0].identity = 0x1234;
  timeline.communicators[0].size = ranks;
  timeline.communicators[0].rank = rank;
  timeline.communicators[1].identity = 0x9999;
  timeline.communicators[1].size = 1;
  timeline.init_seconds = 0.001 * rank;
  timeline.run_seconds = 3;
  timeline.computing_seconds = 2;
  return timeline;
}

/// Of completions: the newest request, and those before it.
inline std::vector<std::int64_t> newest_requests(int requests) {
  std::vector<std::int64_t> list;
  for (int i = requests; i-- > 0;) list.insert(list.end(), {i, 0, no_peer, 0});
  return list;
}

/// Sends around a ring: `steps` times isend to the next, irecv from the one before, waitall; then a
/// barrier whose messages go to the next.
inline std::vector<RankTimeline> ring(std::uint32_t ranks, std::uint64_t steps) {
  std::vector<RankTimeline> all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    RankTimeline timeline = rank_of(rank, ranks);
    const auto next = static_cast<std::int32_t>((rank + 1) % ranks - rank);
    const auto before = static_cast<std::int32_t>((rank + ranks - 1) % ranks - rank);
    StreamMaker maker;
    maker.loop(steps)
        .add(event_of(Op::irecv, before, 800, 7))
        .add(event_of(Op::isend, next, 800, 7))
        .add(event_of(Op::waitall), newest_requests(2))
        .end()
        .add(event_of(Op::barrier), {next, 0, 1});
    timeline.threads.push_back(maker.take());
    all.push_back(std::move(timeline));
  }
  return all;
}

/// Four neighbours on a periodic grid, several fields a step, an allreduce in each step as a ring of
/// messages: loops in loops.
inline std::vector<RankTimeline> stencil(std::uint32_t rows, std::uint32_t columns,
                                         std::uint64_t steps) {
  std::vector<RankTimeline> all;
  const std::uint32_t ranks = rows * columns;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    RankTimeline timeline = rank_of(rank, ranks);
    const std::uint32_t row = rank / columns;
    const std::uint32_t column = rank % columns;
    const auto to = [&](std::uint32_t r, std::uint32_t c) {
      return static_cast<std::int32_t>(r % rows * columns + c % columns) -
             static_cast<std::int32_t>(rank);
    };
    const std::int32_t sides[] = {to(row + rows - 1, column), to(row + 1, column),
                                  to(row, column + columns - 1), to(row, column + 1)};
    const auto next = static_cast<std::int32_t>((rank + 1) % ranks - rank);
    StreamMaker maker;
    maker.add(event_of(Op::barrier), {next, 0, 1});
    maker.loop(steps).loop(3);
    for (int side = 0; side < 4; ++side) {
      maker.add(event_of(Op::irecv, sides[side], 4096, side ^ 1));
    }
    for (int side = 0; side < 4; ++side) maker.add(event_of(Op::isend, sides[side], 4096, side));
    maker.add(event_of(Op::waitall), newest_requests(8));
    maker.end();
    maker.add(event_of(Op::allreduce, no_peer, 8), {next, 8, 2});
    maker.end();
    timeline.threads.push_back(maker.take());
    all.push_back(std::move(timeline));
  }
  return all;
}

}  // namespace kith::timeline
