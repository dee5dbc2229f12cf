// Time, memory and quality of the mappers on 3D stencils, in one table: see README.md here.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "core/rng.hpp"
#include "core/split.hpp"
#include "kith/error.hpp"
#include "kith/generate.hpp"
#include "kith/mapper.hpp"

namespace {

struct Size {
  std::vector<std::uint32_t> extents;
  const char* tree;
  const char* torus;
  std::uint32_t ranks() const { return extents[0] * extents[1] * extents[2]; }
};

const Size sizes[] = {
    {{8, 8, 8}, "tree:8x4x16", "torus:8x8x8"},
    {{16, 16, 16}, "tree:16x4x64", "torus:16x16x16"},
    {{32, 32, 32}, "tree:16x32x4x16", "torus:32x32x32"},
    {{64, 64, 32}, "tree:32x32x4x32", "torus:64x64x32"},
    {{100, 100, 100}, "tree:125x125x4x16", "torus:100x100x100"},
};

/// What a mapper is meant to keep, in seconds and megabytes.
struct Target {
  const char* algorithm;
  std::uint32_t ranks;
  const char* text;
};
const Target targets[] = {
    {"eagermap", 131072, "5 s, 1000 MB"},
    {"treematch", 131072, "10 s, 2000 MB"},
    {"topolb", 4096, "5 s"},
    {"topocentlb", 32768, "20 s"},
    {"geom", 1000000, "2 s"},
};

struct Options {
  std::vector<std::string> algorithms;  ///< empty: all
  std::set<std::uint32_t> ranks;        ///< empty: all sizes
  std::set<std::string> machines{"tree", "torus"};
  std::set<std::string> orders{"natural", "permuted"};
  rlim_t limit_s = 30;
  rlim_t memory_mb = 8000;
  unsigned threads = 1;
};

/// One row of the table.
struct Run {
  const Size& size;
  std::string machine;
  bool permuted;
  std::string algorithm;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

const char* target_of(const Run& run) {
  for (const Target& target : targets) {
    if (run.algorithm == target.algorithm && run.size.ranks() == target.ranks) return target.text;
  }
  return "";
}

void print_start(const Run& run) {
  std::printf("%7u %-18s %-8s %-18s ", run.size.ranks(), run.machine.c_str(),
              run.permuted ? "permuted" : "natural", run.algorithm.c_str());
}

/// What the program would tell by its Cartesian communicator.
kith::RankCoordinates coordinates_of(const Run& run, std::uint64_t seed) {
  const auto in_order = kith::RankCoordinates::grid(run.size.extents);
  if (!run.permuted) return in_order;
  kith::RankCoordinates permuted = in_order;
  const auto rank_of = kith::random_permutation(run.size.ranks(), seed);  // make_permuted()'s
  for (std::uint32_t v = 0; v < run.size.ranks(); ++v) {
    std::ranges::copy(in_order.of(v), permuted.values.begin() + 3 * std::ptrdiff_t{rank_of[v]});
  }
  return permuted;
}

/// The process is this row's own, so that time and memory are, too.
int measure(const Run& run, const Options& options) {
  constexpr std::uint64_t seed = 1;
  auto pattern = kith::make_stencil(run.size.extents, 7, false, {1});
  if (run.permuted) pattern = kith::make_permuted(std::move(pattern), seed);
  const auto graph = kith::TrafficGraph::from(kith::to_matrix(*pattern));
  const auto machine = kith::parse_machine(run.machine);
  kith::MapOptions map;
  map.threads = options.threads;
  map.coordinates = coordinates_of(run, seed);
  map.loads.assign(graph.ranks(), 1);
  const long input_megabytes = peak_megabytes();
  const double cpu_before = cpu_seconds();
  kith::MapResult result;
  try {
    result = kith::map_ranks(kith::find_algorithm(run.algorithm), {graph, *machine, map});
  } catch (const kith::Error& error) {
    std::printf("%s\n", error.what());
    return 0;
  } catch (const std::bad_alloc&) {
    std::printf("more than %llu MB\n", static_cast<unsigned long long>(options.memory_mb));
    return 2;
  }
  const double cpu = cpu_seconds() - cpu_before;
  const long megabytes = peak_megabytes();  // of mapping: judging comes later
  const auto hop_bytes = [&](const kith::Mapping& mapping) {
    return static_cast<double>(
        kith::evaluate_objective(graph, *machine, mapping, kith::Objective::hop_bytes));
  };
  const double found = hop_bytes(result.mapping);
  std::printf("%8.3f %8.3f %7ld %7ld %7.3f %7.4f  %s\n", cpu, result.seconds, megabytes,
              input_megabytes, found / static_cast<double>(kith::total_weight(graph)),
              found / hop_bytes(kith::identity_mapping(graph.ranks(), *machine, 1)),
              target_of(run));
  return 0;
}

/// False when the run did not come to its end.
bool run_apart(const Run& run, const Options& options) {
  print_start(run);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit time{options.limit_s, options.limit_s + 1};
    const rlimit memory{options.memory_mb << 20, options.memory_mb << 20};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_AS, &memory);
    const int status = measure(run, options);
    std::fflush(stdout);
    _exit(status);
  }
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child) return false;
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)) {
    std::printf("more than %llu s  %s\n", static_cast<unsigned long long>(options.limit_s),
                target_of(run));
  } else if (WIFSIGNALED(status)) {
    std::printf("died of signal %d\n", WTERMSIG(status));
  }
  return status == 0;
}

