#include "objective/network_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/plain_text.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/objective.hpp"

namespace kith {
namespace {

/// Of a link of so many MB/s. At least 1: no link takes no time.
std::uint64_t time_per_byte(double megabytes_per_s) {
  const double picoseconds = 1e6 / megabytes_per_s;
  const double parts = std::ldexp(picoseconds, LinkTimes::fraction_bits);
  return static_cast<std::uint64_t>(std::clamp(parts, 1.0, 0x1p50));
}

double slots_below(const TreeMachine& tree, unsigned level) {
  return static_cast<double>(tree.slots()) / static_cast<double>(tree.objects(level));
}

/// Of a link inside a host, below an object of depth `level - 1`.
double memory_bandwidth(const TreeMachine& tree, unsigned level) {
  const double measured = tree.levels()[level - 1].megabytes_per_s;
  return (measured > 0 ? measured : LinkTimes::default_memory) * slots_below(tree, level);
}

/// MB/s of the cable that joins a host to the network, as measured. 0: not measured, or the machine
/// is a single host.
double measured_cable(const TreeMachine& tree) {
  const unsigned hosts = tree.node_level();
  return hosts == 0 ? 0 : tree.levels()[hosts - 1].megabytes_per_s;
}

/// Cables that a link of the network stands for.
double width_of(const TreeMachine& tree, unsigned level) {
  if (level == tree.node_level()) return 1;
  if (tree.has_link_widths()) {
    const LinkWidth width = tree.link_width(level);
    return static_cast<double>(width.numerator) / static_cast<double>(width.denominator);
  }
  const double hosts = static_cast<double>(tree.nodes()) / static_cast<double>(tree.objects(level));
  return std::max(1.0, hosts / 2);
}

/// One message alone shows what a link between switches passes only where that is less than a
/// host's cable does. What is clearly more than that no message has: somebody said it of the link.
bool is_switch_measured(const TreeMachine& tree, unsigned level, double cable) {
  const double measured = tree.levels()[level - 1].megabytes_per_s;
  return level < tree.node_level() && measured > 0 && is_of_whole_link(measured, cable);
}

/// Of a link of the network.
double network_bandwidth(const TreeMachine& tree, unsigned level, double cable) {
  if (is_switch_measured(tree, level, cable)) return tree.levels()[level - 1].megabytes_per_s;
  return cable * width_of(tree, level);
}

}  // namespace

LinkTimes::LinkTimes(const Machine& machine) : of_network_(time_per_byte(default_network)) {
  const NetworkMachine* network = machine.as_network();
  const TreeMachine* tree = network != nullptr ? network->node_tree() : machine.as_tree();
  above_.push_back(of_network_);
  if (tree == nullptr) return;
  const double measured = network != nullptr ? 0 : measured_cable(*tree);
  is_measured_ = measured > 0;
  if (is_measured_) cable_ = measured;
  const unsigned hosts = network != nullptr ? 0 : tree->node_level();
  for (unsigned level = 1; level <= tree->depth(); ++level) {
    const bool is_cable = level <= hosts;
    guesses_switches_ = guesses_switches_ || (level < hosts && !tree->has_link_widths() &&
                                              !is_switch_measured(*tree, level, cable_));
    above_.push_back(time_per_byte(is_cable ? network_bandwidth(*tree, level, cable_)
                                            : memory_bandwidth(*tree, level)));
  }
}

std::uint64_t network_picoseconds(const BusiestLinks& busiest, const Machine& machine) {
  const LinkTimes times(machine);
  Wide most = LinkTimes::picoseconds(busiest.of_network, times.of_network());
  for (unsigned level = 0; level < busiest.above.size(); ++level) {
    most = std::max(most, LinkTimes::picoseconds(busiest.above[level], times.above(level)));
  }
  // More than half a year on one link: no reason to refuse the other metrics.
  constexpr std::uint64_t longest = std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(std::min<Wide>(most, longest));
}

std::string network_gain_text(const Metrics& before, const Metrics& after, const Machine& machine) {
  const std::uint64_t most = before.busiest_host.value_or(0);
  const std::uint64_t left = after.busiest_host.value_or(0);
  constexpr double least = 0.005;  // less than that is seen in no unit
  if (static_cast<double>(left) >= (1 - least) * static_cast<double>(most)) return "";
  std::string text =
      fmt::format("the busiest host sends or receives {} instead of {}, headers included",
                  left == 0 ? "nothing" : short_bytes(left), short_bytes(most));
  if (const auto cable = LinkTimes(machine).measured_network()) {
    const double seconds = static_cast<double>(most - left) / (1e6 * *cable);
    text += fmt::format(", which spares its cable some {:.2g} s at {}", seconds,
                        short_bit_rate(*cable));
  }
  return text;
}

std::uint64_t network_picoseconds(const TrafficMatrix& wire, const Machine& machine,
                                  const Mapping& mapping) {
  return network_picoseconds(busiest_links(wire, machine, mapping), machine);
}

}  // namespace kith
