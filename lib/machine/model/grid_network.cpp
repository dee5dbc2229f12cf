#include <algorithm>

#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"

namespace kith {

GridNetwork::GridNetwork(Kind kind, std::vector<std::uint32_t> extents)
    : kind_(kind), extents_(std::move(extents)) {
  std::uint64_t nodes = extents_.empty() ? 0 : 1;
  for (const std::uint32_t extent : extents_) {
    nodes *= extent;
    if (nodes == 0 || nodes > max_index_count) break;
  }
  if (nodes == 0 || nodes > max_index_count) {
    throw Error(ErrorKind::internal, "grid: 1 to 2^32 - 1 nodes");
  }
  nodes_ = static_cast<std::uint32_t>(nodes);
}

std::string_view GridNetwork::kind() const {
  switch (kind_) {
    case Kind::torus:
      return "torus";
    case Kind::mesh:
      return "mesh";
    case Kind::hypercube:
      break;
  }
  return "hypercube";
}

std::uint64_t GridNetwork::hops(std::uint32_t a, std::uint32_t b) const {
  std::uint64_t sum = 0;
  for (std::size_t d = extents_.size(); d-- > 0;) {
    const std::uint32_t extent = extents_[d];
    const std::uint32_t at_a = a % extent;
    const std::uint32_t at_b = b % extent;
    a /= extent;
    b /= extent;
    const std::uint32_t apart = at_a > at_b ? at_a - at_b : at_b - at_a;
    sum += periodic() ? std::min(apart, extent - apart) : apart;
  }
  return sum;
}

void GridNetwork::nearest(std::uint32_t node, std::size_t most,
                          std::vector<std::uint32_t>& out) const {
  out.clear();
  std::uint32_t step = 1;  // between neighbours in the dimension
  for (std::size_t d = extents_.size(); d-- > 0; step *= extents_[d]) {
    const std::uint32_t last = extents_[d] - 1;
    const std::uint32_t at = node / step % extents_[d];
    const bool ring = periodic() && last > 1;  // with two on it both directions lead to the other
    if (at > 0) out.push_back(node - step);
    if (at < last) out.push_back(node + step);
    if (at == 0 && ring) out.push_back(node + last * step);
    if (at == last && ring) out.push_back(node - last * step);
  }
  if (out.size() > most) out.resize(most);
}

std::vector<std::uint32_t> GridNetwork::coordinates(std::uint32_t node) const {
  std::vector<std::uint32_t> at(extents_.size());
  for (std::size_t d = extents_.size(); d-- > 0;) {
    at[d] = node % extents_[d];
    node /= extents_[d];
  }
  return at;
}

std::uint32_t GridNetwork::node_at(std::span<const std::uint32_t> coordinates) const {
  std::uint32_t node = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) node = node * extents_[d] + coordinates[d];
  return node;
}

}  // namespace kith
