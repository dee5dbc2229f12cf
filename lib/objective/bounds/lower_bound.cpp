#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "kith/detail/lower_bound.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/traffic.hpp"
#include "objective/bounds/grid_bounds.hpp"
#include "objective/network_time.hpp"
#include "objective/wide.hpp"

namespace kith::bounds {
namespace {

// How much of the traffic ranks can keep where each can have so many partners near.

/// Bounds for any graph. Memory: 8 bytes per edge and end.
class Partners {
 public:
  /// The graph must outlive this. O(edges log degree).
  explicit Partners(const TrafficGraph& graph);

  /// Partners of any rank.
  std::uint64_t most() const { return most_; }

  /// At most this weight is between ranks that are together. By each rank's heaviest partners: a
  /// fractional matching in which each rank has so many, bounded by its dual, which rank after
  /// rank improves. O(edges).
  Wide kept_by_partners(const Shell& shell) const;

  /// The same by the number of pairs that fit into objects (shells with groups). O(edges).
  Wide kept_by_pairs(const Shell& shell) const;

 private:
  Wide dual(std::uint64_t partners) const;
  Wide by_unequal_groups(const Shell& shell) const;

  const TrafficGraph& graph_;
  std::vector<Weight> heaviest_first_;  ///< of each rank, as the graph's offsets index them
  std::uint64_t most_ = 0;              ///< partners of a rank
  bool all_alike_ = true;               ///< the weights of each rank
  Wide twice_total_ = 0;                ///< all weights, each pair at both ends
};

constexpr unsigned sweeps = 3;
constexpr std::uint64_t most_pair_ends_to_sweep = 4'000'000;
constexpr std::size_t most_group_sizes = 8;

Partners::Partners(const TrafficGraph& graph)
    : graph_(graph), heaviest_first_(graph.all_weights().begin(), graph.all_weights().end()) {
  for (Rank r(0); r.value < graph.ranks(); ++r) {
    const auto own = std::span(heaviest_first_).subspan(graph.offsets()[r.value], graph.degree(r));
    std::ranges::sort(own, std::greater{});
    most_ = std::max<std::uint64_t>(most_, own.size());
    if (!own.empty() && own.front() != own.back()) all_alike_ = false;
    for (const Weight weight : own) twice_total_ += weight;
  }
}

/// Twice the dual: least sum over ranks of partners x price + over pairs of what their weight,
/// twice, exceeds both prices by, in any prices. A rank's best price, given those of the others, is
/// the heaviest that its next partner would still bring.
Wide Partners::dual(std::uint64_t partners) const {
  if (partners >= most_) return twice_total_ / 2;
  const std::uint32_t ranks = graph_.ranks();
  std::vector<Wide> price(ranks);
  for (Rank r(0); r.value < ranks; ++r) {
    if (graph_.degree(r) > partners)
      price[r.value] = heaviest_first_[graph_.offsets()[r.value] + partners];
  }
  const bool worthwhile =
      !all_alike_ && graph_.all_weights().size() <= most_pair_ends_to_sweep && partners > 0;
  std::vector<Wide> brought;
  for (unsigned sweep = 0; worthwhile && sweep < sweeps; ++sweep) {
    for (Rank r(0); r.value < ranks; ++r) {
      if (graph_.degree(r) <= partners) continue;
      brought.clear();
      for (std::size_t i = 0; i < graph_.degree(r); ++i) {
        const Wide twice = Wide{graph_.weights(r)[i]} * 2;
        const Wide other = price[graph_.neighbours(r)[i].value];
        brought.push_back(twice > other ? twice - other : 0);
      }
      const auto next = brought.begin() + static_cast<std::ptrdiff_t>(partners);
      std::ranges::nth_element(brought, next, std::greater{});
      price[r.value] = *next;
    }
  }
  Wide twice_kept = 0;
  for (Rank r(0); r.value < ranks; ++r) {
    twice_kept += price[r.value] * partners;
    for (std::size_t i = 0; i < graph_.degree(r); ++i) {
      const Rank other = graph_.neighbours(r)[i];
      if (other < r) continue;
      const Wide twice = Wide{graph_.weights(r)[i]} * 2;
      const Wide both = price[r.value] + price[other.value];
      if (twice > both) twice_kept += twice - both;
    }
  }
  return twice_kept / 2;
}

/// Few ranks have a place on the large objects: those who gain most from it.
Wide Partners::by_unequal_groups(const Shell& shell) const {
  const std::uint32_t ranks = graph_.ranks();
  const auto heaviest = [&](std::uint32_t rank, std::uint64_t from, std::uint64_t to) {
    const auto own =
        std::span(heaviest_first_).subspan(graph_.offsets()[rank], graph_.degree(Rank(rank)));
    const std::size_t begin = std::min<std::uint64_t>(from, own.size());
    const std::size_t end = std::min<std::uint64_t>(to, own.size());
    return std::accumulate(own.begin() + static_cast<std::ptrdiff_t>(begin),
                           own.begin() + static_cast<std::ptrdiff_t>(end), Wide{0});
  };
  Wide twice_kept = 0;
  std::uint64_t room = 0;
  std::vector<Wide> gains(ranks);
  for (std::size_t g = 0; g < shell.groups.size(); ++g) {
    room += shell.groups[g].places * shell.groups[g].objects;
    const bool is_last = g + 1 == shell.groups.size() || room >= ranks;
    const std::uint64_t fewer = is_last ? 0 : shell.groups[g + 1].places - 1;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      gains[r] = heaviest(r, fewer, shell.groups[g].places - 1);
    }
    const auto here = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(room, ranks));
    if (!is_last) std::ranges::nth_element(gains, gains.begin() + here, std::greater{});
    twice_kept +=
        std::accumulate(gains.begin(), is_last ? gains.end() : gains.begin() + here, Wide{0});
    if (is_last) break;
  }
  return twice_kept / 2;
}

