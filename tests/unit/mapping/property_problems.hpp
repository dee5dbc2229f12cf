// The problems that every mapper has to solve: patterns x machines x constraints.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kith/detail/generate.hpp"
#include "kith/detail/graph_network.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/mapper.hpp"
#include "unit/objective/random_problem.hpp"
#include "unit/test_files.hpp"

namespace kith::testing {

/// The kinds of traffic, each for any number of ranks from 0 on.
enum class Traffic {
  none,
  star,
  path,
  ring,
  complete,
  pairs_far_apart,
  cliques_and_loners,
  random_sparse,
  heavy_tail,
  stencil,
  permuted_stencil,
  grid_in_space,
};
inline constexpr Traffic all_traffic[] = {
    Traffic::none,
    Traffic::star,
    Traffic::path,
    Traffic::ring,
    Traffic::complete,
    Traffic::pairs_far_apart,
    Traffic::cliques_and_loners,
    Traffic::random_sparse,
    Traffic::heavy_tail,
    Traffic::stencil,
    Traffic::permuted_stencil,
    Traffic::grid_in_space,
};

inline std::string to_string(Traffic traffic) {
  static constexpr const char* names[] = {"none",
                                          "star",
                                          "path",
                                          "ring",
                                          "complete",
                                          "pairs far apart",
                                          "cliques and loners",
                                          "sparse",
                                          "heavy tail",
                                          "stencil",
                                          "permuted stencil",
                                          "grid in space"};
  return names[static_cast<std::size_t>(traffic)];
}

/// The two extents of `ranks`, as near to a square as its divisors allow.
inline std::vector<std::uint32_t> squarish(std::uint32_t ranks) {
  std::uint32_t side = 1;
  for (std::uint32_t d = 1; d * d <= ranks; ++d) {
    if (ranks % d == 0) side = d;
  }
  return {side, ranks / side};
}

/// No weight is so large that the objective on a machine with distances up to `furthest` would not
/// fit 64 bits; the heaviest is 2^60 where that allows it.
inline TrafficMatrix make_traffic(Traffic traffic, std::uint32_t ranks, std::uint64_t furthest,
                                  std::mt19937_64& random) {
  if (ranks < 2) return TrafficMatrixBuilder(ranks).build();
  TrafficMatrixBuilder builder(ranks);
  const auto add = [&](std::uint64_t a, std::uint64_t b, Weight weight) {
    builder.add(Rank(static_cast<std::uint32_t>(a)), Rank(static_cast<std::uint32_t>(b)), weight);
  };
  switch (traffic) {
    case Traffic::none:
      break;
    case Traffic::star:
      for (std::uint32_t r = 0; r < ranks; ++r) {
        if (r != ranks / 2) add(ranks / 2, r, 1 + r % 3);
      }
      break;
    case Traffic::path:
      for (std::uint32_t r = 1; r < ranks; ++r) add(r - 1, r, 7);
      break;
    case Traffic::ring:
      for (std::uint32_t r = 0; r < ranks; ++r) add(r, (r + 1) % ranks, 1 + random() % 100);
      break;
    case Traffic::complete:
      return to_matrix(*make_alltoall(ranks, 5));
    case Traffic::pairs_far_apart:
      for (std::uint32_t r = 0; r < ranks / 2; ++r) add(r, r + ranks / 2, 1000 + r);
      break;
    case Traffic::cliques_and_loners:
      for (std::uint32_t r = 0; r < ranks; ++r) {
        for (std::uint32_t q = 0; q < r; ++q) {
          if (r % 5 == q % 5 && r % 5 != 0) add(r, q, 1 + random() % 9);
        }
      }
      break;
    case Traffic::random_sparse:
      for (std::uint32_t i = 0; i < 3 * ranks; ++i) {
        add(random() % ranks, random() % ranks, random() % 1000);
      }
      break;
    case Traffic::heavy_tail: {
      Weight weight = Weight{1} << 60;
      while (weight > (Weight{1} << 62) / std::max<std::uint64_t>(furthest, 1)) weight /= 2;
      for (std::uint32_t i = 0; i < 4 * ranks; ++i, weight = std::max<Weight>(weight / 2, 1)) {
        add(i % ranks, random() % ranks, weight);
      }
      break;
    }
    case Traffic::stencil:
      return to_matrix(*make_stencil(squarish(ranks), 5, ranks % 2 == 0, {3}));
    case Traffic::permuted_stencil:
      return to_matrix(*make_permuted(make_stencil(squarish(ranks), 9, false, {10, 1}), random()));
    case Traffic::grid_in_space:
      return to_matrix(*make_geometric(ranks, random()));
  }
  return builder.build();
}

/// Machines of all kinds; what `files` holds must outlive none of them.
inline std::vector<std::unique_ptr<Machine>> machine_zoo(const TempDirectory& files) {
  std::vector<std::unique_ptr<Machine>> zoo;
  for (const char* spec : {
           "tree:4x2x4",                       // symmetric
           "tree:2x3x5@100,10,1",              // with costs, no power of two
           "tree:32",                          // one level
           "tree:2x1x2x2x2x1x2",               // deep, with levels that hold one object each
           "tree:(3*(2,2),(4,1,3))",           // unequal hosts
           "tree:(2*(8),1*(3),1*(1))",         // unequal, flat
           "tree:4x2x4;slots=0-6,9,16-31",     // lopsided by what is allowed
           "tree:4x2x4;slots=0-3,8-11,24-27",  // symmetric again
           "torus:4x4x2",
           "torus:3x2x2/2",
           "torus:5x3;slots=0-4,7,9-14",
           "torus:30",
           "mesh:5x7",
           "mesh:3x2/2x2;slots=1-6,8-19",
           "hypercube:5",
           "hypercube:3/2x2",
           "fattree:4,2,2",
           "fattree:3,2,3/2",
           "dragonfly:5,2,2",
           "dragonfly:3,2,2,absolute/3",
           "hwloc:package:2 core:4 pu:2",
           "hwloc:numa:2 package:1 l3:3 core:5 pu:1",
           "tree:1",
           "torus:2x1",  // next to nothing
       }) {
    zoo.push_back(parse_machine(spec));
  }
  std::mt19937_64 random(7);
  std::string table;
  std::vector<std::vector<std::uint64_t>> distance(18, std::vector<std::uint64_t>(18));
  for (std::size_t i = 0; i < 18; ++i) {
    for (std::size_t j = 0; j < i; ++j) distance[i][j] = distance[j][i] = 1 + random() % 20;
  }
  for (const auto& row : distance) {
    for (const std::uint64_t value : row) table += std::to_string(value) + ' ';
    table += '\n';
  }
  zoo.push_back(parse_machine("matrix:" + files.write("any.txt", table).string()));
  NetworkGraph ring;  // four routers in a ring, three nodes of two slots at each
  ring.nodes = 12;
  ring.vertices = 16;
  for (std::uint32_t node = 0; node < 12; ++node) ring.edges.push_back({node, 12 + node / 3, 1});
  for (std::uint32_t r = 0; r < 4; ++r) ring.edges.push_back({12 + r, 12 + (r + 1) % 4, 2});
  zoo.push_back(std::make_unique<NetworkMachine>(std::make_shared<GraphNetwork>(ring, "ring"),
                                                 std::vector<std::uint32_t>{2}, "ring"));
  return zoo;
}

/// How many ranks, and under which rules.
enum class Rules {
  one_per_slot,      // as many ranks as slots
  fewer_ranks,       // about two thirds
  few_ranks,         // no more than three
  spread_evenly,     // more ranks than slots, as many on each as possible
  up_to_three,       // more ranks than slots, the mapper packs them as it likes
  room_to_spare,     // as many ranks as slots, but up to two may share one
  fixed,             // half of the ranks have their slots
  fixed_and_spread,  // the same with more ranks than slots
  forbidden,         // a third of the slots is taken away
};
inline constexpr Rules all_rules[] = {
    Rules::one_per_slot,  Rules::fewer_ranks,      Rules::few_ranks,
    Rules::spread_evenly, Rules::up_to_three,      Rules::room_to_spare,
    Rules::fixed,         Rules::fixed_and_spread, Rules::forbidden,
};
inline std::string to_string(Rules rules) {
  static constexpr const char* names[] = {"one per slot",  "fewer ranks",      "few ranks",
                                          "spread evenly", "up to three",      "room to spare",
                                          "fixed",         "fixed and spread", "forbidden"};
  return names[static_cast<std::size_t>(rules)];
}

struct PropertyProblem {
  std::string name;
  TrafficMatrix matrix;
  TrafficGraph graph;
  std::unique_ptr<Machine> machine;
  MapOptions options;

