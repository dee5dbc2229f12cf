// How often each mapper finds the best mapping there is.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>

#include "core/rng.hpp"
#include "kith/detail/generate.hpp"
#include "kith/detail/graph_network.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"
#include "mapping/exact/exact_search.hpp"
#include "study/study.hpp"

namespace kith::tools {
namespace {

/// Routers at random with a node at each: distances without any regularity.
std::unique_ptr<Machine> random_network(std::uint32_t nodes, Rng& rng) {
  NetworkGraph graph;
  graph.nodes = nodes;
  graph.vertices = 2 * nodes;
  for (std::uint32_t n = 0; n < nodes; ++n) graph.edges.push_back({n, nodes + n, 1});
  for (std::uint32_t n = 1; n < nodes; ++n) {  // connected, and some more
    graph.edges.push_back({nodes + n, nodes + static_cast<std::uint32_t>(rng.below(n)),
                           1 + static_cast<std::uint32_t>(rng.below(3))});
    if (n > 2 && rng.below(2) == 0) graph.edges.push_back({nodes + n, nodes + (n + 2) / 3, 4});
  }
  return std::make_unique<NetworkMachine>(std::make_shared<GraphNetwork>(graph, "random network"),
                                          std::vector<std::uint32_t>{}, "random network");
}

std::vector<std::unique_ptr<Machine>> small_machines(bool full, Rng& rng) {
  std::vector<std::unique_ptr<Machine>> machines;
  for (const char* spec :
       {"tree:2x2x2", "tree:4x2@10,1", "tree:2x4", "tree:(2*(3),1*(2))", "torus:8", "torus:4x2",
        "mesh:2x4", "hypercube:3", "mesh:2x2/2", "dragonfly:2,2,2"}) {
    machines.push_back(parse_machine(spec));
  }
  machines.push_back(random_network(8, rng));
  if (!full) return machines;
  for (const char* spec : {"tree:3x3", "torus:3x3", "mesh:3x3", "tree:3x2x2@50,8,1", "tree:9",
                           "mesh:5x2", "torus:5x2", "dragonfly:3,2,2"}) {
    machines.push_back(parse_machine(spec));
  }
  machines.push_back(random_network(10, rng));
  return machines;
}

struct SmallTraffic {
  TrafficGraph graph;
  std::optional<RankCoordinates> coordinates;
};

/// Two rows, or one, with the ranks shuffled; where each rank lies is known.
SmallTraffic shuffled_grid(std::uint32_t ranks, Rng& rng) {
  const std::uint32_t rows = ranks % 2 == 0 ? 2 : 1;
  const std::uint64_t seed = rng.next();
  const auto pattern =
      make_permuted(make_stencil({rows, ranks / rows}, 5, rng.below(2) == 0, {1}), seed);
  const auto in_order = RankCoordinates::grid(std::vector{rows, ranks / rows});
  RankCoordinates shuffled = in_order;
  const auto place_of = random_permutation(ranks, seed);  // what make_permuted() does
  for (std::uint32_t r = 0; r < ranks; ++r) {
    std::ranges::copy(in_order.of(r), shuffled.values.begin() + 2 * std::ptrdiff_t{place_of[r]});
  }
  return {TrafficGraph::from(to_matrix(*pattern)), std::move(shuffled)};
}

/// Grids; sparse and dense traffic with even and heavy-tailed weights. Never none at all: a ratio
/// to nothing says nothing.
SmallTraffic small_traffic(std::uint32_t ranks, Rng& rng) {
  const std::uint64_t kind = rng.below(5);
  if (kind == 0) return shuffled_grid(ranks, rng);
  TrafficMatrixBuilder builder(ranks);
  const auto weight = [&] {
    return kind % 2 == 0 ? 1 + rng.below(20) : std::uint64_t{1} << rng.below(20);
  };
  const double density = kind < 3 ? 0.35 : 0.8;
  builder.add(Rank(0), Rank(1), weight());
  for (std::uint32_t a = 0; a < ranks; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      if (rng.uniform() < density) builder.add(Rank(a), Rank(b), weight());
    }
  }
  return {TrafficGraph::from(builder.build()), std::nullopt};
}

/// What became of one algorithm.
struct Score {
  std::uint64_t problems = 0;  ///< that it took
  std::uint64_t optimal = 0;
  double ratios = 0;
  double worst = 0;

