#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

#include "mapper_tables/reference_lines.hpp"
#include "mapper_tables/tables.hpp"
#include "mapper_tables/text_table.hpp"

namespace kith::bench {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
/// Ratios are quoted with four digits.
constexpr double rounding = 0.5e-4;
/// Who is so near to the best is a rival in time.
constexpr double near_best = 1.05;

/// What Kith's presets are to keep, whatever others take: CPU seconds.
double preset_seconds(Effort effort, std::uint32_t ranks) {
  if (effort == Effort::best) return 60;
  if (effort == Effort::fast && ranks <= 1024) return 0.05;
  if (effort == Effort::fast && ranks <= 16384) return 1;
  if (effort == Effort::balanced && ranks <= 16384) return 5;
  return no_limit;
}

/// An objective that somebody has reached, and in what time (0: not known).
struct Reached {
  double objective;
  double cpu_s;
};

/// What is to be reached on a line.
struct Goal {
  double objective = no_limit;
  double cpu_s = no_limit;
};

Goal goal_of(const ReferenceLine& line, double identity, const Outcome& scotch) {
  std::vector<Reached> rivals;
  for (const Quoted& rival : line.rivals) {
    if (scotch.done() && rival.name == "Scotch") continue;  // measured here
    const double unit = line.relative_to_best ? line.best_known : identity;
    rivals.push_back({(rival.ratio + rounding) * unit, rival.cpu_s});
  }
  if (scotch.done()) rivals.push_back({scotch.objective, scotch.cpu_s});
  Goal goal;
  if (line.best_known > 0) goal.objective = line.best_known * (1 + line.tolerance);
  for (const Reached& rival : rivals) goal.objective = std::min(goal.objective, rival.objective);
  for (const Reached& rival : rivals) {
    const bool is_near = rival.objective <= near_best * goal.objective;
    if (is_near && rival.cpu_s > 0) goal.cpu_s = std::min(goal.cpu_s, rival.cpu_s);
  }
  return goal;
}

/// How often a way of ours reached its goals.
struct Account {
  Way way;
  unsigned lines = 0;
  unsigned in_objective = 0;
  unsigned in_time = 0;
  std::string missed{};
};

class ReferenceTable {
 public:
  explicit ReferenceTable(const Options& options)
      : options_(options),
        limits_(options.limits(60)),
        table_({{"instance", 38},
                {"who", 36},
                {"J", -14},
                {"of identity", -11},
                {"above best", -10},
                {"above bound", -11},
                {"CPU s", -8},
                {"wall s", -8},
                {"MB", -6},
                {"J reached", -10},
                {"in time", -8}}) {
    auto algorithms = options.algorithms;
    if (algorithms.empty()) algorithms = {"kith", "auto"};
    auto efforts = options.efforts;
    if (efforts.empty()) efforts = {Effort::fast, Effort::balanced};
    for (const std::string& algorithm : algorithms) {
      for (const Effort effort : efforts) {
        accounts_.push_back({{algorithm, effort, options.first_threads()}});
      }
    }
  }

  void print(const ReferenceLine& line) {
    const Outcome identity = measure(line.instance, {"identity"}, limits_);
    if (!identity.done()) {
      table_.row({line.instance.name, "identity", identity.complaint});
      return;
    }
    print_quoted(line, identity);
    const Outcome scotch = measured_scotch(line, identity);
    const Goal goal = goal_of(line, identity.objective, scotch);
    for (Account& account : accounts_) print_ours(line, goal, account);
  }

  void print_summary() const {
    std::puts("");
    for (const Account& account : accounts_) {
      std::printf("%s: J reached on %u of %u lines, in time on %u%s%s\n",
                  name_of_way(account.way).c_str(), account.in_objective, account.lines,
                  account.in_time, account.missed.empty() ? "" : "; not: ", account.missed.c_str());
    }
  }

 private:
  static std::string name_of_way(const Way& way) {
    return way.algorithm + " " + std::string(name_of(way.effort));
  }

  static std::string above(double value, double base) {
    return base > 0 ? decimal(100 * (value / base - 1), 2) + "%" : "";
  }

