// A grid of ranks laid on a grid of nodes as it is: turned, reflected and shifted so that its ranks
// lie on allowed slots, and its gaps where the machine has some.
#include "mapping/tiling/overlay.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mapping/budget.hpp"
#include "mapping/tiling/tilings.hpp"

namespace kith::tiling {
namespace {

constexpr std::uint32_t sample_size = 64;
constexpr std::size_t most_kept = 6;
constexpr double most_misses = 0.25;  // of the ranks

}  // namespace

Overlay::Overlay(const TrafficGraph& graph, const GridNetwork& network, const GridStructure& grid,
                 const std::vector<bool>& is_free, bool has_gaps, Aim aim, std::uint64_t most_looks)
    : network_(network),
      grid_(grid),
      is_free_(is_free),
      has_gaps_(has_gaps),
      aim_(aim),
      most_looks_(most_looks),
      ranks_(graph.ranks()) {
  for (const std::uint32_t extent : network_.extents()) room_.push_back(static_cast<int>(extent));
  for (const std::uint32_t extent : grid.extents) length_.push_back(static_cast<int>(extent));
  for (std::uint32_t r = 0; r < ranks_; ++r) {
    for (const double x : grid.coordinates.of(r)) places_.push_back(static_cast<int>(x));
  }
  const std::uint32_t stride = std::max(1U, ranks_ / sample_size);
  for (std::uint32_t r = 0; r < ranks_; r += stride) sample_.push_back(r);
}

const std::vector<Overlay::Judged>& Overlay::find() {
  turn(Pose{}, 0, 0);
  return kept_;
}

/// Every way to give the dimensions from `next` on one of the machine's that is not taken.
void Overlay::turn(Pose pose, std::size_t next, unsigned taken) {
  if (looks_ >= most_looks_ || is_perfect()) return;
  if (next == length_.size()) return reflect(pose, taken);
  for (std::size_t axis = 0; axis < room_.size(); ++axis) {
    if ((taken >> axis) % 2 == 1 || is_far_too_long(next, axis)) continue;
    pose.axis[next] = axis;
    turn(pose, next + 1, taken | 1U << axis);
  }
}

/// A few layers may hang over: who lies there is only assumed.
bool Overlay::is_far_too_long(std::size_t dimension, std::size_t axis) const {
  const int over = length_[dimension] - room_[axis];
  return 4 * over > room_[axis] || (over > 0 && grid_.periodic[dimension]);
}

void Overlay::reflect(Pose pose, unsigned taken) {
  const unsigned ways = has_gaps_ ? 1U << length_.size() : 1;
  for (unsigned reflected = 0; reflected < ways; ++reflected) {
    pose.reflected = reflected;
    shift(pose, 0, taken);
  }
}

void Overlay::shift(Pose& pose, std::size_t axis, unsigned taken) {
  if (looks_ >= most_looks_ || is_perfect()) return;
  if (axis == room_.size()) return judge(pose);
  int lowest = 0;
  int highest = 0;
  const bool is_used = (taken >> axis) % 2 == 1;
  int length = 1;
  for (std::size_t d = 0; d < length_.size(); ++d) {
    if (is_used && pose.axis[d] == axis) length = length_[d];
  }
  if (is_ring(axis) && has_gaps_) {
    highest = room_[axis] - 1;
  } else if (has_gaps_ || length > room_[axis]) {
    lowest = std::min(0, room_[axis] - length);
    highest = std::max(0, room_[axis] - length);
  }
  for (int by = lowest; by <= highest; ++by) {
    pose.shift[axis] = by;
    shift(pose, axis + 1, taken);
  }
  pose.shift[axis] = 0;
}

/// There is nothing better than what fits, and leaves nothing beside it.
bool Overlay::is_perfect() const {
  return kept_.size() >= most_kept && kept_.back().key() == std::pair(0U, std::uint64_t{0});
}

std::uint32_t Overlay::node_of(const Pose& pose, std::uint32_t rank) const {
  std::array<std::uint32_t, most_axes> at{};
  std::array<int, most_axes> point = pose.shift;
  for (std::size_t d = 0; d < length_.size(); ++d) {
    const int x = places_[rank * length_.size() + d];
    point[pose.axis[d]] += (pose.reflected >> d) % 2 == 1 ? length_[d] - 1 - x : x;
  }
  for (std::size_t axis = 0; axis < room_.size(); ++axis) {
    int x = point[axis];
    if (is_ring(axis)) x = (x % room_[axis] + room_[axis]) % room_[axis];
    if (x < 0 || x >= room_[axis]) return nowhere;
    at[axis] = static_cast<std::uint32_t>(x);
  }
  const std::uint32_t node = network_.node_at(std::span(at.data(), room_.size()));
  return is_free_[node] ? node : nowhere;
}

void Overlay::judge(const Pose& pose) {
  looks_ += sample_.size();
  const double ranks = ranks_;
  const double most =
      kept_.size() < most_kept ? most_misses * ranks : static_cast<double>(kept_.back().misses);
  const auto missed = static_cast<double>(
      std::ranges::count_if(sample_, [&](std::uint32_t r) { return node_of(pose, r) == nowhere; }));
  if (missed * ranks > (1.5 * most + 0.05 * ranks) * static_cast<double>(sample_.size())) return;
  Judged judged{0, 0, pose};
  for (std::uint32_t r = 0; r < ranks_ && judged.misses <= most; ++r) {
    judged.misses += node_of(pose, r) == nowhere;
  }
  if (judged.misses > most) return;
  if (aim_ == Aim::snug) judged.loose = looseness(pose);
  kept_.insert(std::ranges::upper_bound(kept_, judged.key(), {}, &Judged::key), judged);
  if (kept_.size() > most_kept) kept_.pop_back();
}

std::uint64_t Overlay::looseness(const Pose& pose) {
  looks_ += std::uint64_t{8} * ranks_;
  std::vector<std::uint32_t> taken;
  for (std::uint32_t r = 0; r < ranks_; ++r) taken.push_back(node_of(pose, r));
  std::ranges::sort(taken);
  std::uint64_t loose = 0;
  std::vector<std::uint32_t> beside;
  for (const std::uint32_t node : taken) {
    if (node == nowhere) break;
    beside.clear();
    network_.nearest(node, 2 * room_.size(), beside);
    for (const std::uint32_t other : beside) {
      loose += is_free_[other] && !std::ranges::binary_search(taken, other) ? 1 : 0;
    }
  }
  return loose;
}

namespace {

/// Of the free nodes, some of many, the one where the rank is nearest to its partners.
std::size_t cheapest(const TrafficGraph& graph, const GridNetwork& network, Rank rank,
                     const std::vector<std::uint32_t>& free, const std::vector<std::uint32_t>& node,
                     std::size_t stride) {
  const auto others = graph.neighbours(rank);
  const auto weights = graph.weights(rank);
  std::size_t best = 0;
  std::uint64_t least = UINT64_MAX;
  for (std::size_t f = rank.value % std::min(stride, free.size()); f < free.size(); f += stride) {
    std::uint64_t cost = 0;
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::uint32_t there = node[others[i].value];
      if (there != nowhere) cost += weights[i] * network.hops(free[f], there);
    }
    if (cost >= least) continue;
    least = cost;
    best = f;
  }
  return best;
}

}  // namespace

