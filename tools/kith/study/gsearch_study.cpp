// kith study gsearch: the numbers of Balzuweit, Bunde, Leung, Finley, Lee: "Local search to improve
// task mapping", 2014, sections IV-A to IV-C, from simulation. Where the paper took its jobs from a
// machine's log, a machine kept busy by random jobs stands here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "core/rng.hpp"
#include "kith/detail/allocation.hpp"
#include "kith/detail/generate.hpp"
#include "kith/mapper.hpp"
#include "mapping/published/geom/geom.hpp"
#include "study/study.hpp"

namespace kith::tools {
namespace {

/// A job of tasks in a grid, each talking to its nearest neighbours.
struct Job {
  explicit Job(std::vector<std::uint32_t> job_extents)
      : extents(std::move(job_extents)),
        graph(TrafficGraph::from(to_matrix(*make_stencil(extents, 7, false, {1})))) {
    options.coordinates = RankCoordinates::grid(extents);
  }
  MapProblem on(const Machine& machine) const { return {graph, machine, options}; }
  Mapping geom(const Machine& machine) const {
    static const Algorithm algorithm = find_algorithm("geom");
    return map_ranks(algorithm, on(machine)).mapping;
  }
  std::uint64_t swaps_of_gsearch(const Machine& machine) const {
    Mapping mapping = geom(machine);
    return search_swaps(on(machine), mapping, SwapChoice::first).swaps;
  }

  std::vector<std::uint32_t> extents;
  TrafficGraph graph;
  MapOptions options;
};

/// Calls run(i) for 0 .. count - 1, several at a time. What one of them throws ends all.
template <class Run>
void for_each_case(std::size_t count, Run run) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr trouble;
  std::mutex one_at_a_time;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) run(i);
    } catch (...) {
      const std::lock_guard guard(one_at_a_time);
      trouble = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t) others.emplace_back(work);
    work();
  }
  if (trouble) std::rethrow_exception(trouble);
}

// Section IV-B, figure 11: all allocations of a 4x2x1 job on a 4x4x2 mesh.

constexpr std::uint32_t small_machine = 32;
constexpr std::uint32_t small_job = 8;
using SwapCounts = std::array<std::uint64_t, 32>;

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// The `index`-th set of eight of the 32 slots.
SlotSet allocation_at(std::uint64_t index) {
  std::vector<Slot> slots;
  std::uint32_t below = small_machine;
  for (std::uint32_t k = small_job; k > 0; --k) {
    do {
      --below;
    } while (choose(below, k) > index);
    index -= choose(below, k);
    slots.emplace_back(below);
  }
  return SlotSet::of(std::move(slots));
}

/// How often each number of swaps occurs, over all allocations or a sample of them.
SwapCounts count_swaps(const Job& job, const Machine& machine, const StudyOptions& options,
                       std::uint64_t count) {
  const std::uint64_t all = choose(small_machine, small_job);
  constexpr std::uint64_t in_one_go = 10'000;
  std::vector<SwapCounts> counts((count + in_one_go - 1) / in_one_go);
  for_each_case(counts.size(), [&](std::size_t part) {
    Rng random(options.seed + part);
    const std::uint64_t end = std::min(count, (part + 1) * in_one_go);
    for (std::uint64_t i = part * in_one_go; i < end; ++i) {
      const auto allocation =
          machine.restricted_to(allocation_at(options.full ? i : random.below(all)));
      ++counts[part][job.swaps_of_gsearch(*allocation)];
    }
  });
  SwapCounts total{};
  for (const SwapCounts& part : counts) {
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += part[k];
  }
  return total;
}

void study_all_allocations(const StudyOptions& options, StudyReport& report) {
  const std::uint64_t all = choose(small_machine, small_job);
  const std::uint64_t count = options.full ? all : 50'000;
  const auto add = [&](const char* spec, const char* order) {
    Job job({4, 2, 1});
    job.options.settings = {{"node-order", order}};
    const SwapCounts swaps = count_swaps(job, *parse_machine(spec), options, count);
    std::size_t most = swaps.size() - 1;
    while (swaps[most] == 0) --most;
    report.section(fmt::format("a 4x2x1 job on {}, node-order={}, {} of {} allocations", spec,
                               order, count, all));
    report.row("most swaps", options.full ? "12" : "12 (of all)", std::to_string(most));
    report.row("allocations that need so many", options.full ? "4" : "-",
               std::to_string(swaps[most]));
    for (std::size_t k = 0; k <= most; ++k) {
      report.row(fmt::format("allocations with {} swaps", k), "-", std::to_string(swaps[k]));
    }
  };
  add("torus:4x4x2", "last");
  add("torus:4x4x2", "first");
  add("mesh:4x4x2", "last");
}

