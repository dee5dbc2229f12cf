// What will happen when: most of it a fixed time after something else did.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace kith::simulate {

struct Event {
  enum class Kind : std::uint8_t {
    go_on,
    wake_up,
    begin_transfer,
    arrive,
    connection_packet_arrives,
    head_arrives,
    answer_arrives
  };
  double time = 0;
  std::uint64_t number = 0;
  std::uint32_t index = 0;  ///< process or message
  Kind kind = Kind::go_on;
  bool operator>(const Event& other) const {
    return time != other.time ? time > other.time : number > other.number;
  }
};

/// Events of one moment come in the order in which they were scheduled. What is due after one of a
/// few delays (overheads, latencies) comes in the order in which it goes in: a queue for each.
class EventQueue {
 public:
  /// `now` is no earlier than at any call before.
  void schedule_after(double now, double delay, Event::Kind kind, std::uint32_t index) {
    const Event event{now + delay, scheduled_++, index, kind};
    for (Line& line : lines_) {
      if (line.delay == delay) return line.events.push_back(event);
    }
    if (lines_.size() < most_lines) {
      lines_.push_back({delay, {event}});
    } else {
      others_.push(event);
    }
  }

  /// Of delays that differ each time.
  void schedule_once(double now, double delay, Event::Kind kind, std::uint32_t index) {
    others_.push({now + delay, scheduled_++, index, kind});
  }

  /// Infinite without any.
  double next_time() const {
    const Event* const next = first();
    return next == nullptr ? std::numeric_limits<double>::infinity() : next->time;
  }
  /// Takes the next event, if it is due.
  bool take(double now, Event& event) {
    const Event* const next = first();
    if (next == nullptr || next->time > now) return false;
    event = *next;
    if (!others_.empty() && next == &others_.top()) {
      others_.pop();
      return true;
    }
    for (Line& line : lines_) {
      if (line.events.empty() || next != &line.events.front()) continue;
      line.events.pop_front();
      break;
    }
    return true;
  }

 private:
  static constexpr std::size_t most_lines = 8;

  struct Line {
    double delay = 0;
    std::deque<Event> events;
  };

  const Event* first() const {
    const Event* next = others_.empty() ? nullptr : &others_.top();
    for (const Line& line : lines_) {
      if (line.events.empty()) continue;
      const Event& event = line.events.front();
      if (next == nullptr || *next > event) next = &event;
    }
    return next;
  }

  std::vector<Line> lines_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> others_;
  std::uint64_t scheduled_ = 0;
};

}  // namespace kith::simulate
