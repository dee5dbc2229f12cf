#include <algorithm>
#include <limits>

#include "mapping/budget.hpp"
#include "mapping/refine/bottleneck/loads.hpp"
#include "objective/wide.hpp"

namespace kith::bottleneck {
namespace {

/// An item is a place in the graph's rows: the pair's, in the row of its lower rank.
class PairCosts final : public Loads {
 public:
  PairCosts(const MapTask& problem, const Mapping& mapping)
      : graph_(problem.graph), machine_(problem.machine), mapping_(mapping) {
    for (Rank r(0); r.value < graph_.ranks(); ++r) {
      for (std::size_t i = 0; i < graph_.degree(r); ++i) row_of_.push_back(r);
    }
  }

  void changes(const BottleneckStep& step, std::vector<Change>& out) override {
    out.clear();
    add_changes(step.rank, step.to, step.partner, out);
    if (step.partner) add_changes(*step.partner, mapping_[step.rank], step.rank, out);
  }

  void apply(const BottleneckStep&) override {}  // costs are computed when asked for

  std::uint64_t load(std::uint64_t item) const override {
    const Rank r = row_of_[item];
    const Rank other = graph_.all_neighbours()[item];
    return cost(graph_.all_weights()[item], mapping_[r], mapping_[other]);
  }

  std::uint64_t largest() const override {
    std::uint64_t most = 0;
    for_each_pair([&](std::uint64_t item) { most = std::max(most, load(item)); });
    return most;
  }

  std::vector<Bottleneck> largest_loads(std::size_t most) const override {
    std::vector<Bottleneck> all;
    for_each_pair([&](std::uint64_t item) {
      if (const std::uint64_t cost = load(item)) all.push_back({item, cost});
    });
    const auto larger = [](const Bottleneck& a, const Bottleneck& b) {
      return a.load != b.load ? a.load > b.load : a.item < b.item;
    };
    const std::size_t count = std::min(most, all.size());
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count), larger);
    all.resize(count);
    return all;
  }

  std::vector<Bottleneck> bottlenecks(std::size_t most) override {
    std::vector<Bottleneck> all = largest_loads(most);
    for (Bottleneck& one : all) {
      one.shares = {
          {row_of_[one.item], graph_.all_neighbours()[one.item], graph_.all_weights()[one.item]}};
    }
    return all;
  }

  bool is_fixed(std::uint64_t) const override { return false; }

 private:
  template <class Visit>
  void for_each_pair(Visit&& visit) const {
    for (std::uint64_t item = 0; item < row_of_.size(); ++item) {
      if (row_of_[item] < graph_.all_neighbours()[item]) visit(item);
    }
  }

  std::uint64_t cost(Weight weight, Slot a, Slot b) const {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::min<Wide>(Wide{weight} * machine_.cost(a, b), most));
  }

  std::uint64_t item_of(Rank a, Rank b) const {
    const Rank low = std::min(a, b);
    const auto row = graph_.neighbours(low);
    const auto place = std::ranges::lower_bound(row, std::max(a, b)) - row.begin();
    return graph_.offsets()[low.value] + static_cast<std::uint64_t>(place);
  }

  void add_changes(Rank r, Slot to, std::optional<Rank> unchanged, std::vector<Change>& out) const {
    const auto neighbours = graph_.neighbours(r);
    const auto weights = graph_.weights(r);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (neighbours[i] == unchanged) continue;
      const Slot there = mapping_[neighbours[i]];
      const std::uint64_t before = cost(weights[i], mapping_[r], there);
      const std::uint64_t after = cost(weights[i], to, there);
      if (before != after) out.push_back({item_of(r, neighbours[i]), before, after});
    }
  }

  const TrafficGraph& graph_;
  const Machine& machine_;
  const Mapping& mapping_;
  std::vector<Rank> row_of_;  // of each place in the graph's rows
};

}  // namespace

std::unique_ptr<Loads> pair_costs(const MapTask& problem, const Mapping& mapping) {
  return std::make_unique<PairCosts>(problem, mapping);
}

}  // namespace kith::bottleneck
