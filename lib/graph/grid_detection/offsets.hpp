// A proposed grid, the steps between its points (up to two along each dimension), and the stencils
// that these steps form.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kith {

// A grid that the traffic may have.

inline constexpr std::size_t max_grid_dimensions = 4;

/// Each rank has a place of its own: positions are a permutation of the grid's points.
struct GridCandidate {
  std::vector<std::uint32_t> extents;
  /// ranks x dimensions, row-major, each below its extent.
  std::vector<std::uint32_t> positions;

  std::span<const std::uint32_t> of(std::uint32_t rank) const {
    return std::span(positions).subspan(std::size_t{rank} * extents.size(), extents.size());
  }
};

using Offset = std::array<int, max_grid_dimensions>;

/// Numbers the offsets of a grid. An offset and its inverse are one: they join the same pairs.
class Offsets {
 public:
  static constexpr int reach = 2;
  static constexpr std::uint32_t far = UINT32_MAX;  ///< beyond the reach

  Offsets(std::vector<std::uint32_t> extents, std::vector<bool> periodic);

  std::size_t count() const { return pairs_.size(); }
  /// From one point to another.
  std::uint32_t between(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;
  /// How many pairs of points lie so; 0 for numbers that stand for nothing in this grid.
  std::uint64_t pairs(std::uint32_t offset) const { return pairs_[offset]; }
  Offset steps(std::uint32_t offset) const;
  std::uint32_t of(const Offset& steps) const { return canonical_[number(wrapped(steps))]; }

 private:
  std::uint32_t number(const Offset& steps) const;
  Offset wrapped(Offset steps) const;
  std::uint64_t pairs_of(const Offset& steps) const;

  std::vector<std::uint32_t> extents_;
  std::vector<bool> periodic_;
  std::vector<std::uint32_t> canonical_;  ///< by number: itself or its inverse
  std::vector<std::uint64_t> pairs_;
};

/// Which offsets belong, the smallest stencil first.
enum class Stencil {
  faces,            ///< 2D 5-point, 3D 7-point
  faces_and_edges,  ///< 3D 19-point
  corners,          ///< with corners: 2D 9-point, 3D 27-point
  star,             ///< faces, and two steps along an axis: 3D 13-point
};
inline constexpr std::array stencils{Stencil::faces, Stencil::faces_and_edges, Stencil::corners,
                                     Stencil::star};

bool belongs(Stencil stencil, const Offset& steps);
std::string stencil_name(Stencil stencil, std::size_t dimensions);

}  // namespace kith
