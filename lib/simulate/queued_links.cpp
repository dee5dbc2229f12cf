#include "simulate/queued_links.hpp"

#include <algorithm>
#include <limits>

namespace kith::simulate {
namespace {

/// What is no longer than a packet comes to a link at once.
constexpr double packet = 1500;
/// Of a message, what its socket sends before the first part of it is acknowledged: between the
/// first window of TCP and what it has grown to when messages begin to queue.
constexpr double window = 40e3;
/// Bytes per second of what a burst lets through.
constexpr double at_once = 100e9;

}  // namespace

std::uint32_t QueuedLinks::add_link(double capacity, double burst) {
  Link& link = links_.emplace_back();
  link.capacity = capacity;
  link.burst = burst;
  link.backlog = -burst;
  return static_cast<std::uint32_t>(links_.size() - 1);
}

std::uint32_t QueuedLinks::add_route(std::span<const std::uint32_t> links, double most_each,
                                     double latency) {
  routes_.push_back({{links.begin(), links.end()}, most_each, latency});
  return static_cast<std::uint32_t>(routes_.size() - 1);
}

void QueuedLinks::catch_up(Link& link, double now) {
  link.backlog =
      std::max(-link.burst, link.backlog + (link.inflow - link.capacity) * (now - link.since));
  link.since = now;
}

std::uint32_t QueuedLinks::new_passage() {
  if (unused_.empty()) {
    passages_.emplace_back();
    return static_cast<std::uint32_t>(passages_.size() - 1);
  }
  const std::uint32_t number = unused_.back();
  unused_.pop_back();
  return number;
}

void QueuedLinks::push(double time, Event::Kind kind, std::uint32_t passage, std::uint32_t at) {
  events_.push({time, pushed_++, passage, at, passages_[passage].use, kind});
}

void QueuedLinks::start(std::uint32_t number, double bytes, std::uint64_t item, double now) {
  const Route& route = routes_[number];
  const std::uint32_t passage = new_passage();
  Passage& new_one = passages_[passage];
  new_one = {number, 1, 1, new_one.use + 1, bytes, item, std::move(new_one.visits)};
  const double sent = now + route.latency;
  if (route.links.empty()) {
    push(sent + bytes / route.most_each, Event::Kind::there, passage);
    return;
  }
  Link& first = links_[route.links.front()];
  catch_up(first, now);
  const double in_front = bytes <= packet
                              ? std::min(first.backlog, window * static_cast<double>(first.leaving))
                              : first.backlog;
  const double begin = sent + std::max(0.0, in_front) / first.capacity;
  const double end = std::max(sent + std::max(0.0, in_front + bytes) / first.capacity,
                              begin + bytes / route.most_each);
  first.backlog += bytes;
  first.carried += bytes;
  if (route.links.size() == 1) {
    push(end, Event::Kind::there, passage);
    return;
  }
  ++first.leaving;
  new_one.visits.assign(route.links.size(), {});
  if (bytes > packet) {
    new_one.visits[1].rate = std::min(bytes / (end - begin), at_once);
    push(begin, Event::Kind::first_byte, passage);
  }
  push(end, Event::Kind::last_byte, passage);
}

void QueuedLinks::first_byte(std::uint32_t number, double now) {
  Passage& passage = passages_[number];
  const std::vector<std::uint32_t>& links = routes_[passage.route].links;
  Visit& visit = passage.visits[passage.entered];
  Link& link = links_[links[passage.entered]];
  catch_up(link, now);
  visit.begun = now;
  link.inflow += visit.rate;
  if (passage.entered > 1) {
    push(now + passage.bytes / visit.rate, Event::Kind::all_in, number, passage.entered);
  }
  ++passage.entered;
  if (passage.entered == links.size()) return;
  // Its share of what the link lets go now.
  passage.visits[passage.entered].rate = visit.rate * std::min(1.0, link.capacity / link.inflow);
  push(now + std::max(0.0, link.backlog) / link.capacity, Event::Kind::first_byte, number);
}

/// By the rate that was guessed; its last byte is still on its way.
void QueuedLinks::all_in(const Event& event) {
  Passage& passage = passages_[event.passage];
  if (passage.use != event.use || passage.visits[event.at].is_in) return;
  Visit& visit = passage.visits[event.at];
  visit.is_in = true;
  Link& link = links_[routes_[passage.route].links[event.at]];
  catch_up(link, event.time);
  link.inflow = std::max(0.0, link.inflow - visit.rate);
}

void QueuedLinks::last_byte(std::uint32_t number, double now) {
  Passage& passage = passages_[number];
  const std::vector<std::uint32_t>& links = routes_[passage.route].links;
  if (passage.left == 1) --links_[links.front()].leaving;
  Visit& visit = passage.visits[passage.left];
  Link& link = links_[links[passage.left]];
  catch_up(link, now);
  if (!visit.is_in) {
    const double came = visit.rate * (now - visit.begun);
    link.inflow = std::max(0.0, link.inflow - visit.rate);
    link.backlog = std::max(-link.burst, link.backlog + passage.bytes - came);
    visit.is_in = true;
  }
  link.carried += passage.bytes;
  const double gone = now + std::max(0.0, link.backlog) / link.capacity;
  ++passage.left;
  push(gone, passage.left == links.size() ? Event::Kind::there : Event::Kind::last_byte, number);
}

double QueuedLinks::next() const {
  return events_.empty() ? std::numeric_limits<double>::infinity() : events_.top().time;
}

bool QueuedLinks::end_one(double now, std::uint64_t& item) {
  while (next() <= now) {
    const Event event = events_.top();
    events_.pop();
    switch (event.kind) {
      case Event::Kind::first_byte:
        first_byte(event.passage, event.time);
        break;
      case Event::Kind::all_in:
        all_in(event);
        break;
      case Event::Kind::last_byte:
        last_byte(event.passage, event.time);
        break;
      case Event::Kind::there:
        item = passages_[event.passage].item;
        unused_.push_back(event.passage);
        return true;
    }
  }
  return false;
}

}  // namespace kith::simulate
