// Pieces that several SPECs share: "16x12x24", and "/2x8" for the tree in each node.
#pragma once

#include "machine/sources.hpp"

namespace kith {

/// Positive numbers joined by "x". Throws Error (input) that says `expected`.
std::vector<std::uint32_t> parse_arities(std::string_view text, const std::string& expected,
                                         const SpecRequest& request);

/// "16x12x24/2x8": what is before the slash, and the tree in each node (empty without one).
struct NetworkBody {
  std::string_view network;
  std::vector<std::uint32_t> node_arities;
};
NetworkBody split_network_body(const SpecRequest& request);

}  // namespace kith
