// The links of a machine with their speeds, and the route of a message over them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kith/machine.hpp"
#include "objective/network_time.hpp"

namespace kith::simulate {

/// What a user says of the links between slots that meet at a level.
struct LinkSpeed {
  double megabytes_per_s = 0;  ///< of a link; 0: as measured or assumed
  double latency_us = -1;      ///< one way; below 0: as measured or assumed
  double burst_bytes = 0;      ///< 0: as measured
  double overhead_us = 0;      ///< of a call; 0: as measured or assumed
  double shared_megabytes_per_s = 0;  ///< of all messages of a host together; 0: as measured
  double eager_bytes = 0;             ///< 0: as measured or assumed
};

struct NetworkOptions {
  std::map<std::string, LinkSpeed, std::less<>> levels;  ///< by the level's name
  double bandwidth_factor = 1;                           ///< of links between hosts
  double latency_factor = 1;                             ///< between hosts
  std::optional<double> latency_us;                      ///< between hosts, one way, instead
  double memory_megabytes_per_s = 0;  ///< of a host, by all its ranks together; 0: assumed
};

struct Route {
  std::vector<std::uint32_t> links;
  double most_each = 0;  ///< bytes per second of one message
  double latency = 0;    ///< seconds, one way
  double overhead = 0;   ///< seconds that a call keeps each end
  bool leaves_host = false;
};

struct LinkFacts {
  std::string name;
  double bytes_per_second = 0;
  double burst_bytes = 0;  ///< that pass at once after a pause
  bool is_memory = false;
};

/// Trees: up and down by the lowest common ancestor; links are those of max_link_load(), of wide
/// ones (fat trees) all parallel ones together. Grids: dimension by dimension, the first of the
/// SPEC first, around a ring by the shorter way. Dragonflies: the one link between two groups, with
/// a step to it and one from it. Where routes are not known (graphs, distances): the links of both
/// nodes to the network. In a host all messages share its memory.
///
/// Links are numbered as routes need them: O(links used) memory.
class MachineLinks {
 public:
  // MB/s, as the objective has them, and us.
  static constexpr double default_network = LinkTimes::default_network;
  static constexpr double default_network_latency = 20;
  static constexpr double default_memory = LinkTimes::default_memory;
  static constexpr double default_memory_latency = 0.5;
  static constexpr double default_overhead = 1;  ///< of a send, and of a receive
  static constexpr double default_eager_limit = 65480;  ///< bytes: 64 KiB with a header
  /// As many messages at full speed as a host's memory serves where nothing else is known.
  static constexpr double default_memory_streams = 4;

  /// The machine must outlive this. Throws Error (input) for an option about a level that the
  /// machine does not have.
  MachineLinks(const Machine& machine, const NetworkOptions& options);

  /// Messages with equal keys take the same route.
  std::uint64_t key(Slot from, Slot to) const;
  Route route(Slot from, Slot to);
  const std::vector<LinkFacts>& links() const { return links_; }

  /// Largest message between hosts whose sender does not wait for its receive: as measured, else
  /// Open MPI's over TCP.
  double eager_limit() const { return eager_limit_; }

  /// Whether hosts are known to reach each other at 10 Gbit/s or less: by TCP, then.
  bool is_slow_network() const { return is_slow_network_; }

  /// What was assumed, since neither the machine nor the user says it: a sentence each.
  const std::vector<std::string>& assumptions() const { return assumptions_; }

 private:
  struct Speed {
    double bytes_per_second = 0;
    double latency = 0;
    double overhead = 0;
    double burst_bytes = 0;
    double shared = 0;  ///< bytes per second of all messages of a host together; 0: not known
  };
  /// Names a link apart from all others.
  enum class Part : std::uint8_t {
    tree_up,
    tree_down,
    grid_up,
    grid_down,
    node_out,
    node_in,
    local,
    global,
    memory
  };

  void set_speeds(const NetworkOptions& options);
  Speed speed_of(const Level& level, bool is_network, const NetworkOptions& options);
  void assume(const std::string& sentence);
  /// " (switch)": the level of the network that is meant where more is known of another one.
  std::string level_words(const Level& level, bool is_network, const NetworkOptions& options) const;
  bool is_of_network(unsigned level) const;
  std::uint32_t link(Part part, std::uint64_t level, std::uint64_t object, double capacity,
                     double burst_bytes = 0);
  std::string name_of(Part part, std::uint64_t level, std::uint64_t object) const;
  Route in_host(std::uint64_t node, unsigned level);
  Route over_tree(Slot from, Slot to, unsigned meeting);
  Route over_network(std::uint32_t from, std::uint32_t to);
  void over_grid(std::uint32_t from, std::uint32_t to, Route& route);
  void over_dragonfly(std::uint32_t from, std::uint32_t to, Route& route);
  /// Whether a message alone is slower over the link above an object of this depth than over a
  /// host's cable: then it is the link that makes it so.
  /// Bytes per second of the whole link above an object of this depth, where that is known; else 0.
  double trunk(unsigned level) const;
  double width_of(unsigned level) const;
  double hosts_below(unsigned level) const;  ///< an object of this depth, on average

  const Machine& machine_;
  const TreeMachine* tree_ =
      nullptr;                 ///< the machine, or the tree in each node; null: nodes are slots
  unsigned node_level_ = 0;    ///< of the tree
  std::vector<Speed> speeds_;  ///< of messages that meet at a level of the tree
  std::vector<double> given_;  ///< bytes per second of each level between hosts; 0: not given
  Speed network_;              ///< of nodes whose network is no tree
  double memory_ = 0;          ///< bytes per second of a host
  double eager_limit_ = default_eager_limit;
  bool is_slow_network_ = false;
  std::vector<LinkFacts> links_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<std::string> assumptions_;
};

}  // namespace kith::simulate
