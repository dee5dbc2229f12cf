// The figures of the paper on EagerMap.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "kith/detail/generate.hpp"
#include "kith/mapper.hpp"
#include "study/study.hpp"

namespace kith::tools {
namespace {

/// The matrix of figure 3: each task sends 8, 4, 2 and 1 to the four after it, both ways alike.
TrafficGraph banded_example() {
  TrafficMatrixBuilder builder(16);
  for (std::uint32_t task = 0; task < 16; ++task) {
    for (std::uint32_t apart = 1; apart <= 4 && task + apart < 16; ++apart) {
      builder.add(Rank(task), Rank(task + apart), 16U >> apart);
    }
  }
  return TrafficGraph::from(builder.build());
}

MapResult map_to_full(const char* algorithm, const TrafficGraph& graph, const Machine& machine,
                      std::uint64_t seed, unsigned threads = 1) {
  MapOptions options;
  options.objective = default_objective(machine);
  options.seed = seed;
  options.threads = threads;
  const auto slots = machine.allowed().size();
  options.capacity = static_cast<std::uint32_t>((graph.ranks() + slots - 1) / slots);
  return map_ranks(find_algorithm(algorithm), {graph, machine, options});
}

/// The object of each task: its slot divided by the slots of one.
std::string objects_of(const Mapping& mapping, std::uint32_t slots_each) {
  std::vector<std::uint32_t> objects;
  for (const Slot slot : mapping.slot_of) objects.push_back(slot.value / slots_each);
  return fmt::format("{}", fmt::join(objects, " "));
}

void worked_example(std::uint64_t seed, StudyReport& report) {
  report.section("16 tasks on 2 machines of 2 processors with 2 cores each (figures 2 to 4)");
  const TrafficGraph graph = banded_example();
  const auto machine = parse_machine("tree:2x2x2");
  const Mapping mapping = map_to_full("eagermap", graph, *machine, seed).mapping;
  report.row("core of each task", "0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7", objects_of(mapping, 1));
  report.row("L3 cache of each task", "0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3", objects_of(mapping, 2));
  report.row("machine of each task", "0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1", objects_of(mapping, 4));
  for (const char* algorithm : {"eagermap", "treematch", "scotch", "mpipp", "scatter", "random"}) {
    const Mapping other = map_to_full(algorithm, graph, *machine, seed).mapping;
    report.row(fmt::format("hop-bytes, {}", algorithm), "-",
               std::to_string(evaluate_objective(graph, *machine, other, Objective::hop_bytes)));
  }
}

/// Section 4.4's cluster of unequal machines: bytes that leave the machines.
void unequal_machines(std::uint64_t seed, StudyReport& report) {
  report.section(
      "Mixed-64: 4 machines of 8 cores, 2 of 16 (sections 3.6, 4.4): bytes between them");
  const auto machine = parse_machine("tree:6x16@1,0;slots=0-7,16-23,32-39,48-55,64-95");
  for (auto& [name, pattern] :
       {std::pair{"CG-like", make_cg(64, 1000)}, std::pair{"LU-like", make_lu(64, 1000)}}) {
    const TrafficGraph graph = TrafficGraph::from(to_matrix(*pattern));
    for (const char* algorithm : {"eagermap", "scotch", "random"}) {
      const Mapping mapping = map_to_full(algorithm, graph, *machine, seed).mapping;
      report.row(fmt::format("{}, {}", name, algorithm), "-",
                 std::to_string(evaluate_objective(graph, *machine, mapping, Objective::sum_com)));
    }
  }
}

struct TimedCase {
  std::vector<std::uint32_t> extents;
  const char* machine;
  const char* one_thread;  ///< what the paper says
  const char* many_threads;
};

#ifdef KITH_WITH_OPENMP
constexpr bool has_threads = true;
#else
constexpr bool has_threads = false;
#endif

void times(const StudyOptions& options, StudyReport& report) {
  const unsigned cores = std::max(std::thread::hardware_concurrency(), 1U);
  const unsigned threads = std::clamp(cores, 2U, 32U);
  report.section("Time for a 27-point stencil (section 5.3)");
  std::vector<TimedCase> cases{{{32, 32, 32}, "tree:32x16x4x16", "43 min", "5.8 min"}};
  if (options.full) cases.push_back({{64, 64, 32}, "tree:32x32x4x32", "25 h", "1.8 h"});
  for (const TimedCase& c : cases) {
    const TrafficGraph graph =
        TrafficGraph::from(to_matrix(*make_stencil(c.extents, 27, false, {100, 10, 1})));
    const auto machine = parse_machine(c.machine);
    const MapResult alone = map_to_full("eagermap", graph, *machine, options.seed);
    const MapResult together = map_to_full("eagermap", graph, *machine, options.seed, threads);
    const std::string used = has_threads ? fmt::format("{} threads on {} cores", threads, cores)
                                         : "1 thread: built without OpenMP";
    const std::string name = fmt::format("{} tasks", graph.ranks());
    report.row(name + ", 1 thread", c.one_thread, fmt::format("{:.2f} s", alone.seconds));
    report.row(name + ", several threads", fmt::format("{} (32 threads)", c.many_threads),
               fmt::format("{:.2f} s ({})", together.seconds, used));
    report.row(name + ", the same mapping with threads", "yes",
               alone.mapping == together.mapping ? "yes" : "no");
  }
}

void run_eagermap_study(const StudyOptions& options, StudyReport& report) {
  worked_example(options.seed, report);
  unequal_machines(options.seed, report);
  times(options, report);
  report.note("The paper's other figures are charts without numbers, and run times of programs.");
  report.note("Its matrices are dense; here only pairs that communicate are stored.");
}

}  // namespace

extern const Study eagermap_study{
    "eagermap", "EagerMap: the worked example, clusters of unequal machines, time to map",
    "Cruz, Diener, Pilla, Navaux: EagerMap, ACM TOPC 5(4), 2019, figures 2 to 4, section 5.3",
    run_eagermap_study};

}  // namespace kith::tools
