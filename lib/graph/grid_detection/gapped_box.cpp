#include "graph/grid_detection/gapped_box.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace kith {
namespace {

using Span = std::pair<LatticePoint, LatticePoint>;  // lowest and highest

Span span_of(const LatticePlaces& places, const std::vector<bool>& counts) {
  Span span{};
  bool is_first = true;
  for (std::uint32_t r = 0; r < places.of.size(); ++r) {
    if (!counts[r]) continue;
    for (unsigned d = 0; d < places.dimensions; ++d) {
      span.first[d] = is_first ? places.of[r][d] : std::min(span.first[d], places.of[r][d]);
      span.second[d] = is_first ? places.of[r][d] : std::max(span.second[d], places.of[r][d]);
    }
    is_first = false;
  }
  return span;
}

/// Around the sure ranks, unless that leaves out more than a few.
Span span_of(const LatticePlaces& places, const Periods& periods) {
  constexpr double few = 0.05;
  const Span sure = span_of(places, places.is_sure);
  std::uint32_t left_out = 0;
  for (std::uint32_t r = 0; r < places.of.size(); ++r) {
    if (!places.is_placed[r]) continue;
    bool is_inside = true;
    for (unsigned d = 0; d < places.dimensions; ++d) {
      is_inside &=
          periods[d] > 0 || (places.of[r][d] >= sure.first[d] && places.of[r][d] <= sure.second[d]);
    }
    left_out += is_inside ? 0 : 1;
  }
  return left_out <= few * places.placed ? sure : span_of(places, places.is_placed);
}

/// Without the outermost layers along dimension `d` that have less than half of what most have.
void trim(const LatticePlaces& places, unsigned d, Span& span) {
  std::vector<std::uint32_t> count(static_cast<std::size_t>(span.second[d] - span.first[d]) + 1, 0);
  for (std::uint32_t r = 0; r < places.of.size(); ++r) {
    const int layer = places.of[r][d] - span.first[d];
    if (places.is_placed[r] && layer >= 0 && layer < static_cast<int>(count.size())) {
      ++count[static_cast<std::size_t>(layer)];
    }
  }
  auto sorted = count;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  while (span.first[d] < span.second[d] && 2 * count.front() < *middle) {
    count.erase(count.begin());
    ++span.first[d];
  }
  while (span.first[d] < span.second[d] && 2 * count.back() < *middle) {
    count.pop_back();
    --span.second[d];
  }
}

/// Extents whose product is `ranks`, those nearest to the wanted ones first.
class NearestExtents {
 public:
  NearestExtents(std::uint32_t ranks, const std::vector<DistanceAxis>& axes) : axes_(axes) {
    double product = 1;
    for (const DistanceAxis& axis : axes) product *= std::max(axis.length, 1e-9);
    const double scale = std::pow(ranks / product, 1.0 / static_cast<double>(axes.size()));
    for (const DistanceAxis& axis : axes) wanted_.push_back(std::max(axis.length, 1e-9) * scale);
    extend(ranks, {}, 0);
    std::ranges::sort(found_);
  }

  /// Empty where so many are not near.
  std::vector<std::uint32_t> found(std::size_t which) const {
    return which < found_.size() ? found_[which].second : std::vector<std::uint32_t>();
  }

 private:
  void extend(std::uint32_t left, std::vector<std::uint32_t> begun, double misfit) {
    constexpr double most_misfit = 1;
    if (misfit >= most_misfit) return;
    const std::size_t d = begun.size();
    if (d == axes_.size()) {
      if (left != 1) return;
      found_.emplace_back(misfit, std::move(begun));
      return;
    }
    const double factor = 2.5;
    const auto lowest = static_cast<std::uint32_t>(std::max(2.0, wanted_[d] / factor));
    const auto highest = static_cast<std::uint32_t>(wanted_[d] * factor + 1);
    for (std::uint32_t extent = lowest; extent <= std::min(left, highest); ++extent) {
      if (left % extent != 0 || (axes_[d].is_ring && extent < 3)) continue;
      auto more = begun;
      more.push_back(extent);
      const double off = std::log(extent / wanted_[d]);
      extend(left / extent, std::move(more), misfit + off * off);
    }
  }

