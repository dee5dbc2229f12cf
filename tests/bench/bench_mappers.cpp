// Time, memory and quality of the mappers on 3D stencils, in one run: see README.md here.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "kith/generate.hpp"
#include "kith/mapper.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Instance {
  std::vector<std::uint32_t> extents;
  const char* machine;
};

const Instance instances[] = {
    {{16, 16, 16}, "tree:16x4x64"},
    {{32, 32, 32}, "tree:16x32x4x16"},
    {{64, 64, 32}, "tree:32x32x4x32"},
};
const char* const algorithms[] = {"identity", "random",        "eagermap", "eagermap+refine",
                                  "scotch",   "scotch+refine", "auto"};

/// Scotch takes minutes on the largest.
constexpr std::uint32_t most_ranks_for_scotch = 32768;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

/// The process is this row's own, so that its peak of memory is, too.
void print_row(const Instance& instance, std::uint64_t permutation, const char* algorithm) {
  const auto start = Clock::now();
  auto pattern = kith::make_stencil(instance.extents, 7, false, {1});
  if (permutation != 0) pattern = kith::make_permuted(std::move(pattern), permutation);
  const auto graph = kith::TrafficGraph::from(kith::to_matrix(*pattern));
  const auto machine = kith::parse_machine(instance.machine);
  const double input_seconds = seconds_since(start);
  const long input_megabytes = peak_megabytes();

  const kith::MapOptions options;
  const auto result = kith::map_ranks(kith::find_algorithm(algorithm), {graph, *machine, options});
  const auto hop_bytes = [&](const kith::Mapping& mapping) {
    return static_cast<double>(
        kith::evaluate_objective(graph, *machine, mapping, kith::Objective::hop_bytes));
  };
  const double ratio =
      hop_bytes(result.mapping) / hop_bytes(kith::identity_mapping(graph.ranks(), *machine, 1));
  std::printf("%7u %-16s %-8s %-16s %8.3f %8.3f %8ld %8ld %10.4f\n", graph.ranks(),
              instance.machine, permutation == 0 ? "natural" : "permuted", algorithm, input_seconds,
              result.seconds, input_megabytes, peak_megabytes(), ratio);
}

bool run_apart(const Instance& instance, std::uint64_t permutation, const char* algorithm) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    print_row(instance, permutation, algorithm);
    std::fflush(stdout);
    _exit(0);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main(int count, char** arguments) {
  const bool all = count > 1 && std::strcmp(arguments[1], "--all") == 0;
  std::printf("%7s %-16s %-8s %-16s %8s %8s %8s %8s %10s\n", "ranks", "machine", "order",
              "algorithm", "input s", "map s", "input MB", "peak MB", "hop-bytes");
  bool fine = true;
  for (const Instance& instance : instances) {
    const std::uint32_t ranks = instance.extents[0] * instance.extents[1] * instance.extents[2];
    for (const std::uint64_t permutation : {0, 1}) {
      for (const char* algorithm : algorithms) {
        const bool slow =
            std::strncmp(algorithm, "scotch", 6) == 0 && ranks > most_ranks_for_scotch;
        if (slow && !all) continue;
        fine = run_apart(instance, permutation, algorithm) && fine;
      }
    }
  }
  return fine ? 0 : 1;
}
