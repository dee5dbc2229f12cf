#include <algorithm>
#include <numeric>

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

DragonflyNetwork::DragonflyNetwork(std::uint32_t groups, std::uint32_t routers,
                                   std::uint32_t nodes_per_router, Arrangement arrangement)
    : groups_(groups),
      routers_(routers),
      nodes_per_router_(nodes_per_router),
      ports_(0),
      arrangement_(arrangement) {
  const std::uint64_t all_routers = std::uint64_t{groups} * routers;
  if (all_routers == 0 || nodes_per_router == 0 || all_routers > max_index_count ||
      all_routers * nodes_per_router > max_index_count) {
    throw Error(ErrorKind::internal, "dragonfly: 1 to 2^32 - 1 nodes");
  }
  nodes_ = static_cast<std::uint32_t>(all_routers * nodes_per_router);
  ports_ = (groups - 1) / routers + ((groups - 1) % routers == 0 ? 0 : 1);
}

std::uint32_t DragonflyNetwork::group_at(std::uint32_t group, std::uint32_t port) const {
  if (arrangement_ == Arrangement::absolute) return port < group ? port : port + 1;
  return port < group ? group - port - 1 : groups_ + group - port - 1;
}

std::uint32_t DragonflyNetwork::port_to(std::uint32_t group, std::uint32_t other) const {
  if (arrangement_ == Arrangement::absolute) return other < group ? other : other - 1;
  return other < group ? group - other - 1 : groups_ + group - other - 1;
}

DragonflyNetwork::Router DragonflyNetwork::router_of(std::uint32_t node) const {
  const std::uint32_t router = node / nodes_per_router_;
  return {router / routers_, router % routers_};
}

// The one link between the two groups, with a step to it and one from it, takes 1 to 3 links. The
// only route that can be shorter leads over a router of a third group at which two links meet.
std::uint32_t DragonflyNetwork::between_groups(Router a, Router b) const {
  const std::uint32_t leaving = port_to(a.group, b.group) / ports_;
  const std::uint32_t entered = port_to(b.group, a.group) / ports_;
  const std::uint32_t direct = 1 + (a.number == leaving ? 0 : 1) + (b.number == entered ? 0 : 1);
  if (direct < 3) return direct;
  const std::uint64_t first = std::uint64_t{a.number} * ports_;
  for (std::uint64_t port = first; port < first + ports_ && port < groups_ - 1; ++port) {
    const std::uint32_t third = group_at(a.group, static_cast<std::uint32_t>(port));
    if (port_to(third, a.group) / ports_ == port_to(third, b.group) / ports_ &&
        port_to(b.group, third) / ports_ == b.number) {
      return 2;
    }
  }
  return 3;
}

std::uint64_t DragonflyNetwork::hops(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return 0;
  const Router at_a = router_of(a);
  const Router at_b = router_of(b);
  if (at_a.group != at_b.group) return 2 + between_groups(at_a, at_b);
  return at_a.number == at_b.number ? 2 : 3;
}

std::uint64_t DragonflyNetwork::lowest_cost() const {
  return nodes_per_router_ > 1 ? 2 : 3;
}

MatrixNetwork::MatrixNetwork(std::uint32_t nodes, std::vector<std::uint64_t> units,
                             std::uint64_t scale)
    : units_(std::move(units)), scale_(scale) {
  if (nodes == 0 || units_.size() != std::uint64_t{nodes} * (nodes - 1) / 2) {
    throw Error(ErrorKind::internal, "matrix network: a distance for each pair of nodes");
  }
  nodes_ = nodes;
  if (!units_.empty()) lowest_ = *std::ranges::min_element(units_);
}

std::uint64_t MatrixNetwork::hops(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return 0;
  const std::uint64_t units = cost(a, b);
  return std::max<std::uint64_t>(units / scale_ + (units % scale_ >= scale_ - scale_ / 2 ? 1 : 0),
                                 1);
}

std::uint64_t MatrixNetwork::cost(std::uint32_t a, std::uint32_t b) const {
  return a == b ? 0 : units_[place(std::min(a, b), std::max(a, b), nodes_)];
}

void MatrixNetwork::nearest(std::uint32_t node, std::size_t most,
                            std::vector<std::uint32_t>& out) const {
  out.resize(nodes_);
  std::iota(out.begin(), out.end(), 0U);
  out.erase(out.begin() + node);
  const auto end = out.begin() + static_cast<std::ptrdiff_t>(std::min(most, out.size()));
  std::ranges::partial_sort(out, end, [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t to_a = cost(node, a);
    const std::uint64_t to_b = cost(node, b);
    return to_a != to_b ? to_a < to_b : a < b;
  });
  out.erase(end, out.end());
}

}  // namespace kith
