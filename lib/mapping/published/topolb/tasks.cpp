#include <algorithm>
#include <numeric>

#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/published/topolb/topolb.hpp"
#include "mapping/registry.hpp"
#include "objective/distance.hpp"
#include "objective/wide.hpp"

namespace kith::topolb {

std::vector<std::uint64_t> sums_along(const std::vector<std::uint64_t>& having, bool periodic) {
  const std::size_t extent = having.size();
  std::vector<std::uint64_t> before(2 * extent + 1);  // twice around
  for (std::size_t x = 0; x < 2 * extent; ++x) before[x + 1] = before[x] + having[x % extent];
  std::vector<std::uint64_t> sum(extent);
  for (std::size_t x = 0; x < extent; ++x) {
    sum[0] += having[x] * (periodic ? std::min(x, extent - x) : x);
  }
  const std::uint64_t all = before[extent];
  for (std::size_t x = 0; x + 1 < extent; ++x) {
    const std::size_t last = periodic ? x + extent / 2 : extent - 1;  // that comes nearer
    const std::uint64_t nearer = before[last + 1] - before[x + 1];
    const std::uint64_t same = periodic && extent % 2 == 1 ? having[(last + 1) % extent] : 0;
    sum[x + 1] = sum[x] + (all - nearer - same) - nearer;
  }
  return sum;
}

void distances_from(const Machine& machine, Objective objective, Slot from,
                    std::span<const Slot> to, std::span<std::uint64_t> out) {
  with_distance(machine, objective, [&](const auto& distance) {
    for (std::size_t i = 0; i < to.size(); ++i) out[i] = distance(from, to[i]);
  });
}

// Level by level upwards: the distance to all slots that meet a slot there is the same.
DistanceSums sums_on_tree(const TreeDistance& distance, std::span<const Slot> slots) {
  const TreeMachine& tree = distance.tree();
  std::vector<std::uint64_t> object_of;
  object_of.reserve(slots.size());
  for (const Slot slot : slots) object_of.push_back(tree.leaf_of_slot(slot));
  std::vector<Wide> sums(slots.size());
  std::vector<std::uint64_t> below(slots.size(), 1);  // slots in the object of each
  DistanceSums result;
  for (unsigned level = tree.depth(); level-- > 0;) {
    std::vector<std::uint64_t> inside(tree.objects(level));
    for (std::uint64_t& object : object_of) {
      object = tree.parent(level + 1, object);
      ++inside[object];
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::uint64_t here = inside[object_of[i]];
      sums[i] += Wide{here - below[i]} * distance.at_level(level);
      if (here > below[i]) result.longest = std::max(result.longest, distance.at_level(level));
      below[i] = here;
    }
  }
  for (const Wide sum : sums) result.of.push_back(narrowed(sum, "distances"));
  return result;
}

namespace {

std::vector<std::uint32_t> partition(const MapTask& problem, std::uint32_t parts) {
  const auto places = TreeMachine::symmetric({parts}, {}, 1, "tree:" + std::to_string(parts));
  MapOptions options;
  options.seed = problem.options.seed;
  options.capacity = (problem.graph.ranks() + parts - 1) / parts;
  const MapTask equally_far{problem.graph, *places, options, problem.budget};
  const Mapping mapping = scotch_mapper().map(equally_far).mapping;
  std::vector<std::uint32_t> part_of;
  part_of.reserve(mapping.ranks());
  for (const Slot place : mapping.slot_of) part_of.push_back(place.value);
  return part_of;
}

TrafficGraph coalesced(const TrafficGraph& graph, const std::vector<std::uint32_t>& part_of,
                       std::uint32_t parts) {
  TrafficMatrixBuilder builder(parts, graph.edges());
  for (Rank a(0); a.value < graph.ranks(); ++a) {
    const auto neighbours = graph.neighbours(a);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t from = part_of[a.value];
      const std::uint32_t to = part_of[neighbours[i].value];
      if (a < neighbours[i] && from != to) builder.add(Rank(from), Rank(to), graph.weights(a)[i]);
    }
  }
  return TrafficGraph::from(builder.build());
}

TrafficGraph reduced(const TrafficGraph& graph) {
  Weight divisor = 0;
  for (const Weight weight : graph.all_weights()) divisor = std::gcd(divisor, weight);
  std::vector<Weight> weights(graph.all_weights().begin(), graph.all_weights().end());
  for (Weight& weight : weights) weight /= std::max<Weight>(divisor, 1);
  return TrafficGraph::from_csr({graph.offsets().begin(), graph.offsets().end()},
                                {graph.all_neighbours().begin(), graph.all_neighbours().end()},
                                std::move(weights));
}

}  // namespace

Tasks make_tasks(const MapTask& problem, std::string_view algorithm) {
  constexpr std::uint64_t most_slots = std::uint64_t{1} << 26;  // some GB
  const std::uint32_t ranks = problem.graph.ranks();
  const std::uint64_t slots = problem.machine.allowed().size();
  if (slots > most_slots) {
    throw bad_argument("algorithm",
                       "for " + std::string(algorithm) + " a machine of at most " +
                           std::to_string(most_slots) + " slots in use",
                       std::to_string(slots) + " in " + problem.machine.spec());
  }
  Tasks tasks;
  if (ranks <= slots) {
    tasks.task_of.resize(ranks);
    std::iota(tasks.task_of.begin(), tasks.task_of.end(), 0U);
    tasks.graph = reduced(problem.graph);
  } else {
    const auto parts = static_cast<std::uint32_t>(slots);
    tasks.task_of = partition(problem, parts);
    tasks.graph = reduced(coalesced(problem.graph, tasks.task_of, parts));
  }
  return tasks;
}

Mapping mapping_of(const Tasks& tasks, const std::vector<Slot>& slot_of_task) {
  Mapping mapping;
  mapping.slot_of.reserve(tasks.task_of.size());
  for (const std::uint32_t task : tasks.task_of) mapping.slot_of.push_back(slot_of_task[task]);
  return mapping;
}

}  // namespace kith::topolb
