#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/refine/bottleneck/grid_routes.hpp"
#include "mapping/refine/bottleneck/loads.hpp"
#include "mapping/refine/bottleneck/routes.hpp"
#include "objective/wide.hpp"

namespace kith::bottleneck {
namespace {

/// Sums by link, modulo 2^64; links are kept in the order of their first use. A place for each link
/// where these are not too many, else open addressing.
class LinkTable {
 public:
  struct Entry {
    std::uint64_t link;
    std::uint64_t sum;
  };

  explicit LinkTable(const LinkObjects& objects) {
    std::uint64_t links = 0;
    for (const std::uint64_t count : objects) {
      begin_.push_back(links);
      links += 2 * count;
    }
    has_all_ = links <= most_places;
    places_.assign(has_all_ ? links : 16, none);
  }

  std::uint64_t& operator[](std::uint64_t link) {
    std::size_t at = find(link);
    if (places_[at] == none) {
      if (!has_all_ && 2 * (entries_.size() + 1) > places_.size()) {
        grow();
        at = find(link);
      }
      take(at);
      entries_.push_back({link, 0});
    }
    return entries_[places_[at]].sum;
  }

  std::uint64_t at(std::uint64_t link) const {
    const std::uint32_t place = places_[find(link)];
    return place == none ? 0 : entries_[place].sum;
  }

  const std::vector<Entry>& entries() const { return entries_; }

  /// O(entries).
  void clear() {
    for (const std::size_t place : used_) places_[place] = none;
    used_.clear();
    entries_.clear();
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::uint64_t most_places = std::uint64_t{1} << 20;

  std::size_t start(std::uint64_t link) const {
    return static_cast<std::size_t>(link * 0x9e3779b97f4a7c15U >> 20) & (places_.size() - 1);
  }

  std::size_t find(std::uint64_t link) const {
    if (has_all_) return begin_[kind_of_link(link)] + number_in_kind(link);
    std::size_t at = start(link);
    while (places_[at] != none && entries_[places_[at]].link != link) {
      at = (at + 1) & (places_.size() - 1);
    }
    return at;
  }

  /// For the entry that comes next.
  void take(std::size_t place) {
    places_[place] = static_cast<std::uint32_t>(used_.size());
    used_.push_back(place);
  }

  void grow() {
    places_.assign(2 * places_.size(), none);
    used_.clear();
    for (const Entry& entry : entries_) take(find(entry.link));
  }

  bool has_all_ = false;               // a place for each link
  std::vector<std::uint64_t> begin_;   // by kind: its first place
  std::vector<std::uint32_t> places_;  // of entries; size a power of two where links share them
  std::vector<std::size_t> used_;      // by entry: its place
  std::vector<Entry> entries_;
};

/// An item is a link's number.
template <class Routes>
class LinkLoads final : public Loads {
 public:
  /// `shift`: bits that scaled loads lose.
  LinkLoads(const MapTask& problem, const TrafficMatrix& matrix, const Mapping& mapping,
            Routes routes, unsigned shift)
      : own_graph_(&matrix == problem.matrix ? TrafficGraph() : TrafficGraph::from(matrix)),
        graph_(&matrix == problem.matrix ? problem.graph : own_graph_),
        mapping_(mapping),
        routes_(std::move(routes)),
        shift_(shift),
        one_per_slot_(problem.options.capacity == 1),
        bytes_(routes_.objects()),
        delta_(routes_.objects()) {
    find_directions(matrix);
    for_each_message([&](Rank from, Rank to, Weight weight) {
      routes_.for_each_link(mapping_[from], mapping_[to],
                            [&](std::uint64_t link) { bytes_[link] += weight; });
    });
  }

  void changes(const BottleneckStep& step, std::vector<Change>& out) override {
    find_delta(step);
    out.clear();
    for (const auto& [link, sum] : delta_.entries()) {
      if (sum == 0) continue;
      const std::uint64_t bytes = bytes_.at(link);
      out.push_back({link, scaled(link, bytes), scaled(link, bytes + sum)});
    }
  }

