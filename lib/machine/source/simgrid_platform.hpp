// A SimGrid platform: its XML tags, the platform as read, the machines that it may describe.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kith/error.hpp"
#include "machine/sources.hpp"

namespace kith {

// The tags of an XML file, one after the other: enough for formats that keep all in attributes.

struct XmlTag {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  bool opens = false;   ///< <name ...>, and <name .../>, which closes as well
  bool closes = false;  ///< </name>

  /// Empty where there is no such attribute.
  std::string_view at(std::string_view attribute) const;
};

/// Text between tags, comments, declarations, document types and CDATA are passed over; of entities
/// the five that XML knows are read, so that nothing can grow.
class XmlTags {
 public:
  /// Throws Error (input) for a file that cannot be read or is larger than 256 MiB.
  explicit XmlTags(std::string file);

  /// False at the end. Throws Error (input).
  bool next(XmlTag& tag);
  /// "FILE:LINE: expected ..., found ..." at the last tag.
  Error error(std::string_view expected, std::string_view found) const;
  const std::string& file() const { return file_; }

 private:
  bool skip(std::string_view begin, std::string_view end);
  void skip_blanks();
  std::string name();
  std::pair<std::string, std::string> attribute();

  std::string file_;
  std::string text_;
  std::size_t at_ = 0;
  mutable std::size_t counted_ = 0;  // lines are counted up to here
  mutable std::size_t line_ = 1;
};

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
