#include "graph/grid_detection/lattice_growth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <utility>

namespace kith {

namespace {

constexpr std::uint32_t nobody = UINT32_MAX;

/// Which rank is where.
class Lattice {
 public:
  /// `frame`: null for a lattice without end.
  Lattice(std::uint32_t ranks, unsigned dimensions, const LatticeFrame* frame)
      : frame_(frame), bits_(60 / dimensions), half_(1 << std::min(bits_ - 1, 29U)) {
    places_.dimensions = dimensions;
    places_.of.resize(ranks);
    places_.is_placed.assign(ranks, false);
    places_.is_sure.assign(ranks, false);
    rank_at_.reserve(ranks);
  }

  unsigned dimensions() const { return places_.dimensions; }
  bool has(std::uint32_t rank) const { return places_.is_placed[rank]; }
  const LatticePoint& of(std::uint32_t rank) const { return places_.of[rank]; }
  std::uint32_t at(const LatticePoint& point) const {
    const auto found = rank_at_.find(key(wrapped(point)));
    return found == rank_at_.end() ? nobody : found->second;
  }
  bool is_free(const LatticePoint& point) const {
    for (unsigned d = 0; d < dimensions(); ++d) {
      if (std::abs(point[d]) >= half_) return false;
      const bool has_ends = frame_ != nullptr && !frame_->is_ring[d];
      if (!has_ends) continue;
      if (point[d] < -frame_->slack || point[d] >= frame_->extents[d] + frame_->slack) return false;
    }
    return at(point) == nobody;
  }
  /// The same point, on a ring by its coordinate from 0 on.
  LatticePoint wrapped(LatticePoint point) const {
    for (unsigned d = 0; frame_ != nullptr && d < dimensions(); ++d) {
      const int extent = frame_->extents[d];
      if (frame_->is_ring[d]) point[d] = (point[d] % extent + extent) % extent;
    }
    return point;
  }
  int apart(const LatticePoint& a, const LatticePoint& b) const {
    int steps = 0;
    for (unsigned d = 0; d < dimensions(); ++d) {
      const int along = std::abs(a[d] - b[d]);
      const bool is_ring = frame_ != nullptr && frame_->is_ring[d];
      steps += is_ring ? std::min(along, frame_->extents[d] - along) : along;
    }
    return steps;
  }
  /// Squared steps from where the rank is thought to be; 0 without a frame.
  double off(std::uint32_t rank, const LatticePoint& point) const {
    double sum = 0;
    for (unsigned d = 0; frame_ != nullptr && d < dimensions(); ++d) {
      double along = std::abs(frame_->prior[std::size_t{rank} * dimensions() + d] - 0.5 - point[d]);
      if (frame_->is_ring[d]) along = std::min(along, std::abs(frame_->extents[d] - along));
      sum += along * along;
    }
    return sum;
  }
  void put(std::uint32_t rank, const LatticePoint& point) {
    places_.of[rank] = wrapped(point);
    places_.is_placed[rank] = true;
    ++places_.placed;
    rank_at_[key(places_.of[rank])] = rank;
  }
  bool is_sure(std::uint32_t rank) const { return places_.is_sure[rank]; }
  void set_sure(std::uint32_t rank) { places_.is_sure[rank] = true; }
  LatticePlaces take() { return std::move(places_); }

 private:
  std::uint64_t key(const LatticePoint& point) const {
    std::uint64_t key = 0;
    for (unsigned d = 0; d < dimensions(); ++d) {
      key = (key << bits_) + static_cast<std::uint64_t>(point[d] + half_);
    }
    return key;
  }

  const LatticeFrame* frame_;
  unsigned bits_;
  int half_;
  LatticePlaces places_;
  std::unordered_map<std::uint64_t, std::uint32_t> rank_at_;
};

// How the growth begins.

/// Neighbours of one rank in their directions: of each two opposite ones both, or one.
struct Beginning {
  std::uint32_t centre = nobody;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> along;  ///< forth and back, by dimension
};

struct Start {
  std::uint32_t rank;
  LatticePoint point;
};

class BeginningFinder {
 public:
  BeginningFinder(const NeighbourLists& lists, unsigned dimensions)
      : lists_(lists), dimensions_(dimensions) {}

