#include "timeline/convert/message_ends.hpp"

#include <algorithm>

#include "timeline/convert/message_plan.hpp"

namespace kith::timeline {
namespace {

class EndCounter : public ActionWriter {
 public:
  EndCounter(MessageEnds& ends, std::uint32_t rank, IsWord is_word)
      : ends_(ends), rank_(rank), is_word_(is_word) {}

  void compute(double) override {}
  void send(const PostedMessage& message, std::uint64_t bytes, bool) override {
    ends_.add_send({rank_, message.peer, message.tag}, bytes);
  }
  void receive(const PostedMessage& message, std::uint64_t, bool) override {
    ends_.add_receive({message.peer, rank_, message.tag});
  }
  void wait(std::span<const PostedMessage>, bool) override {}
  bool collective(const Event& event, std::uint32_t) override { return is_word_(event); }

 private:
  MessageEnds& ends_;
  std::uint32_t rank_;
  IsWord is_word_;
};

}  // namespace

void MessageEnds::add_send(const ReplayChannel& key, std::uint64_t bytes) {
  Channel& channel = channels_[key];
  ++channel.sends;
  if (channel.runs.empty() || channel.runs.back().bytes != bytes)
    channel.runs.push_back({bytes, 0});
  ++channel.runs.back().messages;
}

bool MessageEnds::take_send(const ReplayChannel& key) {
  Channel& channel = channels_[key];
  return channel.taken_sends++ < std::min(channel.sends, channel.receives);
}

bool MessageEnds::take_receive(const ReplayChannel& key, std::uint64_t& bytes) {
  Channel& channel = channels_[key];
  if (channel.taken_receives++ >= std::min(channel.sends, channel.receives)) return false;
  Run& run = channel.runs[channel.next];
  if (--run.messages == 0) ++channel.next;
  bytes = run.bytes;
  return true;
}

MessageEnds ends_of_all(TimelineFiles& files, MessagePlan& plan, CollectivesAs collectives,
                        IsWord is_word) {
  MessageEnds ends;
  for (const std::uint32_t rank : files.ranks()) {
    EndCounter counter(ends, rank, is_word);
    write_actions(replayed_part(files.read(rank)), plan, collectives, counter);
  }
  return ends;
}

void PairedWriter::send(const PostedMessage& message, std::uint64_t bytes, bool blocking) {
  if (!ends_.take_send({rank_, message.peer, message.tag})) return leave_out(message, blocking);
  writer_.send(message, bytes, blocking);
}

void PairedWriter::receive(const PostedMessage& message, std::uint64_t bytes, bool blocking) {
  if (!ends_.take_receive({message.peer, rank_, message.tag}, bytes)) {
    return leave_out(message, blocking);
  }
  writer_.receive(message, bytes, blocking);
}

void PairedWriter::leave_out(const PostedMessage& message, bool blocking) {
  ++left_out_;
  if (!blocking) without_end_.insert(message.label);
}

void PairedWriter::wait(std::span<const PostedMessage> messages, bool all) {
  if (without_end_.empty()) return writer_.wait(messages, all);
  std::vector<PostedMessage> paired;
  for (const PostedMessage& message : messages) {
    if (without_end_.erase(message.label) == 0) paired.push_back(message);
  }
  if (!paired.empty()) writer_.wait(paired, all);
}

}  // namespace kith::timeline
