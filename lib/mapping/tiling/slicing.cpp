#include "mapping/tiling/slicing.hpp"

#include <algorithm>
#include <cmath>

namespace kith::tiling {
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
