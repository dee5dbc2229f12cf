#include "simulate/fair_share.hpp"

#include <algorithm>
#include <cmath>

namespace kith::simulate {
namespace {

/// Levels that differ by less are the same.
constexpr double tolerance = 1e-9;

constexpr double rounding = 1e-12;

}  // namespace

std::uint32_t FairShare::add_link(double capacity) {
  links_.emplace_back().capacity = capacity;
  return static_cast<std::uint32_t>(links_.size() - 1);
}

std::uint32_t FairShare::add_route(std::span<const std::uint32_t> links, double most_each) {
  Route& route = routes_.emplace_back();
  for (const std::uint32_t link : links) route.links.push_back({link, 0});
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
  for (const OnLink& on : routes_[route].links) queue_link(on.link);
  if (routes_[route].is_changed) return;
  routes_[route].is_changed = true;
  changed_.push_back(route);
}

void FairShare::join(std::uint32_t number) {
  Route& route = routes_[number];
  for (std::uint32_t i = 0; i < route.links.size(); ++i) {
    std::vector<ActiveRoute>& active = links_[route.links[i].link].active;
    route.links[i].place = static_cast<std::uint32_t>(active.size());
    active.push_back({number, i});
  }
}

void FairShare::leave(std::uint32_t number) {
  for (const OnLink& on : routes_[number].links) {
    std::vector<ActiveRoute>& active = links_[on.link].active;
    active[on.place] = active.back();
    routes_[active[on.place].route].links[active[on.place].at].place = on.place;
    active.pop_back();
  }
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
  for (const OnLink& on : route.links) links_[on.link].carried += amount;
  change(number);
}

double FairShare::offered(const Route& route, std::uint32_t but_link) const {
  double least = route.most_each;
  for (const OnLink& on : route.links) {
    if (on.link != but_link) least = std::min(least, links_[on.link].level);
  }
  return least;
}

/// The level at which the link is used up, given what its flows may have elsewhere.
double FairShare::level_of(const Link& link) {
  const auto number = static_cast<std::uint32_t>(&link - links_.data());
  demands_.clear();
  double flows = 0;
  double wanted = 0;
  for (const ActiveRoute& active : link.active) {
    const Route& route = routes_[active.route];
    const auto count = static_cast<double>(route.flows.size());
    demands_.push_back({offered(route, number), count});
    flows += count;
    wanted += count * demands_.back().most;
  }
  if (wanted <= link.capacity) return unlimited;
  if (demands_.size() == 1) return link.capacity / flows;
  std::ranges::sort(demands_, {}, &Demand::most);
  double left = link.capacity;
  for (const Demand& demand : demands_) {
    if (demand.most * flows >= left) return left / flows;
    left -= demand.most * demand.flows;
    flows -= demand.flows;
  }
  return unlimited;
}

/// Links that see another demand than before of a route of this one.
void FairShare::spread_change(const Link& link, double before) {
  const double lower = std::min(before, link.level);
  for (const ActiveRoute& active : link.active) {
    Route& route = routes_[active.route];
    if (!route.is_changed) {
      route.is_changed = true;
      changed_.push_back(active.route);
    }
    if (lower >= route.most_each) continue;
    for (std::uint32_t i = 0; i < route.links.size(); ++i) {
      if (i == active.at) continue;
      // Where a third link offers less than this one did and does, nothing changes.
      bool matters = true;
      for (std::uint32_t k = 0; matters && k < route.links.size(); ++k) {
        matters = k == i || k == active.at || links_[route.links[k].link].level > lower;
      }
      if (matters) queue_link(route.links[i].link);
    }
  }
}

void FairShare::settle(double now) {
  // Levels settle from the lowest on; a bound on the steps, in case that rounding goes round.
  std::size_t steps = 64 * (links_.size() + 16);
  for (std::size_t next = 0; next < queued_.size(); ++next) {
    Link& link = links_[queued_[next]];
    link.is_queued = false;
    const double before = link.level;
    const double level = level_of(link);
    // From or to an unlimited level is always a change.
    const bool is_same = level == before || (level < unlimited && before < unlimited &&
                                             std::abs(level - before) <= tolerance * before);
    if (is_same) continue;
    link.level = level;
    spread_change(link, before);
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
    route.rate = offered(route, UINT32_MAX);
    const double left = std::max(0.0, route.flows.top().end - route.served);
    ends_.push({now + left / route.rate, number, ++route.version});
  }
  changed_.clear();
}

/// All levels anew, the lowest first.
void FairShare::fill_all() {
  for (Link& link : links_) link.level = unlimited;
  std::vector<bool> is_filled(links_.size());
  while (true) {
    std::size_t lowest = links_.size();
    double level = unlimited;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (is_filled[i] || links_[i].active.empty()) continue;
      // With what is filled so far; all other links offer what they will.
      const double now = level_of(links_[i]);
      if (now >= level) continue;
      level = now;
      lowest = i;
    }
    if (lowest == links_.size()) break;
    links_[lowest].level = level;
    is_filled[lowest] = true;
  }
  for (std::uint32_t route = 0; route < routes_.size(); ++route) {
    if (routes_[route].flows.empty() || routes_[route].is_changed) continue;
    routes_[route].is_changed = true;
    changed_.push_back(route);
  }
}

double FairShare::next_end(double now) {
  if (!queued_.empty() || !changed_.empty()) settle(now);
  while (!ends_.empty() && ends_.top().version != routes_[ends_.top().route].version) ends_.pop();
  return ends_.empty() ? unlimited : ends_.top().time;
}

bool FairShare::end_one(double now, std::uint32_t& item) {
  while (!ends_.empty()) {
    const End end = ends_.top();
    Route& route = routes_[end.route];
    if (end.version == route.version) {
      if (end.time > now) return false;
      ends_.pop();
      serve(route, now);
      const double ended = route.flows.top().end;
      item = route.flows.top().item;
      route.flows.pop();
      change(end.route);
      ++route.version;
      if (route.flows.empty()) {
        leave(end.route);
      } else if (route.flows.top().end <= ended + rounding * ended) {
        // Flows that began together end together.
        ends_.push({now, end.route, route.version});
      }
      return true;
    }
    ends_.pop();
  }
  return false;
}

}  // namespace kith::simulate