  void add(std::uint64_t found, std::uint64_t optimum) {
    const double ratio = static_cast<double>(found) / static_cast<double>(optimum);
    ++problems;
    optimal += found == optimum ? 1 : 0;
    ratios += ratio;
    worst = std::max(worst, ratio);
  }
  std::string text() const {
    if (problems == 0) return "no problem that it takes";
    const auto count = static_cast<double>(problems);
    return fmt::format("{:5.1f}% of {} optimal, mean {:.3f}, worst {:.3f}",
                       100 * static_cast<double>(optimal) / count, problems, ratios / count, worst);
  }
};

/// Nothing where the algorithm cannot use the machine.
std::optional<std::uint64_t> value_of(const Algorithm& algorithm, const MapProblem& problem,
                                      std::uint64_t optimum) {
  std::uint64_t found = 0;
  try {
    found = evaluate_objective(problem.graph, problem.machine,
                               map_ranks(algorithm, problem).mapping, problem.options.objective);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return std::nullopt;
  }
  if (found < optimum) {
    throw Error(ErrorKind::internal,
                fmt::format("{} on {}: {} is below the optimum, {}", algorithm.name(),
                            problem.machine.spec(), found, optimum));
  }
  return found;
}

std::uint64_t optimum_of(const MapProblem& problem) {
  constexpr std::uint64_t without_end = std::numeric_limits<std::uint64_t>::max();
  const auto found = exact::search_exactly(
      problem, identity_mapping(problem.graph.ranks(), problem.machine, 1), without_end);
  if (!found || !found->is_optimal) {
    throw Error(ErrorKind::internal, problem.machine.spec() + ": no optimum");
  }
  check_mapping(found->mapping, problem.machine, 1);
  return evaluate_objective(problem.graph, problem.machine, found->mapping,
                            problem.options.objective);
}

/// Kith's own with each effort.
struct OwnRow {
  const char* algorithm;
  const char* words;
  Effort effort;
};
constexpr OwnRow own_rows[] = {
    {"kith", "kith, fast", Effort::fast},         {"kith", "kith, balanced", Effort::balanced},
    {"kith", "kith, best", Effort::best},         {"auto", "auto, fast", Effort::fast},
    {"auto", "auto, balanced", Effort::balanced}, {"auto", "auto, best", Effort::best}};

struct Scores {
  std::vector<Score> plain;
  std::vector<Score> refined;
  std::vector<Score> automatic;  ///< auto, by machine
  std::vector<Score> own;        ///< as own_rows
};

void try_all(const MapProblem& problem, Scores& scores, Score& automatic) {
  const std::uint64_t optimum = optimum_of(problem);
  for (std::size_t m = 0; m < mappers().size(); ++m) {
    const Mapper* const mapper = mappers()[m];
    if (const auto found = value_of({mapper, false}, problem, optimum)) {
      scores.plain[m].add(*found, optimum);
      if (mapper->name() == "auto") automatic.add(*found, optimum);
    }
    if (const auto found = value_of({mapper, true}, problem, optimum)) {
      scores.refined[m].add(*found, optimum);
    }
  }
  for (std::size_t i = 0; i < std::size(own_rows); ++i) {
    MapOptions options = problem.options;
    options.effort = own_rows[i].effort;
    const auto found = value_of(find_algorithm(own_rows[i].algorithm),
                                {problem.graph, problem.machine, options}, optimum);
    if (found) scores.own[i].add(*found, optimum);
  }
}

void run_optimal_study(const StudyOptions& options, StudyReport& report) {
  Rng rng(options.seed);
  const auto machines = small_machines(options.full, rng);
  const std::uint32_t most_ranks = options.full ? 9 : 8;
  const std::uint32_t rounds = options.full ? 1000 : 60;
  Scores scores;
  scores.plain.resize(mappers().size());
  scores.refined.resize(mappers().size());
  scores.automatic.resize(machines.size());
  scores.own.resize(std::size(own_rows));
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const Machine& machine = *machines[i];
    const std::uint32_t most = std::min(most_ranks, machine.slots());
    for (std::uint32_t round = 0; round < rounds; ++round) {
      // Every second problem fills the machine as far as trying all allows.
      const auto ranks =
          round % 2 == 0 ? most : 3 + static_cast<std::uint32_t>(rng.below(most - 2));
      SmallTraffic traffic = small_traffic(ranks, rng);
      MapOptions map;
      map.objective = default_objective(machine);
      map.seed = rng.next();
      map.loads.assign(ranks, 1);
      map.coordinates = std::move(traffic.coordinates);
      try_all({traffic.graph, machine, map}, scores, scores.automatic[i]);
    }
  }
  report.section("as published");
  for (std::size_t m = 0; m < mappers().size(); ++m) {
    report.row(std::string(mappers()[m]->name()), "-", scores.plain[m].text());
  }
  report.section("followed by swap refinement");
  for (std::size_t m = 0; m < mappers().size(); ++m) {
    report.row(Algorithm{mappers()[m], true}.name(), "-", scores.refined[m].text());
  }
  report.section("by effort");
  for (std::size_t i = 0; i < std::size(own_rows); ++i) {
    report.row(own_rows[i].words, "-", scores.own[i].text());
  }
  report.section("auto on each machine");
  for (std::size_t i = 0; i < machines.size(); ++i) {
    report.row(machines[i]->spec(), "-", scores.automatic[i].text());
  }
  report.note(fmt::format(
      "{} problems of 3 to {} ranks, {} on each machine; mean and worst are ratios to the optimum.",
      machines.size() * rounds, most_ranks, rounds));
  report.note("The optimum comes from branch and bound; no mapper was below it.");
}

}  // namespace

extern const Study optimal_study{
    "optimal", "how often each mapper finds the best mapping there is, for a handful of ranks",
    "no paper: exhaustive search", run_optimal_study};

}  // namespace kith::tools