Wide Partners::kept_by_partners(const Shell& shell) const {
  const Wide kept = dual(shell.partners);
  const bool unequal = shell.groups.size() > 1 && shell.groups.size() <= most_group_sizes;
  return unequal ? std::min(kept, by_unequal_groups(shell)) : kept;
}

Wide Partners::kept_by_pairs(const Shell& shell) const {
  std::uint64_t left = graph_.ranks();
  Wide pairs = 0;
  for (const Groups& group : shell.groups) {
    const std::uint64_t objects = std::min(group.objects, left / group.places);
    pairs += Wide{objects} * group.places * (group.places - 1) / 2;
    left -= objects * group.places;
    if (objects == group.objects) continue;
    pairs += Wide{left} * (left - (left > 0 ? 1 : 0)) / 2;
    break;
  }
  const Wide ends = std::min<Wide>(2 * pairs, heaviest_first_.size());
  // Each pair stands at both ends, so the heaviest 2 x pairs ends are the heaviest pairs.
  std::vector<Weight> weights = heaviest_first_;
  const auto end = weights.begin() + static_cast<std::ptrdiff_t>(ends);
  if (end != weights.end()) std::ranges::nth_element(weights, end, std::greater{});
  return std::accumulate(weights.begin(), end, Wide{0}) / 2;
}

}  // namespace
}  // namespace kith::bounds

namespace kith {
namespace {

using bounds::Shell;

enum Reason : std::size_t { by_partners, by_pairs, by_surface, reasons };

/// The traffic that cannot stay together in a shell, and who says so.
struct Cut {
  std::uint64_t distance = 0;
  Wide weight = 0;
  Reason reason = by_partners;
};

class Bounds {
 public:
  Bounds(const TrafficGraph& graph, std::optional<bounds::GridPattern> pattern)
      : graph_(graph),
        total_(total_weight(graph)),
        partners_(graph),
        pattern_(std::move(pattern)) {}

  Cut cut(const Shell& shell) const {
    if (graph_.ranks() > 0 && shell.partners >= graph_.ranks() - 1) return {shell.distance, 0};
    if (shell.groups.empty() && shell.partners >= partners_.most()) return {shell.distance, 0};
    Cut cut{shell.distance, total_ - partners_.kept_by_partners(shell), by_partners};
    if (shell.groups.empty()) return cut;
    raise(cut, total_ - partners_.kept_by_pairs(shell), by_pairs);
    if (pattern_) raise(cut, pattern_->cut(shell), by_surface);
    return cut;
  }

 private:
  static void raise(Cut& cut, Wide weight, Reason reason) {
    if (weight <= cut.weight) return;
    cut.weight = weight;
    cut.reason = reason;
  }

