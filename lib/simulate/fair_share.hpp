// Flows that share links max-min fairly: no flow can have more without taking from one that has no
// more than it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <vector>

namespace kith::simulate {

/// Flows of one route all have the same rate, so that routes are what shares links, each with as
/// many shares as it has flows. Amounts and capacities are in any unit (bytes, seconds of
/// computing) and that unit per second.
///
/// Each link offers the level that uses it up, given what its routes may have elsewhere; a route's
/// flows have the least of what its links offer. A change spreads from link to link as long as it
/// makes a difference: where a link is not used up, it ends.
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
  void add_carried(std::uint32_t link, double amount) { links_[link].carried += amount; }
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
    std::vector<OnLink> links;
    double most_each = unlimited;
    double rate = 0;            ///< of each flow
    double served = 0;          ///< what a flow would have had that began with the route
    double served_at = 0;       ///< time of `served`
    std::uint32_t version = 0;  ///< of its entry among the ends
    bool is_changed = false;
    std::priority_queue<Flow, std::vector<Flow>, std::greater<>> flows;
  };
  struct ActiveRoute {
    std::uint32_t route;
    std::uint32_t at;  ///< index of the link in the route's list
  };
  struct Link {
    double capacity = 0;
    double level = unlimited;  ///< what it offers to each flow
    double carried = 0;
    bool is_queued = false;
    std::vector<ActiveRoute> active;
  };
  struct End {
    double time = 0;
    std::uint32_t route = 0;
    std::uint32_t version = 0;
    bool operator>(const End& other) const {
      return time != other.time ? time > other.time : route > other.route;
    }
  };
  struct Demand {
    double most = 0;  ///< of each flow, elsewhere
    double flows = 0;
  };

  void join(std::uint32_t route);
  void leave(std::uint32_t route);
  void change(std::uint32_t route);
  void queue_link(std::uint32_t link);
  void serve(Route& route, double now) const;
  double offered(const Route& route, std::uint32_t but_link) const;
  double level_of(const Link& link);
  void spread_change(const Link& link, double before);
  void settle(double now);
  void fill_all();

  std::vector<Link> links_;
  std::vector<Route> routes_;
  std::vector<std::uint32_t> queued_;   ///< links whose level may have changed
  std::vector<std::uint32_t> changed_;  ///< routes whose rate may have
  std::vector<Demand> demands_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::uint64_t flows_ = 0;
};

}  // namespace kith::simulate
