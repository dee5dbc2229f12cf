#include <fmt/format.h>

#include <algorithm>

#include "core/rng.hpp"
#include "topo/picture.hpp"

namespace kith::tools {
namespace {

/// Up to this many nodes all pairs are looked at, above a sample.
constexpr std::uint32_t max_exact_nodes = 1024;
constexpr std::uint64_t sampled_nodes = 64;
constexpr std::uint64_t samples_of_a_node = 1024;
constexpr std::uint32_t max_table_nodes = 16;

struct Spread {
  std::uint64_t least = UINT64_MAX;
  std::uint64_t most = 0;
  double sum = 0;
  std::uint64_t pairs = 0;

  void add(std::uint64_t hops) {
    least = std::min(least, hops);
    most = std::max(most, hops);
    sum += static_cast<double>(hops);
    ++pairs;
  }
};

Spread exact_spread(const Network& network) {
  Spread spread;
  for (std::uint32_t a = 0; a < network.nodes(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) spread.add(network.hops(b, a));
  }
  return spread;
}

/// From a few nodes to many, so that a network that is searched needs few searches.
Spread sampled_spread(const Network& network) {
  Spread spread;
  Rng rng(1);
  for (std::uint64_t i = 0; i < sampled_nodes; ++i) {
    const auto a = static_cast<std::uint32_t>(rng.below(network.nodes()));
    for (std::uint64_t j = 0; j < samples_of_a_node; ++j) {
      const auto b = static_cast<std::uint32_t>(rng.below(network.nodes()));
      if (a != b) spread.add(network.hops(a, b));
    }
  }
  return spread;
}

std::string spread_text(const Network& network) {
  if (network.nodes() < 2) return "";
  const bool exact = network.nodes() <= max_exact_nodes;
  const Spread spread = exact ? exact_spread(network) : sampled_spread(network);
  const double average = spread.sum / static_cast<double>(spread.pairs);
  if (exact) {
    return fmt::format("two nodes are {:.2f} hops apart on average, {} to {}\n", average,
                       spread.least, spread.most);
  }
  return fmt::format("two nodes are {:.2f} hops apart on average, {} to {} ({} random pairs)\n",
                     average, spread.least, spread.most, spread.pairs);
}

/// The hops between all nodes.
std::string hops_table(const Network& network) {
  if (network.nodes() < 2 || network.nodes() > max_table_nodes) return "";
  std::size_t cell = std::to_string(network.nodes() - 1).size();
  for (std::uint32_t a = 0; a < network.nodes(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      cell = std::max(cell, std::to_string(network.hops(a, b)).size());
    }
  }
  if ((cell + 1) * (network.nodes() + 1) > 80) return "";
  std::string text = fmt::format("\nhops\n{:>{}}", "", cell + 1);
  for (std::uint32_t b = 0; b < network.nodes(); ++b) text += fmt::format(" {:>{}}", b, cell);
  text += '\n';
  for (std::uint32_t a = 0; a < network.nodes(); ++a) {
    text += fmt::format("{:>{}} ", a, cell);
    for (std::uint32_t b = 0; b < network.nodes(); ++b) {
      text += a == b ? fmt::format(" {:>{}}", ".", cell)
                     : fmt::format(" {:>{}}", network.hops(a, b), cell);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string network_picture(const NetworkMachine& machine) {
  return spread_text(machine.network()) + hops_table(machine.network());
}

}  // namespace kith::tools
