// Messages of a replay that have both ends. A rank whose timeline ends early, for want of memory,
// leaves messages of others without theirs: a replay would wait for them for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "timeline/convert/actions.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::timeline {

/// From, to, tag. What is sent there arrives in its order.
using ReplayChannel = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// Counts both ends of each channel, then tells which messages have both: as many as the fewer of
/// them, the first ones.
class MessageEnds {
 public:
  void add_send(const ReplayChannel& channel, std::uint64_t bytes);
  void add_receive(const ReplayChannel& channel) { ++channels_[channel].receives; }

  // Once all are added, for the messages of each channel in their order:

  /// Whether the next one that is sent is received.
  bool take_send(const ReplayChannel& channel);
  /// Whether the next receive has a message; then `bytes` is its size, which timelines have of
  /// sends only. SimGrid ends at a receive that is smaller than its message.
  bool take_receive(const ReplayChannel& channel, std::uint64_t& bytes);

 private:
  struct Run {
    std::uint64_t bytes;
    std::uint64_t messages;
  };
  struct Channel {
    std::vector<Run> runs;
    std::size_t next = 0;  ///< of runs, to be received
    std::uint64_t sends = 0;
    std::uint64_t receives = 0;
    std::uint64_t taken_sends = 0;
    std::uint64_t taken_receives = 0;
  };
  std::map<ReplayChannel, Channel> channels_;
};

/// Which collectives the format has words for: their messages are not sent one by one.
using IsWord = bool (*)(const Event&);

/// Of all ranks.
MessageEnds ends_of_all(TimelineFiles& files, MessagePlan& plan, CollectivesAs collectives,
                        IsWord is_word);

/// Hands on what a rank does except for messages without another end.
class PairedWriter : public ActionWriter {
 public:
  PairedWriter(ActionWriter& writer, MessageEnds& ends, std::uint32_t rank)
      : writer_(writer), ends_(ends), rank_(rank) {}

  std::uint64_t left_out() const { return left_out_; }

  bool keeps_threads() const override { return writer_.keeps_threads(); }
  void enter_thread(std::size_t thread) override { writer_.enter_thread(thread); }
  void enter_step(const Step& step) override { writer_.enter_step(step); }
  void compute(double seconds) override { writer_.compute(seconds); }
  void send(const PostedMessage& message, std::uint64_t bytes, bool blocking) override;
  void receive(const PostedMessage& message, std::uint64_t bytes, bool blocking) override;
  void wait(std::span<const PostedMessage> messages, bool all) override;
  bool collective(const Event& event, std::uint32_t world_size) override {
    return writer_.collective(event, world_size);
  }

 private:
  void leave_out(const PostedMessage& message, bool blocking);

  ActionWriter& writer_;
  MessageEnds& ends_;
  std::uint32_t rank_;
  std::uint64_t left_out_ = 0;
  std::unordered_set<std::uint64_t> without_end_;  ///< labels of those that are waited for later
};

}  // namespace kith::timeline
