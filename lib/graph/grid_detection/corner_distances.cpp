#include "graph/grid_detection/grid_proposals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "graph/grid_detection/neighbour_lists.hpp"

namespace kith {
namespace {

constexpr std::uint32_t unreached = UINT32_MAX;

/// Neighbours, and how far they are along the pairs.
class Faces : public NeighbourLists {
 public:
  Faces(const TrafficGraph& graph, Weight least, const StopCheck& stop)
      : NeighbourLists(graph, least, stop), stop_(stop) {}
  Faces(const ConnectedGraph& graph, const StopCheck& stop)
      : NeighbourLists(graph, stop), stop_(stop) {}

  struct Ways {
    std::vector<std::uint32_t> length;  ///< by rank, or unreached
    std::uint32_t farthest = 0;         ///< a rank
    std::uint32_t reached = 0;          ///< ranks
  };
  Ways ways_from(std::uint32_t start) const {
    Ways ways{std::vector<std::uint32_t>(ranks(), unreached), start, 0};
    std::vector<std::uint32_t> queue{start};
    queue.reserve(ranks());
    ways.length[start] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      stop_();
      for (const std::uint32_t other : of(queue[next])) {
        if (ways.length[other] != unreached) continue;
        ways.length[other] = ways.length[queue[next]] + 1;
        queue.push_back(other);
      }
    }
    ways.farthest = queue.back();
    ways.reached = static_cast<std::uint32_t>(queue.size());
    return ways;
  }

  /// Share of the pairs that are equally far from where the ways start: 0 in a grid.
  double level_share(const Ways& ways) const {
    std::uint64_t level = 0;
    for (std::uint32_t r = 0; r < ranks(); ++r) {
      for (const std::uint32_t other : of(r)) level += ways.length[r] == ways.length[other];
    }
    return static_cast<double>(level) / static_cast<double>(2 * pairs());
  }

 private:
  const StopCheck& stop_;
};

/// A corner where coordinates begin, those next to it, and the extents that their distances give.
struct Frame {
  std::uint32_t origin = 0;
  std::vector<std::uint32_t> next;  ///< corners, one per dimension
  std::vector<std::uint32_t> extents;
  int misfit = 0;  ///< steps by which the distances differ from the extents
};

class Corners {
 public:
  explicit Corners(const Faces& faces) : faces_(faces) { find(); }

  /// The likeliest first; few.
  std::vector<Frame> frames() const {
    std::vector<Frame> frames;
    for (std::uint32_t origin = 0; origin < ways_.size(); ++origin) {
      for (const std::size_t dimensions : {2U, 3U}) extend({origin, {}, {}, 0}, dimensions, frames);
    }
    std::ranges::stable_sort(frames, {}, &Frame::misfit);
    constexpr std::size_t few = 6;
    if (frames.size() > few) frames.resize(few);
    return frames;
  }

  std::uint32_t distance(std::uint32_t corner, std::uint32_t rank) const {
    return ways_[corner].length[rank];
  }
  std::uint32_t rank(std::uint32_t corner) const { return ranks_[corner]; }

 private:
  /// The farthest rank is a corner, wherever one starts; from many places one sees them all.
  void find() {
    constexpr std::uint32_t samples = 24;
    constexpr std::size_t most = 12;
    const std::uint32_t ranks = faces_.ranks();
    for (std::uint32_t s = 0; s < samples && ways_.size() < most; ++s) {
      const auto start = static_cast<std::uint32_t>(std::uint64_t{ranks} * (2 * s + 1) /
                                                    (2 * std::uint64_t{samples}));
      const auto ways = faces_.ways_from(start);
      if (ways.reached < 0.95 * ranks) {
        if (s > samples / 4 && ways_.empty()) return;
        continue;
      }
      // Small worlds are no grids, nor are meshes of triangles.
      if (ways.length[ways.farthest] < 0.9 * std::cbrt(ranks)) return;
      if (ways_.empty() && faces_.level_share(ways) > 0.1) return;
      add(ways.farthest);
    }
  }

