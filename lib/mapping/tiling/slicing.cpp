#include "mapping/tiling/slicing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
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

RankSpace rank_space(const TaskGrid& grid) {
  RankSpace space{grid.dimensions, grid.extents, grid.periodic, {}, grid.place_of};
  for (const Displacement& displacement : grid.displacements) {
    for (std::size_t d = 0; d < grid.dimensions; ++d) {
      space.density[d] += std::abs(displacement.steps[d]) * displacement.weight;
    }
  }
  return space;
}

RankSpace rank_space(const RankCoordinates& coordinates) {
  constexpr double longest = 32767;
  RankSpace space;
  space.dimensions = coordinates.dimensions;
  std::array<double, most_dimensions> lowest{};
  std::array<double, most_dimensions> length{};
  for (unsigned d = 0; d < space.dimensions; ++d) {
    double highest = coordinates.ranks() == 0 ? 0 : coordinates.of(0)[d];
    lowest[d] = highest;
    for (std::uint32_t r = 0; r < coordinates.ranks(); ++r) {
      lowest[d] = std::min(lowest[d], coordinates.of(r)[d]);
      highest = std::max(highest, coordinates.of(r)[d]);
    }
    length[d] = highest - lowest[d];
  }
  const double most = *std::ranges::max_element(length);
  const double scale = most > 0 && std::isfinite(most) ? longest / most : 0;
  space.place_of.resize(coordinates.ranks());
  for (unsigned d = 0; d < space.dimensions; ++d) {
    space.extents[d] = static_cast<std::uint32_t>(std::lround(length[d] * scale)) + 1;
    for (std::uint32_t r = 0; r < coordinates.ranks(); ++r) {
      const double at = (coordinates.of(r)[d] - lowest[d]) * scale;
      space.place_of[r][d] = static_cast<std::uint32_t>(std::lround(at));
    }
  }
  return space;
}

namespace {

class SlicingSearch {
 public:
  SlicingSearch(const SlicedBox& box, std::uint32_t parts, std::size_t most)
      : box_(box), most_(most) {
    for (std::size_t d = 0; d < most_dimensions; ++d) side_[d] = box.extents[d];
    search({}, parts);
  }
  std::vector<Slicing> take() { return std::move(best_); }

 private:
  /// `parts`: in each of the pieces so far, on average.
  void search(const Slicing& so_far, double parts) {
    for (std::uint32_t d = 0; d < most_dimensions; ++d) {
      if (box_.extents[d] < 2 || is_cut_[d]) continue;
      offer(with_cut(so_far, d, static_cast<std::uint32_t>(std::ceil(parts)), parts));
      is_cut_[d] = true;
      const double side = side_[d];
      for (std::uint32_t pieces = 2; pieces < parts && pieces <= box_.extents[d]; ++pieces) {
        const Slicing next = with_cut(so_far, d, pieces, pieces);
        if (is_full() && next.estimate >= best_.back().estimate) break;
        side_[d] = side / pieces;
        search(next, parts / pieces);
        side_[d] = side;
      }
      is_cut_[d] = false;
    }
  }

  Slicing with_cut(Slicing slicing, std::uint32_t d, std::uint32_t pieces, double parts) const {
    slicing.cuts[slicing.depth++] = {d, pieces};
    const double planes = parts - (box_.closed[d] ? 0 : 1);
    slicing.estimate += planes * box_.density[d] * box_.ranks / box_.extents[d];
    // Planes that do not fall between two layers have a step, as long as the shortest other side.
    if (std::fmod(box_.extents[d], parts) != 0) {
      slicing.estimate += planes * step_across(d);
    }
    return slicing;
  }

  double step_across(std::uint32_t d) const {
    std::size_t longest = d;
    for (std::size_t other = 0; other < most_dimensions; ++other) {
      if (other != d && (longest == d || side_[other] > side_[longest])) longest = other;
    }
    return box_.density[longest] * box_.ranks / (box_.extents[d] * side_[longest]);
  }

  bool is_full() const { return best_.size() == most_; }

  void offer(const Slicing& slicing) {
    if (is_full() && slicing.estimate >= best_.back().estimate) return;
    const auto at = std::ranges::upper_bound(best_, slicing.estimate, {}, &Slicing::estimate);
    best_.insert(at, slicing);
    if (best_.size() > most_) best_.pop_back();
  }

  const SlicedBox& box_;
  std::size_t most_;
  std::array<double, most_dimensions> side_{};
  std::array<bool, most_dimensions> is_cut_{};
  std::vector<Slicing> best_;
};

}  // namespace

std::vector<Slicing> likely_slicings(const SlicedBox& box, std::uint32_t parts, std::size_t most) {
  return SlicingSearch(box, parts, most).take();
}

}  // namespace kith::tiling
