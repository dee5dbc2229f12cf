#include <algorithm>
#include <cstdio>
#include <set>

#include "core/rng.hpp"
#include "mapper_tables/tables.hpp"

namespace kith::bench {
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

const char* target_of(const std::string& algorithm, std::uint32_t ranks) {
  for (const Target& target : targets) {
    if (algorithm == target.algorithm && ranks == target.ranks) return target.text;
  }
  return "";
}

constexpr std::uint64_t seed = 1;

/// What the program would tell by its Cartesian communicator.
RankCoordinates permuted_coordinates(const Size& size) {
  const auto in_order = RankCoordinates::grid(size.extents);
  RankCoordinates permuted = in_order;
  const auto rank_of = random_permutation(size.ranks(), seed);  // make_permuted()'s
  for (std::uint32_t v = 0; v < size.ranks(); ++v) {
    std::ranges::copy(in_order.of(v), permuted.values.begin() + 3 * std::ptrdiff_t{rank_of[v]});
  }
  return permuted;
}

Instance stencil(const Size& size, const std::string& machine, bool is_permuted) {
  const PatternMaker natural = grid(size.extents, 7);
  Instance made = instance(is_permuted ? "permuted" : "natural",
                           is_permuted ? permuted(natural, seed) : natural, machine);
  made.coordinates = [size, is_permuted] {
    return is_permuted ? permuted_coordinates(size) : RankCoordinates::grid(size.extents);
  };
  return made;
}

/// False when the run did not come to its end.
bool print_row(const Instance& instance, const Way& way, const Limits& limits) {
  std::printf("%7u %-18s %-8s %-18s ", instance.ranks, instance.machine.c_str(),
              instance.name.c_str(), way.algorithm.c_str());
  std::fflush(stdout);
  const Outcome run = measure(instance, way, limits);
  const char* const target = target_of(way.algorithm, instance.ranks);
  switch (run.end) {
    case Outcome::End::done:
      std::printf("%8.3f %8.3f %7llu %7llu %7.3f %7.4f  %s\n", run.cpu_s, run.wall_s,
                  static_cast<unsigned long long>(run.peak_mb),
                  static_cast<unsigned long long>(run.input_mb), run.objective / run.total_weight,
                  run.ratio(), target);
      return true;
    case Outcome::End::out_of_time:
      std::printf("more than %llu s  %s\n", static_cast<unsigned long long>(limits.cpu_s), target);
      return false;
    case Outcome::End::out_of_memory:
      std::printf("more than %llu MB  %s\n", static_cast<unsigned long long>(limits.memory_mb),
                  target);
      return false;
    case Outcome::End::refused:
      std::printf("%s\n", run.complaint.c_str());
      return true;
  }
  return false;
}

/// Each size in turn; who did not come to an end is not asked for a larger one.
void print_rows(const Options& options, bool on_tree, bool is_permuted) {
  Way way;
  way.threads = options.first_threads();
  way.objective = Objective::hop_bytes;
  if (!options.efforts.empty()) way.effort = options.efforts.front();
  std::vector<std::string> algorithms = options.algorithms;
  if (algorithms.empty()) {
    for (const Mapper* mapper : mappers()) algorithms.emplace_back(mapper->name());
  }
  for (const Size& size : sizes) {
    if (!options.wants(size.ranks())) continue;
    const Instance made = stencil(size, on_tree ? size.tree : size.torus, is_permuted);
    std::erase_if(algorithms, [&](const std::string& algorithm) {
      way.algorithm = algorithm;
      return !print_row(made, way, options.limits(30));
    });
  }
}

}  // namespace

void print_stencil_table(const Options& options) {
  std::printf("%7s %-18s %-8s %-18s %8s %8s %7s %7s %7s %7s  %s\n", "ranks", "machine", "order",
              "algorithm", "CPU s", "wall s", "MB", "of it", "hops/B", "ratio", "target");
  for (const bool on_tree : {true, false}) {
    if (!options.machines.contains(on_tree ? "tree" : "torus")) continue;
    for (const bool is_permuted : {false, true}) {
      if (!options.orders.contains(is_permuted ? "permuted" : "natural")) continue;
      print_rows(options, on_tree, is_permuted);
    }
  }
}

}  // namespace kith::bench
