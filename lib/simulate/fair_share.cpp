#include "simulate/fair_share.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace kith::simulate {
namespace {

/// Levels that differ by less are the same.
constexpr double tolerance = 1e-9;

constexpr double rounding = 1e-12;

}  // namespace

std::uint32_t FairShare::add_link(double capacity) {
  links_.emplace_back().capacity = capacity;
  levels_.push_back(unlimited);
  return static_cast<std::uint32_t>(links_.size() - 1);
}

std::uint32_t FairShare::add_route(std::span<const std::uint32_t> links, double most_each) {
  Route& route = routes_.emplace_back();
  route.first = static_cast<std::uint32_t>(on_links_.size());
  route.links = static_cast<std::uint32_t>(links.size());
  for (const std::uint32_t link : links) on_links_.push_back({link, 0});
  route.most_each = most_each;
  return static_cast<std::uint32_t>(routes_.size() - 1);
}

void FairShare::serve(Route& route, double now) const {
  route.served += route.rate * (now - route.served_at);
  route.served_at = now;
}

void FairShare::queue_link(std::uint32_t link) {
  if (links_[link].is_queued) return;
  links_[link].is_queued = true;
  queued_.push_back(link);
}

void FairShare::change(std::uint32_t route) {
  if (routes_[route].is_changed) return;
  routes_[route].is_changed = true;
  changed_.push_back(route);
}

void FairShare::join(std::uint32_t number) {
  std::uint32_t at = 0;
  for (OnLink& on : links_of(routes_[number])) {
    std::vector<ActiveRoute>& active = links_[on.link].active;
    on.place = static_cast<std::uint32_t>(active.size());
    active.push_back({unlimited, 0, number, at++});
  }
  offer(number, UINT32_MAX);
}

void FairShare::leave(std::uint32_t number) {
  for (const OnLink& on : links_of(routes_[number])) {
    std::vector<ActiveRoute>& active = links_[on.link].active;
    links_[on.link].flows -= active[on.place].flows;
    active[on.place] = active.back();
    on_links_[routes_[active[on.place].route].first + active[on.place].at].place = on.place;
    active.pop_back();
    queue_link(on.link);
  }
}

void FairShare::change_flows(std::uint32_t number) {
  const Route& route = routes_[number];
  const auto flows = static_cast<double>(route.flows.size());
  for (const OnLink& on : links_of(route)) {
    Link& link = links_[on.link];
    link.flows += flows - std::exchange(link.active[on.place].flows, flows);
    queue_link(on.link);
  }
  change(number);
}

void FairShare::start(std::uint32_t number, double amount, std::uint32_t item, double now) {
  Route& route = routes_[number];
  if (route.flows.empty()) {
    route.served = 0;
    route.rate = 0;
    route.served_at = now;
    join(number);
  }
  serve(route, now);
  route.flows.push({route.served + amount, flows_++, item});
  route.first_end = route.flows.top().end;
  for (const OnLink& on : links_of(route)) links_[on.link].carried += amount;
  change_flows(number);
}

double FairShare::offered(const Route& route) {
  double least = route.most_each;
  for (const OnLink& on : links_of(route)) least = std::min(least, levels_[on.link]);
  return least;
}

/// Tells the route's links, all but one, what it may have elsewhere. Returns what it may have in
/// all.
double FairShare::offer(std::uint32_t number, std::uint32_t but_link) {
  const Route& route = routes_[number];
  const std::span<OnLink> links = links_of(route);
  double least = route.most_each;
  double second = unlimited;
  std::size_t lowest = links.size();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const double level = levels_[links[i].link];
    if (level < least) {
      second = least;
      least = level;
      lowest = i;
    } else {
      second = std::min(second, level);
    }
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const OnLink& on = links[i];
    if (on.link == but_link) continue;
    double& most = links_[on.link].active[on.place].most;
    const double now = i == lowest ? second : least;
    const double before = std::exchange(most, now);
    // What is more than the link itself offers makes no difference to it.
    if (now != before && std::min(now, before) < levels_[on.link]) queue_link(on.link);
  }
  return least;
}

