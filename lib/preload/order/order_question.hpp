// The parts of decide_order(): for who asks the engine in another way.
#pragma once

#include <string>
#include <string_view>

#include "engine_client/engine_process.hpp"
#include "order/order.hpp"

namespace kith::runtime {

/// What the engine is asked about `ranks` ranks. For the root alone, as all here.
Exchange engine_request(const OrderRequest& request, int ranks);

/// Why the order has to stay without asking; empty: ask.
std::string obstacle_of(const OrderRequest& request);

/// Its answer, checked; whatever is wrong with it is an Order that does not apply.
Order order_of(const EngineAnswer& reply, int ranks);

std::string pack(const Order& order);
/// Throws std::runtime_error for what pack() did not make.
Order unpack_order(std::string_view bytes);

}  // namespace kith::runtime
