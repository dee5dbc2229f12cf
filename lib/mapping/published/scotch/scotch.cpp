#include "mapping/published/scotch/scotch.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "core/line_reader.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/constraints.hpp"
#include "mapping/element_graph.hpp"
#include "mapping/node_sets.hpp"
#include "mapping/published/scotch/library.hpp"
#include "mapping/registry.hpp"

namespace kith {

// Scotch's recursive bipartitioning of traffic and machine: Pellegrini, Roman: "Scotch: A Software
// Package for Static Mapping by Dual Recursive Bipartitioning", HPCN 1996; by the library.

namespace {

class ScotchMapper final : public Mapper {
 public:
  std::string_view name() const override { return "scotch"; }
  std::string_view summary() const override {
    return "recursive bipartitioning of traffic and machine, by the Scotch library";
  }
  std::string_view source() const override {
    return "Pellegrini, Roman: Scotch, HPCN 1996; library version 7";
  }
  std::span<const MapperSetting> settings() const override {
    static constexpr MapperSetting all[] = {
        {"strategy", "usual", scotch::strategy_values},
        {"tries", "1", "up to 2048 ranks: the best of so many seeds, 1 to 1000"},
    };
    return all;
  }
  bool uses(ExtraInput input) const override { return input == ExtraInput::sparse_factor; }

  Answer map(const MapTask& problem) const override {
    const MapperSettings given(*this, problem.options);
    const scotch::Search search{given.text("strategy"),
                                static_cast<unsigned>(given.number("tries", 1, scotch::max_tries))};
    if (!problem.options.sparse_factor) return {scotch::map_with_scotch(problem, search), "scotch"};
    const TrafficGraph heavy = sparsified(problem.graph, *problem.options.sparse_factor);
    const MapTask sparse{heavy, problem.machine, problem.options, problem.budget};
    return {scotch::map_with_scotch(sparse, search), "scotch"};
  }
};

}  // namespace

const Mapper& scotch_mapper() {
  static const ScotchMapper mapper;
  return mapper;
}

}  // namespace kith

namespace kith::scotch {
namespace {

/// The ranks, and idle vertices that fill up the places, so that an exact balance puts the same
/// number of vertices on each.
GraphArrays vertex_arrays(const TrafficGraph& graph, std::uint64_t vertices) {
  const unsigned shift = weight_shift(total_weight(graph));
  GraphArrays arrays;
  arrays.offsets.assign(graph.offsets().begin(), graph.offsets().end());
  arrays.offsets.resize(vertices + 1, arrays.offsets.back());
  arrays.neighbours.reserve(graph.all_neighbours().size());
  arrays.weights.reserve(graph.all_weights().size());
  for (const Rank r : graph.all_neighbours()) arrays.neighbours.push_back(r.value);
  for (const Weight w : graph.all_weights()) arrays.weights.push_back(shifted(w, shift));
  return arrays;
}

/// The communication among some ranks, ascending: rank i of the answer is ranks[i]. `place` has an
/// item for each rank of the graph, all `none`, and is left so.
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
TrafficGraph traffic_among(const TrafficGraph& graph, const std::vector<std::uint32_t>& ranks,
                           std::vector<std::uint32_t>& place) {
  for (std::uint32_t i = 0; i < ranks.size(); ++i) place[ranks[i]] = i;
  std::vector<std::uint64_t> offsets{0};
  std::vector<Rank> neighbours;
  std::vector<Weight> weights;
  for (const std::uint32_t r : ranks) {
    const auto all = graph.neighbours(Rank(r));
    const auto their_weights = graph.weights(Rank(r));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (place[all[i].value] == none) continue;
      neighbours.emplace_back(place[all[i].value]);
      weights.push_back(their_weights[i]);
    }
    offsets.push_back(neighbours.size());
  }
  for (const std::uint32_t r : ranks) place[r] = none;
  return TrafficGraph::from_csr(std::move(offsets), std::move(neighbours), std::move(weights));
}

void set_strategy(SCOTCH_Strat* strategy, const std::string& text, std::size_t terminals) {
  static constexpr std::array flags{
      std::pair{"quality", SCOTCH_STRATQUALITY}, std::pair{"speed", SCOTCH_STRATSPEED},
      std::pair{"balance", SCOTCH_STRATBALANCE}, std::pair{"safety", SCOTCH_STRATSAFETY}};
  for (const auto& [name, flag] : flags) {
    if (text != name) continue;
    constexpr double tolerance = 0.01;
    check(SCOTCH_stratGraphMapBuild(strategy, flag, static_cast<Number>(terminals), tolerance),
          "building the strategy");
    return;
  }
  take_message();
  const std::string own = text == "bipartition" ? bipartition_strategy("0.01") : text;
  if (SCOTCH_stratGraphMap(strategy, own.c_str()) == 0) return;
  const std::string message = take_message();
  throw bad_argument("set strategy", strategy_values,
                     in_quotes(text) + (message.empty() ? "" : " (" + message + ")"));
}

/// The terminal of each rank.
std::vector<Number> run(const TrafficGraph& graph, const Target& target,
                        const std::string& strategy_text, std::uint64_t seed) {
  if (target.slot_of.size() == 1) return std::vector<Number>(graph.ranks(), 0);
  const std::uint64_t terminals = target.slot_of.size();
  const std::uint64_t on_each = (graph.ranks() + terminals - 1) / terminals;
  Strategy strategy;
  set_strategy(strategy.get(), strategy_text, target.slot_of.size());
  auto terminal = map_graph(vertex_arrays(graph, on_each * terminals), target.used->get(),
                            strategy.get(), seed);
  terminal.resize(graph.ranks());
  return terminal;
}

/// Where ranks may go, and how they are brought there.
class Plan {
 public:
  /// `close`: on a network, use only as many slots as there are ranks, near to each other.
  Plan(const MapTask& problem, bool close) : problem_(problem) {
    if (const TreeMachine* tree = problem.machine.as_tree()) {
      target_ = tree_target(TreeDistance(*tree, problem.options.objective), problem.graph.ranks());
      places_ = target_.slot_of;
    } else {
      plan_network(close);
    }
  }

