// A grid of ranks laid on a grid of nodes as it is: turned, reflected and shifted so that its ranks
// lie on allowed slots, and its gaps where the machine has some.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/structure.hpp"
#include "mapping/budget.hpp"
#include "mapping/tiling/tilings.hpp"

namespace kith::tiling {
namespace {

constexpr std::size_t most_axes = 8;
using Steps = std::array<int, most_axes>;

/// How the dimensions of the job lie along those of the machine.
struct Pose {
  std::array<std::size_t, most_axes> axis{};  ///< of the machine, by dimension of the job
  unsigned reflected = 0;                     ///< one bit per dimension of the job
  Steps shift{};                              ///< by dimension of the machine
};

class Overlay {
 public:
  Overlay(const MapTask& problem, const NetworkMachine& machine, const GridStructure& grid)
      : problem_(problem), network_(*machine.network().as_grid()), grid_(grid) {
    for (const std::uint32_t extent : network_.extents()) room_.push_back(static_cast<int>(extent));
    for (const std::uint32_t extent : grid.extents) length_.push_back(static_cast<int>(extent));
    is_allowed_.assign(machine.nodes(), false);
    for (const Slot slot : machine.allowed().to_vector()) is_allowed_[slot.value] = true;
    has_gaps_ = machine.allowed().size() < machine.slots();
    for (std::uint32_t r = 0; r < problem.graph.ranks(); ++r) {
      const auto at = grid.coordinates.of(r);
      for (const double x : at) places_.push_back(static_cast<int>(x));
    }
    const std::uint32_t stride = std::max(1U, problem.graph.ranks() / sample_size);
    for (std::uint32_t r = 0; r < problem.graph.ranks(); r += stride) sample_.push_back(r);
  }

  std::optional<Mapping> best() {
    turn(Pose{}, 0, 0);
    std::optional<Mapping> best;
    std::uint64_t least = 0;
    for (const auto& [misses, pose] : kept_) {
      if (best && problem_.budget != nullptr && problem_.budget->exhausted()) break;
      Mapping mapping = place(pose);
      const std::uint64_t value =
          evaluate_objective(problem_.graph, problem_.machine, mapping, problem_.options.objective);
      if (best && value >= least) continue;
      least = value;
      best = std::move(mapping);
    }
    return best;
  }

 private:
  static constexpr std::uint32_t sample_size = 64;
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  static constexpr std::size_t most_kept = 6;
  static constexpr std::uint64_t most_tries = 200'000;
  static constexpr double most_misses = 0.25;  // of the ranks

  bool is_ring(std::size_t axis) const { return network_.periodic() && room_[axis] > 2; }

  /// Every way to give the dimensions from `next` on one of the machine's that is not taken.
  void turn(Pose pose, std::size_t next, unsigned taken) {
    if (next == length_.size()) return reflect(pose, taken);
    for (std::size_t axis = 0; axis < room_.size(); ++axis) {
      if ((taken >> axis) % 2 == 1 || is_far_too_long(next, axis)) continue;
      pose.axis[next] = axis;
      turn(pose, next + 1, taken | 1U << axis);
    }
  }

  /// A few layers may hang over: who lies there is only assumed.
  bool is_far_too_long(std::size_t dimension, std::size_t axis) const {
    const int over = length_[dimension] - room_[axis];
    return 4 * over > room_[axis] || (over > 0 && grid_.periodic[dimension]);
  }

  void reflect(Pose pose, unsigned taken) {
    const unsigned ways = has_gaps_ ? 1U << length_.size() : 1;
    for (unsigned reflected = 0; reflected < ways; ++reflected) {
      pose.reflected = reflected;
      shift(pose, 0, taken);
    }
  }