  const TrafficGraph& graph_;
  Wide total_;
  bounds::Partners partners_;
  std::optional<bounds::GridPattern> pattern_;
};

std::string reason_text(Reason reason, const std::optional<GridStructure>& structure) {
  switch (reason) {
    case by_pairs:
      return "only so many of the heaviest pairs fit together";
    case by_surface:
      return "isoperimetric, " + structure->description();
    case by_partners:
    case reasons:
      break;
  }
  return "each rank's heaviest partners as near as they fit";
}

/// What is known of the traffic in a machine's shells.
struct KnownBounds {
  std::vector<Shell> shells;
  std::optional<GridStructure> structure;
  std::optional<Bounds> bounds;  ///< nothing where there is no shell
};

bool has_rooms(const std::vector<Shell>& shells) {
  return std::ranges::any_of(
      shells, [](const Shell& s) { return !s.groups.empty() && s.groups.front().places > 1; });
}

KnownBounds bounds_of(const TrafficGraph& graph, const Machine& machine, Objective objective,
                      std::uint32_t capacity, const std::optional<GridStructure>* structure) {
  KnownBounds known;
  known.shells = bounds::shells_of(machine, objective, capacity, graph.ranks());
  if (known.shells.empty()) return known;
  if (structure != nullptr) {
    known.structure = *structure;
  } else if (has_rooms(known.shells)) {
    known.structure = find_grid_structure(graph);
  }
  known.bounds.emplace(
      graph, known.structure ? bounds::GridPattern::from(graph, *known.structure) : std::nullopt);
  return known;
}

}  // namespace

std::optional<LowerBound> network_time_lower_bound(const TrafficGraph& wire, const Machine& machine,
                                                   std::uint32_t capacity,
                                                   const std::optional<GridStructure>* structure) {
  const TreeMachine* tree = machine.as_tree();
  if (tree == nullptr) return std::nullopt;
  const KnownBounds known = bounds_of(wire, machine, Objective::hop_bytes, capacity, structure);
  if (!known.bounds) return std::nullopt;
  const LinkTimes times(machine);
  Wide most = 0;
  Reason reason = by_partners;
  for (unsigned level = 1; level <= tree->node_level(); ++level) {
    const std::uint64_t hops = tree->level_hops()[level - 1];
    const auto shell = std::ranges::find(known.shells, hops, &Shell::distance);
    if (shell == known.shells.end()) continue;
    // Objects without an allowed slot send nothing.
    std::uint64_t objects = 0;
    for (const auto& group : shell->groups) objects += group.objects;
    if (objects == 0) continue;
    const Cut cut = known.bounds->cut(*shell);
    const Wide time =
        LinkTimes::picoseconds((cut.weight + objects - 1) / objects, times.above(level));
    if (time <= most) continue;
    most = time;
    reason = cut.reason;
  }
  return LowerBound{{static_cast<std::uint64_t>(std::min<Wide>(most, std::numeric_limits<std::uint64_t>::max())),
                       picoseconds_per_second},
                    reason_text(reason, known.structure)};
}

std::optional<LowerBound> objective_lower_bound(const TrafficGraph& graph, const Machine& machine,
                                                Objective objective, std::uint32_t capacity,
                                                const std::optional<GridStructure>* structure) {
  const KnownBounds known = bounds_of(graph, machine, objective, capacity, structure);
  if (!known.bounds) return std::nullopt;
  std::vector<Cut> cuts;
  for (const Shell& shell : known.shells) cuts.push_back(known.bounds->cut(shell));
  // From the farthest in: what is that far, is nearer distances apart, too.
  std::ranges::stable_sort(cuts, std::ranges::greater{}, &Cut::distance);
  Wide sum = 0;
  std::array<Wide, reasons> parts{};
  Cut most;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    if (cuts[i].weight > most.weight) most = cuts[i];
    const std::uint64_t next = i + 1 < cuts.size() ? cuts[i + 1].distance : 0;
    const Wide part = most.weight * (cuts[i].distance - next);
    sum += part;
    parts[most.reason] += part;
  }
  const auto main = static_cast<Reason>(std::ranges::max_element(parts) - parts.begin());
  const std::uint64_t scale = objective == Objective::hop_bytes ? 1 : machine.cost_scale();
  return LowerBound{{narrowed(sum, "lower bound"), scale}, reason_text(main, known.structure)};
}

}  // namespace kith