  Mapping map(const std::string& strategy, std::uint64_t seed) const {
    const auto terminal = run(problem_.graph, target_, strategy, seed);
    Mapping mapping;
    for (const Number t : terminal) {
      mapping.slot_of.push_back(target_.slot_of.at(static_cast<std::size_t>(t)));
    }
    if (has_node_trees_) place_within_nodes(strategy, seed, mapping);
    return place_surplus(problem_, std::move(mapping), places_);
  }

 private:
  void plan_network(bool close) {
    const Machine& machine = problem_.machine;
    auto nodes = machine_nodes();
    if (close && machine.allowed().size() > problem_.graph.ranks()) {
      const NodeSet chosen =
          close_node_sets(machine, problem_.options.objective, nodes, problem_.graph.ranks(), {}, 1)
              .front();
      std::vector<FreeNode> near;
      for (const std::uint32_t i : chosen) near.push_back(nodes[i]);
      nodes = std::move(near);
    }
    if (has_node_trees_) {
      std::vector<std::uint32_t> numbers;
      for (const FreeNode& node : nodes) numbers.push_back(node.node);
      places_ = slots_of_nodes(machine, numbers).to_vector();
    } else {
      for (const FreeNode& node : nodes) places_.push_back(node.first);
    }
    if (nodes.size() == 1) {
      target_.slot_of = {nodes.front().first};
    } else {
      target_ = network_target(machine, problem_.options.objective, nodes);
    }
  }

  /// The network's nodes with their trees; of machines of any other kind each slot is a node.
  std::vector<FreeNode> machine_nodes() {
    const NetworkMachine* const network = problem_.machine.as_network();
    if (network != nullptr) {
      has_node_trees_ = network->node_tree() != nullptr;
      return free_nodes(problem_.machine, "algorithm", bad_argument);
    }
    std::vector<FreeNode> nodes;
    for (const Slot slot : problem_.machine.allowed().to_vector()) {
      nodes.push_back({slot.value, slot, 1});
    }
    return nodes;
  }

  /// The ranks of each node, which are all on its first slot, spread over its slots.
  void place_within_nodes(const std::string& strategy, std::uint64_t seed, Mapping& mapping) const {
    const NetworkMachine& network = *problem_.machine.as_network();
    std::vector<std::pair<std::uint64_t, std::uint32_t>> ranks_by_node;
    for (std::uint32_t r = 0; r < mapping.ranks(); ++r) {
      ranks_by_node.emplace_back(network.node_of(mapping[Rank(r)]), r);
    }
    std::ranges::sort(ranks_by_node);
    std::vector<std::uint32_t> place(mapping.ranks(), none);
    for (std::size_t i = 0; i < ranks_by_node.size();) {
      const std::uint64_t node = ranks_by_node[i].first;
      std::vector<std::uint32_t> ranks;
      for (; i < ranks_by_node.size() && ranks_by_node[i].first == node; ++i) {
        ranks.push_back(ranks_by_node[i].second);
      }
      place_on_node(static_cast<std::uint32_t>(node), ranks, strategy, seed, place, mapping);
    }
  }

