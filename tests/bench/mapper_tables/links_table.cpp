#include <time.h>

#include "kith/machine.hpp"
#include "mapper_tables/link_annealer.hpp"
#include "mapper_tables/tables.hpp"
#include "mapper_tables/text_table.hpp"

namespace kith::bench {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Size {
  std::uint32_t ranks;
  Effort effort;
  std::uint64_t swaps_per_rank;  ///< of the annealing
  std::vector<const char*> machines;
};

/// Trees of one switch and of several, whose uplinks are half as wide as what the hosts can send;
/// fat trees, tori, dragonflies.
const Size sizes[] = {
    {1024,
     Effort::balanced,
     20000,
     {"tree:64x16", "tree:8x8x16", "fattree:8,2,2/16", "torus:4x4x4/16", "dragonfly:4,4,4/16"}},
    {16384,
     Effort::fast,
     4000,
     {"tree:512x32", "tree:16x32x32", "fattree:8,3,2/32", "torus:8x8x8/32", "dragonfly:8,8,8/32"}},
    {1048576,
     Effort::fast,
     30,
     {"tree:8192x128", "tree:64x128x128", "fattree:8,4,2/256", "torus:16x32x16/128",
      "dragonfly:32,16,16/128"}},
};

class LinksTable {
 public:
  explicit LinksTable(double most_seconds)
      : most_seconds_(most_seconds),
        table_({{"ranks, effort", 16},
                {"machine", 24},
                {"who", 22},
                {"sum", -7},
                {"busiest link", -12},
                {"CPU s", -8}}) {}

  void print(const Size& size, const char* spec) {
    const TrafficMatrix matrix = instance("", permuted(mesh(size.ranks, 1), 1), spec).matrix();
    const TrafficGraph graph = TrafficGraph::from(matrix);
    const auto machine = parse_machine(spec);
    MapOptions options;
    options.objective = Goal{{{Criterion::network_time}}}.nearest_objective(*machine);
    options.effort = size.effort;
    const MapProblem problem{graph, *machine, options, &matrix};
    table_.row({std::to_string(size.ranks) + ", " + std::string(name_of(size.effort)), spec});
    before_ = evaluate(matrix, graph, *machine, identity_mapping(size.ranks, *machine, 1));
    const auto row = [&](const char* who, const auto& map) {
      const double started = cpu_seconds();
      Mapping mapping = map();
      print_row(who, evaluate(matrix, graph, *machine, mapping), cpu_seconds() - started);
      return mapping;
    };
    const auto searched = [&] { return map_ranks(find_algorithm("kith"), problem).mapping; };
    const Mapping by_sum = row("hop-bytes", searched);
    options.goal = Goal{{{Criterion::network_time}}};
    row("network-time", searched);
    row("annealed from hop-bytes", [&] {
      return anneal_links(problem, by_sum, size.swaps_per_rank * size.ranks, 1, most_seconds_);
    });
  }

 private:
  void print_row(const char* who, const Metrics& metrics, double seconds) const {
    const double sum =
        static_cast<double>(metrics.hop_bytes) / static_cast<double>(before_.hop_bytes);
    const double busiest = metrics.network_time.value() / before_.network_time.value();
    table_.row({"", "", who, decimal(sum, 3), decimal(busiest, 4), decimal(seconds, 1)});
  }

  double most_seconds_;
  TextTable table_;
  Metrics before_;
};

}  // namespace

void print_links_table(const Options& options) {
  LinksTable table(static_cast<double>(options.limit_s.value_or(1'000'000)));
  for (const Size& size : sizes) {
    if (!options.wants(size.ranks)) continue;
    for (const char* const machine : size.machines) {
      if (std::string(machine).find(options.only) != std::string::npos) table.print(size, machine);
    }
  }
}

}  // namespace kith::bench