  void add(std::uint32_t rank) {
    constexpr std::uint32_t near = 2;  // a corner again, as seen past missing pairs
    for (const auto& ways : ways_) {
      if (ways.length[rank] <= near) return;
    }
    ranks_.push_back(rank);
    ways_.push_back(faces_.ways_from(rank));
  }

  void extend(const Frame& frame, std::size_t dimensions, std::vector<Frame>& frames) const {
    if (frame.next.size() == dimensions) {
      std::uint64_t product = 1;
      for (const std::uint32_t extent : frame.extents) product *= extent;
      if (product == faces_.ranks()) frames.push_back(frame);
      return;
    }
    const std::uint32_t first = frame.next.empty() ? 0 : frame.next.back() + 1;
    for (std::uint32_t corner = first; corner < ways_.size(); ++corner) {
      if (corner == frame.origin) continue;
      const std::uint32_t length = distance(frame.origin, rank(corner));
      // Along an edge of the grid there is but one way: past a missing pair it is two steps longer.
      for (const int more : {0, -2, 1, -1, -4}) {
        Frame longer = frame;
        longer.next.push_back(corner);
        longer.extents.push_back(static_cast<std::uint32_t>(static_cast<int>(length) + 1 + more));
        longer.misfit += std::abs(more);
        const std::uint32_t extent = longer.extents.back();
        if (extent >= 2 && extent < faces_.ranks() && faces_.ranks() % extent == 0) {
          extend(longer, dimensions, frames);
        }
      }
    }
  }

  const Faces& faces_;
  std::vector<std::uint32_t> ranks_;
  std::vector<Faces::Ways> ways_;
};

/// Gives each rank a place of its own.
class Placement {
 public:
  Placement(const Faces& faces, std::vector<std::uint32_t> extents)
      : faces_(faces),
        extents_(std::move(extents)),
        place_(faces.ranks(), unreached),
        taken_(faces.ranks(), false) {}

  /// Where distances say; of several ranks that claim a place the one that fits best has it.
  void claim(const Corners& corners, const Frame& frame) {
    std::vector<std::uint32_t> claims(faces_.ranks(), unreached);
    for (std::uint32_t r = 0; r < claims.size(); ++r) claims[r] = claimed(corners, frame, r);
    std::vector<std::pair<int, std::uint32_t>> best(faces_.ranks(), {0, unreached});
    for (std::uint32_t r = 0; r < claims.size(); ++r) {
      if (claims[r] == unreached) continue;
      int fits = 0;
      for (const std::uint32_t other : faces_.of(r)) {
        fits += claims[other] != unreached && are_next(claims[r], claims[other]) ? 1 : -1;
      }
      auto& [most, rank] = best[claims[r]];
      if (rank == unreached || fits > most) best[claims[r]] = {fits, r};
    }
    for (std::uint32_t p = 0; p < best.size(); ++p) {
      if (best[p].second != unreached) put(best[p].second, p);
    }
  }

  /// The others next to their neighbours, those that have many first, the rest anywhere.
  void fill() {
    for (const int least : {3, 2, 2, 1, 1}) {
      for (std::uint32_t r = 0; r < place_.size(); ++r) {
        if (place_[r] == unreached) put_next_to_neighbours(r, least);
      }
    }
    std::uint32_t free = 0;
    for (std::uint32_t r = 0; r < place_.size(); ++r) {
      if (place_[r] != unreached) continue;
      while (taken_[free]) ++free;
      put(r, free);
    }
  }

  GridCandidate candidate() const {
    GridCandidate candidate{extents_, {}};
    candidate.positions.reserve(place_.size() * extents_.size());
    for (const std::uint32_t place : place_) {
      const auto at = point(place);
      candidate.positions.insert(candidate.positions.end(), at.begin(),
                                 at.begin() + static_cast<std::ptrdiff_t>(extents_.size()));
    }
    return candidate;
  }