  void print_quoted(const ReferenceLine& line, const Outcome& identity) const {
    std::string check;
    if (line.identity > 0) check = identity.objective == line.identity ? "as quoted" : "NOT QUOTED";
    table_.row({line.instance.name, "identity", exact(identity.objective), "1",
                above(identity.objective, line.best_known),
                above(identity.objective, identity.bound), "", "", "", check});
    const auto quoted = [&](const std::string& who, double objective, double cpu_s, bool is_exact) {
      table_.row({"", who + " (quoted)", is_exact ? exact(objective) : "",
                  decimal(objective / identity.objective, 4), above(objective, line.best_known),
                  above(objective, identity.bound), cpu_s > 0 ? decimal(cpu_s, 2) : ""});
    };
    if (line.lower_bound > 0) quoted("lower bound", line.lower_bound, 0, true);
    if (line.best_known > 0) quoted("best known", line.best_known, 0, true);
    for (const Quoted& rival : line.rivals) {
      const double unit = line.relative_to_best ? line.best_known : identity.objective;
      quoted(rival.name, rival.ratio * unit, rival.cpu_s, false);
    }
  }

  std::vector<std::string> cells(const ReferenceLine& line, const std::string& who,
                                 const Outcome& run) const {
    if (!run.done()) {
      const std::string why = run.end == Outcome::End::out_of_time
                                  ? "over " + std::to_string(limits_.cpu_s) + " s"
                              : run.end == Outcome::End::out_of_memory
                                  ? "over " + std::to_string(limits_.memory_mb) + " MB"
                                  : run.complaint;
      return {"", who, why};
    }
    return {"",
            who,
            exact(run.objective),
            decimal(run.ratio(), 4),
            above(run.objective, line.best_known),
            above(run.objective, run.bound),
            decimal(run.cpu_s, 3),
            decimal(run.wall_s, 3),
            std::to_string(run.peak_mb)};
  }

  /// Not asked where it has not come to an end with fewer ranks.
  Outcome measured_scotch(const ReferenceLine& line, const Outcome& identity) {
    Outcome scotch;
    if (line.instance.ranks >= too_many_for_scotch_) {
      scotch.end = Outcome::End::out_of_time;
    } else {
      scotch = measure(line.instance, {"scotch"}, limits_);
    }
    if (!scotch.done()) {
      too_many_for_scotch_ = std::min(too_many_for_scotch_, line.instance.ranks);
    }
    scotch.identity = identity.objective;
    table_.row(cells(line, "scotch (this run)", scotch));
    return scotch;
  }

  void print_ours(const ReferenceLine& line, const Goal& goal, Account& account) {
    const Outcome run = measure(line.instance, account.way, limits_);
    auto text = cells(line, name_of_way(account.way), run);
    ++account.lines;
    const double by_preset = preset_seconds(account.way.effort, line.instance.ranks);
    double seconds = std::min(by_preset, goal.cpu_s);
    if (line.most_cpu_s > 0) seconds = std::min(seconds, line.most_cpu_s);
    if (account.way.effort == Effort::best) seconds = by_preset;
    const bool in_objective = run.done() && run.objective <= goal.objective;
    const bool in_memory = line.most_mb == 0 || run.peak_mb <= line.most_mb;
    const bool in_time = run.done() && run.cpu_s <= seconds && in_memory;
    if (run.done()) {
      text.push_back(in_objective ? "yes" : above(run.objective, goal.objective));
      text.push_back(in_time      ? "yes"
                     : !in_memory ? "over " + std::to_string(line.most_mb) + " MB"
                                  : "x " + brief(run.cpu_s / seconds));
    }
    table_.row(std::move(text));
    account.in_objective += in_objective;
    account.in_time += in_time;
    if (!in_objective || !in_time) {
      if (!account.missed.empty()) account.missed += ", ";
      account.missed += line.instance.name;
      account.missed += in_objective ? " (time)" : in_time ? " (J)" : " (J, time)";
    }
  }

  const Options& options_;
  Limits limits_;
  TextTable table_;
  std::vector<Account> accounts_;
  std::uint32_t too_many_for_scotch_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace

void print_reference_table(const Options& options) {
  ReferenceTable table(options);
  for (const ReferenceLine& line : reference_lines()) {
    if (options.wants(line.instance)) table.print(line);
  }
  table.print_summary();
}

}  // namespace kith::bench
