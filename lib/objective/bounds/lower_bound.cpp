#include "kith/lower_bound.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "objective/bounds/grid_pattern.hpp"
#include "objective/bounds/partners.hpp"
#include "objective/bounds/shells.hpp"
#include "objective/wide.hpp"

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

bool has_rooms(const std::vector<Shell>& shells) {
  return std::ranges::any_of(
      shells, [](const Shell& s) { return !s.groups.empty() && s.groups.front().places > 1; });
}

}  // namespace

std::optional<LowerBound> objective_lower_bound(const TrafficGraph& graph, const Machine& machine,
                                                Objective objective, std::uint32_t capacity,
                                                const std::optional<GridStructure>* structure) {
  const auto shells = bounds::shells_of(machine, objective, capacity, graph.ranks());
  if (shells.empty()) return std::nullopt;
  std::optional<GridStructure> found;
  if (structure != nullptr) {
    found = *structure;
  } else if (has_rooms(shells)) {
    found = find_grid_structure(graph);
  }
  const Bounds bounds(graph, found ? bounds::GridPattern::from(graph, *found) : std::nullopt);
  std::vector<Cut> cuts;
  for (const Shell& shell : shells) cuts.push_back(bounds.cut(shell));
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
  return LowerBound{{narrowed(sum, "lower bound"), scale}, reason_text(main, found)};
}

}  // namespace kith
