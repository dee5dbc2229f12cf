// Random programs whose ranks fit together, and traces of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "timeline/host_file.hpp"
#include "timeline_samples.hpp"

namespace kith::timeline {

/// All ranks of a program, written step by step; whatever a step sends is received in it.
class ProgramMaker {
 public:
  ProgramMaker(std::uint32_t ranks, std::uint32_t seed)
      : ranks_(ranks), random_(seed), makers_(ranks) {}

  std::vector<RankTimeline> make(int steps, std::uint64_t passes) {
    if (passes > 1) {
      for (StreamMaker& maker : makers_) maker.loop(passes);
    }
    for (int i = 0; i < steps; ++i) step(2);
    if (passes > 1) {
      for (StreamMaker& maker : makers_) maker.end();
    }
    std::vector<RankTimeline> all;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      RankTimeline timeline = rank_of(rank, ranks_);
      Communicator half;  // 2: the even or the odd ranks
      half.identity = 500 + rank % 2;
      half.size = (ranks_ + 1 - rank % 2) / 2;
      half.rank = rank / 2;
      timeline.communicators.push_back(half);
      Communicator window = timeline.communicators[0];  // 3
      window.identity = 600;
      window.is_window = true;
      timeline.communicators.push_back(window);
      timeline.threads.push_back(makers_[rank].take());
      all.push_back(std::move(timeline));
    }
    return all;
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  std::int32_t from(std::uint32_t rank, std::uint32_t peer) const {
    return static_cast<std::int32_t>(peer) - static_cast<std::int32_t>(rank);
  }
  void pair(std::uint32_t& a, std::uint32_t& b) {
    a = below(ranks_);
    b = (a + 1 + below(ranks_ - 1)) % ranks_;
  }

  void step(int depth) {
    switch (below(depth > 0 ? 8 : 7)) {
      case 0: return blocking();
      case 1: return requests();
      case 2: return wildcards();
      case 3: return shift();
      case 4: return collective(false);
      case 5: return collective(true);
      case 6: return one_sided();
      default: break;
    }
    const std::uint64_t repeats = 1 + below(4);
    for (StreamMaker& maker : makers_) maker.loop(repeats);
    for (std::uint32_t i = 0; i < 1 + below(3); ++i) step(depth - 1);
    for (StreamMaker& maker : makers_) maker.end();
  }

