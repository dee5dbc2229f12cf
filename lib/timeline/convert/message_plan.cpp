#include "timeline/convert/message_plan.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "kith/error.hpp"
#include "timeline/list_code.hpp"
#include "timeline/unroll.hpp"

namespace kith::timeline {
namespace {

std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 30U;
  value *= 0xbf58476d1ce4e5b9ULL;
  value ^= value >> 27U;
  value *= 0x94d049bb133111ebULL;
  return value ^ value >> 31U;
}

/// Calls `visit(program, event)` for each collective of a rank; of several threads in the order of
/// their times, as write_actions() has them.
template <class Visit>
void for_each_in_order(const RankTimeline& timeline, Visit&& visit) {
  struct Collective {
    double begin;
    const Program* program;
    const Event* event;
  };
  std::vector<Collective> collectives;
  for (const ThreadStream& stream : timeline.threads) {
    for_each_event(stream, [&](const Step& step) {
      if (!is_collective(step.event->op)) return;
      if (timeline.threads.size() == 1) {
        visit(stream.program, *step.event);
      } else {
        collectives.push_back({step.begin, &stream.program, step.event});
      }
    });
  }
  std::stable_sort(collectives.begin(), collectives.end(),
                   [](const Collective& a, const Collective& b) { return a.begin < b.begin; });
  for (const Collective& one : collectives) visit(*one.program, *one.event);
}

/// Calls `visit(program, event, communicator, ordinal)`.
template <class Visit>
void for_each_collective(const RankTimeline& timeline, Visit&& visit) {
  std::unordered_map<std::uint64_t, std::uint64_t> next;
  for_each_in_order(timeline, [&](const Program& program, const Event& event) {
    const Communicator& made = timeline.communicators[event.comm];
    visit(program, event, made, next[made.identity]++);
  });
}

}  // namespace

RankTimeline replayed_part(RankTimeline timeline) {
  for (ThreadStream& stream : timeline.threads) stream = beginning_of(std::move(stream));
  return timeline;
}

MessagePlan::MessagePlan(TimelineFiles& files, const LoopCut& cut)
    : one_sided_(files.world_size()), takes_part_(files.world_size()) {
  for (const std::uint32_t rank : files.ranks()) {
    takes_part_[rank] = true;
    const RankTimeline timeline = cut.cut(replayed_part(files.read(rank)));
    count_operations(timeline);
    count_collectives(timeline);
    count_one_sided(timeline);
    count_loose_messages(timeline);
    for (const ThreadStream& stream : timeline.threads) {
      for (const Omission& omission : stream.omissions) omitted_events_ += omission.events;
    }
    if (timeline.threads.size() > 1) ++threaded_ranks_;
  }
  for (const auto& [communicator, instances] : instances_) {
    for (std::uint64_t i = 0; i < instances.key.size(); ++i) {
      chosen_.try_emplace(instances.key[i], communicator, i);
    }
  }
  for (const std::uint32_t rank : files.ranks()) {
    keep_messages(cut.cut(replayed_part(files.read(rank))));
  }
  for (const auto& [key, received] : received_) {
    if (is_one_way(received)) one_way_.insert(key);
  }
}

/// Ranks are taken away from which nothing comes that is still there: all, where nothing goes
/// round.
bool MessagePlan::is_one_way(const Received& received) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> receivers;  // by sender
  std::unordered_map<std::uint32_t, std::size_t> left;  // messages that still come, by rank
  for (const auto& [rank, all] : received) {
    left[rank] += all.size();
    for (const PlannedMessages& from : all) {
      receivers[from.peer].push_back(rank);
      left.try_emplace(from.peer, 0);
    }
  }
  std::vector<std::uint32_t> free;
  for (const auto& [rank, count] : left) {
    if (count == 0) free.push_back(rank);
  }
  std::size_t taken = 0;
  for (; taken < free.size(); ++taken) {
    const auto sends = receivers.find(free[taken]);
    if (sends == receivers.end()) continue;
    for (const std::uint32_t receiver : sends->second) {
      if (--left[receiver] == 0) free.push_back(receiver);
    }
  }
  return taken == left.size();
}

// A file of some bytes may hold loops that no disk has room for.
void MessagePlan::count_operations(const RankTimeline& timeline) {
  for (const ThreadStream& stream : timeline.threads) {
    for (const std::uint64_t times : occurrences(stream.program)) {
      if (times <= most_operations - operations_) {
        operations_ += times;
        continue;
      }
      throw bad_input("the timeline of rank " + std::to_string(timeline.rank),
                      "at most 2^31 operations of all ranks, as loops are written out", "more");
    }
  }
}