void place_left(const TrafficGraph& graph, const GridNetwork& network,
                const std::vector<bool>& is_free, std::vector<std::uint32_t>& node) {
  std::vector<Rank> left;
  for (Rank r(0); r.value < node.size(); ++r) {
    if (node[r.value] == nowhere) left.push_back(r);
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t n = 0; n < is_free.size(); ++n) {
    if (is_free[n]) free.push_back(n);
  }
  constexpr std::size_t most_looks = 4'000'000;
  const std::size_t stride = left.size() * free.size() / most_looks + 1;
  for (bool more = true; more || !left.empty();) {
    const auto waiting = std::move(left);
    left.clear();
    for (const Rank rank : waiting) {
      const auto others = graph.neighbours(rank);
      const bool has_placed =
          std::ranges::any_of(others, [&](Rank other) { return node[other.value] != nowhere; });
      if (!has_placed && more) {
        left.push_back(rank);
        continue;
      }
      const std::size_t best = cheapest(graph, network, rank, free, node, stride);
      node[rank.value] = free[best];
      free[best] = free.back();
      free.pop_back();
    }
    more = left.size() < waiting.size();
  }
}

namespace {

/// Nodes to lay a grid on, in a numbering of their own.
struct Ground {
  GridNetwork network;
  std::vector<bool> is_allowed;
  std::vector<Slot> slot;  ///< of the machine

  static Ground as_it_is(const NetworkMachine& machine, const GridNetwork& network) {
    Ground ground{network, std::vector<bool>(machine.nodes(), false), {}};
    for (std::uint32_t node = 0; node < machine.nodes(); ++node) ground.slot.emplace_back(node);
    for (const Slot slot : machine.allowed().to_vector()) ground.is_allowed[slot.value] = true;
    return ground;
  }
};

/// A place on a ring of four as one in two dimensions of two: as far from each other place.
constexpr std::array<std::array<std::uint32_t, 2>, 4> halves{{{0, 0}, {0, 1}, {1, 1}, {1, 0}}};

bool has_four(std::span<const std::uint32_t> extents) {
  return std::ranges::find(extents, 4U) != extents.end();
}

std::vector<std::uint32_t> halved(std::span<const std::uint32_t> extents) {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t extent : extents) {
    if (extent == 4) result.push_back(2);
    result.push_back(extent == 4 ? 2 : extent);
  }
  return result;
}

