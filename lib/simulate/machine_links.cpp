#include "simulate/machine_links.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"

namespace kith::simulate {
namespace {

constexpr double mega = 1e6;
constexpr double micro = 1e-6;
/// Of a measured latency, that is not its ends' calls.
constexpr double least_on_the_way = 0.1;

std::string levels_text(const TreeMachine* tree, bool is_tree_of_nodes) {
  std::string text;
  if (tree == nullptr || is_tree_of_nodes) text = "network";
  if (tree == nullptr) return text;
  for (const Level& level : tree->levels()) text += (text.empty() ? "" : ", ") + level.name;
  return text;
}

}  // namespace

MachineLinks::MachineLinks(const Machine& machine, const NetworkOptions& options)
    : machine_(machine), tree_(machine.as_tree()) {
  const NetworkMachine* const network = machine.as_network();
  if (network != nullptr) tree_ = network->node_tree();
  node_level_ = network == nullptr && tree_ != nullptr ? tree_->node_level() : 0;
  for (const auto& said : options.levels) {
    const std::string& name = said.first;
    const bool is_network = (network != nullptr || tree_ == nullptr) && name == "network";
    const bool is_known =
        tree_ != nullptr &&
        std::ranges::any_of(tree_->levels(), [&](const Level& l) { return l.name == name; });
    if (!is_known && !is_network) {
      throw bad_input("--link", "a level of the machine: " + levels_text(tree_, network != nullptr),
                      "'" + name + "'" +
                          (name == "network" && machine.nodes() < 2
                               ? " (the machine is one host; --topology and kith predict --what-if "
                                 "hosts=4 make it several)"
                               : ""));
    }
  }
  set_speeds(options);
}

bool MachineLinks::is_of_network(unsigned level) const {
  return level < node_level_;
}

void MachineLinks::assume(const std::string& sentence) {
  if (std::ranges::find(assumptions_, sentence) == assumptions_.end()) {
    assumptions_.push_back(sentence);
  }
}

namespace {

/// ", times 0.1"; empty where nothing was asked for.
std::string changed_by(double factor) {
  return factor == 1 ? std::string() : fmt::format(", times {:g}", factor);
}

}  // namespace

std::string MachineLinks::level_words(const Level& level, bool is_network,
                                      const NetworkOptions& options) const {
  if (tree_ == nullptr || !is_network) return "";
  const auto& levels = tree_->levels();
  const bool is_other_known =
      std::any_of(levels.begin(), levels.begin() + node_level_, [&](const Level& one) {
        return one.name != level.name &&
               (one.megabytes_per_s > 0 || options.levels.contains(one.name));
      });
  return is_other_known ? fmt::format(" ({})", level.name) : std::string();
}

MachineLinks::Speed MachineLinks::speed_of(const Level& level, bool is_network,
                                           const NetworkOptions& options) {
  double bandwidth = level.megabytes_per_s;
  double latency = level.latency_us;
  double burst = level.burst_bytes;
  double measured_overhead = level.overhead_us;
  double shared = level.shared_megabytes_per_s;
  double eager = level.eager_bytes;
  const auto said = options.levels.find(level.name);
  if (said != options.levels.end()) {
    if (said->second.megabytes_per_s > 0) bandwidth = said->second.megabytes_per_s;
    if (said->second.latency_us >= 0) latency = said->second.latency_us;
    if (said->second.burst_bytes > 0) burst = said->second.burst_bytes;
    if (said->second.overhead_us > 0) measured_overhead = said->second.overhead_us;
    if (said->second.shared_megabytes_per_s > 0) shared = said->second.shared_megabytes_per_s;
    if (said->second.eager_bytes > 0) eager = said->second.eager_bytes;
  }
  const bool latency_is_said = (said != options.levels.end() && said->second.latency_us >= 0) ||
                               (is_network && options.latency_us);
  const std::string where =
      (is_network ? "between hosts" : "inside a host") + level_words(level, is_network, options);
  if (is_network && bandwidth > 0 && bandwidth <= default_network) is_slow_network_ = true;
  if (bandwidth <= 0) {
    bandwidth = is_network ? default_network : default_memory;
    assume(fmt::format("bandwidth {}: {:g} MB/s{}", where, bandwidth,
                       is_network ? changed_by(options.bandwidth_factor) : ""));
  }
  if (latency <= 0 && !latency_is_said) {
    latency = is_network ? default_network_latency : default_memory_latency;
    assume(fmt::format("latency {}: {:g} us{}", where, latency,
                       is_network ? changed_by(options.latency_factor) : ""));
  }
  if (is_network) {
    bandwidth *= options.bandwidth_factor;
    shared *= options.bandwidth_factor;
    if (eager > 0) eager_limit_ = eager;
    latency = options.latency_us.value_or(latency * options.latency_factor);
  }
  // What was measured as latency has both ends' calls in it.
  const double overhead = measured_overhead > 0 ? measured_overhead : default_overhead;
  if (measured_overhead > 0 && !latency_is_said) {
    latency = std::max(latency - 2 * overhead, latency * least_on_the_way);
  }
  return {bandwidth * mega, latency * micro, overhead * micro, burst, shared * mega};
}

void MachineLinks::set_speeds(const NetworkOptions& options) {
  if (machine_.as_network() != nullptr || tree_ == nullptr) {
    network_ = speed_of({.name = "network"}, true, options);
  }
  double in_host = default_memory * mega;
  if (tree_ != nullptr) {
    for (unsigned level = 0; level < tree_->depth(); ++level) {
      speeds_.push_back(speed_of(tree_->levels()[level], is_of_network(level), options));
    }
    for (unsigned level = 0; level < node_level_; ++level) {
      const bool is_said = tree_->levels()[level].megabytes_per_s > 0 ||
                           options.levels.contains(tree_->levels()[level].name);
      given_.push_back(is_said ? speeds_[level].bytes_per_second : 0);
    }
    // A link that many hosts share may be slower than a host's own, never a message faster than
    // that.
    for (unsigned level = node_level_; level-- > 1;) {
      speeds_[level - 1].bytes_per_second =
          std::min(speeds_[level - 1].bytes_per_second, speeds_[level].bytes_per_second);
    }
    if (node_level_ < tree_->depth()) in_host = speeds_.back().bytes_per_second;
  }
  for (unsigned level = node_level_; tree_ != nullptr && level < tree_->depth(); ++level) {
    memory_ = std::max(memory_, speeds_[level].shared);
  }
  if (options.memory_megabytes_per_s > 0) {
    memory_ = options.memory_megabytes_per_s * mega;
  } else if (memory_ <= 0) {
    memory_ = in_host * default_memory_streams;
    assume(
        fmt::format("memory of a host: {:g} MB/s for all messages in it together, {:g} times what "
                    "one has",
                    memory_ / mega, default_memory_streams));
  }
  for (unsigned level = 1; level < node_level_; ++level) {
    if (tree_->has_link_widths() || trunk(level) > 0 || hosts_below(level) < 2) continue;
    assume("a link between switches: half as many cables as hosts below it have");
  }
}

std::uint64_t MachineLinks::key(Slot from, Slot to) const {
  const std::uint64_t a = machine_.node_of(from);
  const std::uint64_t b = machine_.node_of(to);
  if (a != b) return a << 32U | b;
  // Nodes are fewer than 2^32: no pair of different ones has this key.
  if (tree_ == nullptr || from == to) return a << 32U | a;
  const auto slots = machine_.as_network() != nullptr ? machine_.as_network()->slots_per_node() : 0;
  const unsigned level = slots == 0
                             ? tree_->meeting(from, to)
                             : tree_->meeting(Slot(from.value % slots), Slot(to.value % slots));
  return std::uint64_t{1} << 63U | std::uint64_t{level} << 56U | a;
}

Route MachineLinks::route(Slot from, Slot to) {
  const std::uint64_t a = machine_.node_of(from);
  const std::uint64_t b = machine_.node_of(to);
  const NetworkMachine* const network = machine_.as_network();
  if (a != b) {
    if (network != nullptr || tree_ == nullptr) {
      return over_network(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    }
    return over_tree(from, to, tree_->meeting(from, to));
  }
  if (tree_ == nullptr || from == to) {
    return in_host(a, tree_ == nullptr ? 0 : tree_->depth() - 1);
  }
  if (network == nullptr) return in_host(a, tree_->meeting(from, to));
  const std::uint32_t slots = network->slots_per_node();
  return in_host(a, tree_->meeting(Slot(from.value % slots), Slot(to.value % slots)));
}

std::uint32_t MachineLinks::link(Part part, std::uint64_t level, std::uint64_t object,
                                 double capacity, double burst_bytes) {
  const std::uint64_t id = static_cast<std::uint64_t>(part) << 58U | level << 48U | object;
  const auto [found, is_new] = numbers_.try_emplace(id, static_cast<std::uint32_t>(links_.size()));
  if (is_new) {
    links_.push_back({name_of(part, level, object), capacity, burst_bytes, part == Part::memory});
  }
  return found->second;
}

std::string MachineLinks::name_of(Part part, std::uint64_t level, std::uint64_t object) const {
  const auto node = [&] { return machine_.node_name(object); };
  switch (part) {
    case Part::tree_up:
    case Part::tree_down: {
      const std::string from =
          level == node_level_ ? node() : fmt::format("{} {}", tree_->levels()[level].name, object);
      return part == Part::tree_up ? from + " up" : from + " down";
    }
    case Part::grid_up:
    case Part::grid_down:
      return fmt::format("{} {}{}", node(), part == Part::grid_up ? "+" : "-", level);
    case Part::node_out:
      return node() + " out";
    case Part::node_in:
      return node() + " in";
    case Part::local:
      return fmt::format("router {} to {} of its group", object, level);
    case Part::global:
      return fmt::format("group {} to group {}", object >> 24U, object & 0xffffffU);
    case Part::memory:
      break;
  }
  return "memory of " + node();
}

Route MachineLinks::in_host(std::uint64_t node, unsigned level) {
  Route route;
  route.links = {link(Part::memory, 0, node, memory_)};
  const bool is_known = level < speeds_.size() && !is_of_network(level);
  route.most_each =
      std::min(memory_, is_known ? speeds_[level].bytes_per_second : default_memory * mega);
  route.latency = is_known ? speeds_[level].latency : default_memory_latency * micro;
  route.overhead = is_known ? speeds_[level].overhead : default_overhead * micro;
  return route;
}

double MachineLinks::trunk(unsigned level) const {
  const double cable = speeds_[node_level_ - 1].bytes_per_second;
  return is_of_whole_link(given_[level - 1], cable) ? given_[level - 1] : 0;
}

/// Cables that the link above an object of this depth stands for.
double MachineLinks::width_of(unsigned level) const {
  if (level == node_level_) return 1;
  if (tree_->has_link_widths()) {
    const LinkWidth width = tree_->link_width(level);
    return static_cast<double>(width.numerator) / static_cast<double>(width.denominator);
  }
  // Half of what the hosts below can send, as LinkTimes has it.
  return std::max(1.0, hosts_below(level) / 2);
}

double MachineLinks::hosts_below(unsigned level) const {
  return static_cast<double>(tree_->nodes()) / static_cast<double>(tree_->objects(level));
}

Route MachineLinks::over_tree(Slot from, Slot to, unsigned meeting) {
  Route route;
  route.leaves_host = true;
  route.most_each = speeds_[meeting].bytes_per_second;
  route.latency = speeds_[meeting].latency;
  route.overhead = speeds_[meeting].overhead;
  // Several messages may fill a cable that one alone does not.
  const Speed& own = speeds_[node_level_ - 1];
  const double cable = std::max(own.bytes_per_second, own.shared);
  const std::uint64_t leaves[] = {tree_->leaf_of_slot(from), tree_->leaf_of_slot(to)};
  for (unsigned level = node_level_; level > meeting; --level) {
    const double whole = trunk(level);
    const double capacity = whole > 0 ? whole : cable * width_of(level);
    const double burst = speeds_[level - 1].burst_bytes;
    route.links.push_back(
        link(Part::tree_up, level, tree_->ancestor(leaves[0], level), capacity, burst));
    route.links.push_back(
        link(Part::tree_down, level, tree_->ancestor(leaves[1], level), capacity, burst));
  }
  return route;
}

Route MachineLinks::over_network(std::uint32_t from, std::uint32_t to) {
  Route route;
  route.leaves_host = true;
  route.most_each = network_.bytes_per_second;
  route.latency = network_.latency;
  route.overhead = network_.overhead;
  const NetworkMachine* const network = machine_.as_network();
  const double capacity = network_.bytes_per_second;
  if (network != nullptr && network->network().as_grid() != nullptr) {
    // A node with several ranks has one way to the network.
    if (network->slots_per_node() > 1)
      route.links.push_back(link(Part::node_out, 0, from, capacity));
    over_grid(from, to, route);
    if (network->slots_per_node() > 1) route.links.push_back(link(Part::node_in, 0, to, capacity));
    return route;
  }
  route.links.push_back(link(Part::node_out, 0, from, capacity));
  over_dragonfly(from, to, route);
  route.links.push_back(link(Part::node_in, 0, to, capacity));
  return route;
}

void MachineLinks::over_grid(std::uint32_t from, std::uint32_t to, Route& route) {
  const GridNetwork& grid = *machine_.as_network()->network().as_grid();
  std::vector<std::uint32_t> at = grid.coordinates(from);
  const std::vector<std::uint32_t> end = grid.coordinates(to);
  for (std::uint32_t d = 0; d < at.size(); ++d) {
    const std::uint32_t extent = grid.extents()[d];
    const std::uint32_t upwards = end[d] >= at[d] ? end[d] - at[d] : end[d] + extent - at[d];
    const bool goes_up = grid.periodic() ? upwards <= extent - upwards : end[d] > at[d];
    while (at[d] != end[d]) {
      const std::uint32_t here = grid.node_at(at);
      route.links.push_back(
          link(goes_up ? Part::grid_up : Part::grid_down, d, here, network_.bytes_per_second));
      at[d] = goes_up ? (at[d] + 1) % extent : (at[d] + extent - 1) % extent;
    }
  }
}

void MachineLinks::over_dragonfly(std::uint32_t from, std::uint32_t to, Route& route) {
  const NetworkMachine* const network = machine_.as_network();
  const auto* const dragonfly =
      network == nullptr ? nullptr : dynamic_cast<const DragonflyNetwork*>(&network->network());
  if (dragonfly == nullptr) {
    assume("routes between nodes are not known: only each node's own link limits messages");
    return;
  }
  const std::uint32_t routers = dragonfly->routers();
  std::uint32_t router = from / dragonfly->nodes_per_router();
  const std::uint32_t last = to / dragonfly->nodes_per_router();
  const auto step = [&](std::uint32_t next) {
    if (next == router) return;
    route.links.push_back(link(Part::local, next % routers, router, network_.bytes_per_second));
    router = next;
  };
  const std::uint32_t group = router / routers;
  const std::uint32_t other = last / routers;
  if (group != other) {
    step(group * routers + dragonfly->port_to(group, other) / dragonfly->ports());
    route.links.push_back(
        link(Part::global, 0, std::uint64_t{group} << 24U | other, network_.bytes_per_second));
    router = other * routers + dragonfly->port_to(other, group) / dragonfly->ports();
  }
  step(last);
}

}  // namespace kith::simulate
