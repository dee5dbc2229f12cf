#include "mapping/tiling/slicer.hpp"

#include <algorithm>
#include <numeric>

namespace kith::tiling {
namespace {

struct Bounds {
  Place lowest;
  Place highest{};
  std::uint32_t extent(std::size_t d) const { return highest[d] - lowest[d] + 1; }
  void include(const Place& place) {
    for (std::size_t d = 0; d < most_dimensions; ++d) {
      lowest[d] = std::min(lowest[d], place[d]);
      highest[d] = std::max(highest[d], place[d]);
    }
  }
};

/// Sorts as much as is needed to have the right items between any two borders.
template <class Item>
void select(std::span<Item> items, std::span<const std::uint32_t> borders, std::uint32_t before) {
  if (borders.empty()) return;
  const std::size_t middle = borders.size() / 2;
  const std::uint32_t border = borders[middle];
  const auto at = static_cast<std::ptrdiff_t>(border - before);
  if (at > 0 && at < std::ssize(items)) {
    std::nth_element(items.begin(), items.begin() + at, items.end());
  }
  select(items.first(static_cast<std::size_t>(at)), borders.first(middle), before);
  select(items.subspan(static_cast<std::size_t>(at)), borders.subspan(middle + 1), border);
}

}  // namespace

Slicer::Slicer(const RankSpace& space) : space_(space) {}

SlicedBox Slicer::box_around(std::span<const std::uint32_t> ranks) const {
  Bounds bounds{space_.extents};
  for (const std::uint32_t rank : ranks) bounds.include(space_.place_of[rank]);
  SlicedBox box;
  for (std::size_t d = 0; d < most_dimensions; ++d) {
    box.extents[d] = bounds.extent(d);
    box.closed[d] = space_.periodic[d] && box.extents[d] == space_.extents[d];
  }
  box.density = space_.density;
  box.ranks = static_cast<double>(ranks.size());
  return box;
}

void Slicer::slice(std::span<std::uint32_t> ranks, std::span<const std::uint32_t> ends,
                   const Slicing& slicing) {
  items_.resize(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) items_[i] = {0, ranks[i]};
  cut(items_, ends, 0, slicing, 0);
  for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = items_[i].rank;
}

void Slicer::cut(std::span<Item> items, std::span<const std::uint32_t> ends, std::uint32_t before,
                 const Slicing& slicing, unsigned depth) {
  if (ends.size() < 2 || depth == slicing.depth) return;
  set_keys(items, slicing.cuts[depth].dimension);
  const auto parts = static_cast<std::uint32_t>(ends.size());
  const bool is_last = depth + 1 == slicing.depth;
  const std::uint32_t pieces = is_last ? parts : std::min(slicing.cuts[depth].pieces, parts);
  std::vector<std::uint32_t> last_part(pieces);  // of each piece, and one
  std::vector<std::uint32_t> borders(pieces);
  for (std::uint32_t p = 0; p < pieces; ++p) {
    last_part[p] = static_cast<std::uint32_t>(std::uint64_t{parts} * (p + 1) / pieces);
    borders[p] = ends[last_part[p] - 1];
  }
  select(items, std::span<const std::uint32_t>(borders).first(pieces - 1), before);
  if (is_last) return;
  for (std::uint32_t p = 0; p < pieces; ++p) {
    const std::uint32_t first = p == 0 ? 0 : last_part[p - 1];
    const std::uint32_t start = p == 0 ? before : borders[p - 1];
    cut(items.subspan(start - before, borders[p] - start),
        ends.subspan(first, last_part[p] - first), start, slicing, depth + 1);
  }
}

void Slicer::set_keys(std::span<Item> items, std::uint32_t first_dimension) const {
  Bounds bounds{space_.extents};
  for (const Item& item : items) bounds.include(space_.place_of[item.rank]);
  std::array<std::size_t, most_dimensions> order;
  std::iota(order.begin(), order.end(), 0U);
  std::swap(order[0], order[first_dimension]);
  std::ranges::stable_sort(order.begin() + 1, order.end(), std::ranges::greater{},
                           [&](std::size_t d) { return bounds.extent(d); });
  for (Item& item : items) {
    const Place& place = space_.place_of[item.rank];
    std::uint64_t key = 0;
    for (const std::size_t d : order) key = key * bounds.extent(d) + place[d] - bounds.lowest[d];
    item.key = key;
  }
}

}  // namespace kith::tiling