  const std::vector<DistanceAxis>& axes_;
  std::vector<double> wanted_;
  std::vector<std::pair<double, std::vector<std::uint32_t>>> found_;  ///< how far off, extents
};

/// The first of `extent` layers along dimension `d` that have the most ranks; of equal ones the one
/// nearest to `usual`.
int fullest_window(const LatticePlaces& places, unsigned d, int extent, int usual) {
  std::map<int, int> count;  // of ranks by layer
  for (std::uint32_t r = 0; r < places.of.size(); ++r) {
    if (places.is_placed[r]) ++count[places.of[r][d]];
  }
  if (count.empty()) return usual;
  int best = usual;
  int most = -1;
  const int last = std::max(count.rbegin()->first - extent + 1, count.begin()->first);
  for (int first = count.begin()->first; first <= last; ++first) {
    int inside = 0;
    const auto end = count.lower_bound(first + extent);
    for (auto layer = count.lower_bound(first); layer != end; ++layer) inside += layer->second;
    const bool is_nearer = std::abs(first - usual) < std::abs(best - usual);
    if (inside < most || (inside == most && !is_nearer)) continue;
    most = inside;
    best = first;
  }
  return best;
}

/// Cuts the ranks into layers along each axis in turn.
void cut_evenly(std::vector<std::uint32_t>& ranks, std::size_t first, std::size_t last,
                const std::vector<const DistanceAxis*>& axes,
                const std::vector<std::uint32_t>& extents, std::size_t d) {
  const auto begin = ranks.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(last);
  std::sort(begin, end, [&](std::uint32_t a, std::uint32_t b) {
    return std::pair{axes[d]->place[a], a} < std::pair{axes[d]->place[b], b};
  });
  if (d + 1 == axes.size()) return;
  const std::size_t layer = (last - first) / extents[d];
  for (std::size_t i = first; i < last; i += layer) {
    cut_evenly(ranks, i, i + layer, axes, extents, d + 1);
  }
}

}  // namespace

bool GappedBox::set_extents(const std::vector<std::uint32_t>& extents, const Periods& periods) {
  constexpr std::uint64_t most_places = 8;  // a rank
  std::uint64_t size = 1;
  for (const std::uint32_t extent : extents) {
    size *= extent;
    if (size > most_places * lists_->ranks()) return false;
  }
  extents_ = extents;
  periods_ = periods;
  rank_at_.assign(size, nobody);
  return true;
}

std::optional<GappedBox> GappedBox::between(const NeighbourLists& lists,
                                            const LatticePlaces& places, const Periods& periods,
                                            const LatticePoint& lowest,
                                            const LatticePoint& highest) {
  GappedBox box(lists, places.dimensions);
  std::vector<std::uint32_t> extents;
  for (unsigned d = 0; d < places.dimensions; ++d) {
    const int extent = periods[d] > 0 ? periods[d] : highest[d] - lowest[d] + 1;
    extents.push_back(static_cast<std::uint32_t>(extent));
  }
  if (!box.set_extents(extents, periods)) return std::nullopt;
  for (std::uint32_t r = 0; r < lists.ranks(); ++r) {
    if (!places.is_placed[r]) continue;
    LatticePoint at{};
    bool is_inside = true;
    for (unsigned d = 0; d < places.dimensions; ++d) {
      const int extent = static_cast<int>(extents[d]);
      at[d] = places.of[r][d] - lowest[d];
      if (periods[d] > 0) at[d] = (at[d] % extent + extent) % extent;
      is_inside &= at[d] >= 0 && at[d] < extent;
    }
    if (is_inside) box.claim(r, box.number(at));
  }
  return box;
}

