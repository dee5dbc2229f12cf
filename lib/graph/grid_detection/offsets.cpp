#include "graph/grid_detection/offsets.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace kith {
namespace {

std::size_t points(Stencil stencil, std::size_t dimensions) {
  const std::size_t faces = 2 * dimensions;
  switch (stencil) {
    case Stencil::faces:
      break;
    case Stencil::faces_and_edges:
      return 1 + faces + 2 * dimensions * (dimensions - 1);
    case Stencil::corners: {
      std::size_t box = 1;
      for (std::size_t d = 0; d < dimensions; ++d) box *= 3;
      return box;
    }
    case Stencil::star:
      return 1 + 2 * faces;
  }
  return 1 + faces;
}

}  // namespace

bool belongs(Stencil stencil, const Offset& steps) {
  const auto axes = std::ranges::count_if(steps, [](int step) { return step != 0; });
  const bool near = std::ranges::all_of(steps, [](int step) { return std::abs(step) <= 1; });
  switch (stencil) {
    case Stencil::faces:
      return axes == 1 && near;
    case Stencil::faces_and_edges:
      return (axes == 1 || axes == 2) && near;
    case Stencil::corners:
      return axes > 0 && near;
    case Stencil::star:
      return axes == 1;
  }
  return false;
}

std::string stencil_name(Stencil stencil, std::size_t dimensions) {
  const bool ambiguous = stencil == Stencil::star && dimensions == 2;
  return std::to_string(points(stencil, dimensions)) + (ambiguous ? "-point star" : "-point");
}

namespace {

constexpr std::uint32_t base = 2 * Offsets::reach + 1;

}  // namespace

Offsets::Offsets(std::vector<std::uint32_t> extents, std::vector<bool> periodic)
    : extents_(std::move(extents)), periodic_(std::move(periodic)) {
  std::size_t numbers = 1;
  for (std::size_t d = 0; d < extents_.size(); ++d) numbers *= base;
  canonical_.resize(numbers);
  pairs_.assign(numbers, 0);
  for (std::uint32_t n = 0; n < numbers; ++n) {
    Offset inverse = steps(n);
    const bool usual = wrapped(inverse) == inverse;
    for (int& step : inverse) step = -step;
    const std::uint32_t other = number(wrapped(inverse));
    canonical_[n] = std::max(n, other);
    if (usual && canonical_[n] == n) pairs_[n] = pairs_of(steps(n));
  }
}

std::uint32_t Offsets::between(std::span<const std::uint32_t> a,
                               std::span<const std::uint32_t> b) const {
  std::uint32_t n = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    const std::int64_t extent = extents_[d];
    std::int64_t step = std::int64_t{b[d]} - a[d];
    if (periodic_[d]) {
      if (2 * step > extent) step -= extent;
      if (2 * step <= -extent) step += extent;
    }
    if (step > reach || step < -reach) return far;
    n = n * base + static_cast<std::uint32_t>(step + reach);
  }
  return canonical_[n];
}

Offset Offsets::steps(std::uint32_t offset) const {
  Offset steps{};
  for (std::size_t d = extents_.size(); d-- > 0;) {
    steps[d] = static_cast<int>(offset % base) - reach;
    offset /= base;
  }
  return steps;
}

std::uint32_t Offsets::number(const Offset& steps) const {
  std::uint32_t n = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    n = n * base + static_cast<std::uint32_t>(steps[d] + reach);
  }
  return n;
}

/// Of the ways around a ring the shorter one, forwards where both are as long.
Offset Offsets::wrapped(Offset steps) const {
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    if (!periodic_[d]) continue;
    const int extent = static_cast<int>(std::min<std::uint32_t>(extents_[d], 4 * reach));
    if (2 * steps[d] > extent) steps[d] -= extent;
    if (2 * steps[d] <= -extent) steps[d] += extent;
  }
  return steps;
}

std::uint64_t Offsets::pairs_of(const Offset& steps) const {
  std::uint64_t starts = 1;
  bool own_inverse = true;
  for (std::size_t d = 0; d < extents_.size(); ++d) {
    const auto length = static_cast<std::uint32_t>(std::abs(steps[d]));
    if (periodic_[d]) {
      starts *= extents_[d];
      own_inverse &= length == 0 || 2 * length == extents_[d];
    } else {
      starts *= extents_[d] > length ? extents_[d] - length : 0;
      own_inverse &= length == 0;
    }
  }
  return own_inverse ? starts / 2 : starts;
}

}  // namespace kith