// Section IV-B, figure 9: random allocations on a 16x24x24 mesh.

std::uint64_t swaps_on_random_nodes(const Machine& machine, const Job& job, Rng& rng) {
  auto nodes = random_permutation(machine.slots(), rng.next());
  nodes.resize(job.graph.ranks());
  std::vector<Slot> slots;
  for (const std::uint32_t node : nodes) slots.emplace_back(node);
  const auto allocation = machine.restricted_to(SlotSet::of(std::move(slots)));
  return job.swaps_of_gsearch(*allocation);
}

/// Allocations of one shape of job: how many in the sample, how many in all.
struct RandomJobs {
  std::vector<std::uint32_t> extents;
  std::size_t sample = 0;
  std::size_t full = 0;
};

void add_random_jobs(const RandomJobs& jobs, const StudyOptions& options, bool in_paper,
                     StudyReport& report) {
  const auto machine = parse_machine("mesh:16x24x24");
  const Job job(jobs.extents);
  const std::size_t count = options.full ? jobs.full : jobs.sample;
  std::vector<std::uint64_t> swaps(count);
  for_each_case(count, [&](std::size_t i) {
    Rng rng(options.seed + i);
    swaps[i] = swaps_on_random_nodes(*machine, job, rng);
  });
  const std::uint32_t n = job.graph.ranks();
  double sum = 0;
  for (const std::uint64_t one : swaps) sum += static_cast<double>(one);
  const double mean = sum / static_cast<double>(count);
  const auto within =
      std::ranges::count_if(swaps, [&](std::uint64_t one) { return one <= gsearch_swap_limit(n); });
  const auto name = fmt::format("{}", fmt::join(jobs.extents, "x"));
  const auto row = [&](const char* what, const char* paper, const std::string& ours) {
    report.row(fmt::format("{}, {}", name, what), in_paper ? paper : "-", ours);
  };
  row("mean of swaps / n", "a bit below 0.25", fmt::format("{:.3f}", mean / n));
  row("allocations within 0.35 n + 20 swaps", "all", fmt::format("{} of {}", within, count));
  row("most swaps above the mean", "133 at most",
      fmt::format("{:.0f}", static_cast<double>(*std::ranges::max_element(swaps)) - mean));
}