  /// Up to `most`: those with both where there are any.
  std::vector<Beginning> find(std::size_t most, const StopCheck& stop) const {
    constexpr std::uint32_t most_looks = 400;
    std::vector<Beginning> whole;
    std::vector<Beginning> half;
    const std::uint32_t stride = std::max(1U, lists_.ranks() / most_looks);
    for (std::uint32_t r = stride / 2; r < lists_.ranks() && whole.size() < most; r += stride) {
      stop();
      if (auto found = with_both(r)) whole.push_back(*std::move(found));
      if (half.size() >= most) continue;
      if (auto found = with_one_each(r)) half.push_back(*std::move(found));
    }
    return whole.empty() ? half : whole;
  }

 private:
  /// Is there a rank beside the centre that both talk with, and do they not talk themselves?
  bool make_square(std::uint32_t centre, std::uint32_t a, std::uint32_t b) const {
    if (lists_.adjacent(a, b)) return false;
    return std::ranges::any_of(lists_.of(a), [&](std::uint32_t corner) {
      return corner != centre && lists_.adjacent(corner, b);
    });
  }

  /// In squares with all but one neighbour, each; that one is opposite.
  std::optional<Beginning> with_both(std::uint32_t centre) const {
    const auto around = lists_.of(centre);
    if (around.size() != 2 * dimensions_) return std::nullopt;
    Beginning found{centre, {}};
    std::vector<bool> is_taken(around.size(), false);
    for (std::size_t i = 0; i < around.size(); ++i) {
      std::size_t opposite = around.size();
      for (std::size_t k = 0; k < around.size(); ++k) {
        if (k == i || make_square(centre, around[i], around[k])) continue;
        if (opposite != around.size()) return std::nullopt;
        opposite = k;
      }
      if (opposite == around.size()) return std::nullopt;
      if (is_taken[i]) continue;
      if (is_taken[opposite] || opposite < i) return std::nullopt;
      is_taken[i] = is_taken[opposite] = true;
      found.along.emplace_back(around[i], around[opposite]);
    }
    return found;
  }

  std::optional<Beginning> with_one_each(std::uint32_t centre) const {
    const auto around = lists_.of(centre);
    if (around.size() < dimensions_ || around.size() > 4 * dimensions_) return std::nullopt;
    Beginning found{centre, {}};
    for (const std::uint32_t first : around) {
      found.along = {{first, nobody}};
      for (const std::uint32_t next : around) {
        if (found.along.size() == dimensions_) return found;
        const bool fits = std::ranges::all_of(found.along, [&](const auto& one) {
          return one.first != next && make_square(centre, one.first, next);
        });
        if (fits) found.along.emplace_back(next, nobody);
      }
      if (found.along.size() == dimensions_) return found;
    }
    return std::nullopt;
  }

  const NeighbourLists& lists_;
  unsigned dimensions_;
};

// The growth itself.

class Growth {
 public:
  Growth(const NeighbourLists& lists, unsigned dimensions, const LatticeFrame* frame, int near,
         const StopCheck& stop)
      : lists_(lists),
        near_(near),
        lattice_(lists.ranks(), dimensions, frame),
        stop_(stop),
        version_(lists.ranks(), 0) {}

  void begin(const std::vector<Start>& beginning) {
    for (const auto& [rank, point] : beginning) {
      put(rank, point);
      lattice_.set_sure(rank);
    }
  }

  /// False where most pairs turn out not to be steps.
  bool run() {
    while (!queue_.empty()) {
      stop_();
      if (apart_ > few_apart && apart_ > joined_) return false;
      const Entry entry = queue_.top();
      queue_.pop();
      if (lattice_.has(entry.rank) || entry.version != version_[entry.rank]) continue;
      if (lattice_.is_free(entry.point)) {
        put(entry.rank, entry.point);
        if (entry.margin >= sure_margin && follows_sure(entry.rank)) lattice_.set_sure(entry.rank);
      } else {
        consider(entry.rank);
      }
    }
    return true;
  }

  LatticePlaces take() { return lattice_.take(); }

 private:
  struct Entry {
    int priority;
    int margin;
    std::uint32_t rank;
    std::uint32_t version;
    LatticePoint point;
    bool operator<(const Entry& other) const {
      return priority != other.priority ? priority < other.priority : rank > other.rank;
    }
  };
  struct Option {
    LatticePoint point;
    int beside = 0;  ///< neighbours
    int score = 0;
  };