[[noreturn]] void explain(int status) {
  std::fputs(
      "Usage: bench_mappers [--algorithms a,b+refine|all] [--ranks 512,4096,32768,131072,1000000]\n"
      "                     [--machines tree,torus] [--orders natural,permuted] [--threads N]\n"
      "                     [--limit CPU-SECONDS of a run] [--memory MB of a run]\n",
      status == 0 ? stdout : stderr);
  std::exit(status);
}

std::uint64_t number(std::string_view text) {
  char* end = nullptr;
  const std::string copy(text);
  const std::uint64_t value = std::strtoull(copy.c_str(), &end, 10);
  if (copy.empty() || *end != '\0' || value == 0) explain(2);
  return value;
}

Options parse(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string option = words[i];
    if (option == "--help") explain(0);
    if (i + 1 == count) explain(2);
    const std::string_view value = words[++i];
    const auto items = kith::split(value, ',');
    const std::set<std::string> names(items.begin(), items.end());
    if (option == "--algorithms") {
      if (value != "all") options.algorithms.assign(items.begin(), items.end());
    } else if (option == "--ranks") {
      for (const auto item : items) options.ranks.insert(static_cast<std::uint32_t>(number(item)));
    } else if (option == "--machines") {
      options.machines = names;
    } else if (option == "--orders") {
      options.orders = names;
    } else if (option == "--limit") {
      options.limit_s = number(value);
    } else if (option == "--memory") {
      options.memory_mb = number(value);
    } else if (option == "--threads") {
      options.threads = static_cast<unsigned>(number(value));
    } else {
      explain(2);
    }
  }
  if (options.algorithms.empty()) {
    for (const kith::Mapper* mapper : kith::mappers()) {
      options.algorithms.emplace_back(mapper->name());
    }
  }
  for (const std::string& name : options.algorithms) kith::find_algorithm(name, "--algorithms");
  return options;
}

/// Each size in turn; who did not come to an end is not asked for a larger one.
void run_all(const Options& options) {
  std::printf("%7s %-18s %-8s %-18s %8s %8s %7s %7s %7s %7s  %s\n", "ranks", "machine", "order",
              "algorithm", "CPU s", "wall s", "MB", "of it", "hops/B", "ratio", "target");
  for (const char* kind : {"tree", "torus"}) {
    if (!options.machines.contains(kind)) continue;
    for (const bool permuted : {false, true}) {
      if (!options.orders.contains(permuted ? "permuted" : "natural")) continue;
      std::set<std::string> given_up;
      for (const Size& size : sizes) {
        if (!options.ranks.empty() && !options.ranks.contains(size.ranks())) continue;
        const std::string machine = std::string(kind) == "tree" ? size.tree : size.torus;
        for (const std::string& algorithm : options.algorithms) {
          if (given_up.contains(algorithm)) continue;
          if (!run_apart({size, machine, permuted, algorithm}, options)) {
            given_up.insert(algorithm);
          }
        }
      }
    }
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    run_all(parse(count, words));
  } catch (const kith::Error& error) {
    std::fprintf(stderr, "bench_mappers: %s\n", error.what());
    return static_cast<int>(error.kind());
  }
  return 0;
}