  MapProblem get() const { return {graph, *machine, options}; }
};

/// With the number of its slots in use.
inline std::string name_of(const Machine& machine) {
  const bool is_table = machine.spec().starts_with("matrix:");
  return (is_table ? std::string("a table of distances") : machine.spec()) + " (" +
         std::to_string(machine.allowed().size()) + " slots)";
}

inline std::uint64_t furthest_distance(const Machine& machine, Objective objective) {
  std::uint64_t furthest = 1;
  for (std::uint32_t a = 0; a < machine.slots(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      furthest =
          std::max(furthest, objective == Objective::hop_bytes ? machine.hops(Slot(a), Slot(b))
                                                               : machine.cost(Slot(a), Slot(b)));
    }
  }
  return furthest;
}

inline std::uint32_t ranks_for(Rules rules, std::uint32_t slots, std::mt19937_64& random) {
  switch (rules) {
    case Rules::few_ranks:
      return std::min<std::uint32_t>(slots, static_cast<std::uint32_t>(random() % 4));
    case Rules::fewer_ranks:
      return (2 * slots + 2) / 3;
    case Rules::spread_evenly:
    case Rules::fixed_and_spread:
      return slots + 1 + static_cast<std::uint32_t>(random() % (slots + 1));
    case Rules::up_to_three:
      return slots + static_cast<std::uint32_t>(random() % (2 * slots + 1));
    default:
      return slots;
  }
}

/// Anything random in it comes from `seed`.
inline PropertyProblem make_problem(const Machine& whole, Traffic traffic, Rules rules,
                                    std::uint64_t seed) {
  std::mt19937_64 random(seed);
  PropertyProblem problem;
  SlotSet kept = whole.allowed();
  if (rules == Rules::forbidden) {
    std::vector<Slot> some;
    for (const Slot slot : kept.to_vector()) {
      if (some.empty() || random() % 3 > 0) some.push_back(slot);
    }
    kept = SlotSet::of(some);
  }
  problem.machine = whole.restricted_to(kept);
  const auto slots = static_cast<std::uint32_t>(kept.size());
  const std::uint32_t ranks = ranks_for(rules, slots, random);

  MapOptions& options = problem.options;
  options.objective = default_objective(whole);
  if (rules == Rules::spread_evenly || rules == Rules::fixed_and_spread) {
    options.least = ranks / slots;
    options.capacity = (ranks + slots - 1) / slots;
  } else if (rules == Rules::up_to_three) {
    options.capacity = 3;
  } else if (rules == Rules::room_to_spare) {
    options.capacity = 2;
  }
  if (rules == Rules::fixed || rules == Rules::fixed_and_spread) {
    std::vector<Rank> order;
    for (std::uint32_t r = 0; r < ranks; ++r) order.emplace_back(r);
    std::ranges::shuffle(order, random);
    const Mapping wanted = identity_mapping(ranks, *problem.machine, options.capacity);
    for (std::uint32_t i = 0; i < ranks; i += 2) {
      options.fixed.push_back({order[i], wanted[Rank(i)]});
    }
  }
  for (std::uint32_t r = 0; r < ranks; ++r) options.loads.push_back(random() % 1000);
  options.seed = 1 + random() % 5;

  problem.matrix =
      make_traffic(traffic, ranks, furthest_distance(whole, options.objective), random);
  problem.graph = TrafficGraph::from(problem.matrix);
  if (ranks > 0 && traffic != Traffic::permuted_stencil) {
    options.coordinates = RankCoordinates::grid(squarish(ranks));
  }
  problem.name = to_string(traffic) + " of " + std::to_string(ranks) + " ranks on " +
                 name_of(*problem.machine) + ", " + to_string(rules);
  return problem;
}

/// Each traffic meets each machine, in each round under other rules; of all these problems every
/// `stride`-th.
template <class Visit>
void for_each_problem(const std::vector<std::unique_ptr<Machine>>& machines, std::size_t rounds,
                      std::size_t stride, Visit visit) {
  std::size_t number = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t m = 0; m < machines.size(); ++m) {
      for (std::size_t t = 0; t < std::size(all_traffic); ++t) {
        if (++number % stride != 0) continue;
        const Rules rules = all_rules[(4 * m + t + 4 * round) % std::size(all_rules)];
        visit(make_problem(*machines[m], all_traffic[t], rules, number));
      }
    }
  }
}

}  // namespace kith::testing
