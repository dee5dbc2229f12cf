// Links on which bytes stand in a queue: who comes first leaves first.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

namespace kith::simulate {

/// Messages go over their links as a stream, without waiting at a link for their end. A sender puts
/// the whole message into the queue of its first link, as a socket takes it in; the further links
/// are reached at the speed of those before, together with what others send there. So each link
/// has a backlog which grows by what comes and shrinks by its capacity (a fluid of first in, first
/// out). A message of one packet, which has a socket of its own, finds no more of others in front
/// of it than their sockets have let go. Bytes and bytes per second.
class QueuedLinks {
 public:
  /// `burst`: what it lets through at once after a pause, and regains at its capacity.
  std::uint32_t add_link(double capacity, double burst = 0);
  std::uint32_t add_route(std::span<const std::uint32_t> links, double most_each, double latency);

  /// Sends at `now`, which is no earlier than any time before. `item` comes back when the last byte
  /// is there.
  void start(std::uint32_t route, double bytes, std::uint64_t item, double now);
  /// When something happens next; infinite if nothing does.
  double next() const;
  /// Lets happen what happens at `now`, until a message is there: then true. False if nothing is
  /// left.
  bool end_one(double now, std::uint64_t& item);

  double carried(std::uint32_t link) const { return links_[link].carried; }
  std::size_t links() const { return links_.size(); }

 private:
  struct Link {
    double capacity = 0;
    double burst = 0;
    double backlog = 0;         ///< at `since`; below 0: what is left of the burst
    std::uint32_t leaving = 0;  ///< messages that have it as their first link
    double inflow = 0;          ///< per second, of messages that come over other links
    double since = 0;
    double carried = 0;
  };
  struct Route {
    std::vector<std::uint32_t> links;
    double most_each = 0;
    double latency = 0;
  };
  /// A message at one of its links after the first.
  struct Visit {
    double begun = 0;
    double rate = 0;  ///< at which it comes: as it is after the first link, further on a guess
    bool is_in = false;
  };
  struct Passage {
    std::uint32_t route = 0;
    std::uint32_t entered = 0;  ///< links that its first byte has reached
    std::uint32_t left = 0;     ///< links that its last byte has reached
    std::uint32_t use = 0;      ///< how many messages had its place before
    double bytes = 0;
    std::uint64_t item = 0;
    std::vector<Visit> visits;  ///< by link of the route
  };
  struct Event {
    enum class Kind : std::uint8_t { first_byte, all_in, last_byte, there };
    double time = 0;
    std::uint64_t number = 0;
    std::uint32_t passage = 0;
    std::uint32_t at = 0;   ///< of all_in: link of the route
    std::uint32_t use = 0;  ///< of the passage
    Kind kind = Kind::there;
    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : number > other.number;
    }
  };

  static void catch_up(Link& link, double now);
  std::uint32_t new_passage();
  void push(double time, Event::Kind kind, std::uint32_t passage, std::uint32_t at = 0);
  void first_byte(std::uint32_t number, double now);
  void all_in(const Event& event);
  void last_byte(std::uint32_t number, double now);

  std::vector<Link> links_;
  std::vector<Route> routes_;
  std::vector<Passage> passages_;
  std::vector<std::uint32_t> unused_;  ///< passages that ended
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t pushed_ = 0;
};

}  // namespace kith::simulate
