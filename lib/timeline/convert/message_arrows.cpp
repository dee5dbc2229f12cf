#include "timeline/convert/message_arrows.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "timeline/convert/message_ends.hpp"
#include "timeline/convert/message_plan.hpp"
#include "timeline/unroll.hpp"

namespace kith::timeline {
namespace {

/// Finds the ends of all messages, rank by rank: the k-th that is sent on a channel is the k-th
/// that is received there.
class ArrowFinder {
 public:
  std::uint64_t next_send(const ReplayChannel& channel) { return channels_[channel].sent++; }
  std::uint64_t next_receive(const ReplayChannel& channel) { return channels_[channel].received++; }
  void sent(const ReplayChannel& channel, std::uint64_t number, const ArrowEnd& end) {
    channels_[channel].shown[number].first = end;
  }
  void received(const ReplayChannel& channel, std::uint64_t number, const ArrowEnd& end) {
    channels_[channel].shown[number].second = end;
  }
  std::vector<MessageArrow> take() const {
    std::vector<MessageArrow> arrows;
    for (const auto& [key, channel] : channels_) {
      for (const auto& [number, ends] : channel.shown) {
        if (ends.first && ends.second) arrows.push_back({*ends.first, *ends.second});
      }
    }
    return arrows;
  }

 private:
  struct Channel {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::map<std::uint64_t, std::pair<std::optional<ArrowEnd>, std::optional<ArrowEnd>>> shown;
  };
  std::map<ReplayChannel, Channel> channels_;
};

/// What one rank has of them.
class RankArrows : public ActionWriter {
 public:
  RankArrows(const RankTimeline& timeline, const ShownPart& shown, ArrowFinder& finder)
      : rank_(timeline.rank),
        init_(timeline.init_seconds),
        shown_(shown),
        most_steps_(std::max<std::uint64_t>(1, shown.most_operations / timeline.threads.size())),
        finder_(finder),
        threads_(timeline.threads.size()) {}

  void enter_thread(std::size_t thread) override { thread_ = thread; }
  void enter_step(const Step& step) override;
  void compute(double) override {}
  void send(const PostedMessage& message, std::uint64_t, bool) override;
  void receive(const PostedMessage& message, std::uint64_t, bool blocking) override;
  void wait(std::span<const PostedMessage> messages, bool) override;
  bool collective(const Event&, std::uint32_t) override { return false; }

 private:
  struct Thread {
    std::uint64_t steps = 0;  ///< that are shown if there is room
    bool is_shown = false;    ///< the step that is under way
    bool is_message = false;  ///< it is a point-to-point one
    ArrowEnd here;
  };
  struct UnderWay {
    ReplayChannel channel;
    std::uint64_t number = 0;
  };

  std::uint32_t rank_;
  double init_;
  ShownPart shown_;
  std::uint64_t most_steps_;
  ArrowFinder& finder_;
  std::vector<Thread> threads_;
  std::size_t thread_ = 0;
  std::unordered_map<std::uint64_t, UnderWay> under_way_;  ///< receives, by label
};

void RankArrows::enter_step(const Step& step) {
  Thread& thread = threads_[thread_];
  const double begin = init_ + step.begin;
  const bool is_reached = begin + step.inside >= shown_.from;
  if (is_reached) ++thread.steps;
  thread.is_shown =
      is_reached && begin - step.asleep - step.before <= shown_.to && thread.steps <= most_steps_;
  thread.is_message = is_send(step.event->op) || is_receive(step.event->op);
  thread.here = {begin + step.inside / 2, rank_, static_cast<std::uint32_t>(thread_)};
}

void RankArrows::send(const PostedMessage& message, std::uint64_t, bool) {
  const Thread& thread = threads_[thread_];
  if (!thread.is_message) return;
  const ReplayChannel channel{rank_, message.peer, message.tag};
  const std::uint64_t number = finder_.next_send(channel);
  if (thread.is_shown) finder_.sent(channel, number, thread.here);
}

void RankArrows::receive(const PostedMessage& message, std::uint64_t, bool blocking) {
  const Thread& thread = threads_[thread_];
  if (!thread.is_message) return;
  const ReplayChannel channel{message.peer, rank_, message.tag};
  const std::uint64_t number = finder_.next_receive(channel);
  if (!blocking) {
    under_way_[message.label] = {channel, number};
  } else if (thread.is_shown) {
    finder_.received(channel, number, thread.here);
  }
}

// What blocks one of several threads is waited for when it goes on: before enter_step().
void RankArrows::wait(std::span<const PostedMessage> messages, bool) {
  const Thread& thread = threads_[thread_];
  for (const PostedMessage& message : messages) {
    const auto found = under_way_.find(message.label);
    if (found == under_way_.end()) continue;
    const UnderWay& received = found->second;
    if (thread.is_shown) finder_.received(received.channel, received.number, thread.here);
    under_way_.erase(found);
  }
}

}  // namespace

bool may_follow_messages(TimelineFiles& files) {
  std::uint64_t operations = 0;
  for (const std::uint32_t rank : files.ranks()) {
    const RankTimeline timeline = files.read(rank);
    for (const ThreadStream& stream : timeline.threads) {
      operations += std::min(stream.events, most_followed_operations);
    }
    if (operations > most_followed_operations) return false;
  }
  return true;
}

std::vector<MessageArrow> message_arrows(TimelineFiles& files, const ShownPart& shown) {
  MessagePlan plan(files);
  ArrowFinder finder;
  for (const std::uint32_t rank : files.ranks()) {
    const RankTimeline timeline = replayed_part(files.read(rank));
    RankArrows arrows(timeline, shown, finder);
    write_actions(timeline, plan, CollectivesAs::messages, arrows);
  }
  return finder.take();
}

}  // namespace kith::timeline
