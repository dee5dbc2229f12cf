#include "machine/allocate/free_nodes.hpp"

#include <algorithm>
#include <iterator>

namespace kith {
namespace {

using Box = std::vector<std::uint32_t>;  // extents, or the coordinates of a corner

/// All ways to write `volume` as a product of factors, one per dimension and none beyond its
/// extent.
void list_shapes(std::span<const std::uint32_t> extents, std::uint64_t volume, Box& shape,
                 std::vector<Box>& shapes) {
  if (extents.empty()) {
    if (volume == 1) shapes.push_back(shape);
    return;
  }
  for (std::uint32_t factor = 1; factor <= extents[0] && factor <= volume; ++factor) {
    if (volume % factor != 0) continue;
    shape.push_back(factor);
    list_shapes(extents.subspan(1), volume / factor, shape, shapes);
    shape.pop_back();
  }
}

/// Half the surface per volume; it orders boxes of one volume as the surface does.
double surface(const Box& shape) {
  double sum = 0;
  for (const std::uint32_t extent : shape) sum += 1.0 / extent;
  return sum;
}

/// Counts of free nodes in all boxes at the origin, so that any box is counted by 2^dims of them.
class FreeCounts {
 public:
  FreeCounts(std::span<const std::uint32_t> extents, const std::vector<bool>& is_free)
      : strides_(extents.size(), 1) {
    for (std::size_t d = extents.size() - 1; d-- > 0;) {
      strides_[d] = strides_[d + 1] * (extents[d + 1] + 1);
    }
    counts_.assign(strides_[0] * (extents[0] + 1ULL), 0);
    Box at(extents.size(), 0);
    for (const bool free : is_free) {
      counts_[index(at) + one_up()] = free ? 1 : 0;
      advance(at, extents);
    }
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const std::uint64_t period = strides_[d] * (extents[d] + 1ULL);
      for (std::uint64_t i = 0; i < counts_.size(); ++i) {
        if (i % period >= strides_[d]) counts_[i] += counts_[i - strides_[d]];
      }
    }
  }

  std::uint32_t in_box(const Box& corner, const Box& shape) const {
    const std::uint64_t base = index(corner);
    std::uint32_t sum = 0;
    for (std::uint32_t mask = 0; mask < (1U << shape.size()); ++mask) {
      std::uint64_t at = base;
      bool negative = false;
      for (std::size_t d = 0; d < shape.size(); ++d) {
        if ((mask >> d & 1U) != 0) {
          at += shape[d] * strides_[d];
        } else {
          negative = !negative;
        }
      }
      sum += negative ? 0U - counts_[at] : counts_[at];
    }
    return sum;
  }

  static void advance(Box& at, std::span<const std::uint32_t> limits) {
    for (std::size_t d = at.size(); d-- > 0;) {
      if (++at[d] < limits[d]) return;
      at[d] = 0;
    }
  }

 private:
  std::uint64_t index(const Box& at) const {
    std::uint64_t sum = 0;
    for (std::size_t d = 0; d < at.size(); ++d) sum += at[d] * strides_[d];
    return sum;
  }
  std::uint64_t one_up() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t stride : strides_) sum += stride;
    return sum;
  }

  std::vector<std::uint64_t> strides_;
  std::vector<std::uint32_t> counts_;  // one row more than the grid in each dimension
};

std::vector<std::uint32_t> nodes_of(const Box& corner, const Box& shape,
                                    std::span<const std::uint32_t> extents, std::uint64_t volume) {
  std::vector<std::uint32_t> nodes;
  Box at(shape.size(), 0);
  for (std::uint64_t i = 0; i < volume; ++i) {
    std::uint32_t node = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) node = node * extents[d] + corner[d] + at[d];
    nodes.push_back(node);
    FreeCounts::advance(at, shape);
  }
  return nodes;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> find_free_box(std::span<const std::uint32_t> extents,
                                                        const std::vector<bool>& is_free,
                                                        std::uint64_t volume) {
  // Dimensions of extent 1 tell nothing apart, and each would double the work.
  Box wide;
  std::ranges::copy_if(extents, std::back_inserter(wide), [](auto extent) { return extent > 1; });
  if (wide.empty()) wide.push_back(1);
  std::vector<Box> shapes;
  Box shape;
  list_shapes(wide, volume, shape, shapes);
  std::ranges::stable_sort(shapes, {}, surface);
  const FreeCounts counts(wide, is_free);
  for (const Box& candidate : shapes) {
    Box places;  // where the corner may be
    for (std::size_t d = 0; d < wide.size(); ++d) places.push_back(wide[d] - candidate[d] + 1);
    std::uint64_t left = 1;
    for (const std::uint32_t count : places) left *= count;
    Box corner(wide.size(), 0);
    for (; left > 0; --left, FreeCounts::advance(corner, places)) {
      if (counts.in_box(corner, candidate) == volume) {
        return nodes_of(corner, candidate, wide, volume);
      }
    }
  }
  return std::nullopt;
}

}  // namespace kith
