// An order for few processes on several hosts, found by their root without the engine.
#pragma once

#include <optional>

#include "order/order.hpp"
#include "order/topology/remembered.hpp"

namespace kith::runtime {

/// Whether decide_small_order() is for this request: the same on all members.
bool is_small(int members, const RequestSummary& request);

/// Collective over `comm`; no communicator is made. Only what crosses hosts counts. Nothing, on all
/// members, where memory is short on the root. Throws MpiFailure.
std::optional<Order> decide_small_order(MPI_Comm comm, Declared declared,
                                        const std::optional<DeclaredGraph>& graph, double min_gain);

}  // namespace kith::runtime