/// The level at which the link is used up, given what its flows may have elsewhere. `guess`: the
/// one before.
double FairShare::level_of(const Link& link, double guess) {
  if (link.active.empty()) return unlimited;
  const double least = link.capacity / link.flows;
  double level = guess < unlimited ? guess : least;
  bool is_from_below = level == least;
  while (true) {
    double left = link.capacity;
    double here = 0;
    double most_below = 0;
    double least_above = unlimited;
    for (const ActiveRoute& active : link.active) {
      if (active.most <= level) {
        left -= active.flows * active.most;
        most_below = std::max(most_below, active.most);
      } else {
        here += active.flows;
        least_above = std::min(least_above, active.most);
      }
    }
    if (here == 0 && left >= -rounding * link.capacity) return unlimited;
    // What is left, divided among those that can take it, is never too much; from below it grows.
    const double next = here > 0 ? std::max(least, left / here) : least;
    if (here > 0 && most_below <= next && next < least_above) return next;
    if (is_from_below && next <= level) return level;
    level = next;
    is_from_below = true;
  }
}

void FairShare::set_level(std::uint32_t number, double level) {
  levels_[number] = level;
  for (const ActiveRoute& active : links_[number].active) {
    if (offer(active.route, number) != routes_[active.route].rate) change(active.route);
  }
}

void FairShare::settle(double now) {
  // Levels settle from the lowest on; a bound on the steps, in case that rounding goes round.
  std::size_t steps = 64 * (links_.size() + 16);
  for (std::size_t next = 0; next < queued_.size(); ++next) {
    Link& link = links_[queued_[next]];
    link.is_queued = false;
    const double before = levels_[queued_[next]];
    const double level = level_of(link, before);
    // From or to an unlimited level is always a change.
    const bool is_same = level == before || (level < unlimited && before < unlimited &&
                                             std::abs(level - before) <= tolerance * before);
    if (is_same) continue;
    set_level(queued_[next], level);
    if (--steps == 0) {
      fill_all();
      break;
    }
  }
  for (const std::uint32_t link : queued_) links_[link].is_queued = false;
  queued_.clear();
  for (const std::uint32_t number : changed_) {
    Route& route = routes_[number];
    route.is_changed = false;
    if (route.flows.empty()) continue;
    serve(route, now);
    route.rate = offered(route);
    const double left = std::max(0.0, route.first_end - route.served);
    ends_.put(number, now + left / route.rate);
  }
  changed_.clear();
}

/// All levels anew, the lowest first.
void FairShare::fill_all() {
  for (std::uint32_t link = 0; link < links_.size(); ++link) set_level(link, unlimited);
  std::vector<bool> is_filled(links_.size());
  while (true) {
    std::uint32_t lowest = UINT32_MAX;
    double level = unlimited;
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
      if (is_filled[i] || links_[i].active.empty()) continue;
      // With what is filled so far; all other links offer what they will.
      const double now = level_of(links_[i], unlimited);
      if (now >= level) continue;
      level = now;
      lowest = i;
    }
    if (lowest == UINT32_MAX) break;
    set_level(lowest, level);
    is_filled[lowest] = true;
  }
}

double FairShare::next_end(double now) {
  if (!queued_.empty() || !changed_.empty()) settle(now);
  return ends_.is_empty() ? unlimited : ends_.first_time();
}

bool FairShare::end_one(double now, std::uint32_t& item) {
  if (ends_.is_empty() || ends_.first_time() > now) return false;
  const std::uint32_t number = ends_.first();
  Route& route = routes_[number];
  serve(route, now);
  const double ended = route.first_end;
  item = route.flows.top().item;
  route.flows.pop();
  if (route.flows.empty()) {
    ends_.remove(number);
    leave(number);
    return true;
  }
  change_flows(number);
  route.first_end = route.flows.top().end;
  // Flows that began together end together.
  if (route.first_end <= ended + rounding * ended) {
    ends_.put(number, now);
  } else {
    ends_.put(number, unlimited);  // until it is settled
  }
  return true;
}

}  // namespace kith::simulate
