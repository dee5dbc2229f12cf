#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>

#include "mapper_tables/own_instances.hpp"
#include "mapper_tables/tables.hpp"
#include "mapper_tables/text_table.hpp"

namespace kith::bench {
namespace {

bool is_ours(const std::string& algorithm) {
  return algorithm == "kith" || algorithm == "auto";
}

struct Entry {
  std::string algorithm;
  Outcome run;
};

class OwnTable {
 public:
  explicit OwnTable(const Options& options)
      : limits_(options.limits(10)),
        efforts_(options.efforts),
        threads_(options.first_threads()),
        table_({{"instance", 48},
                {"machine", 30},
                {"who", 14},
                {"J", -14},
                {"of identity", -11},
                {"above bound", -11},
                {"CPU s", -8},
                {"MB", -6},
                {"to best other", -13}}) {
    if (efforts_.empty()) efforts_ = {Effort::balanced};
    for (const Mapper* mapper : mappers()) {
      const std::string name(mapper->name());
      if (!is_ours(name) && name != "identity") others_.push_back(name);
    }
    if (!options.algorithms.empty()) {
      others_.clear();
      std::ranges::copy_if(options.algorithms, std::back_inserter(others_),
                           [](const auto& name) { return !is_ours(name); });
    }
  }

  void print(const Instance& instance) {
    const std::vector<Entry> best = best_others(instance);
    const Outcome identity = measure(instance, {"identity"}, limits_);
    table_.row({instance.name, shortened(instance.machine)});
    if (!identity.done()) return print_row("identity", identity, 0);
    const double to_beat =
        best.empty() ? identity.objective : std::min(best[0].run.objective, identity.objective);
    print_row("identity", identity, to_beat);
    for (std::size_t i = 0; i < std::min<std::size_t>(2, best.size()); ++i) {
      print_row(best[i].algorithm, best[i].run, to_beat);
    }
    for (const char* const ours : {"kith", "auto"}) {
      for (const Effort effort : efforts_) {
        std::string name = ours;
        name += ' ';
        name += name_of(effort);
        const Outcome run = measure(instance, {ours, effort, threads_}, limits_);
        print_row(name, run, to_beat);
        accounts_[name].add(run, to_beat, instance.name);
      }
    }
  }

  void print_summary() const {
    std::puts("");
    for (const auto& [name, account] : accounts_) account.print(name);
  }

 private:
  struct Account {
    unsigned instances = 0;
    double logarithms = 0;
    std::string lost{};

    void add(const Outcome& run, double to_beat, const std::string& instance) {
      ++instances;
      const double ratio = run.done() && to_beat > 0 ? run.objective / to_beat : 1;
      logarithms += std::log(ratio);
      if (run.done() && ratio <= 1) return;
      if (!lost.empty()) lost += ", ";
      lost += instance;
    }
    void print(const std::string& name) const {
      std::printf("%s: %.4f of the best other (geometric mean of %u)%s%s\n", name.c_str(),
                  std::exp(logarithms / instances), instances,
                  lost.empty() ? "" : "; others are better on: ", lost.c_str());
    }
  };

  static std::string shortened(const std::string& spec) {
    const auto suffix = spec.find(";slots=");
    return suffix == std::string::npos ? spec : spec.substr(0, suffix) + ", some slots";
  }

  /// All that came to an end, best first. Who did not is not asked for more ranks.
  std::vector<Entry> best_others(const Instance& instance) {
    std::vector<Entry> done;
    std::erase_if(others_, [&](const std::string& algorithm) {
      Outcome run = measure(instance, {algorithm}, limits_);
      const bool is_slow = run.end == Outcome::End::out_of_time;
      if (run.done()) done.push_back({algorithm, std::move(run)});
      return is_slow;
    });
    std::ranges::stable_sort(done, {}, [](const Entry& entry) { return entry.run.objective; });
    return done;
  }

  void print_row(const std::string& who, const Outcome& run, double to_beat) const {
    if (!run.done()) {
      table_.row({"", "", who,
                  run.end == Outcome::End::refused
                      ? run.complaint
                      : "over " + std::to_string(limits_.cpu_s) + " s or memory"});
      return;
    }
    table_.row({"", "", who, exact(run.objective), decimal(run.ratio(), 4),
                run.bound > 0 ? decimal(100 * (run.objective / run.bound - 1), 1) + "%" : "",
                decimal(run.cpu_s, 3), std::to_string(run.peak_mb),
                to_beat > 0 ? decimal(run.objective / to_beat, 4) : ""});
  }

  Limits limits_;
  std::vector<Effort> efforts_;
  unsigned threads_;
  TextTable table_;
  std::vector<std::string> others_;
  std::map<std::string, Account> accounts_;
};

}  // namespace

void print_own_table(const Options& options) {
  OwnTable table(options);
  for (const Instance& instance : own_instances()) {
    if (options.wants(instance)) table.print(instance);
  }
  table.print_summary();
}

}  // namespace kith::bench
