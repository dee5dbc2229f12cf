#include <bit>
#include <fstream>

#include "kith/error.hpp"
#include "mapper_tables/scaling_plot.hpp"
#include "mapper_tables/tables.hpp"
#include "mapper_tables/text_table.hpp"

namespace kith::bench {
namespace {

constexpr std::uint64_t seed = 1;

/// A family of instances that grow fourfold.
struct Family {
  const char* name;
  PatternMaker (*pattern)(const std::vector<std::uint32_t>& extents);
};

std::uint32_t ranks_of(const std::vector<std::uint32_t>& extents) {
  return extents[0] * extents[1] * extents[2];
}

const Family families[] = {
    {"3D 7-point permuted", [](const auto& extents) { return permuted(grid(extents, 7), seed); }},
    {"3D 26-neighbour", [](const auto& extents) { return halo(extents); }},
    {"random geometric", [](const auto& extents) { return geometric(ranks_of(extents), seed); }},
};

const std::vector<std::uint32_t> sizes[] = {{8, 8, 4},    {16, 8, 8},   {16, 16, 16},  {32, 32, 16},
                                            {64, 32, 32}, {64, 64, 64}, {128, 128, 64}};

/// Nodes of 4 x 16 slots below two layers of switches, about as many of each.
std::string machine_for(std::uint32_t ranks) {
  const std::uint32_t nodes = ranks / 64;
  const std::uint32_t upper = 1U << (std::bit_width(nodes) / 2);
  return "tree:" + std::to_string(upper) + "x" + std::to_string(nodes / upper) +
         "x4x16@1000,100,10,1";
}

void write_plot(const std::string& path, const std::vector<ScalingSeries>& all) {
  std::ofstream file(path);
  file << draw_scaling(all);
  if (!file.flush()) throw environment_error("cannot write " + path);
}

class ScalingTable {
 public:
  explicit ScalingTable(const Options& options)
      : options_(options),
        table_({{"pattern", 22},
                {"ranks", -8},
                {"effort", 8},
                {"threads", -7},
                {"wall s", -9},
                {"CPU s", -9},
                {"MB", -6},
                {"of it input", -11},
                {"of identity", -11},
                {"above bound", -11},
                {"us per rank", -11}}) {}

  /// Each size in turn, until one does not come to its end.
  ScalingSeries print(const Family& family, const Way& way) {
    ScalingSeries series{family.name, way.effort, way.threads};
    for (const auto& extents : sizes) {
      const std::uint32_t ranks = ranks_of(extents);
      const Instance made = instance(family.name, family.pattern(extents), machine_for(ranks));
      if (!options_.wants(made)) continue;
      const Outcome run = measure(made, way, options_.limits(300));
      print_row(made, way, run);
      if (!run.done()) break;
      series.points.push_back({static_cast<double>(ranks), run.wall_s,
                               static_cast<double>(run.peak_mb),
                               run.bound > 0 ? run.objective / run.bound : 0});
    }
    return series;
  }

 private:
  void print_row(const Instance& made, const Way& way, const Outcome& run) const {
    std::vector<std::string> cells{made.name, std::to_string(made.ranks),
                                   std::string(name_of(way.effort)), std::to_string(way.threads)};
    if (!run.done()) {
      cells.push_back(run.complaint.empty() ? "too much" : run.complaint);
    } else {
      cells.insert(cells.end(),
                   {decimal(run.wall_s, 3), decimal(run.cpu_s, 3), std::to_string(run.peak_mb),
                    std::to_string(run.input_mb), decimal(run.ratio(), 4),
                    decimal(100 * (run.objective / run.bound - 1), 2) + "%",
                    brief(1e6 * run.wall_s / made.ranks)});
    }
    table_.row(std::move(cells));
  }

  const Options& options_;
  TextTable table_;
};

}  // namespace

void print_scaling_table(const Options& options) {
  Way way;
  way.algorithm = options.algorithms.empty() ? "kith" : options.algorithms.front();
  const auto efforts =
      options.efforts.empty() ? std::vector{Effort::fast, Effort::balanced} : options.efforts;
  const auto threads = options.threads.empty() ? std::vector{1U, 2U} : options.threads;
  ScalingTable table(options);
  std::vector<ScalingSeries> all;
  for (const Family& family : families) {
    for (const Effort effort : efforts) {
      for (const unsigned count : threads) {
        way.effort = effort;
        way.threads = count;
        ScalingSeries series = table.print(family, way);
        if (!series.points.empty()) all.push_back(std::move(series));
      }
    }
  }
  if (!options.plot.empty() && !all.empty()) write_plot(options.plot, all);
}

}  // namespace kith::bench