  void shift(Pose& pose, std::size_t axis, unsigned taken) {
    if (tries_ >= most_tries || is_perfect()) return;
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

  /// On a machine without gaps there is nothing better than what fits.
  bool is_perfect() const { return kept_.size() >= most_kept && kept_.back().first == 0; }

  std::uint32_t node_of(const Pose& pose, std::uint32_t rank) const {
    std::array<std::uint32_t, most_axes> at{};
    Steps point = pose.shift;
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
    return is_allowed_[node] ? node : nowhere;
  }

  void judge(const Pose& pose) {
    ++tries_;
    const double ranks = problem_.graph.ranks();
    const double most =
        kept_.size() < most_kept ? most_misses * ranks : static_cast<double>(kept_.back().first);
    const auto missed = static_cast<double>(std::ranges::count_if(
        sample_, [&](std::uint32_t r) { return node_of(pose, r) == nowhere; }));
    if (missed * ranks > (1.5 * most + 0.05 * ranks) * static_cast<double>(sample_.size())) return;
    std::uint32_t misses = 0;
    for (std::uint32_t r = 0; r < problem_.graph.ranks() && misses <= most; ++r) {
      misses += node_of(pose, r) == nowhere;
    }
    if (misses > most) return;
    const auto after =
        std::ranges::upper_bound(kept_, misses, {}, [](const auto& kept) { return kept.first; });
    kept_.insert(after, {misses, pose});
    if (kept_.size() > most_kept) kept_.pop_back();
  }

  Mapping place(const Pose& pose) const {
    std::vector<std::uint32_t> node(problem_.graph.ranks());
    std::vector<bool> is_free = is_allowed_;
    std::vector<Rank> left;
    for (std::uint32_t r = 0; r < node.size(); ++r) {
      node[r] = node_of(pose, r);
      if (node[r] != nowhere && is_free[node[r]]) {
        is_free[node[r]] = false;
      } else {
        node[r] = nowhere;
        left.push_back(Rank(r));
      }
    }
    std::vector<std::uint32_t> free;
    for (std::uint32_t n = 0; n < is_free.size(); ++n) {
      if (is_free[n]) free.push_back(n);
    }
    place_left(left, free, node);
    Mapping mapping;
    for (const std::uint32_t n : node) mapping.slot_of.emplace_back(n);
    return mapping;
  }

  /// Each where it is cheapest beside those that are placed; those first that have such partners.
  void place_left(std::vector<Rank>& left, std::vector<std::uint32_t>& free,
                  std::vector<std::uint32_t>& node) const {
    constexpr std::size_t most_looks = 4'000'000;
    const std::size_t stride = left.size() * free.size() / most_looks + 1;
    for (bool more = true; more || !left.empty();) {
      const auto waiting = std::move(left);
      left.clear();
      for (const Rank rank : waiting) {
        const auto others = problem_.graph.neighbours(rank);
        const bool has_placed =
            std::ranges::any_of(others, [&](Rank other) { return node[other.value] != nowhere; });
        if (!has_placed && more) {
          left.push_back(rank);
          continue;
        }
        const std::size_t best = cheapest(rank, free, node, stride);
        node[rank.value] = free[best];
        free[best] = free.back();
        free.pop_back();
      }
      more = left.size() < waiting.size();
    }
  }

  std::size_t cheapest(Rank rank, const std::vector<std::uint32_t>& free,
                       const std::vector<std::uint32_t>& node, std::size_t stride) const {
    const auto others = problem_.graph.neighbours(rank);
    const auto weights = problem_.graph.weights(rank);
    std::size_t best = 0;
    std::uint64_t least = UINT64_MAX;
    for (std::size_t f = rank.value % std::min(stride, free.size()); f < free.size(); f += stride) {
      std::uint64_t cost = 0;
      for (std::size_t i = 0; i < others.size(); ++i) {
        const std::uint32_t there = node[others[i].value];
        if (there != nowhere) cost += weights[i] * network_.hops(free[f], there);
      }
      if (cost >= least) continue;
      least = cost;
      best = f;
    }
    return best;
  }

  const MapTask problem_;
  const GridNetwork& network_;
  const GridStructure& grid_;
  std::vector<int> room_;    // by dimension of the machine
  std::vector<int> length_;  // by dimension of the job
  std::vector<bool> is_allowed_;
  bool has_gaps_ = false;
  std::vector<int> places_;  // ranks x dimensions of the job
  std::vector<std::uint32_t> sample_;
  std::vector<std::pair<std::uint32_t, Pose>> kept_;  // by misses
  std::uint64_t tries_ = 0;
};

}  // namespace

std::optional<Mapping> lay_over(const MapTask& problem, const NetworkMachine& machine,
                                const GridStructure& grid) {
  const GridNetwork* const network = machine.network().as_grid();
  if (network == nullptr || machine.slots_per_node() > 1 || problem.options.capacity > 1 ||
      network->extents().size() > most_axes || grid.extents.size() > network->extents().size()) {
    return std::nullopt;
  }
  return Overlay(problem, machine, grid).best();
}

}  // namespace kith::tiling