std::optional<GappedBox> GappedBox::around(const NeighbourLists& lists, const LatticePlaces& places,
                                           const Periods& periods) {
  const Span span = span_of(places, periods);
  return between(lists, places, periods, span.first, span.second);
}

std::optional<GappedBox> GappedBox::trimmed(const NeighbourLists& lists,
                                            const LatticePlaces& places, const Periods& periods) {
  Span span = span_of(places, places.is_placed);
  std::uint64_t size = 1;
  for (unsigned d = 0; d < places.dimensions; ++d) {
    if (periods[d] == 0) trim(places, d, span);
    const int extent = periods[d] > 0 ? periods[d] : span.second[d] - span.first[d] + 1;
    size *= static_cast<std::uint64_t>(extent);
  }
  if (size < lists.ranks()) return std::nullopt;
  return between(lists, places, periods, span.first, span.second);
}

std::optional<GappedBox> GappedBox::fitted(const NeighbourLists& lists, const LatticePlaces& places,
                                           const Periods& periods) {
  Span span = span_of(places, places.is_placed);
  std::vector<DistanceAxis> axes;
  for (unsigned d = 0; d < places.dimensions; ++d) {
    if (periods[d] == 0) trim(places, d, span);
    const int extent = periods[d] > 0 ? periods[d] : span.second[d] - span.first[d] + 1;
    axes.push_back({{}, periods[d] > 0, static_cast<double>(extent)});
  }
  const auto extents = NearestExtents(lists.ranks(), axes).found(0);
  if (extents.empty()) return std::nullopt;
  LatticePoint first{};
  LatticePoint last{};
  for (unsigned d = 0; d < places.dimensions; ++d) {
    constexpr double near = 1.25;
    const auto extent = static_cast<int>(extents[d]);
    const double ratio = extent / axes[d].length;
    if (ratio > near || ratio < 1 / near || (periods[d] > 0 && extent != periods[d])) {
      return std::nullopt;
    }
    if (periods[d] == 0) first[d] = fullest_window(places, d, extent, span.first[d]);
    last[d] = first[d] + extent - 1;
  }
  return between(lists, places, periods, first, last);
}

std::optional<GappedBox> GappedBox::in_window(const NeighbourLists& lists,
                                              const LatticePlaces& places, const Periods& periods,
                                              const LatticeFrame& frame) {
  LatticePoint first{};
  LatticePoint last{};
  for (unsigned d = 0; d < places.dimensions; ++d) {
    first[d] = frame.is_ring[d] ? 0 : fullest_window(places, d, frame.extents[d], 0);
    last[d] = first[d] + frame.extents[d] - 1;
  }
  return between(lists, places, periods, first, last);
}

std::optional<GappedBox> GappedBox::full(const NeighbourLists& lists,
                                         const std::vector<DistanceAxis>& axes, std::size_t which,
                                         const StopCheck& stop) {
  const auto nearest = NearestExtents(lists.ranks(), axes).found(which);
  if (nearest.empty()) return std::nullopt;
  std::vector<std::size_t> order(axes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t d) { return nearest[d]; });
  std::vector<const DistanceAxis*> sorted;
  std::vector<std::uint32_t> extents;
  Periods periods{};
  for (const std::size_t d : order) {
    periods[sorted.size()] = axes[d].is_ring ? static_cast<int>(nearest[d]) : 0;
    sorted.push_back(&axes[d]);
    extents.push_back(nearest[d]);
  }
  LatticeFrame frame{{extents.begin(), extents.end()}, {}, {}, 0};
  frame.slack = growth_slack;
  for (const DistanceAxis* axis : sorted) frame.is_ring.push_back(axis->is_ring);
  for (std::uint32_t r = 0; r < lists.ranks(); ++r) {
    for (std::size_t d = 0; d < sorted.size(); ++d) {
      frame.prior.push_back(sorted[d]->place[r] * extents[d]);
    }
  }
  const auto grown = grow_in_frame(lists, frame, stop);
  if (grown && 2 * std::uint64_t{grown->placed} > lists.ranks()) {
    return in_window(lists, *grown, periods, frame);
  }
  GappedBox box(lists, static_cast<unsigned>(axes.size()));
  if (!box.set_extents(extents, periods)) return std::nullopt;
  std::vector<std::uint32_t> ranks(lists.ranks());
  std::iota(ranks.begin(), ranks.end(), 0U);
  cut_evenly(ranks, 0, ranks.size(), sorted, extents, 0);
  for (std::uint32_t place = 0; place < ranks.size(); ++place) box.put(ranks[place], place);
  return box;
}