  void blocking() {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    pair(a, b);
    const std::uint64_t bytes = below(100'000);
    const auto tag = static_cast<std::int32_t>(below(3));
    makers_[a].add(event_of(below(2) == 0 ? Op::send : Op::bsend, from(a, b), bytes, tag));
    Event receive = event_of(Op::recv, from(b, a), bytes, tag);
    if (below(2) == 0) receive.flags = any_source | any_tag;
    makers_[b].add(receive);
  }

  /// Several messages of one pair, waited for in another order, one of them forgotten.
  void requests() {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    pair(a, b);
    for (std::int32_t i = 0; i < 3; ++i) {
      makers_[a].add(event_of(i == 1 ? Op::start_send : Op::isend, from(a, b), 1000, i % 2));
      makers_[b].add(event_of(i == 1 ? Op::start_recv : Op::irecv, from(b, a), 1000, i % 2));
    }
    makers_[a].add(event_of(Op::waitany), {1, 0, no_peer, 0});
    makers_[a].add(event_of(Op::waitall), {2, 0, no_peer, 0, 0, 0, no_peer, 0});
    makers_[b].add(event_of(Op::waitsome), {0, 0, no_peer, 0, 1, 0, no_peer, 0});
    makers_[b].add(event_of(Op::wait), {2, 0, no_peer, 0});
  }

  void wildcards() {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    pair(a, b);
    Event receive = event_of(Op::irecv, no_peer, 500);
    receive.flags = any_source | any_tag;
    makers_[b].add(receive).add(receive);
    makers_[a].add(event_of(Op::isend, from(a, b), 500, 5));
    makers_[a].add(event_of(Op::isend, from(a, b), 500, 6));
    makers_[a].add(event_of(Op::waitall), newest_requests(2));
    makers_[b].add(event_of(Op::waitall),
                   {1, 0, from(b, a), 5, 0, 0, from(b, a), 6});
  }

  void shift() {
    const std::uint32_t far = 1 + below(ranks_ - 1);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      const std::uint32_t to = (rank + far) % ranks_;
      const std::uint32_t before = (rank + ranks_ - far) % ranks_;
      makers_[rank].add(event_of(Op::sendrecv_send, from(rank, to), 70'000, 1));
      makers_[rank].add(event_of(Op::sendrecv_recv, from(rank, before), 70'000, 1));
    }
  }

  void collective(bool nonblocking_one) {
    const std::uint32_t half = below(2);
    Event event = event_of(Op::allreduce, no_peer, 8);
    event.comm = half == 0 ? 0 : 2;
    if (nonblocking_one) event.flags = nonblocking;
    const std::uint64_t bytes = below(2) * 3000;
    const std::uint32_t step = half == 0 ? 1 : 2;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      std::vector<std::int64_t> list;
      for (std::uint32_t peer = rank % step; peer < ranks_; peer += step) {
        if ((peer + rank) % 3 == 0 || peer == rank) continue;
        list.insert(list.end(), {from(rank, peer), static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(1 + peer % 2)});
      }
      makers_[rank].add(event, list);
      if (nonblocking_one) makers_[rank].add(event_of(Op::wait), newest_requests(1));
    }
  }

  void one_sided() {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    pair(a, b);
    Event there = event_of(Op::put, from(a, b), 80'000);
    Event back = event_of(Op::get, from(a, b), 300);
    Event both = event_of(Op::fetch_and_op, from(a, b), 8);
    both.element = 8;
    Event fence = event_of(Op::fence);
    there.comm = back.comm = both.comm = fence.comm = 3;
    makers_[a].add(there, 2).add(back).add(both);
    for (StreamMaker& maker : makers_) maker.add(fence);
  }

  std::uint32_t ranks_;
  std::mt19937 random_;
  std::vector<StreamMaker> makers_;
};

/// `passes` times the same steps.
inline std::vector<RankTimeline> mixture(std::uint32_t ranks, std::uint32_t seed, int steps = 30,
                                         std::uint64_t passes = 1) {
  return ProgramMaker(ranks, seed).make(steps, passes);
}

/// Sent inside a collective.
struct InnerMessage {
  std::uint32_t from;
  std::uint32_t to;
  std::uint64_t bytes;
};

/// One collective, whose ranks send these, each in the order in which they stand.
inline std::vector<RankTimeline> collective(Op op, std::uint32_t ranks,
                                            const std::vector<InnerMessage>& messages) {
  const bool has_root = op == Op::bcast || op == Op::reduce;
  const Event event = event_of(op, has_root ? 0 : no_peer, 1000);
  std::vector<RankTimeline> all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::int64_t> list;
    for (const InnerMessage& message : messages) {
      if (message.from != rank) continue;
      const auto bytes = static_cast<std::int64_t>(message.bytes);
      list.insert(list.end(), {std::int64_t{message.to} - rank, bytes, 1});
    }
    StreamMaker maker;
    list.empty() ? maker.add(event) : maker.add(event, list);
    all.push_back(rank_of(rank, ranks));
    all.back().threads.push_back(maker.take());
  }
  return all;
}

/// The folder of a trace with the timelines of two hosts.
inline void write_trace(const std::filesystem::path& folder,
                        const std::vector<RankTimeline>& ranks) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "timeline");
  HostFile hosts[2];
  for (const RankTimeline& rank : ranks) {
    hosts[rank.rank < ranks.size() / 2 ? 0 : 1].add(pack_rank(rank));
  }
  for (int host = 0; host < 2; ++host) {
    std::ofstream(folder / "timeline" / ("host-00000" + std::to_string(host) + ".timeline"),
                  std::ios::binary)
        << hosts[host].take();
  }
}

}  // namespace kith::timeline