  void apply(const BottleneckStep& step) override {
    find_delta(step);
    for (const auto& [link, sum] : delta_.entries()) {
      if (sum != 0) bytes_[link] += sum;
    }
  }

  std::uint64_t load(std::uint64_t item) const override { return scaled(item, bytes_.at(item)); }

  std::uint64_t largest() const override {
    std::uint64_t most = 0;
    for (const auto& [link, bytes] : bytes_.entries()) most = std::max(most, scaled(link, bytes));
    return most;
  }

  std::vector<Bottleneck> largest_loads(std::size_t most) const override {
    std::vector<Bottleneck> all;
    for (const auto& [link, bytes] : bytes_.entries()) {
      if (bytes > 0) all.push_back({link, scaled(link, bytes)});
    }
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
    delta_.clear();
    for (std::size_t i = 0; i < all.size(); ++i) delta_[all[i].item] = i + 1;
    for_each_message([&](Rank from, Rank to, Weight weight) {
      routes_.for_each_link(mapping_[from], mapping_[to], [&](std::uint64_t link) {
        const std::uint64_t place = delta_.at(link);
        if (place > 0) all[place - 1].shares.push_back({from, to, weight});
      });
    });
    sort_shares(all);
    return all;
  }

  /// A rank alone on its slot sends and receives the same through its slot's link wherever it is.
  bool is_fixed(std::uint64_t item) const override {
    return one_per_slot_ && routes_.is_slot_link(item);
  }

 private:
  /// What the two ranks of each place in the graph's rows send each other.
  void find_directions(const TrafficMatrix& matrix) {
    sent_.reserve(graph_.all_neighbours().size());
    received_.reserve(graph_.all_neighbours().size());
    for (Rank r(0); r.value < graph_.ranks(); ++r) {
      const auto destinations = matrix.destinations(r);
      const auto weights = matrix.weights(r);
      std::size_t i = 0;
      const auto both = graph_.weights(r);
      const auto neighbours = graph_.neighbours(r);
      for (std::size_t k = 0; k < neighbours.size(); ++k) {
        while (i < destinations.size() && destinations[i] < neighbours[k]) ++i;
        const bool sends = i < destinations.size() && destinations[i] == neighbours[k];
        sent_.push_back(sends ? weights[i] : 0);
        received_.push_back(both[k] - sent_.back());
      }
    }
  }

  template <class Visit>
  void for_each_message(Visit&& visit) const {
    for (Rank r(0); r.value < graph_.ranks(); ++r) {
      const auto neighbours = graph_.neighbours(r);
      const Weight* sent = sent_.data() + graph_.offsets()[r.value];
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (sent[i] > 0) visit(r, neighbours[i], sent[i]);
      }
    }
  }

  void find_delta(const BottleneckStep& step) {
    delta_.clear();
    const Slot back = mapping_[step.rank];
    add_changes(step.rank, step.to, step.partner);
    if (!step.partner) return;
    add_changes(*step.partner, back, step.rank);
    add_between(step.rank, *step.partner, back, mapping_[*step.partner], step.to, back);
  }

  void add(Slot from, Slot to, std::uint64_t weight) {
    if (weight == 0) return;
    routes_.for_each_link(from, to, [&](std::uint64_t link) { delta_[link] += weight; });
  }

  /// Of rank r's messages but those with `other`.
  void add_changes(Rank r, Slot to, std::optional<Rank> other) {
    const Slot from = mapping_[r];
    const auto neighbours = graph_.neighbours(r);
    const std::uint64_t row = graph_.offsets()[r.value];
    const auto partners = [&](auto&& visit) {
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (neighbours[i] == other) continue;
        visit(mapping_[neighbours[i]], sent_[row + i], received_[row + i]);
      }
    };
    const auto change = [&](std::uint64_t link, std::uint64_t more) {
      if (more != 0) delta_[link] += more;
    };
    routes_.for_each_difference(from, to, partners, change);
  }

