#include "mapping/tiling/tilings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "mapping/budget.hpp"
#include "mapping/published/geom/geom.hpp"

namespace kith::tiling {
namespace {

using Extents = std::vector<std::uint32_t>;

/// Dimension `cut` in `strips` strips, joined along dimension `along`.
struct UnfoldingStep {
  std::size_t cut = 0;
  std::size_t along = 0;
  std::uint32_t strips = 1;
};

struct Unfolding {
  std::vector<UnfoldingStep> steps;
  Extents extents;
  double mismatch = 0;
};

/// Dimensions by length, the longest first.
std::vector<unsigned> by_length(const Extents& extents) {
  std::vector<unsigned> order(extents.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](unsigned d) { return extents[d]; });
  return order;
}

/// How far the proportions of two grids are apart, whatever their sizes.
double mismatch(const Extents& tasks, const Extents& nodes) {
  const auto task_order = by_length(tasks);
  const auto node_order = by_length(nodes);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::max(tasks.size(), nodes.size()); ++i) {
    const double task = i < tasks.size() ? tasks[task_order[i]] : 1;
    const double node = i < nodes.size() ? nodes[node_order[i]] : 1;
    if (task > 1 || node > 1) ratios.push_back(std::log(task / node));
  }
  const double mean = std::accumulate(ratios.begin(), ratios.end(), 0.0) /
                      static_cast<double>(std::max<std::size_t>(ratios.size(), 1));
  double sum = 0;
  for (const double ratio : ratios) sum += std::abs(ratio - mean);
  return sum;
}

class UnfoldingSearch {
 public:
  UnfoldingSearch(Extents nodes, Extents tasks) : tasks_(std::move(tasks)) {
    search({{}, std::move(nodes), 0});
    std::ranges::stable_sort(found_, {}, &Unfolding::mismatch);
  }
  std::vector<Unfolding> take(std::size_t most) {
    if (found_.size() > most) found_.resize(most);
    return std::move(found_);
  }

 private:
  void search(Unfolding unfolding) {
    constexpr std::size_t most_steps = 2;
    constexpr double each_step = 0.25;  // strips cost at their turns
    unfolding.mismatch = mismatch(tasks_, unfolding.extents) +
                         each_step * static_cast<double>(unfolding.steps.size());
    found_.push_back(unfolding);
    if (unfolding.steps.size() == most_steps) return;
    const Extents& extents = unfolding.extents;
    for (std::size_t cut = 0; cut < extents.size(); ++cut) {
      for (std::size_t along = 0; along < extents.size(); ++along) {
        if (along == cut || extents[along] == 1) continue;
        for (std::uint32_t strips = 2; strips <= extents[cut]; ++strips) {
          constexpr std::uint32_t many = 16;
          if (strips > many) strips = extents[cut];
          Unfolding next = unfolding;
          next.steps.push_back({cut, along, strips});
          next.extents[along] *= strips;
          next.extents[cut] = (extents[cut] + strips - 1) / strips;
          search(std::move(next));
        }
      }
    }
  }

  Extents tasks_;
  std::vector<Unfolding> found_;
};

/// Where a node lies in the unfolded grid.
Extents unfolded(const Unfolding& unfolding, Extents extents, Extents at) {
  for (const auto& step : unfolding.steps) {
    const std::size_t cut = step.cut;
    const std::size_t along = step.along;
    const std::uint32_t strips = step.strips;
    const auto first_of = [&](std::uint64_t strip) {
      return static_cast<std::uint32_t>((strip * extents[cut] + strips - 1) / strips);
    };
    const auto strip = static_cast<std::uint32_t>(std::uint64_t{at[cut]} * strips / extents[cut]);
    at[cut] -= first_of(strip);
    if (strip % 2 == 1) at[along] = extents[along] - 1 - at[along];
    at[along] += strip * extents[along];
    extents[along] *= strips;
    extents[cut] = (extents[cut] + strips - 1) / strips;
  }
  return at;
}

