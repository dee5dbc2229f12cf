// Orders that were decided before: equal requests are answered from memory.
#pragma once

#include <cstdint>
#include <optional>

#include "order/order.hpp"
#include "order/topology/declared_graph.hpp"

namespace kith::runtime {

/// Who knows the declared graph.
enum class Declared {
  by_all,   ///< whole, the same on all members
  in_parts  ///< each member knows its own
};

/// A request as all members know it.
struct RequestSummary {
  std::uint64_t key = 0;    ///< of the members, their order, and the graph
  std::uint64_t bytes = 0;  ///< of all members' edges
  bool is_whole = true;     ///< every member has its part
};

/// Collective over `comm`. Throws MpiFailure.
RequestSummary sum_up(MPI_Comm comm, Declared declared, const std::optional<DeclaredGraph>& graph);

/// Collective: the order that was decided for an equal request; nothing, on all members, unless all
/// of them remember it. Throws MpiFailure.
std::optional<Order> remembered_order(MPI_Comm comm, const RequestSummary& request);

/// Local. Without memory it is forgotten, here and so everywhere.
void remember(const RequestSummary& request, const Order& order) noexcept;

}  // namespace kith::runtime
