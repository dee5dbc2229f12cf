#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"

namespace kith {

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

}  // namespace kith
