// Chapter 6 of the thesis on ChoiceMap and BindMe, as far as matrices tell it.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "kith/detail/generate.hpp"
#include "kith/mapper.hpp"
#include "study/study.hpp"

namespace kith::tools {
namespace {

/// One of the thesis's machines: threads on cores of NUMA nodes.
struct TestMachine {
  const char* name;
  const char* spec;  ///< its first level is that of NUMA nodes
  std::uint32_t threads;
  std::uint32_t threads_per_node;
};
constexpr TestMachine thesis_machines[] = {
    {"Broadwell: 2 nodes of 8 cores, 2 threads each", "tree:2x8x2@100,10,1", 32, 16},
    {"KNL: 4 nodes of 8 tiles of 2 cores", "tree:4x8x2@100,10,1", 64, 16},
};

struct Kernel {
  const char* name;
  TrafficMatrix (*matrix)(std::uint32_t threads);
};

/// The two factors of the number of threads, a power of 2, that are nearest to each other.
std::vector<std::uint32_t> grid_of(std::uint32_t threads) {
  std::uint32_t rows = 1;
  while (rows * rows * 4 <= threads) rows *= 2;
  return {rows, threads / rows};
}

/// Near neighbours in a row, and thread 0 with all (section 6.4 of SP; its figure 6.3).
TrafficMatrix neighbours_and_master(std::uint32_t threads) {
  TrafficMatrixBuilder builder(threads);
  const auto both = [&](std::uint32_t i, std::uint32_t j, Weight weight) {
    builder.add(Rank(i), Rank(j), weight);
    builder.add(Rank(j), Rank(i), weight);
  };
  for (std::uint32_t i = 0; i + 1 < threads; ++i) both(i, i + 1, 1000);
  for (std::uint32_t i = 2; i < threads; ++i) both(0, i, 100);
  return builder.build();
}

constexpr Kernel kernels[] = {
    {"SP, BT: neighbours in a row, and one thread with all", neighbours_and_master},
    {"LU: neighbours of a grid, numbered by columns of a wavefront",
     [](std::uint32_t threads) { return to_matrix(*make_lu(threads, 1000)); }},
    {"CG: rows and columns of a grid",
     [](std::uint32_t threads) { return to_matrix(*make_cg(threads, 1000)); }},
    {"MG: neighbours of a periodic grid",
     [](std::uint32_t threads) {
       return to_matrix(*make_stencil(grid_of(threads), 5, true, {1000}));
     }},
};

constexpr const char* policies[] = {"compact",   "scatter",   "eagermap",
                                    "treematch", "choicemap", "kith"};

Mapping bound_by(const char* policy, const TrafficGraph& graph, const Machine& machine,
                 std::uint64_t seed) {
  MapOptions options;
  options.objective = default_objective(machine);
  options.seed = seed;
  return map_ranks(find_algorithm(policy), {graph, machine, options}).mapping;
}

/// What each two nodes share (table 6.7, figure 6.11).
struct BetweenNodes {
  double sum = 0;
  double largest = 0;
  double least = 0;
};

BetweenNodes between_nodes(const TrafficGraph& graph, const Mapping& mapping,
                           std::uint32_t threads_per_node) {
  const std::uint32_t nodes = graph.ranks() / threads_per_node;
  std::vector<double> volume(std::size_t{nodes} * nodes);
  for (std::uint32_t i = 0; i < graph.ranks(); ++i) {
    const std::uint32_t a = mapping[Rank(i)].value / threads_per_node;
    const auto neighbours = graph.neighbours(Rank(i));
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const std::uint32_t b = mapping[neighbours[k]].value / threads_per_node;
      if (a < b) volume[a * nodes + b] += static_cast<double>(graph.weights(Rank(i))[k]);
    }
  }
  BetweenNodes found;
  bool is_first = true;
  for (std::uint32_t a = 0; a < nodes; ++a) {
    for (std::uint32_t b = a + 1; b < nodes; ++b) {
      const double one = volume[a * nodes + b];
      found.sum += one;
      found.largest = std::max(found.largest, one);
      found.least = is_first ? one : std::min(found.least, one);
      is_first = false;
    }
  }
  return found;
}

/// " (two of them: 0.9 to 1.1 of the mean)", where there are more than two.
std::string spread_of(const BetweenNodes& volume, std::uint32_t nodes) {
  if (nodes <= 2) return "";
  const double mean = volume.sum / (nodes * (nodes - 1) / 2);
  return fmt::format(" (two of them: {:.2f} to {:.2f} of the mean)", volume.least / mean,
                     volume.largest / mean);
}

/// Equation 6.1 of pairs of threads: what they share with all others.
class PairValues {
 public:
  explicit PairValues(const TrafficMatrix& matrix) : matrix_(matrix), sums_(matrix.ranks()) {
    for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
      for (std::uint32_t j = 0; j < matrix.ranks(); ++j) sums_[i] += both(i, j);
    }
  }