  void place_on_node(std::uint32_t node, const std::vector<std::uint32_t>& ranks,
                     const std::string& strategy, std::uint64_t seed,
                     std::vector<std::uint32_t>& place, Mapping& mapping) const {
    const NetworkMachine& network = *problem_.machine.as_network();
    const std::uint32_t first = node * network.slots_per_node();
    std::vector<Slot> kept;
    for (std::uint32_t s = 0; s < network.slots_per_node(); ++s) {
      if (network.allowed().contains(Slot(first + s))) kept.emplace_back(s);
    }
    const auto machine = network.node_tree()->restricted_to(SlotSet::of(kept));
    const TrafficGraph graph = traffic_among(problem_.graph, ranks, place);
    const Target target =
        tree_target(TreeDistance(*machine->as_tree(), problem_.options.objective), graph.ranks());
    const auto terminal = run(graph, target, strategy, seed);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const Slot slot = target.slot_of.at(static_cast<std::size_t>(terminal[i]));
      mapping.slot_of[ranks[i]] = Slot(first + slot.value);
    }
  }

  const MapTask problem_;
  Target target_;
  std::vector<Slot> places_;
  bool has_node_trees_ = false;
};

bool is_small(const MapTask& problem) {
  constexpr std::uint32_t small = 8192;
  return problem.graph.ranks() <= small;
}

/// None is the best one on all graphs; small graphs can afford several. Scotch's own strategies,
/// which improve the whole mapping at once, gain nothing on trees.
std::vector<std::string> usual_strategies(const MapTask& problem) {
  std::vector<std::string> strategies{bipartition_strategy("0.01")};
  if (is_small(problem)) strategies.push_back(bipartition_strategy("0.03"));
  if (problem.machine.as_tree() != nullptr) return strategies;
  strategies.emplace_back("balance");
  if (is_small(problem)) strategies.emplace_back("quality");
  return strategies;
}

std::vector<Plan> plans_for(const MapTask& problem) {
  std::vector<Plan> plans;
  plans.emplace_back(problem, true);
  const std::uint64_t slots = problem.machine.allowed().size();
  const std::uint64_t ranks = problem.graph.ranks();
  const bool fits_a_table =
      slots <= max_table_terminals || is_grid_of_scotch(problem.machine, problem.options.objective);
  if (problem.machine.as_tree() == nullptr && slots > ranks && slots / 2 <= ranks &&
      is_small(problem) && fits_a_table) {
    plans.emplace_back(problem, false);
  }
  return plans;
}

/// Reports each mapping that is better than those before.
void search_with_scotch(const MapTask& problem, const Search& search, const Report& report) {
  const std::vector<std::string> strategies = search.strategy == "usual"
                                                  ? usual_strategies(problem)
                                                  : std::vector{std::string(search.strategy)};
  const unsigned tries = problem.graph.ranks() <= most_ranks_of_tries ? search.tries : 1;
  std::optional<std::uint64_t> least;
  for (const Plan& plan : plans_for(problem)) {
    for (const std::string& strategy : strategies) {
      for (unsigned i = 0; i < tries; ++i) {
        if (least && problem.budget != nullptr && problem.budget->exhausted()) return;
        // Scotch takes 2 i and 2 i + 1 for the same seed.
        const Mapping mapping = plan.map(strategy, problem.options.seed + std::uint64_t{2} * i);
        const std::uint64_t objective =
            evaluate_objective(problem.graph, problem.machine, mapping, problem.options.objective);
        if (least && objective >= *least) continue;
        least = objective;
        Answer slots;
        for (const Slot slot : mapping.slot_of) slots.push_back(slot.value);
        report(slots);
      }
    }
  }
}

}  // namespace

Mapping map_with_scotch(const MapTask& problem, const Search& search) {
  if (problem.graph.ranks() == 0) return {};
  const auto slots = in_child(
      problem.budget, [&](const Report& report) { search_with_scotch(problem, search, report); });
  if (!slots) {
    return identity_mapping(problem.graph.ranks(), problem.machine, problem.options.capacity);
  }
  Mapping mapping;
  for (const std::uint32_t slot : *slots) mapping.slot_of.emplace_back(slot);
  return mapping;
}

}  // namespace kith::scotch