class UnfoldedMapping {
 public:
  UnfoldedMapping(const MapTask& problem, const NetworkMachine& machine, const TaskGrid& grid)
      : problem_(problem), machine_(machine), network_(*machine.network().as_grid()) {
    tasks_.axes.resize(grid.dimensions);
    for (unsigned d = 0; d < grid.dimensions; ++d) {
      extents_.push_back(grid.extents[d]);
      for (const Place& place : grid.place_of) tasks_.axes[d].push_back(place[d]);
    }
  }

  std::vector<Unfolding> likely(std::size_t most) const {
    const auto nodes = network_.extents();
    return UnfoldingSearch({nodes.begin(), nodes.end()}, extents_).take(most);
  }

  Mapping map(const Unfolding& unfolding) const {
    const auto task_order = by_length(extents_);
    const auto node_order = by_length(unfolding.extents);
    AxisMatch match(extents_.size());
    std::vector<double> shape(unfolding.extents.size(), 1);
    for (std::size_t i = 0; i < std::min(task_order.size(), node_order.size()); ++i) {
      match[task_order[i]] = node_order[i];
      shape[node_order[i]] = extents_[task_order[i]];
    }
    const auto slots = corner(unfolding, shape);
    PointSet places;
    places.axes.resize(unfolding.extents.size());
    for (const Item& item : slots) {
      for (std::size_t d = 0; d < places.axes.size(); ++d) places.axes[d].push_back(item.at[d]);
    }
    Mapping mapping;
    for (const std::uint32_t place : bisect_together(tasks_, places, match)) {
      mapping.slot_of.push_back(slots[place].slot);
    }
    return mapping;
  }

 private:
  struct Item {
    Slot slot;
    Extents at;
    double outside = 0;  ///< how large a box of the job's shape must be to hold it
  };

  /// As many places as ranks, those in the smallest box of that shape.
  std::vector<Item> corner(const Unfolding& unfolding, const std::vector<double>& shape) const {
    const Extents extents(network_.extents().begin(), network_.extents().end());
    std::vector<Item> items;
    for (const Slot slot : machine_.allowed().to_vector()) {
      const auto node = static_cast<std::uint32_t>(machine_.node_of(slot));
      Item item{slot, unfolded(unfolding, extents, network_.coordinates(node)), 0};
      for (std::size_t d = 0; d < shape.size(); ++d) {
        item.outside = std::max(item.outside, (item.at[d] + 1) / shape[d]);
      }
      items.insert(items.end(), problem_.options.capacity, item);
    }
    std::ranges::stable_sort(items, {}, &Item::outside);
    items.resize(problem_.graph.ranks());
    // A cut takes the first of equal places: they should lie together.
    std::ranges::stable_sort(items, {}, &Item::at);
    return items;
  }

  const MapTask problem_;
  const NetworkMachine& machine_;
  const GridNetwork& network_;
  PointSet tasks_;
  Extents extents_;
};

}  // namespace

std::optional<Mapping> map_unfolded(const MapTask& problem, const NetworkMachine& machine,
                                    const TaskGrid& grid) {
  constexpr std::size_t most_tries = 8;
  constexpr std::uint64_t most_places = 16;  // per rank
  const GridNetwork* const network = machine.network().as_grid();
  if (network == nullptr || network->extents().size() > most_dimensions ||
      machine.allowed().size() > most_places * problem.graph.ranks() / problem.options.capacity) {
    return std::nullopt;
  }
  const UnfoldedMapping mapper(problem, machine, grid);
  std::optional<Mapping> best;
  std::uint64_t least = 0;
  for (const Unfolding& unfolding : mapper.likely(most_tries)) {
    if (best && problem.budget != nullptr && problem.budget->exhausted()) break;
    Mapping mapping = mapper.map(unfolding);
    const std::uint64_t value =
        evaluate_objective(problem.graph, problem.machine, mapping, problem.options.objective);
    if (best && value >= least) continue;
    least = value;
    best = std::move(mapping);
  }
  return best;
}

}  // namespace kith::tiling