void MessagePlan::count_collectives(const RankTimeline& timeline) {
  for_each_collective(timeline, [&](const Program& program, const Event& event,
                                    const Communicator& made, std::uint64_t ordinal) {
    Instances& instances = instances_[made.identity];
    instances.members = std::uint64_t{made.size} + made.remote_size;
    if (instances.key.size() <= ordinal) {
      instances.key.resize(ordinal + 1, mixed(made.identity));
      instances.ranks.resize(ordinal + 1);
    }
    ++instances.ranks[ordinal];
    if (event.list == 0) return;
    // The sum does not depend on the order of ranks.
    instances.key[ordinal] +=
        mixed(checksum(program.lists[event.list]) ^ mixed(timeline.rank + 1));
  });
}

void MessagePlan::keep_messages(const RankTimeline& timeline) {
  for_each_collective(timeline, [&](const Program& program, const Event& event,
                                    const Communicator& made, std::uint64_t ordinal) {
    if (event.list == 0) return;
    const std::uint64_t key = instances_[made.identity].key[ordinal];
    if (chosen_[key] != std::pair{made.identity, ordinal}) return;
    Received& received = received_[key];
    std::uint64_t sent = 0;
    for_each_stretch<inner_message_fields>(
        ByteReader("a list", program.lists[event.list]), [&](const auto& stretch) {
          for (std::uint64_t i = 0; i < stretch.entries; ++i) {
            const auto messages = static_cast<std::uint64_t>(stretch.at(i, 2));
            const std::uint64_t first = std::exchange(sent, sent + messages);
            if (stretch.at(i, 0) == no_peer) continue;
            received[static_cast<std::uint32_t>(timeline.rank + stretch.at(i, 0))].push_back(
                {timeline.rank, static_cast<std::uint64_t>(stretch.at(i, 1)), messages, first});
          }
        });
  });
}

void MessagePlan::count_one_sided(const RankTimeline& timeline) {
  for (const ThreadStream& stream : timeline.threads) {
    const std::vector<std::uint64_t> times = occurrences(stream.program);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Event& event = stream.program.events[i];
      if (!is_one_sided(event.op) || event.peer == no_peer || times[i] == 0) continue;
      OneSidedPart& target =
          one_sided_[static_cast<std::uint32_t>(std::int64_t{timeline.rank} + event.peer)];
      const OneSidedBytes bytes = one_sided_bytes(event);
      if (bytes.goes) target.receives.push_back({timeline.rank, bytes.there, times[i]});
      if (bytes.comes) target.sends.push_back({timeline.rank, bytes.back, times[i]});
    }
  }
}

void MessagePlan::count_loose_messages(const RankTimeline& timeline) {
  for (const ThreadStream& stream : timeline.threads) {
    const std::vector<std::uint64_t> times = occurrences(stream.program);
    for (std::size_t e = 0; e < times.size(); ++e) {
      const Event& event = stream.program.events[e];
      if (!has_loose_messages(event.op) || times[e] == 0) continue;
      for_each_stretch<inner_message_fields>(
          ByteReader("a list", stream.program.lists[event.list]), [&](const auto& stretch) {
            for (std::uint64_t i = 0; i < stretch.entries; ++i) {
              if (stretch.at(i, 0) == no_peer) continue;
              const auto receiver = static_cast<std::uint32_t>(timeline.rank + stretch.at(i, 0));
              if (receiver >= one_sided_.size()) continue;
              one_sided_[receiver].receives.push_back(
                  {timeline.rank, static_cast<std::uint64_t>(stretch.at(i, 1)),
                   times[e] * static_cast<std::uint64_t>(stretch.at(i, 2))});
            }
          });
    }
  }
}

std::span<const PlannedMessages> MessagePlan::received(std::uint64_t communicator,
                                                       std::uint64_t ordinal,
                                                       std::uint32_t rank) const {
  const auto instances = instances_.find(communicator);
  if (instances == instances_.end() || ordinal >= instances->second.key.size()) return {};
  const auto all = received_.find(instances->second.key[ordinal]);
  if (all == received_.end()) return {};
  const auto here = all->second.find(rank);
  if (here == all->second.end()) return {};
  return here->second;
}

bool MessagePlan::is_one_way(std::uint64_t communicator, std::uint64_t ordinal) const {
  const auto instances = instances_.find(communicator);
  return instances != instances_.end() && ordinal < instances->second.key.size() &&
         one_way_.contains(instances->second.key[ordinal]);
}

bool MessagePlan::is_complete(std::uint64_t communicator, std::uint64_t ordinal) const {
  const auto found = instances_.find(communicator);
  return found != instances_.end() && ordinal < found->second.ranks.size() &&
         found->second.ranks[ordinal] >= found->second.members;
}

std::uint32_t MessagePlan::tag(Kind kind, std::uint64_t communicator, std::uint64_t tag) {
  const auto next = static_cast<std::uint32_t>(tags_.size());
  return tags_.try_emplace({kind, communicator, tag}, next).first->second;
}

}  // namespace kith::timeline
