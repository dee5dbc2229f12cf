#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <utility>

#include "kith/machine.hpp"
#include "mapper_tables/tables.hpp"
#include "mapper_tables/text_table.hpp"
#include "structure_families/member.hpp"
#include "structure_families/plain_annealer.hpp"

namespace kith::bench {
namespace {

/// One mapping of a member.
struct Entry {
  std::string who;
  Outcome run;
};

class StructuresTable {
 public:
  explicit StructuresTable(const Options& options)
      : options_(options),
        limits_(options.limits(120)),
        table_({{"instance", 48},
                {"machine", 30},
                {"who", 16},
                {"J", -14},
                {"above reference", -15},
                {"CPU s", -8},
                {"MB", -6}}) {
    efforts_ = options.efforts;
    if (efforts_.empty()) efforts_ = {Effort::fast, Effort::balanced};
  }

  void print(const Member& member) {
    const Instance& instance = member.instance;
    std::vector<Entry> entries;
    for (const Effort effort : efforts_) {
      const std::string who = std::string("kith ").append(name_of(effort));
      entries.push_back(
          {who, measure(instance, {"kith", effort, options_.first_threads()}, limits_)});
    }
    for (const std::string& other : options_.algorithms) {
      if (other != "kith") entries.push_back({other, measure(instance, {other}, limits_)});
    }
    const Entry reference = least(member.planted ? planted(member) : annealed(instance), entries);
    table_.row({instance.name, shortened(instance.machine), reference.who,
                exact(reference.run.objective), "", brief(reference.run.cpu_s), ""});
    for (const Entry& entry : entries) print_row(entry, reference, member.family);
  }

  void print_summary() {
    std::puts("");
    const TextTable table({{"family", 28},
                           {"who", 16},
                           {"members", -8},
                           {"median above", -13},
                           {"worst above", -12},
                           {"CPU s, all", -11}});
    for (const Family& family : families()) {
      for (auto& [who, account] : accounts_[family.letter]) {
        std::ranges::sort(account.above);
        if (account.above.empty()) continue;
        const std::size_t count = account.above.size();
        const double median = (account.above[(count - 1) / 2] + account.above[count / 2]) / 2;
        table.row({std::string{family.letter} + " " + family.name, who, std::to_string(count),
                   percent(median), percent(account.above.back()), brief(account.cpu_s)});
      }
    }
  }

 private:
  struct Account {
    std::vector<double> above;  // in %
    double cpu_s = 0;
  };

  static std::string percent(double value) { return decimal(value, 2) + "%"; }

  static std::string shortened(const std::string& spec) {
    const auto suffix = spec.find(";slots=");
    return suffix == std::string::npos ? spec : spec.substr(0, suffix) + ", some slots";
  }

  static Entry planted(const Member& member) {
    Outcome outcome;
    outcome.end = Outcome::End::done;
    const auto graph = TrafficGraph::from(member.instance.matrix());
    const auto machine = parse_machine(member.instance.machine);
    outcome.objective = objective_of(graph, *machine, *member.planted, default_objective(*machine));
    return {"planted", std::move(outcome)};
  }

  Entry annealed(const Instance& instance) const {
    const auto graph = TrafficGraph::from(instance.matrix());
    const auto machine = parse_machine(instance.machine);
    MapOptions map_options;
    map_options.objective = default_objective(*machine);
    const std::clock_t started = std::clock();
    const Mapping mapping = anneal_plainly({graph, *machine, map_options}, options_.annealing, 1);
    Entry entry{"annealing", {}};
    entry.run.end = Outcome::End::done;
    entry.run.cpu_s = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
    entry.run.objective = objective_of(graph, *machine, mapping, map_options.objective);
    return entry;
  }

  static Entry least(Entry reference, const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
      if (!entry.run.done() || entry.run.objective >= reference.run.objective) continue;
      reference.who = "best known";
      reference.run.objective = entry.run.objective;
    }
    return reference;
  }

  void print_row(const Entry& entry, const Entry& reference, char family) {
    const Outcome& run = entry.run;
    if (!run.done()) {
      table_.row({"", "", entry.who,
                  run.end == Outcome::End::refused
                      ? run.complaint
                      : "over " + std::to_string(limits_.cpu_s) + " s or memory"});
      return;
    }
    const double against = reference.run.objective;
    const double above = against == 0 ? 0 : 100 * (run.objective / against - 1);
    table_.row({"", "", entry.who, exact(run.objective), percent(above), decimal(run.cpu_s, 3),
                std::to_string(run.peak_mb)});
    Account& account = accounts_[family][entry.who];
    account.above.push_back(above);
    account.cpu_s += run.cpu_s;
  }

  const Options& options_;
  Limits limits_;
  std::vector<Effort> efforts_;
  TextTable table_;
  std::map<char, std::map<std::string, Account>> accounts_;
};

}  // namespace

void print_structures_table(const Options& options) {
  constexpr std::uint32_t usual_most = 2048;
  StructuresTable table(options);
  for (const Family& family : families()) {
    if (!options.only.empty() && options.only.find(family.letter) == std::string::npos) continue;
    for (std::uint32_t number = 1; number <= options.members; ++number) {
      table.print(
          draw_member(family, options.seed, number, std::min(options.most_ranks, usual_most)));
    }
  }
  table.print_summary();
}

}  // namespace kith::bench