void GappedBox::place_the_rest() {
  for (const int least : {3, 2, 2, 1, 1}) {
    for (std::uint32_t r = 0; r < lists_->ranks(); ++r) {
      if (place_of_[r] == nobody) place_beside(r, least);
    }
  }
  for (std::uint32_t r = 0; r < lists_->ranks(); ++r) {
    if (place_of_[r] == nobody) place_near(r);
  }
  std::uint32_t free = 0;
  for (std::uint32_t r = 0; r < lists_->ranks(); ++r) {
    if (place_of_[r] != nobody) continue;
    while (free < rank_at_.size() && rank_at_[free] != nobody) ++free;
    if (free == rank_at_.size()) lengthen();
    put(r, free);
  }
}

GridCandidate GappedBox::candidate() const {
  std::vector<unsigned> order(dimensions_);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](unsigned d) { return extents_[d]; });
  GridCandidate candidate;
  for (const unsigned d : order) candidate.extents.push_back(extents_[d]);
  for (const std::uint32_t place : place_of_) {
    const LatticePoint at = point(place);
    for (const unsigned d : order) {
      candidate.positions.push_back(static_cast<std::uint32_t>(at[d]));
    }
  }
  return candidate;
}

std::uint32_t GappedBox::number(const LatticePoint& at) const {
  std::uint32_t number = 0;
  for (unsigned d = 0; d < dimensions_; ++d) {
    number = number * extents_[d] + static_cast<std::uint32_t>(at[d]);
  }
  return number;
}

LatticePoint GappedBox::point(std::uint32_t number) const {
  LatticePoint at{};
  for (unsigned d = dimensions_; d-- > 0; number /= extents_[d]) {
    at[d] = static_cast<int>(number % extents_[d]);
  }
  return at;
}

template <class Visit>
void GappedBox::for_each_beside(std::uint32_t place, Visit visit) const {
  LatticePoint at = point(place);
  for (unsigned d = 0; d < dimensions_; ++d) {
    const int extent = static_cast<int>(extents_[d]);
    const int here = at[d];
    for (const int step : {1, -1}) {
      at[d] = here + step;
      if (periods_[d] > 0) at[d] = (at[d] + extent) % extent;
      if (at[d] >= 0 && at[d] < extent) visit(number(at));
    }
    at[d] = here;
  }
}

bool GappedBox::are_beside(std::uint32_t a, std::uint32_t b) const {
  int steps = 0;
  for (unsigned d = dimensions_; d-- > 0; a /= extents_[d], b /= extents_[d]) {
    const int extent = static_cast<int>(extents_[d]);
    const int apart =
        std::abs(static_cast<int>(a % extents_[d]) - static_cast<int>(b % extents_[d]));
    steps += periods_[d] > 0 ? std::min(apart, extent - apart) : apart;
    if (steps > 1) return false;
  }
  return steps == 1;
}

int GappedBox::fit(std::uint32_t rank, std::uint32_t place) const {
  int fit = 0;
  for_each_beside(place, [&](std::uint32_t beside) {
    if (rank_at_[beside] != nobody) fit += lists_->adjacent(rank, rank_at_[beside]) ? 2 : -1;
  });
  return fit;
}

