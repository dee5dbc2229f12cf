// How long the links of a machine are busy: bytes on the wire over bandwidth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/objective.hpp"
#include "kith/traffic.hpp"
#include "objective/link_load.hpp"

namespace kith {

/// Whether a bandwidth given for a level of switches is that of the whole link between two of them:
/// clearly less than a host's cable, which one message alone shows, or more than any message has.
constexpr bool is_of_whole_link(double bandwidth, double cable) {
  return bandwidth < 0.9 * cable || bandwidth > 1.5 * cable;
}

/// Seconds that a byte takes on each kind of link. Between hosts: what was measured where two hosts
/// meet at the lowest switch, else default_network. Switches' links upwards: as wide as the machine
/// says (fat trees), else what was given where is_of_whole_link(), else half of what the
/// hosts below can send. Inside a host: what was measured there, else default_memory, times the
/// slots below the link: each core moves its own data.
class LinkTimes {
 public:
  static constexpr double default_network = 1250;  ///< MB/s, each way: Ethernet of 10 Gbit/s
  static constexpr double default_memory = 10000;  ///< MB/s of one core
  /// A link's time per byte is a whole number of 2^-fraction_bits ps.
  static constexpr unsigned fraction_bits = 10;

  explicit LinkTimes(const Machine& machine);

  /// Of the links from objects of depth `level` to their parents, in the machine's tree or that of
  /// its nodes; 0: from the root of a node's tree to the network.
  std::uint64_t above(unsigned level) const { return above_[level]; }
  /// Of links of the network where it is no tree: of a grid, or of each node where routes are not
  /// known.
  std::uint64_t of_network() const { return of_network_; }
  /// Of a host's cable in MB/s; nothing where it was not measured.
  std::optional<double> measured_network() const {
    return is_measured_ ? std::optional(cable_) : std::nullopt;
  }
  bool is_measured() const { return is_measured_; }
  /// Whether a link between switches is taken for half of what the hosts below can send.
  bool guesses_switches() const { return guesses_switches_; }

  /// Picoseconds that the link is busy, rounded down.
  static Wide picoseconds(Wide bytes, std::uint64_t time_per_byte) {
    return bytes * time_per_byte >> fraction_bits;
  }

 private:
  std::vector<std::uint64_t> above_;
  std::uint64_t of_network_ = 0;
  double cable_ = default_network;
  bool is_measured_ = false;
  bool guesses_switches_ = false;
};

/// The scale of Metrics::network_time.
inline constexpr std::uint64_t picoseconds_per_second = 1'000'000'000'000;

/// Metrics::network_time in picoseconds, of what is on the wire; at most 2^64 - 1, which is seven
/// months. O(entries x (depth + dimensions)).
std::uint64_t network_picoseconds(const TrafficMatrix& wire, const Machine& machine,
                                  const Mapping& mapping);
/// "the busiest host sends or receives 22.1 MiB instead of 38.1 MiB, headers included, which spares
/// its cable some 6.7 s at 20 Mbit/s": the seconds only where the bandwidth was measured. Empty
/// unless it is less.
std::string network_gain_text(const Metrics& before, const Metrics& after, const Machine& machine);

/// network_picoseconds() of links whose bytes are known.
std::uint64_t network_picoseconds(const BusiestLinks& busiest, const Machine& machine);

}  // namespace kith
