// Flows that share links max-min fairly: no flow can have more without taking from one that has no
// more than it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "simulate/time_heap.hpp"

namespace kith::simulate {

/// Flows of one route all have the same rate, so that routes are what shares links, each with as
/// many shares as it has flows. Amounts and capacities are in any unit (bytes, seconds of
/// computing) and that unit per second.
///
/// Each link offers the level that uses it up, given what its routes may have elsewhere; a route's
/// flows have the least of what its links offer. A change spreads from link to link as long as it
/// makes a difference: each link knows what each of its routes may have elsewhere, and what is more
/// than the link offers makes none.
class FairShare {
 public:
  std::uint32_t add_link(double capacity);
  /// Over these links, each flow with at most `most_each`.
  std::uint32_t add_route(std::span<const std::uint32_t> links,
                          double most_each = std::numeric_limits<double>::infinity());

  /// Begins a flow at `now`, which is no earlier than any time before.
  void start(std::uint32_t route, double amount, std::uint32_t item, double now);
  /// When the next flow ends; infinite without any.
  double next_end(double now);
  /// Ends one of the flows whose end is `now`, the time that next_end() gave. False if no flow ends
  /// now.
  bool end_one(double now, std::uint32_t& item);

  /// All that went over a link.
  double carried(std::uint32_t link) const { return links_[link].carried; }
  double capacity(std::uint32_t link) const { return links_[link].capacity; }
  std::size_t links() const { return links_.size(); }

 private:
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  struct Flow {
    double end = 0;  ///< by the route's clock of service
    std::uint64_t number = 0;
    std::uint32_t item = 0;
    bool operator>(const Flow& other) const {
      return end != other.end ? end > other.end : number > other.number;
    }
  };
  struct OnLink {
    std::uint32_t link;
    std::uint32_t place;  ///< in the link's list of active routes
  };
  struct Route {
    std::uint32_t first = 0;  ///< of its links in on_links_
    std::uint32_t links = 0;
    bool is_changed = false;
    double most_each = unlimited;
    double rate = 0;       ///< of each flow
    double served = 0;     ///< what a flow would have had that began with the route
    double served_at = 0;  ///< time of `served`
    double first_end = 0;  ///< of the first of `flows`
    std::priority_queue<Flow, std::vector<Flow>, std::greater<>> flows;
  };
  struct ActiveRoute {
    double most = 0;  ///< what each flow may have elsewhere
    double flows = 0;
    std::uint32_t route = 0;
    std::uint32_t at = 0;  ///< index of the link in the route's list
  };
  struct Link {
    double capacity = 0;
    double carried = 0;
    double flows = 0;  ///< of all active routes
    bool is_queued = false;
    std::vector<ActiveRoute> active;
  };

  void join(std::uint32_t route);
  void leave(std::uint32_t route);
  void change_flows(std::uint32_t route);
  void change(std::uint32_t route);
  void queue_link(std::uint32_t link);
  void serve(Route& route, double now) const;
  std::span<OnLink> links_of(const Route& route) {
    return {on_links_.data() + route.first, route.links};
  }
  double offer(std::uint32_t route, std::uint32_t but_link);
  double offered(const Route& route);
  static double level_of(const Link& link, double guess);
  void set_level(std::uint32_t link, double level);
  void settle(double now);
  void fill_all();

  std::vector<Link> links_;
  std::vector<double> levels_;  ///< what each link offers to each flow
  std::vector<Route> routes_;
  std::vector<OnLink> on_links_;
  std::vector<std::uint32_t> queued_;   ///< links whose level may have changed
  std::vector<std::uint32_t> changed_;  ///< routes whose rate may have
  TimeHeap ends_;                       ///< when the first flow of each active route ends
  std::uint64_t flows_ = 0;
};

}  // namespace kith::simulate
