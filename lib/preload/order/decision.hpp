// What was decided about a communicator, kept with it.
#pragma once

#include "order/order.hpp"

namespace kith::runtime {

/// Keeps `order` until `comm` is freed. Throws std::bad_alloc.
void attach(MPI_Comm comm, Order order);
/// What attach() kept; null: nothing.
const Order* attached(MPI_Comm comm);

}  // namespace kith::runtime