 private:
  using Point = std::array<std::uint32_t, 3>;

  Point point(std::uint32_t place) const {
    Point at{};
    for (std::size_t d = extents_.size(); d-- > 0; place /= extents_[d]) {
      at[d] = place % extents_[d];
    }
    return at;
  }

  bool are_next(std::uint32_t a, std::uint32_t b) const {
    const Point p = point(a);
    const Point q = point(b);
    std::uint32_t steps = 0;
    for (std::size_t d = 0; d < p.size(); ++d) steps += std::max(p[d], q[d]) - std::min(p[d], q[d]);
    return steps == 1;
  }

  /// By the lengths of the ways from the origin and the corner next to it along each dimension:
  /// their difference grows by two with each step.
  std::uint32_t claimed(const Corners& corners, const Frame& frame, std::uint32_t rank) const {
    std::uint32_t place = 0;
    const std::uint32_t from_origin = corners.distance(frame.origin, rank);
    if (from_origin == unreached) return unreached;
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      const std::int64_t between =
          std::int64_t{from_origin} - corners.distance(frame.next[d], rank);
      const std::int64_t last = extents_[d] - std::int64_t{1};
      const std::int64_t at = std::clamp<std::int64_t>((between + last) / 2, 0, last);
      place = place * extents_[d] + static_cast<std::uint32_t>(at);
    }
    return place;
  }

  void put_next_to_neighbours(std::uint32_t rank, int least) {
    std::map<std::uint32_t, int> votes;  // by free place
    for (const std::uint32_t other : faces_.of(rank)) {
      if (place_[other] == unreached) continue;
      const Point at = point(place_[other]);
      std::uint32_t below = 1;
      for (std::size_t d = extents_.size(); d-- > 0; below *= extents_[d]) {
        if (at[d] > 0 && !taken_[place_[other] - below]) ++votes[place_[other] - below];
        if (at[d] + 1 < extents_[d] && !taken_[place_[other] + below]) {
          ++votes[place_[other] + below];
        }
      }
    }
    const auto most =
        std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
    if (most != votes.end() && most->second >= least) put(rank, most->first);
  }

  void put(std::uint32_t rank, std::uint32_t place) {
    place_[rank] = place;
    taken_[place] = true;
  }

  const Faces& faces_;
  std::vector<std::uint32_t> extents_;
  std::vector<std::uint32_t> place_;  // by rank, or unreached
  std::vector<bool> taken_;           // by place
};

/// Longest first.
GridCandidate sorted(const GridCandidate& candidate) {
  std::vector<std::size_t> order(candidate.extents.size());
  for (std::size_t d = 0; d < order.size(); ++d) order[d] = d;
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t d) { return candidate.extents[d]; });
  GridCandidate result;
  for (const std::size_t d : order) result.extents.push_back(candidate.extents[d]);
  result.positions.reserve(candidate.positions.size());
  for (std::size_t r = 0; r < candidate.positions.size(); r += order.size()) {
    for (const std::size_t d : order) result.positions.push_back(candidate.positions[r + d]);
  }
  return result;
}

bool propose(const Faces& faces, const Judge& judge) {
  constexpr std::uint64_t most_faces = 3;  // of a rank, each counted at one end
  if (faces.ranks() < 9 || faces.pairs() > most_faces * faces.ranks()) return false;
  const Corners corners(faces);
  for (const Frame& frame : corners.frames()) {
    Placement placement(faces, frame.extents);
    placement.claim(corners, frame);
    placement.fill();
    if (judge(sorted(placement.candidate()))) return true;
  }
  return false;
}

}  // namespace

bool propose_from_corners(const TrafficGraph& graph, Weight least, const Judge& judge,
                          const StopCheck& stop) {
  return propose(Faces(graph, least, stop), judge);
}

bool propose_from_corners(const ConnectedGraph& graph, const Judge& judge, const StopCheck& stop) {
  return propose(Faces(graph, stop), judge);
}

}  // namespace kith
