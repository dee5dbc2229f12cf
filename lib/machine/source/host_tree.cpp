#include "machine/source/host_tree.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace kith {
namespace {

std::vector<LevelCost> all_levels(const JobNetwork& network, std::vector<std::string> inside) {
  std::vector<LevelCost> levels = network.levels;
  if (levels.empty()) levels.push_back({"network"});
  inside.insert(inside.begin(), "host");
  for (std::string& name : inside) {
    const auto known = std::ranges::find(network.host_levels, name, &LevelCost::level);
    levels.push_back(known == network.host_levels.end() ? LevelCost{std::move(name)} : *known);
  }
  return levels;
}

std::vector<std::string> names_of(const std::vector<LevelCost>& levels) {
  std::vector<std::string> names;
  for (const LevelCost& level : levels) names.push_back(level.level);
  return names;
}

std::uint64_t scaled(std::uint64_t cost, std::uint64_t by, std::uint64_t from) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / 2;
  if (cost > most / by) return most;
  return std::max<std::uint64_t>(cost * by / from, 1);
}

}  // namespace

std::vector<std::uint64_t> level_costs(const std::vector<LevelCost>& measured) {
  const std::size_t depth = measured.size();
  std::vector<std::uint64_t> costs;
  for (std::size_t l = 0; l < depth; ++l) {
    std::size_t above = l + 1;  // one more than the nearest measured level, 0 for none
    while (above > 0 && measured[above - 1].cost == 0) --above;
    std::size_t below = l;
    while (below < depth && measured[below].cost == 0) ++below;
    if (above == 0 && below == depth) return {};
    const bool take_upper = above > 0 && (below == depth || l - (above - 1) <= below - l);
    const std::size_t nearest = take_upper ? above - 1 : below;
    std::uint64_t cost = scaled(measured[nearest].cost, depth - l, depth - nearest);
    if (below < depth) cost = std::max(cost, measured[below].cost);
    if (above > 0) cost = std::min(cost, measured[above - 1].cost);
    if (measured[l].cost == 0 && !costs.empty()) cost = std::min(cost, costs.back());
    costs.push_back(cost);
  }
  return costs;
}

HostTree::HostTree(const JobNetwork& network, std::vector<std::string> levels_inside)
    : host_level_(std::max<std::size_t>(network.levels.size(), 1)),
      measured_(all_levels(network, std::move(levels_inside))),
      groupings_(names_of(measured_)) {}

std::uint32_t HostTree::add_host(const std::vector<std::string>& switches) {
  constexpr std::uint64_t root = 0;
  constexpr std::uint64_t switch_bit = std::uint64_t{1}
                                       << 63;  // apart from hosts and their objects
  const auto number = static_cast<std::uint32_t>(chain_of_host_.size());
  std::vector<PathGroupings::Step> chain{{0, root}};
  std::uint64_t above = root;
  for (std::size_t layer = 0; layer < switches.size(); ++layer) {
    // A switch is known by its path from the root: equal names below different ones differ.
    above =
        switch_of_name_.try_emplace({above, switches[layer]}, switch_bit | switch_of_name_.size())
            .first->second;
    chain.push_back({layer + 1, above});
  }
  chain.push_back({host_level_, (std::uint64_t{number} + 1) << 32});
  chain_of_host_.push_back(std::move(chain));
  return number;
}

void HostTree::add_slot(std::uint32_t host, const std::vector<PathGroupings::Step>& inside) {
  std::vector<PathGroupings::Step> chain = chain_of_host_[host];
  const std::uint64_t base = chain.back().identity;
  for (const PathGroupings::Step& step : inside) {
    chain.push_back({step.level, base | step.identity});
  }
  groupings_.add_slot(chain);
  host_of_slot_.push_back(host);
}

TreeDescription HostTree::take(const std::vector<std::string>& names) {
  auto levels = groupings_.take();
  for (std::size_t l = 0; l < levels.size(); ++l) levels[l].measured = measured_[l];
  const auto first_host = host_of_slot_.front();
  const bool one_host = std::ranges::all_of(
      host_of_slot_, [first_host](std::uint32_t host) { return host == first_host; });
  // Nothing leaves a single host: it has no network.
  if (one_host)
    levels.erase(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(host_level_));

  auto tree =
      tree_from_groupings(std::move(levels), static_cast<std::uint32_t>(host_of_slot_.size()));
  std::uint32_t before = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t leaf = 0; leaf < host_of_slot_.size(); ++leaf) {
    const std::uint32_t slot = tree.slot_of_leaf.empty() ? leaf : tree.slot_of_leaf[leaf].value;
    const std::uint32_t host = host_of_slot_[slot];
    if (host == before) continue;
    tree.node_names.push_back(names[host]);
    before = host;
  }
  tree.nodes = tree.node_names.size();
  tree.costs = level_costs(tree.measured);
  return tree;
}

}  // namespace kith