  void put(std::uint32_t rank, const LatticePoint& point) {
    lattice_.put(rank, point);
    for (const std::uint32_t other : lists_.of(rank)) {
      if (!lattice_.has(other)) {
        consider(other);
      } else {
        ++(lattice_.apart(lattice_.of(other), lattice_.of(rank)) == 1 ? joined_ : apart_);
      }
    }
  }

  bool follows_sure(std::uint32_t rank) const {
    return std::ranges::any_of(lists_.of(rank), [&](std::uint32_t other) {
      return lattice_.has(other) && lattice_.is_sure(other) &&
             lattice_.apart(lattice_.of(other), lattice_.of(rank)) == 1;
    });
  }

  /// Puts `rank` into the queue by how clear its best place is.
  void consider(std::uint32_t rank) {
    find_options(rank);
    if (options_.empty()) return;
    const int most = std::ranges::max(options_, {}, &Option::beside).beside;
    int best = lowest;
    int second = lowest;
    const Option* chosen = nullptr;
    for (Option& option : options_) {
      option.score = option.beside == most ? score_of(rank, option) : -stranger;
      if (option.score > best) {
        second = std::exchange(best, option.score);
        chosen = &option;
      } else {
        second = std::max(second, option.score);
      }
    }
    const int margin = std::min(best - second, 24);
    const int trust = margin * 8 + std::min(most, 7) + std::min(best, 0);
    queue_.push({trust, margin, rank, ++version_[rank], chosen->point});
  }

  void find_options(std::uint32_t rank) {
    options_.clear();
    for (const std::uint32_t other : lists_.of(rank)) {
      if (!lattice_.has(other)) continue;
      LatticePoint point = lattice_.of(other);
      for (unsigned d = 0; d < lattice_.dimensions(); ++d) {
        for (const int step : {1, -1}) {
          point[d] += step;
          add_option(lattice_.wrapped(point));
          point[d] -= step;
        }
      }
    }
  }

  void add_option(const LatticePoint& point) {
    const auto known = std::ranges::find(options_, point, &Option::point);
    if (known != options_.end()) {
      ++known->beside;
    } else if (lattice_.is_free(point)) {
      options_.push_back({point, 1, 0});
    }
  }

  int score_of(std::uint32_t rank, const Option& option) const {
    int near = 0;
    int crowded = 0;
    int straight = 0;
    for (const std::uint32_t other : lists_.of(rank)) {
      if (!lattice_.has(other)) {
        crowded += finds_no_room(rank, other, option.point);
        continue;
      }
      const int steps = lattice_.apart(lattice_.of(other), option.point);
      near += steps <= near_;
      if (steps == 1) straight |= goes_on_straight(other, option.point);
    }
    int strangers = 0;
    LatticePoint beside = option.point;
    for (unsigned d = 0; d < lattice_.dimensions(); ++d) {
      for (const int step : {1, -1}) {
        beside[d] += step;
        const std::uint32_t there = lattice_.at(beside);
        strangers += there != nobody && !lists_.adjacent(rank, there);
        beside[d] -= step;
      }
    }
    const double off_prior = distrust * lattice_.off(rank, option.point);
    const int off = static_cast<int>(std::min(off_prior, 60.0));
    return straight - absent * strangers - stranger * (near - option.beside) - no_room * crowded -
           off;
  }

  /// Behind `other`, as seen from the point, lies one that it talks with.
  bool goes_on_straight(std::uint32_t other, const LatticePoint& point) const {
    LatticePoint behind = lattice_.of(other);
    for (unsigned d = 0; d < lattice_.dimensions(); ++d) behind[d] += behind[d] - point[d];
    const std::uint32_t there = lattice_.at(behind);
    return there != nobody && lists_.adjacent(other, there);
  }

  /// Of two points that are two steps apart: is a place beside both free?
  bool has_room_between(LatticePoint a, const LatticePoint& b) const {
    for (unsigned d = 0; d < lattice_.dimensions(); ++d) {
      for (const int step : {1, -1}) {
        a[d] += step;
        if (lattice_.apart(a, b) == 1 && lattice_.is_free(a)) return true;
        a[d] -= step;
      }
    }
    return false;
  }

  /// Has `next` placed neighbours, none of which leaves it a place beside the point?
  bool finds_no_room(std::uint32_t rank, std::uint32_t next, const LatticePoint& point) const {
    bool has_near = false;
    for (const std::uint32_t other : lists_.of(next)) {
      if (other == rank || !lattice_.has(other)) continue;
      const int steps = lattice_.apart(lattice_.of(other), point);
      if (steps > near_) continue;
      has_near = true;
      if (steps != 2) continue;
      if (has_room_between(lattice_.of(other), point)) return false;
    }
    return has_near;
  }