void study_random_allocations(const StudyOptions& options, StudyReport& report) {
  report.section("random allocations on a 16x24x24 mesh (paper: 100000 of each size)");
  for (const RandomJobs& jobs :
       {RandomJobs{{2, 2, 2}, 2000, 100'000}, RandomJobs{{4, 4, 4}, 300, 100'000},
        RandomJobs{{6, 6, 6}, 50, 100'000}, RandomJobs{{8, 8, 8}, 10, 10'000},
        RandomJobs{{10, 10, 10}, 4, 2000}, RandomJobs{{12, 12, 12}, 2, 1000}}) {
    add_random_jobs(jobs, options, true, report);
  }
  report.section("the same for jobs that are no cubes, of which the paper says nothing");
  for (const RandomJobs& jobs :
       {RandomJobs{{12, 12, 1}, 50, 10'000}, RandomJobs{{1, 1, 12}, 100, 10'000},
        RandomJobs{{12, 8, 3}, 20, 10'000}}) {
    add_random_jobs(jobs, options, false, report);
  }
  report.note("Flat and long jobs can need more swaps than the limit of 0.35 n + 20 allows.");
}

// Sections IV-A and IV-C: jobs on a busy 24x24x16 mesh.

/// The box of nearly `ranks` tasks that is closest to a cube.
std::vector<std::uint32_t> near_cube(double ranks) {
  const double x = std::max(1.0, std::round(std::cbrt(ranks)));
  const double y = std::max(1.0, std::round(std::sqrt(ranks / x)));
  const double z = std::max(1.0, std::round(ranks / x / y));
  return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
          static_cast<std::uint32_t>(z)};
}

struct SearchCase {
  SwapChoice choice;
  const char* name;
  /// The paper's, against gsearch. Whether each rank looks at all others or those above it alone is
  /// not in the paper.
  const char* swaps = "";
  const char* hops = "";
  const char* time = "";
};

constexpr std::array searches{
    SearchCase{SwapChoice::first, "gsearch"},
    SearchCase{SwapChoice::best_of_higher, "gsearch-rank, partners=higher", "-12%", "within 0.2%",
               "+2%"},
    SearchCase{SwapChoice::best_of_rank, "gsearch-rank, partners=all", "-12%", "within 0.2%",
               "+2%"},
    SearchCase{SwapChoice::best_of_all, "gsearch-best", "-35%", "within 0.2%", "+150%"}};

/// What one search, or GEOM itself, made of one job or of all.
struct SearchOutcome {
  double hops = 0;  ///< average
  double swaps = 0;
  double tests = 0;  ///< of swaps: the work, however busy the computer is
  double seconds = 0;
};

struct JobOutcomes {
  double geom = 0;  ///< average hops
  std::array<SearchOutcome, searches.size()> searched;
};

JobOutcomes map_on_busy_machine(const Machine& machine, std::uint64_t seed, double most_ranks) {
  Rng rng(seed);
  const Job job(near_cube(std::exp(rng.uniform() * std::log(most_ranks))));
  AllocationRequest request;
  request.nodes = job.graph.ranks();
  // A job starts only where there is room for it.
  const double room = static_cast<double>(request.nodes) / static_cast<double>(machine.slots());
  request.busy = std::min(0.5 + 0.4 * rng.uniform(), 1 - room);
  request.seed = rng.next();
  const auto allocation = machine.restricted_to(allocate_nodes(machine, request).slots);
  const double edges = static_cast<double>(std::max<std::uint64_t>(job.graph.edges(), 1));
  const auto average_hops = [&](const Mapping& mapping) {
    // Each edge weighs 2: one each way.
    return static_cast<double>(
               evaluate_objective(job.graph, *allocation, mapping, Objective::hop_bytes)) /
           2 / edges;
  };
  const Mapping start = job.geom(*allocation);
  JobOutcomes outcomes{average_hops(start), {}};
  for (std::size_t c = 0; c < searches.size(); ++c) {
    Mapping mapping = start;
    const auto begin = std::chrono::steady_clock::now();
    const SearchAccount account = search_swaps(job.on(*allocation), mapping, searches[c].choice);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    outcomes.searched[c] = {average_hops(mapping), static_cast<double>(account.swaps),
                            static_cast<double>(account.tests), taken.count()};
  }
  return outcomes;
}

void study_busy_machine(const StudyOptions& options, StudyReport& report) {
  const auto machine = parse_machine("mesh:24x24x16");
  const std::size_t count = options.full ? 10'000 : 300;
  const double most_ranks = options.full ? 1152 : 256;
  std::vector<JobOutcomes> found(count);
  for_each_case(count, [&](std::size_t i) {
    found[i] = map_on_busy_machine(*machine, options.seed + i, most_ranks);
  });
  std::size_t better = 0;
  std::size_t worse = 0;
  std::array<SearchOutcome, searches.size()> sums{};
  for (const JobOutcomes& job : found) {
    better += job.searched[0].hops < job.geom ? 1 : 0;
    worse += job.searched[0].hops > job.geom ? 1 : 0;
    for (std::size_t c = 0; c < searches.size(); ++c) {
      sums[c].hops += job.searched[c].hops;
      sums[c].swaps += job.searched[c].swaps;
      sums[c].tests += job.searched[c].tests;
      sums[c].seconds += job.searched[c].seconds;
    }
  }
  const auto percent = [](double share) { return fmt::format("{:.1f}%", 100 * share); };
  const auto change = [](double value, double reference) {
    return fmt::format("{:+.1f}%", 100 * (value / reference - 1));
  };
  report.section(
      fmt::format("{} jobs of up to {:.0f} tasks on a busy 24x24x16 mesh", count, most_ranks));
  report.row("jobs that gsearch maps worse than geom", "0", std::to_string(worse));
  report.row("jobs that it maps better", "49.7%",
             percent(static_cast<double>(better) / static_cast<double>(count)));
  for (std::size_t c = 1; c < searches.size(); ++c) {
    const auto row = [&](const char* what, const char* paper, double SearchOutcome::*value) {
      report.row(fmt::format("{}, {} against gsearch", searches[c].name, what), paper,
                 change(sums[c].*value, sums[0].*value));
    };
    row("swaps", searches[c].swaps, &SearchOutcome::swaps);
    row("average hops", searches[c].hops, &SearchOutcome::hops);
    row("swap tests", "-", &SearchOutcome::tests);
    row("time of the search", searches[c].time, &SearchOutcome::seconds);
  }
  report.note(
      "Swap tests are the work of a search, the same on every computer; its time is not, least of "
      "all on a busy one. Tests whose outcome is known are left out, so that gsearch-best is far "
      "cheaper here than trying all pairs before each swap.");
}

void run_gsearch_study(const StudyOptions& options, StudyReport& report) {
  study_all_allocations(options, report);
  study_random_allocations(options, report);
  study_busy_machine(options, report);
}

}  // namespace

extern const Study gsearch_study{"gsearch",
                                 "swaps that GSEARCH makes after GEOM, and what they gain",
                                 "Balzuweit, Bunde, Leung, Finley, Lee: Local search to improve "
                                 "task mapping, 2014, IV-A to IV-C",
                                 run_gsearch_study};

}  // namespace kith::tools
