#include "mapping/shares.hpp"

#include <algorithm>
#include <numeric>

namespace kith {

std::vector<std::uint32_t> proportional_shares(std::uint64_t total,
                                               std::span<const std::uint64_t> weights) {
  const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::uint32_t> shares;
  shares.reserve(weights.size());
  std::uint64_t left = total;
  for (const std::uint64_t weight : weights) {
    shares.push_back(static_cast<std::uint32_t>(total * weight / sum));
    left -= shares.back();
  }
  std::vector<std::uint32_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto remainder = [&](std::uint32_t i) { return total * weights[i] % sum; };
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(left);
  std::ranges::partial_sort(order, end, [&](std::uint32_t a, std::uint32_t b) {
    return remainder(a) != remainder(b) ? remainder(a) > remainder(b) : a < b;
  });
  for (auto one_more = order.begin(); one_more != end; ++one_more) ++shares[*one_more];
  return shares;
}

}  // namespace kith
