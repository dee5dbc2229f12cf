// A number of ranks divided in proportion.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kith {

/// `total` in parts that are as near as whole numbers can be to the proportions of `weights`: each
/// gets its quota rounded down, and one more those with the largest remainders, the first of
/// equals. So where total is at most k x the sum of the weights, no part is above k x its weight.
/// `total` and the sum of the weights, which is not 0, are below 2^32.
std::vector<std::uint32_t> proportional_shares(std::uint64_t total,
                                               std::span<const std::uint64_t> weights);

}  // namespace kith
