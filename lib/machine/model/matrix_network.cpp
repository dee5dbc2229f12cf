#include "machine/model/matrix_network.hpp"

#include <algorithm>
#include <numeric>

#include "kith/error.hpp"

namespace kith {

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