  void add_between(Rank a, Rank b, Slot a_from, Slot b_from, Slot a_to, Slot b_to) {
    const auto neighbours = graph_.neighbours(a);
    const auto found = std::ranges::lower_bound(neighbours, b);
    if (found == neighbours.end() || *found != b) return;
    const std::uint64_t place =
        graph_.offsets()[a.value] + static_cast<std::uint64_t>(found - neighbours.begin());
    add(a_from, b_from, -sent_[place]);
    add(b_from, a_from, -received_[place]);
    add(a_to, b_to, sent_[place]);
    add(b_to, a_to, received_[place]);
  }

  std::uint64_t scaled(std::uint64_t link, std::uint64_t bytes) const {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(
        std::min<Wide>(Wide{bytes} * routes_.scale(link) >> shift_, most));
  }

  const TrafficGraph own_graph_;  // of a matrix that is not the problem's
  const TrafficGraph& graph_;
  const Mapping& mapping_;
  Routes routes_;
  const unsigned shift_;
  const bool one_per_slot_;
  std::vector<Weight> sent_;      // as graph_.all_neighbours()
  std::vector<Weight> received_;  // the same
  LinkTable bytes_;
  LinkTable delta_;  // of one step; or any numbers, meanwhile
};

}  // namespace

std::unique_ptr<Loads> link_loads(const MapTask& problem, const TrafficMatrix& matrix,
                                  const Mapping& mapping) {
  if (const TreeMachine* tree = problem.machine.as_tree()) {
    return std::make_unique<LinkLoads<TreeRoutes>>(problem, matrix, mapping,
                                                   TreeRoutes(*tree, width_scales(*tree)), 0);
  }
  check_goal({{{Criterion::link_load}}}, problem.machine);
  return std::make_unique<LinkLoads<GridRoutes>>(problem, matrix, mapping,
                                                 GridRoutes(*problem.machine.as_network(), {}), 0);
}

std::unique_ptr<Loads> link_times(const MapTask& problem, const TrafficMatrix& wire,
                                  const Mapping& mapping) {
  constexpr unsigned shift = LinkTimes::fraction_bits;
  const Machine& machine = problem.machine;
  if (const TreeMachine* tree = machine.as_tree()) {
    return std::make_unique<LinkLoads<TreeRoutes>>(
        problem, wire, mapping, TreeRoutes(*tree, time_scales(machine, 0)), shift);
  }
  const NetworkMachine* network = machine.as_network();
  if (network != nullptr && network->network().as_grid() != nullptr) {
    const std::size_t dimensions = network->network().as_grid()->extents().size();
    return std::make_unique<LinkLoads<GridRoutes>>(
        problem, wire, mapping, GridRoutes(*network, time_scales(machine, dimensions)), shift);
  }
  return std::make_unique<LinkLoads<NodeRoutes>>(problem, wire, mapping, NodeRoutes(machine),
                                                 shift);
}

void sort_shares(std::vector<Bottleneck>& bottlenecks) {
  constexpr std::size_t most_shares = 256;
  const auto heavier = [](const Bottleneck::Share& a, const Bottleneck::Share& b) {
    return a.weight != b.weight ? a.weight > b.weight
                                : std::pair(a.from, a.to) < std::pair(b.from, b.to);
  };
  for (Bottleneck& bottleneck : bottlenecks) {
    const std::size_t count = std::min(most_shares, bottleneck.shares.size());
    std::ranges::partial_sort(
        bottleneck.shares, bottleneck.shares.begin() + static_cast<std::ptrdiff_t>(count), heavier);
    bottleneck.shares.resize(count);
  }
}

}  // namespace kith::bottleneck
