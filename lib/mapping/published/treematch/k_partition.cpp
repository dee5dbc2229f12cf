#include "mapping/published/treematch/treematch.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <optional>

#include "mapping/published/scotch/library.hpp"
#include "objective/wide.hpp"

namespace kith::treematch {

std::vector<ElementGraph> split(const ElementGraph& graph, std::span<const std::uint32_t> part_of,
                                const Groups& lists) {
  std::vector<std::uint32_t> place(graph.size());  // in its part's list
  std::vector<ElementGraph> graphs(lists.offsets.size() - 1);
  for (std::uint32_t part = 0; part < graphs.size(); ++part) {
    const auto members = lists.of(part);
    for (std::uint32_t i = 0; i < members.size(); ++i) place[members[i]] = i;
  }
  for (std::uint32_t part = 0; part < graphs.size(); ++part) {
    ElementGraph& inner = graphs[part];
    for (const std::uint32_t element : lists.of(part)) {
      const auto neighbours = graph.neighbours_of(element);
      const auto weights = graph.weights_of(element);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (part_of[neighbours[i]] != part) continue;
        inner.neighbours.push_back(place[neighbours[i]]);
        inner.weights.push_back(weights[i]);
      }
      inner.offsets.push_back(inner.neighbours.size());
    }
  }
  return graphs;
}

Weight cut_of(const ElementGraph& graph, std::span<const std::uint32_t> part_of) {
  Weight cut = 0;
  for (std::uint32_t e = 0; e < graph.size(); ++e) {
    const auto neighbours = graph.neighbours_of(e);
    const auto weights = graph.weights_of(e);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (neighbours[i] > e && part_of[neighbours[i]] != part_of[e]) cut += weights[i];
    }
  }
  return cut;
}

void number_by_lowest(std::vector<std::uint32_t>& part_of, std::uint32_t parts) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(parts, none);
  std::uint32_t next = 0;
  for (std::uint32_t& part : part_of) {
    if (number[part] == none) number[part] = next++;
    part = number[part];
  }
}

namespace {

/// Moves elements until each part has its size.
class Balancer {
 public:
  Balancer(const ElementGraph& graph, std::span<const std::uint32_t> sizes,
           std::vector<std::uint32_t> part_of)
      : graph_(graph),
        sizes_(sizes),
        part_of_(std::move(part_of)),
        members_(sizes.size()),
        connection_(sizes.size()) {
    for (std::uint32_t e = 0; e < part_of_.size(); ++e) members_[part_of_[e]].push_back(e);
  }

  std::vector<std::uint32_t> run() {
    for (std::uint32_t part = 0; part < sizes_.size(); ++part) {
      while (members_[part].size() > sizes_[part]) move_one_away(part);
    }
    return std::move(part_of_);
  }

 private:
  struct Move {
    std::uint32_t element;
    std::uint32_t to;
    SignedWide gain;
  };

  bool has_room(std::uint32_t part) const { return members_[part].size() < sizes_[part]; }

  void move_one_away(std::uint32_t from) {
    while (!has_room(lowest_with_room_)) ++lowest_with_room_;
    std::optional<Move> best;
    for (const std::uint32_t element : members_[from]) {
      const Move move = best_move(element);
      if (!best || move.gain > best->gain ||
          (move.gain == best->gain && move.element < best->element)) {
        best = move;
      }
    }
    std::erase(members_[from], best->element);
    members_[best->to].push_back(best->element);
    part_of_[best->element] = best->to;
  }

  Move best_move(std::uint32_t element) {
    const auto neighbours = graph_.neighbours_of(element);
    const auto weights = graph_.weights_of(element);
    reached_.clear();
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t part = part_of_[neighbours[i]];
      if (connection_[part] == 0) reached_.push_back(part);
      connection_[part] += weights[i];
    }
    const SignedWide lost = connection_[part_of_[element]];
    Move best{element, lowest_with_room_, SignedWide{connection_[lowest_with_room_]} - lost};
    for (const std::uint32_t part : reached_) {
      const SignedWide gain = SignedWide{connection_[part]} - lost;
      if (!has_room(part) || gain < best.gain) continue;
      if (gain > best.gain || part < best.to) best = {element, part, gain};
    }
    for (const std::uint32_t part : reached_) connection_[part] = 0;
    return best;
  }