void GappedBox::claim(std::uint32_t rank, std::uint32_t place) {
  const std::uint32_t other = rank_at_[place];
  if (other != nobody && fit(other, place) >= fit(rank, place)) return;
  if (other != nobody) place_of_[other] = nobody;
  put(rank, place);
}

void GappedBox::place_beside(std::uint32_t rank, int least) {
  std::vector<std::pair<std::uint32_t, int>> options;
  for (const std::uint32_t other : lists_->of(rank)) {
    if (place_of_[other] == nobody) continue;
    for_each_beside(place_of_[other], [&](std::uint32_t place) {
      if (rank_at_[place] != nobody) return;
      const auto known = std::ranges::find(options, place, &std::pair<std::uint32_t, int>::first);
      if (known == options.end()) {
        options.emplace_back(place, 1);
      } else {
        ++known->second;
      }
    });
  }
  const auto best = std::ranges::max_element(options, {}, &std::pair<std::uint32_t, int>::second);
  if (best != options.end() && best->second >= least) put(rank, best->first);
}

/// On the free place nearest to one of its neighbours, if one is near.
void GappedBox::place_near(std::uint32_t rank) {
  constexpr std::size_t most_looks = 2000;
  std::vector<std::uint32_t> queue;
  for (const std::uint32_t other : lists_->of(rank)) {
    if (place_of_[other] != nobody) queue.push_back(place_of_[other]);
  }
  if (queue.empty()) return;
  std::unordered_set<std::uint32_t> met(queue.begin(), queue.end());
  std::uint32_t found = nobody;
  for (std::size_t next = 0; next < queue.size() && found == nobody && next < most_looks; ++next) {
    for_each_beside(queue[next], [&](std::uint32_t place) {
      if (!met.insert(place).second) return;
      queue.push_back(place);
      if (found == nobody && rank_at_[place] == nobody) found = place;
    });
  }
  if (found != nobody) put(rank, found);
}

/// One more layer along the first dimension.
void GappedBox::lengthen() {
  periods_[0] = 0;
  ++extents_[0];
  std::uint64_t layer = 1;
  for (unsigned d = 1; d < dimensions_; ++d) layer *= extents_[d];
  rank_at_.resize(rank_at_.size() + layer, nobody);
}

int GappedBox::joined(std::uint32_t rank, std::uint32_t place, std::uint32_t other,
                      std::uint32_t from) const {
  int count = 0;
  for (const std::uint32_t next : lists_->of(rank)) {
    count += are_beside(place, next == other ? from : place_of_[next]);
  }
  return count;
}

/// Towards one of its neighbours, in the place of whoever is there.
bool GappedBox::improve(std::uint32_t rank) {
  const std::uint32_t here = place_of_[rank];
  const int now = joined(rank, here, nobody, 0);
  if (now == static_cast<int>(lists_->of(rank).size())) return false;
  int most = 0;
  std::uint32_t best = nobody;
  const auto look = [&](std::uint32_t there) {
    const std::uint32_t other = rank_at_[there];
    if (other == rank) return;
    int gain = joined(rank, there, other, here) - now;
    if (other != nobody) gain += joined(other, here, rank, there) - joined(other, there, nobody, 0);
    if (gain <= most) return;
    most = gain;
    best = there;
  };
  for (const std::uint32_t next : lists_->of(rank)) {
    if (!are_beside(here, place_of_[next])) for_each_beside(place_of_[next], look);
  }
  if (best == nobody) return false;
  const std::uint32_t other = rank_at_[best];
  rank_at_[here] = other;
  if (other != nobody) place_of_[other] = here;
  put(rank, best);
  return true;
}

void GappedBox::polish(const StopCheck& stop) {
  constexpr int most_sweeps = 20;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    std::uint32_t changes = 0;
    for (std::uint32_t r = 0; r < lists_->ranks(); ++r) {
      stop();
      changes += improve(r);
    }
    if (500 * changes < lists_->ranks()) break;
  }
}

}  // namespace kith