/// Of a torus: without rings of four.
Ground halved(const Ground& ground) {
  Ground result{{GridNetwork::Kind::torus, halved(ground.network.extents())},
                std::vector<bool>(ground.slot.size()),
                std::vector<Slot>(ground.slot.size(), Slot(0))};
  std::vector<std::uint32_t> places;
  for (std::uint32_t node = 0; node < ground.slot.size(); ++node) {
    places.clear();
    const auto at = ground.network.coordinates(node);
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (ground.network.extents()[d] == 4) {
        places.insert(places.end(), halves[at[d]].begin(), halves[at[d]].end());
      } else {
        places.push_back(at[d]);
      }
    }
    const std::uint32_t there = result.network.node_at(places);
    result.is_allowed[there] = ground.is_allowed[node];
    result.slot[there] = ground.slot[node];
  }
  return result;
}

/// By dimension of the job: is it better seen as two of two? On a torus, whose rings of four are
/// seen so too, each with four places is; elsewhere rings are, and lines stay as long as they are.
std::vector<bool> dimensions_to_halve(const GridStructure& grid, bool lines_too) {
  std::vector<bool> result;
  for (std::size_t d = 0; d < grid.extents.size(); ++d) {
    result.push_back(grid.extents[d] == 4 && (lines_too || grid.periodic[d]));
  }
  return result;
}

GridStructure halved(const GridStructure& grid, const std::vector<bool>& is_halved) {
  GridStructure result = grid;
  result.extents.clear();
  result.periodic.clear();
  for (std::size_t d = 0; d < grid.extents.size(); ++d) {
    if (is_halved[d]) {
      result.extents.insert(result.extents.end(), {2, 2});
      result.periodic.insert(result.periodic.end(), {false, false});
    } else {
      result.extents.push_back(grid.extents[d]);
      result.periodic.push_back(grid.periodic[d]);
    }
  }
  result.coordinates = {static_cast<unsigned>(result.extents.size()), {}, {}};
  for (std::uint32_t r = 0; r < grid.coordinates.ranks(); ++r) {
    const auto at = grid.coordinates.of(r);
    for (std::size_t d = 0; d < at.size(); ++d) {
      if (!is_halved[d]) {
        result.coordinates.values.push_back(at[d]);
        continue;
      }
      for (const auto half : halves[static_cast<std::size_t>(at[d])]) {
        result.coordinates.values.push_back(half);
      }
    }
  }
  return result;
}

Mapping laid(const TrafficGraph& graph, const Ground& ground, const Overlay& overlay,
             const Pose& pose) {
  std::vector<std::uint32_t> node(graph.ranks(), nowhere);
  std::vector<bool> is_free = ground.is_allowed;
  for (std::uint32_t r = 0; r < node.size(); ++r) {
    const std::uint32_t there = overlay.node_of(pose, r);
    if (there == nowhere || !is_free[there]) continue;
    node[r] = there;
    is_free[there] = false;
  }
  place_left(graph, ground.network, is_free, node);
  Mapping mapping;
  for (const std::uint32_t n : node) mapping.slot_of.push_back(ground.slot[n]);
  return mapping;
}

/// Keeps the mapping with the least value.
struct Best {
  const MapTask& problem;
  std::optional<Mapping> mapping = std::nullopt;
  std::uint64_t value = UINT64_MAX;

  void lay(const Ground& ground, const GridStructure& grid, bool has_gaps) {
    const std::size_t axes = ground.network.extents().size();
    if (axes > most_axes || grid.extents.size() > axes) return;
    Overlay overlay(problem.graph, ground.network, grid, ground.is_allowed, has_gaps,
                    Aim::ranks_placed, Overlay::usual_looks);
    for (const Overlay::Judged& judged : overlay.find()) {
      if (mapping && problem.budget != nullptr && problem.budget->exhausted()) break;
      Mapping next = laid(problem.graph, ground, overlay, judged.pose);
      const std::uint64_t of_next =
          evaluate_objective(problem.graph, problem.machine, next, problem.options.objective);
      if (mapping && of_next >= value) continue;
      value = of_next;
      mapping = std::move(next);
    }
  }
};

}  // namespace

std::optional<Mapping> lay_over(const MapTask& problem, const NetworkMachine& machine,
                                const GridStructure& grid) {
  const GridNetwork* const network = machine.network().as_grid();
  if (network == nullptr || machine.slots_per_node() > 1 || problem.options.capacity > 1) {
    return std::nullopt;
  }
  const Ground ground = Ground::as_it_is(machine, *network);
  const bool has_gaps = machine.allowed().size() < machine.slots();
  Best best{problem};
  best.lay(ground, grid, has_gaps);
  // A job with two dimensions of two is seen as one with a ring of four.
  const bool rings_are_halved =
      network->periodic() && (has_four(network->extents()) || has_four(grid.extents));
  const bool is_cube = std::ranges::max(network->extents()) <= 2;
  const auto is_halved = dimensions_to_halve(grid, network->periodic() || is_cube);
  const bool is_done = best.mapping && best.value == total_weight(problem.graph);  // all one hop
  if (!is_done && rings_are_halved) {
    best.lay(halved(ground), halved(grid, is_halved), has_gaps);
  } else if (!is_done && std::ranges::count(is_halved, true) > 0) {
    best.lay(ground, halved(grid, is_halved), has_gaps);
  }
  return best.mapping;
}

}  // namespace kith::tiling