  const ElementGraph& graph_;
  std::span<const std::uint32_t> sizes_;
  std::vector<std::uint32_t> part_of_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<Weight> connection_;  // of one element; all 0 between calls of best_move()
  std::vector<std::uint32_t> reached_;
  std::uint32_t lowest_with_room_ = 0;
};

scotch::GraphArrays arrays_of(const ElementGraph& graph) {
  Wide twice_total = 0;
  for (const Weight w : graph.weights) twice_total += w;
  const unsigned shift = scotch::weight_shift(static_cast<Weight>(twice_total / 2));
  scotch::GraphArrays arrays;
  arrays.offsets.assign(graph.offsets.begin(), graph.offsets.end());
  arrays.neighbours.assign(graph.neighbours.begin(), graph.neighbours.end());
  arrays.weights.reserve(graph.weights.size());
  for (const Weight w : graph.weights) arrays.weights.push_back(scotch::shifted(w, shift));
  return arrays;
}

/// The greedy partitioners take that many steps without being felt.
bool greedy_is_affordable(const ElementGraph& graph, std::size_t parts) {
  constexpr std::uint64_t most_steps = 4'000'000;
  return graph.weights.size() * std::bit_width(parts) <= most_steps;
}

std::vector<std::uint32_t> parts_by_scotch(const ElementGraph& graph,
                                           std::span<const std::uint32_t> sizes,
                                           std::uint64_t seed) {
  const std::vector<scotch::Number> weights(sizes.begin(), sizes.end());
  scotch::Architecture parts;
  const auto count = static_cast<scotch::Number>(weights.size());
  const bool equal = std::ranges::adjacent_find(sizes, std::not_equal_to{}) == sizes.end();
  scotch::check(equal ? SCOTCH_archCmplt(parts.get(), count)
                      : SCOTCH_archCmpltw(parts.get(), count, weights.data()),
                "describing the parts");
  scotch::Strategy strategy;
  scotch::check(SCOTCH_stratGraphMap(strategy.get(), scotch::bipartition_strategy("0.01").c_str()),
                "reading the strategy");
  const auto placed = scotch::map_graph(arrays_of(graph), parts.get(), strategy.get(), seed);
  return {placed.begin(), placed.end()};
}

/// Scotch is done with it in a fraction of a second. There may be thousands of them: a process for
/// each would be felt.
bool is_small(const ElementGraph& graph) {
  constexpr std::uint32_t few_elements = 2048;
  constexpr std::size_t few_arcs = 100'000;
  return graph.size() <= few_elements && graph.weights.size() <= few_arcs;
}

/// Elements in order.
std::vector<std::uint32_t> filled_in_order(std::span<const std::uint32_t> sizes) {
  std::vector<std::uint32_t> part_of;
  for (std::uint32_t part = 0; part < sizes.size(); ++part) {
    part_of.insert(part_of.end(), sizes[part], part);
  }
  return part_of;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> scotch_partition(const ElementGraph& graph,
                                                           std::span<const std::uint32_t> sizes,
                                                           std::uint64_t seed, Budget* budget) {
  auto part_of = is_small(graph) ? std::optional(parts_by_scotch(graph, sizes, seed))
                                 : scotch::in_child(budget, [&](const scotch::Report& report) {
                                     report(parts_by_scotch(graph, sizes, seed));
                                   });
  if (!part_of) return std::nullopt;
  return Balancer(graph, sizes, std::move(*part_of)).run();
}

std::vector<std::uint32_t> k_partition(const ElementGraph& graph,
                                       std::span<const std::uint32_t> sizes,
                                       const PartitionOptions& options) {
  if (sizes.size() == 1) return std::vector<std::uint32_t>(graph.size(), 0);
  if (options.budget != nullptr && options.budget->is_out_of_time()) return filled_in_order(sizes);
  std::vector<std::vector<std::uint32_t>> solutions;
  if (options.partitioner != Partitioner::greedy) {
    auto solution = scotch_partition(graph, sizes, options.seed, options.budget);
    if (!solution) return filled_in_order(sizes);
    solutions.push_back(std::move(*solution));
  }
  if (options.partitioner == Partitioner::greedy ||
      (options.partitioner == Partitioner::best && greedy_is_affordable(graph, sizes.size()))) {
    solutions.push_back(growing_partition(graph, sizes));
    solutions.push_back(bisecting_partition(graph, sizes));
  }
  return std::move(*std::ranges::min_element(
      solutions, {}, [&](const auto& part_of) { return cut_of(graph, part_of); }));
}

}  // namespace kith::treematch