  static constexpr std::uint64_t few_apart = 500;
  static constexpr int lowest = -1000;
  static constexpr int sure_margin = 3;
  static constexpr int absent = 4;     // a place beside it is taken by one it does not talk with
  static constexpr int stranger = 12;  // it talks with one that does not lie beside it
  static constexpr int no_room = 8;
  static constexpr double distrust = 4;  // of what lies a step from its prior place

  const NeighbourLists& lists_;
  int near_;
  Lattice lattice_;
  const StopCheck& stop_;
  std::vector<std::uint32_t> version_;
  std::priority_queue<Entry> queue_;
  std::vector<Option> options_;
  std::uint64_t joined_ = 0;  // pairs that are a step
  std::uint64_t apart_ = 0;   // pairs that are no single step
};

/// The beginning along the dimensions in their order.
std::vector<Start> in_order(const Beginning& beginning) {
  std::vector<Start> starts{{beginning.centre, {}}};
  for (unsigned d = 0; d < beginning.along.size(); ++d) {
    const auto& [forth, back] = beginning.along[d];
    Start start{forth, {}};
    start.point[d] = 1;
    starts.push_back(start);
    start = {back, {}};
    start.point[d] = -1;
    if (back != nobody) starts.push_back(start);
  }
  return starts;
}

/// The same turned and reflected so that all lie near their prior places, and how near.
std::pair<double, std::vector<Start>> turned(const Beginning& beginning, const Lattice& lattice,
                                             const LatticeFrame& frame) {
  const auto dimensions = static_cast<unsigned>(frame.extents.size());
  LatticePoint centre{};
  for (unsigned d = 0; d < dimensions; ++d) {
    const double at = frame.prior[std::size_t{beginning.centre} * dimensions + d];
    centre[d] = std::clamp(static_cast<int>(at), 0, frame.extents[d] - 1);
  }
  std::pair<double, std::vector<Start>> best{std::numeric_limits<double>::max(), {}};
  std::vector<unsigned> order(dimensions);
  std::iota(order.begin(), order.end(), 0U);
  do {
    for (unsigned reflected = 0; reflected < 1U << dimensions; ++reflected) {
      std::vector<Start> starts = in_order(beginning);
      double off = 0;
      bool fits = true;
      for (Start& start : starts) {
        LatticePoint point = centre;
        for (unsigned d = 0; d < dimensions; ++d) {
          point[order[d]] += (reflected >> d) % 2 == 1 ? -start.point[d] : start.point[d];
        }
        start.point = point;
        off += lattice.off(start.rank, point);
        fits &= lattice.is_free(point);
      }
      if (fits && off < best.first) best = {off, std::move(starts)};
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

}  // namespace

std::optional<LatticePlaces> grow_on_lattice(const NeighbourLists& lists, unsigned dimensions,
                                             int near, std::size_t which, const StopCheck& stop) {
  const auto beginnings = BeginningFinder(lists, dimensions).find(1 + which, stop);
  if (beginnings.size() <= which) return std::nullopt;
  Growth growth(lists, dimensions, nullptr, near, stop);
  growth.begin(in_order(beginnings[which]));
  if (!growth.run()) return std::nullopt;
  return growth.take();
}

std::optional<LatticePlaces> grow_in_frame(const NeighbourLists& lists, const LatticeFrame& frame,
                                           const StopCheck& stop) {
  const auto dimensions = static_cast<unsigned>(frame.extents.size());
  constexpr unsigned most_dimensions = 4;  // all turns are tried
  if (dimensions > most_dimensions) return std::nullopt;
  constexpr std::size_t tries = 40;
  const Lattice empty(lists.ranks(), dimensions, &frame);
  std::pair<double, std::vector<Start>> best{std::numeric_limits<double>::max(), {}};
  for (const Beginning& beginning : BeginningFinder(lists, dimensions).find(tries, stop)) {
    auto one = turned(beginning, empty, frame);
    if (one.first < best.first) best = std::move(one);
  }
  if (best.second.empty()) return std::nullopt;
  Growth growth(lists, dimensions, &frame, usual_near, stop);
  growth.begin(best.second);
  if (!growth.run()) return std::nullopt;
  return growth.take();
}

}  // namespace kith
