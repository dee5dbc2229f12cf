// The figures of the thesis on ChoiceMap.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "kith/detail/generate.hpp"
#include "kith/mapper.hpp"
#include "mapping/published/choicemap/mutual_choice.hpp"
#include "study/study.hpp"

namespace kith::tools {
namespace {

constexpr std::uint32_t example_threads = 8;
using Matrix = std::array<std::array<Weight, example_threads>, example_threads>;

/// The matrix of figure 2.1, as it follows from the 28 values of table 3.1.
constexpr Matrix example{{{0, 9, 2, 3, 4, 11, 2, 0},
                          {9, 0, 6, 9, 11, 14, 7, 2},
                          {2, 6, 0, 0, 5, 6, 10, 13},
                          {3, 9, 0, 0, 15, 20, 2, 1},
                          {4, 11, 5, 15, 0, 16, 2, 3},
                          {11, 14, 6, 20, 16, 0, 19, 17},
                          {2, 7, 10, 2, 2, 19, 0, 11},
                          {0, 2, 13, 1, 3, 17, 11, 0}}};

TrafficGraph example_graph() {
  TrafficMatrixBuilder builder(example_threads);
  for (std::uint32_t i = 0; i < example_threads; ++i) {
    for (std::uint32_t j = i + 1; j < example_threads; ++j) {
      builder.add(Rank(i), Rank(j), example[i][j]);
    }
  }
  return TrafficGraph::from(builder.build());
}

/// Equation 6.1: what a pair communicates with all others.
Weight reduction_value(std::uint32_t i, std::uint32_t j) {
  Weight sum = 0;
  for (std::uint32_t t = 0; t < example_threads; ++t) sum += example[i][t] + example[j][t];
  return sum - 2 * example[i][j];
}

Mapping map(const char* algorithm, const TrafficGraph& graph, const Machine& machine,
            std::uint64_t seed) {
  MapOptions options;
  options.objective = default_objective(machine);
  options.seed = seed;
  return map_ranks(find_algorithm(algorithm), {graph, machine, options}).mapping;
}

std::vector<ChosenPair> pairs_by_choice(const TrafficGraph& graph) {
  WantedPairs wanted(1);
  for (std::uint32_t pair = 0; pair < graph.ranks() / 2; ++pair) wanted.add(0, 0);
  return pair_by_choice(elements_of(graph), std::vector<std::uint32_t>(graph.ranks()), wanted,
                        FirstChoice::lowest);
}

void worked_example(StudyReport& report) {
  report.section("8 threads on a tree of arities 2, 2, 2 (figures 4.3 to 4.5)");
  const auto pairs = pairs_by_choice(example_graph());
  constexpr const char* papers[] = {"(3,5) (1,4)", "(2,7) (0,6)"};
  std::vector<std::uint32_t> sequence;
  for (std::uint32_t pass = 1; pass <= 2; ++pass) {
    std::vector<std::string> found;
    for (const ChosenPair& pair : pairs) {
      if (pair.pass != pass) continue;
      found.push_back(fmt::format("({},{})", pair.first, pair.second));
      sequence.insert(sequence.end(), {pair.first, pair.second});
    }
    report.row(fmt::format("pairs of pass {}", pass), papers[pass - 1],
               fmt::format("{}", fmt::join(found, " ")));
  }
  report.row("mapping sequence of level 3", "3 5 1 4 2 7 0 6",
             fmt::format("{}", fmt::join(sequence, " ")));
}

/// Table 4.1: of each thread's pair, by task; least is best.
std::string values_of_pairs(const Mapping& mapping) {
  std::array<Weight, example_threads> values{};
  for (std::uint32_t i = 0; i < example_threads; ++i) {
    for (std::uint32_t j = 0; j < example_threads; ++j) {
      const bool is_pair = i != j && mapping[Rank(i)].value / 2 == mapping[Rank(j)].value / 2;
      if (is_pair) values[i] = reduction_value(i, j);
    }
  }
  return fmt::format("{}", fmt::join(values, " "));
}

void reduction_values(std::uint64_t seed, StudyReport& report) {
  report.section("Communication reduction values of threads 0 to 7 (equation 6.1, table 4.1)");
  std::array<Weight, example_threads> best{};
  std::array<Weight, example_threads> worst{};
  for (std::uint32_t i = 0; i < example_threads; ++i) {
    best[i] = reduction_value(i, i == 0 ? 1 : 0);
    for (std::uint32_t j = 0; j < example_threads; ++j) {
      if (i == j) continue;
      best[i] = std::min(best[i], reduction_value(i, j));
      worst[i] = std::max(worst[i], reduction_value(i, j));
    }
  }
  report.row("best", "69 71 63 75 76 112 75 63", fmt::format("{}", fmt::join(best, " ")));
  report.row("worst", "112 133 133 113 127 133 118 116", fmt::format("{}", fmt::join(worst, " ")));
  const TrafficGraph graph = example_graph();
  const auto machine = parse_machine("tree:2x2x2");
  constexpr std::pair<const char*, const char*> cases[] = {
      {"choicemap", "80 92 63 113 92 113 80 63"},
      {"eagermap", "112 92 63 99 92 112 99 63"},
      {"treematch", "80 101 92 92 127 127 80 101"}};
  for (const auto& [algorithm, paper] : cases) {
    report.row(algorithm, paper, values_of_pairs(map(algorithm, graph, *machine, seed)));
  }
}

/// Table 6.7: communication between 4 NUMA nodes of 16 cores.
void lu(std::uint64_t seed, StudyReport& report) {
  report.section(
      "LU, 64 threads on 4 NUMA nodes: volume between nodes against compact (table 6.7)");
  const TrafficGraph graph = TrafficGraph::from(to_matrix(*make_lu(64, 1000)));
  const auto machine = parse_machine("tree:4x16@1,0");
  const auto volume = [&](const char* algorithm) {
    return static_cast<double>(evaluate_objective(
        graph, *machine, map(algorithm, graph, *machine, seed), Objective::sum_com));
  };
  constexpr std::pair<const char*, double> cases[] = {{"compact", 47.53},
                                                      {"scatter", 60.83},
                                                      {"eagermap", 45.22},
                                                      {"treematch", 83.73},
                                                      {"choicemap", 45.90}};
  const double compact = volume("compact");
  for (const auto& [algorithm, paper] : cases) {
    report.row(algorithm, fmt::format("{:.3f}", paper / cases[0].second),
               fmt::format("{:.3f}", volume(algorithm) / compact));
  }
}

void run_choicemap_study(const StudyOptions& options, StudyReport& report) {
  worked_example(report);
  reduction_values(options.seed, report);
  lu(options.seed, report);
  report.note("Table 4.1 prints the pair (7,3) beside the best value of thread 7; it is (7,2)'s.");
  report.note("The thesis's TreeMatch keeps 20 inside its pairs; the algorithm's own rule more.");
  report.note(
      "LU: the thesis counts cache lines that its threads shared; here neighbours of an 8 x 8 "
      "grid.");
}

}  // namespace

extern const Study choicemap_study{
    "choicemap", "ChoiceMap: the worked example, reduction values, LU between NUMA nodes",
    "Soomro: A Framework for Task Placement on Multicore Architectures, 2018, chapters 4 and 6",
    run_choicemap_study};

}  // namespace kith::tools