  double of(std::uint32_t i, std::uint32_t j) const {
    return static_cast<double>(sums_[i] + sums_[j] - 2 * both(i, j));
  }
  /// The mean over threads of the best pair that each could be in: no mapping can be better.
  double best() const {
    double sum = 0;
    for (std::uint32_t i = 0; i < sums_.size(); ++i) {
      double least = -1;
      for (std::uint32_t j = 0; j < sums_.size(); ++j) {
        if (i != j && (least < 0 || of(i, j) < least)) least = of(i, j);
      }
      sum += least;
    }
    return sum / static_cast<double>(sums_.size());
  }
  /// The mean over threads of the pairs that a mapping makes: of slots 2k and 2k + 1.
  double of(const Mapping& mapping) const {
    std::vector<std::uint32_t> at(sums_.size());
    for (std::uint32_t i = 0; i < sums_.size(); ++i) at[mapping[Rank(i)].value] = i;
    double sum = 0;
    for (std::size_t slot = 0; slot + 1 < at.size(); slot += 2) sum += of(at[slot], at[slot + 1]);
    return 2 * sum / static_cast<double>(sums_.size());
  }

 private:
  Weight both(std::uint32_t i, std::uint32_t j) const {
    return i == j ? 0 : matrix_.at(Rank(i), Rank(j)) + matrix_.at(Rank(j), Rank(i));
  }

  const TrafficMatrix& matrix_;
  std::vector<Weight> sums_;
};

void compare_policies(const TestMachine& test, const Kernel& kernel, std::uint64_t seed,
                      StudyReport& report) {
  report.section(fmt::format("{}; {}", test.name, kernel.name));
  const TrafficMatrix matrix = kernel.matrix(test.threads);
  const TrafficGraph graph = TrafficGraph::from(matrix);
  const auto machine = parse_machine(test.spec);
  const PairValues values(matrix);
  const double best = values.best();
  double compact = 0;
  for (const char* const policy : policies) {
    const Mapping mapping = bound_by(policy, graph, *machine, seed);
    const BetweenNodes volume = between_nodes(graph, mapping, test.threads_per_node);
    if (compact == 0) compact = volume.sum;
    report.row(
        policy, "-",
        fmt::format("{:.3f} of compact's between nodes{}; pairs {:.2f} of the best",
                    volume.sum / compact, spread_of(volume, test.threads / test.threads_per_node),
                    values.of(mapping) / best));
  }
}

/// Table 6.7 as it is printed: shares of compact's sum, least and largest of the mean.
void measured_lu(StudyReport& report) {
  report.section("Table 6.7 itself: LU (class C), 64 threads on KNL, counted by cache lines");
  struct Measured {
    const char* policy;
    double sum, largest, least;
  };
  constexpr Measured table[] = {{"compact", 47.53, 9.83, 6.18},
                                {"scatter", 60.83, 11.20, 7.76},
                                {"eagermap", 45.22, 8.84, 6.54},
                                {"treematch", 83.73, 22.08, 7.51},
                                {"choicemap", 45.90, 8.67, 6.16}};
  for (const Measured& one : table) {
    report.row(one.policy,
               fmt::format("{:.3f} of compact's between nodes{}", one.sum / table[0].sum,
                           spread_of({one.sum, one.largest, one.least}, 4)),
               "-");
  }
}

void run_bindme_study(const StudyOptions& options, StudyReport& report) {
  for (const TestMachine& machine : thesis_machines) {
    for (const Kernel& kernel : kernels) compare_policies(machine, kernel, options.seed, report);
  }
  measured_lu(report);
  report.note(
      "The thesis counted the cache lines that threads of NAS's programs shared, and printed one "
      "of "
      "these matrices' results (table 6.7); here the kernels' patterns stand for them.");
  report.note(
      "Figures 6.5 to 6.9, execution times on its two machines, need these machines: `kith run "
      "--bind "
      "POLICY` runs a program under each policy on the machine at hand.");
}

}  // namespace

extern const Study bindme_study{
    "bindme", "BindMe: policies of binding threads, by what NUMA nodes and pairs share",
    "Soomro: A Framework for Task Placement on Multicore Architectures, 2018, chapter 6",
    run_bindme_study};

}  // namespace kith::tools
