#include <algorithm>

#include "graph/structure/grid_check.hpp"
#include "graph/structure/natural_order.hpp"
#include "kith/structure.hpp"

namespace kith {
namespace {

/// Of two answers the one that explains more; the earlier where both explain as much.
void keep_better(std::optional<GridStructure>& best, std::optional<GridStructure> other) {
  if (!other || (best && other->explained <= best->explained)) return;
  best = std::move(other);
}

std::optional<GridStructure> in_natural_order(const TrafficGraph& graph) {
  auto chains = natural_extents(graph);
  std::ranges::stable_sort(chains, {}, [](const auto& extents) { return extents.size(); });
  std::optional<GridStructure> best;
  for (const auto& extents : chains) {
    keep_better(best, check_grid(graph, natural_candidate(extents)));
  }
  return best;
}

std::string periodic_text(const std::vector<bool>& periodic) {
  const auto count = std::ranges::count(periodic, true);
  if (count == 0) return "non-periodic";
  if (count == static_cast<std::ptrdiff_t>(periodic.size())) return "periodic";
  std::string text;
  for (std::size_t d = 0; d < periodic.size(); ++d) {
    if (!periodic[d]) continue;
    if (!text.empty()) text += ", ";
    text += std::to_string(d + 1);
  }
  return (count == 1 ? "periodic in dimension " : "periodic in dimensions ") + text;
}

}  // namespace

std::string GridStructure::description() const {
  std::string text = std::to_string(extents.size()) + "D " + stencil + " stencil ";
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (d > 0) text += 'x';
    text += std::to_string(extents[d]);
  }
  return text + ", " + periodic_text(periodic);
}

std::optional<GridStructure> find_grid_structure(const TrafficGraph& graph) {
  if (graph.ranks() < 3 || graph.edges() == 0) return std::nullopt;
  return in_natural_order(graph);
}

}  // namespace kith
