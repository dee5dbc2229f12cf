#include "topo/node_distances.hpp"

#include <algorithm>

#include "core/rng.hpp"

namespace kith::tools {
namespace {

/// Up to this many nodes all pairs are looked at, above a sample.
constexpr std::uint32_t max_exact_nodes = 1024;
constexpr std::uint64_t sampled_nodes = 64;
constexpr std::uint64_t samples_of_a_node = 1024;

}  // namespace

bool visit_node_pairs(const Network& network,
                      const std::function<void(std::uint32_t, std::uint32_t)>& visit) {
  if (network.nodes() <= max_exact_nodes) {
    for (std::uint32_t a = 0; a < network.nodes(); ++a) {
      for (std::uint32_t b = 0; b < a; ++b) visit(b, a);
    }
    return true;
  }
  // From a few nodes to many, so that a network that is searched needs few searches.
  Rng rng(1);
  for (std::uint64_t i = 0; i < sampled_nodes; ++i) {
    const auto a = static_cast<std::uint32_t>(rng.below(network.nodes()));
    for (std::uint64_t j = 0; j < samples_of_a_node; ++j) {
      const auto b = static_cast<std::uint32_t>(rng.below(network.nodes()));
      if (a != b) visit(a, b);
    }
  }
  return false;
}

void Spread::add(std::uint64_t distance) {
  least_ = std::min(least_, distance);
  most_ = std::max(most_, distance);
  sum_ += static_cast<double>(distance);
  ++pairs_;
}

double Spread::average() const {
  return sum_ / static_cast<double>(pairs_) / static_cast<double>(scale_);
}

NodeDistances node_distances(const Network& network) {
  NodeDistances distances{Spread(), Spread(network.cost_scale())};
  distances.exact = visit_node_pairs(network, [&](std::uint32_t a, std::uint32_t b) {
    distances.hops.add(network.hops(a, b));
    distances.costs.add(network.cost(a, b));
  });
  return distances;
}

}  // namespace kith::tools
