#include "simulate/simgrid_platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "kith/error.hpp"

namespace kith::simulate {
namespace {

/// Seconds of a byte over all links one after the other.
double inverse_sum(const Route& route, const MachineLinks& links) {
  double sum = 0;
  for (const std::uint32_t link : route.links) sum += 1 / links.links()[link].bytes_per_second;
  return sum;
}

struct SlotRoute {
  Slot from;
  Slot to;
  Route route;
};

/// What is put behind the links of a route: a link with its latency and its limit, and links
/// that nothing fills, so that SimGrid's weight of the route is that of all others.
struct Padding {
  double bandwidth = 0;  ///< of each
  std::uint32_t links = 0;
};

class PlatformWriter {
 public:
  PlatformWriter(FdWriter& out, MachineLinks& links) : out_(out), links_(links) {}

  double write(const Mapping& mapping, double compute_factor);

 private:
  void find_routes(const std::map<std::uint32_t, std::uint32_t>& ranks_of_slot);
  Padding padding_of(const Route& route) const;
  void write_links();
  void write_route(const SlotRoute& one);
  std::uint32_t own_link(double bandwidth, double latency);
  double& sum_of(const Route& route) { return sums_[route.leaves_host ? 1 : 0]; }

  FdWriter& out_;
  MachineLinks& links_;
  std::vector<SlotRoute> routes_;
  double sums_[2] = {0, 0};  ///< inverse bandwidths of each route in a host, and between hosts
  std::map<std::pair<double, double>, std::uint32_t> own_links_;  ///< by bandwidth and latency
};

void PlatformWriter::find_routes(const std::map<std::uint32_t, std::uint32_t>& ranks_of_slot) {
  for (const auto& [from, ranks] : ranks_of_slot) {
    for (const auto& [to, others] : ranks_of_slot) {
      SlotRoute& one =
          routes_.emplace_back(SlotRoute{Slot(from), Slot(to), links_.route(Slot(from), Slot(to))});
      double& sum = sum_of(one.route);
      sum = std::max(sum, inverse_sum(one.route, links_) + 1 / one.route.most_each);
    }
  }
}

Padding PlatformWriter::padding_of(const Route& route) const {
  constexpr double most_links = 64;
  const double sum = sums_[route.leaves_host ? 1 : 0];
  const double missing = sum - inverse_sum(route, links_) - 1 / route.most_each;
  if (missing <= 1e-9 * sum) return {};
  // None is slower than a message may be.
  const double count = std::min(most_links, std::ceil(missing * route.most_each));
  return {std::max(route.most_each, count / missing), static_cast<std::uint32_t>(count)};
}

std::uint32_t PlatformWriter::own_link(double bandwidth, double latency) {
  const auto number = static_cast<std::uint32_t>(own_links_.size());
  return own_links_.try_emplace({bandwidth, latency}, number).first->second;
}

void PlatformWriter::write_links() {
  for (std::size_t i = 0; i < links_.links().size(); ++i) {
    out_ << fmt::format(
        "    <link id=\"link{}\" bandwidth=\"{:.17g}Bps\" latency=\"0s\" "
        "sharing_policy=\"SHARED\"/>\n",
        i, links_.links()[i].bytes_per_second);
  }
  for (const SlotRoute& one : routes_) {
    own_link(one.route.most_each, one.route.latency);
    const Padding padding = padding_of(one.route);
    if (padding.links > 0) own_link(padding.bandwidth, 0);
  }
  for (const auto& [speed, number] : own_links_) {
    out_ << fmt::format(
        "    <link id=\"own{}\" bandwidth=\"{:.17g}Bps\" latency=\"{:.17g}s\" "
        "sharing_policy=\"FATPIPE\"/>\n",
        number, speed.first, speed.second);
  }
}

void PlatformWriter::write_route(const SlotRoute& one) {
  out_ << fmt::format("    <route src=\"slot{}\" dst=\"slot{}\" symmetrical=\"NO\">",
                      one.from.value, one.to.value);
  for (const std::uint32_t link : one.route.links) {
    out_ << fmt::format("<link_ctn id=\"link{}\"/>", link);
  }
  out_ << fmt::format("<link_ctn id=\"own{}\"/>", own_link(one.route.most_each, one.route.latency));
  const Padding padding = padding_of(one.route);
  for (std::uint32_t i = 0; i < padding.links; ++i) {
    out_ << fmt::format("<link_ctn id=\"own{}\"/>", own_link(padding.bandwidth, 0));
  }
  out_ << "</route>\n";
}

double PlatformWriter::write(const Mapping& mapping, double compute_factor) {
  std::map<std::uint32_t, std::uint32_t> ranks_of_slot;
  for (const Slot slot : mapping.slot_of) ++ranks_of_slot[slot.value];
  if (ranks_of_slot.size() > most_simgrid_slots) {
    throw bad_input("--engine simgrid",
                    fmt::format("at most {} slots in use: SimGrid gets a route for each two",
                                most_simgrid_slots),
                    fmt::format("{}", ranks_of_slot.size()));
  }
  find_routes(ranks_of_slot);
  out_ << "<?xml version='1.0'?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n  <zone id=\"kith\" routing=\"Full\">\n";
  for (const auto& [slot, ranks] : ranks_of_slot) {
    out_ << fmt::format("    <host id=\"slot{}\" speed=\"{:.17g}f\" core=\"{}\"/>\n", slot,
                        1e9 / compute_factor, ranks);
  }
  write_links();
  for (const SlotRoute& one : routes_) write_route(one);
  out_ << "  </zone>\n</platform>\n";
  // So that the weight of a route is about 1, far above its latency in seconds.
  return 1 / (sums_[1] > 0 ? sums_[1] : sums_[0]);
}

}  // namespace

SimgridPlatform write_simgrid_platform(FdWriter& out, const Mapping& mapping, MachineLinks& links,
                                       double compute_factor) {
  return {PlatformWriter(out, links).write(mapping, compute_factor)};
}

void write_simgrid_hosts(FdWriter& out, const Mapping& mapping) {
  for (const Slot slot : mapping.slot_of) out << fmt::format("slot{}\n", slot.value);
}

}  // namespace kith::simulate
