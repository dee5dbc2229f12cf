// simgrid:FILE.xml: a platform of SimGrid, one cluster or one zone of hosts, routers and links.
#include <algorithm>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/detail/types.hpp"
#include "kith/error.hpp"
#include "machine/source/simgrid_platform.hpp"

namespace kith {
namespace {

class PlatformReader {
 public:
  explicit PlatformReader(XmlTags& in) : in_(in) {}

  SimgridPlatform read() {
    XmlTag tag;
    bool is_platform = false;
    while (in_.next(tag)) {
      if (tag.opens && tag.name == "platform") is_platform = true;
      if (!is_platform) throw in_.error("a SimGrid platform", "<" + tag.name + ">");
      if (tag.opens) open(tag);
      if (tag.closes) close(tag.name);
    }
    if (!is_platform) throw in_.error("a SimGrid platform", "no tag");
    return std::move(platform_);
  }

 private:
  void open(const XmlTag& tag) {
    if (tag.name == "cluster") {
      if (!platform_.cluster.empty()) throw in_.error("one cluster", "another");
      for (const auto& [key, value] : tag.attributes) platform_.cluster[key] = value;
      platform_.cluster["radical"];  // not empty: there is a cluster
      inside_ = Inside::cluster;
    } else if (tag.name == "host") {
      platform_.hosts.push_back({needed(tag, "id"), tree_in_host("", cores_of(tag))});
      cores_ = cores_of(tag);
      inside_ = Inside::host;
    } else if (tag.name == "router") {
      platform_.routers.push_back(needed(tag, "id"));
    } else if (tag.name == "route") {
      platform_.routes.push_back({needed(tag, "src"), needed(tag, "dst")});
    } else if (tag.name == "link_ctn") {
      if (platform_.routes.empty()) throw in_.error("a route around <link_ctn>", "none");
      ++platform_.routes.back().links;
    } else if (tag.name == "zoneRoute" || tag.name == "peer" || tag.name == "cabinet") {
      throw in_.error("one cluster, or one zone of hosts, routers and links", "<" + tag.name + ">");
    } else if (tag.name == "prop") {
      set_prop(needed(tag, "id"), std::string(tag.at("value")));
    }
  }

  void close(std::string_view name) {
    if (name == "host" || name == "cluster") inside_ = Inside::zone;
  }

  void set_prop(const std::string& key, const std::string& value) {
    if (inside_ == Inside::cluster) platform_.cluster[key] = value;
    if (inside_ == Inside::zone) platform_.props[key] = value;
    if (inside_ == Inside::host && key == "kith-node") {
      platform_.hosts.back().inside = tree_in_host(value, cores_);
    }
  }

  std::string needed(const XmlTag& tag, std::string_view attribute) const {
    const std::string_view value = tag.at(attribute);
    if (value.empty()) {
      throw in_.error("<" + tag.name + "> with " + std::string(attribute) + "=", "none");
    }
    return std::string(value);
  }

  std::uint32_t cores_of(const XmlTag& tag) const {
    const std::string_view text = tag.at("core");
    const auto cores = parse_unsigned(text.empty() ? "1" : text);
    if (!cores || *cores == 0 || *cores > max_simgrid_objects) {
      throw in_.error("a number of cores", in_quotes(text));
    }
    return static_cast<std::uint32_t>(*cores);
  }

  enum class Inside { zone, cluster, host };

  XmlTags& in_;
  SimgridPlatform platform_;
  Inside inside_ = Inside::zone;
  std::uint32_t cores_ = 1;
};

/// Those that Kith noted when it wrote the file.
std::unique_ptr<Machine> with_allowed_slots(std::unique_ptr<Machine> machine,
                                            const SimgridPlatform& platform,
                                            const std::string& where) {
  const auto& props = platform.hosts.empty() ? platform.cluster : platform.props;
  const auto list = props.find("kith-slots");
  if (list == props.end()) return machine;
  if (list->second.find_first_not_of("0123456789,-") != std::string::npos) {
    throw bad_input(where, "slots such as 0-7,16-23 in kith-slots", in_quotes(list->second));
  }
  return machine->restricted_to(SlotSet::parse(list->second, where, machine->slots()));
}

}  // namespace

std::vector<std::uint32_t> tree_in_host(std::string_view text, std::uint32_t cores) {
  std::vector<std::uint32_t> arities;
  std::uint64_t product = 1;
  for (const std::string_view part : split(text, 'x')) {
    const auto arity = parse_unsigned(part);
    if (!arity || *arity == 0 || *arity > cores || arities.size() == 64) break;
    arities.push_back(static_cast<std::uint32_t>(*arity));
    product *= *arity;
    if (product > cores) break;
  }
  if (!arities.empty() && product == cores) return arities;
  if (cores == 1) return {};
  return {cores};
}

std::unique_ptr<Machine> read_simgrid(const SpecRequest& request) {
  XmlTags in{std::string(request.body)};
  const SimgridPlatform platform = PlatformReader(in).read();
  if (platform.cluster.empty() == platform.hosts.empty()) {
    throw bad_input(in.file(), "one cluster, or one zone of hosts",
                    platform.hosts.empty() ? "neither" : "both");
  }
  auto machine = platform.hosts.empty() ? machine_of_cluster(platform, request, in)
                                        : machine_of_zone(platform, request, in);
  return with_allowed_slots(std::move(machine), platform, in.file());
}

}  // namespace kith
