// Numbers in a request.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "protocol/exchange.hpp"

namespace kith::tools {

/// "4 2 1"; empty where the request has no such item. Throws Error (input).
std::vector<std::uint32_t> number_list(const Exchange& request, std::string_view name);

}  // namespace kith::tools
