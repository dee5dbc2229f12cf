// hosts:FILE (a network file) and slurm:FILE (topology.conf, topology.yaml)
#include <algorithm>

#include "core/line_reader.hpp"
#include "kith/error.hpp"
#include "machine/network/slurm_topology.hpp"
#include "machine/source/host_tree.hpp"
#include "machine/source/spec_numbers.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

/// Some 60 bytes a slot while the machine is made.
constexpr std::uint64_t max_slots = std::uint64_t{1} << 24;

constexpr std::size_t max_depth = 16;

/// The objects above each slot of a node that carries a tree.
class NodeTree {
 public:
  explicit NodeTree(std::vector<std::uint32_t> arities) : arities_(std::move(arities)) {
    for (const std::uint32_t arity : arities_) slots_ = std::min(slots_ * arity, max_slots + 1);
  }
  std::uint64_t slots() const { return slots_; }
  std::size_t depth() const { return arities_.size(); }

  /// Names of the levels below "host": those that the network has costs for, where they are as
  /// many.
  std::vector<std::string> level_names(const JobNetwork& network) const {
    std::vector<std::string> names;
    for (std::size_t level = 1; level < arities_.size(); ++level) {
      names.push_back(network.host_levels.size() == arities_.size()
                          ? network.host_levels[level].level
                          : "level" + std::to_string(level));
    }
    return names;
  }

  /// Of a slot from 0: an object of each depth but that of the slots.
  std::vector<PathGroupings::Step> above(std::uint64_t slot, std::size_t host_level) const {
    std::vector<PathGroupings::Step> steps;
    std::uint64_t below = slots_;
    std::uint64_t first = 1;  // identity of the depth's first object
    std::uint64_t objects = 1;
    for (std::size_t depth = 1; depth < arities_.size(); ++depth) {
      below /= arities_[depth - 1];
      objects *= arities_[depth - 1];
      steps.push_back({host_level + depth, first + slot / below});
      first += objects;
    }
    return steps;
  }

 private:
  std::vector<std::uint32_t> arities_;
  std::uint64_t slots_ = 1;
};

std::unique_ptr<Machine> machine_of(const HostNetwork& network, const SpecRequest& request,
                                    std::string kind) {
  const NodeTree node(
      request.node_tree.empty()
          ? std::vector<std::uint32_t>{}
          : parse_arities(request.node_tree, "a tree in each node, such as ;tree=2x8", request));
  const auto says_slots = [](const HostNetwork::Host& host) {
    return host.slots_given || host.slots > 1;
  };
  // A host that has other slots than the tree is a flat one.
  const auto has_tree = [&](const HostNetwork::Host& host) {
    return !says_slots(host) || host.slots == node.slots();
  };
  if (node.depth() > 0 && std::ranges::none_of(network.hosts, has_tree)) {
    const HostNetwork::Host& host = network.hosts.front();
    throw bad_input(request.option, "behind \";tree=\" as many slots as hosts have",
                    std::to_string(node.slots()) + ", and " + host.name + " slots=" +
                        std::to_string(host.slots) + " in " + std::string(request.body));
  }
  if (node.depth() > max_depth) {
    throw bad_input(request.option, "a tree of at most 16 levels in each node",
                    std::to_string(node.depth()) + " levels");
  }
  HostTree tree(network.network, node.level_names(network.network));
  std::vector<std::string> names;
  std::uint64_t slots = 0;
  for (const HostNetwork::Host& host : network.hosts) {
    const std::uint32_t number = tree.add_host(host.switches);
    const std::uint64_t own = says_slots(host) ? host.slots : node.slots();
    if ((slots += own) > max_slots) {
      throw bad_input(request.option, "at most " + std::to_string(max_slots) + " slots",
                      "more in \"" + request.spec + "\"");
    }
    for (std::uint64_t slot = 0; slot < own; ++slot) {
      if (!has_tree(host)) {
        tree.add_slot(number, {});
      } else {
        tree.add_slot(number, node.above(slot, tree.host_level()));
      }
    }
    names.push_back(host.name);
  }
  auto description = tree.take(names);
  description.kind = std::move(kind);
  description.spec = request.spec;
  return TreeMachine::from(std::move(description));
}

}  // namespace

std::unique_ptr<Machine> read_hosts(const SpecRequest& request) {
  return machine_of(read_network_file(request.body), request, "hosts");
}

std::unique_ptr<Machine> read_slurm(const SpecRequest& request) {
  LineReader in(request.body);
  const bool is_yaml = network_format_of(in) == NetworkFormat::topology_yaml;
  const HostNetwork network = is_yaml ? read_topology_yaml(in) : read_topology_conf(in);
  if (network.hosts.empty()) {
    throw bad_input(in.file(), "a topology with nodes", "a flat one, which names none");
  }
  return machine_of(network, request, "slurm");
}

}  // namespace kith
