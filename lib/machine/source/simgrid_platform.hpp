// A SimGrid platform as read, and the machines that it may be.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "machine/source/xml_tags.hpp"
#include "machine/sources.hpp"

namespace kith {

struct SimgridPlatform {
  /// The attributes, properties too, of the one cluster; empty where there is none.
  std::map<std::string, std::string> cluster;

  struct Host {
    std::string name;
    std::vector<std::uint32_t> inside;  ///< the tree in it, top down; empty: one slot
  };
  std::vector<Host> hosts;
  std::vector<std::string> routers;
  struct Route {
    std::string from;
    std::string to;
    std::uint64_t links = 0;
  };
  std::vector<Route> routes;
  std::map<std::string, std::string> props;  ///< of the zone
};

/// What both kinds of platforms are limited to: hosts, slots, links.
inline constexpr std::uint64_t max_simgrid_objects = std::uint64_t{1} << 24;

/// The tree that "2x8" stands for, where it has `cores` leaves; else one level of them, of one core
/// none.
std::vector<std::uint32_t> tree_in_host(std::string_view text, std::uint32_t cores);

/// Both throw `file`'s errors, without a line where the whole is what is wrong.
std::unique_ptr<Machine> machine_of_cluster(const SimgridPlatform& platform,
                                            const SpecRequest& request, const XmlTags& file);
std::unique_ptr<Machine> machine_of_zone(const SimgridPlatform& platform,
                                         const SpecRequest& request, const XmlTags& file);

}  // namespace kith
