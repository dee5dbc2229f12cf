#include "mapper_tables/options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "core/parse_number.hpp"
#include "kith/error.hpp"

namespace kith::bench {
namespace {

constexpr const char* help =
    R"(Usage: bench_mappers [--table TABLE] [OPTIONS]

TABLE is one of
  reference  Kith's mappers on the instances that others were measured on, with what those reached,
             and Scotch in the same run (default)
  own        instances of many kinds, all mappers that come to an end
  scaling    time, memory and quality from 256 to a million ranks
  stencils   each mapper on 3D stencils of 512 to a million ranks (default with --algorithms,
             --ranks, --machines or --orders and without --only)
  links      how long the busiest link is busy, on meshes of 1024 to a million ranks: Kith's searches
             beside a long annealing, which --limit cuts short; --only TEXT: machines
  structures random members of families whose answer lies in their structure, beside what is planted
             or else a long annealing
  all        these six

  --algorithms a,b+refine|all  reference: ours, default kith,auto; scaling: the first, default kith;
                               own, stencils: default all; structures: beside kith, default none
  --efforts fast,balanced,best default fast,balanced; own: the first one given counts for all
                               others, default balanced; stencils: the first, default balanced
  --threads 1,2                scaling: each, default 1,2; others: the first, default 1
  --ranks 512,4096             only instances of so many ranks
  --most-ranks N               none with more
  --only TEXT                  reference, own, scaling: only instances with TEXT in their name;
                               structures: only the families named, A to K: "ABI"
  --seed N                     structures: other members
  --members N                  structures: of each family, default 2
  --annealing N                structures: tests per rank, default 20000
  --machines tree,torus        stencils
  --orders natural,permuted    stencils
  --limit S                    CPU seconds that a run may take, all threads; default 60, own 10,
                               scaling 300, stencils 30, structures 120
  --memory MB                  of a run, default 8000
  --plot FILE.svg              scaling: a picture of it
  --quick                      --most-ranks 1100 --limit 2: does it all still work?
)";

[[noreturn]] void explain(int status) {
  std::fputs(help, status == 0 ? stdout : stderr);
  std::exit(status);
}

std::vector<std::string> items(std::string_view list) {
  const auto parts = split(list, ',');
  return {parts.begin(), parts.end()};
}

std::uint64_t number(std::string_view text) {
  const auto value = parse_unsigned(text);
  if (!value || *value == 0) explain(2);
  return *value;
}

std::uint32_t number32(std::string_view text) {
  const std::uint64_t value = number(text);
  if (value > std::numeric_limits<std::uint32_t>::max()) explain(2);
  return static_cast<std::uint32_t>(value);
}

std::vector<Effort> parse_efforts(std::string_view list) {
  std::vector<Effort> efforts;
  for (const std::string& name : items(list)) {
    const Effort all[] = {Effort::fast, Effort::balanced, Effort::best};
    const auto* const found = std::ranges::find(all, name, name_of);
    if (found == std::end(all)) explain(2);
    efforts.push_back(*found);
  }
  return efforts;
}

std::vector<std::string> parse_algorithms(std::string_view list) {
  std::vector<std::string> names;
  if (list == "all") {
    for (const Mapper* mapper : mappers()) names.emplace_back(mapper->name());
  } else {
    names = items(list);
  }
  for (const std::string& name : names) find_algorithm(name, "--algorithms");
  return names;
}

void set_option(Options& options, const std::string& name, std::string_view value) {
  const auto set_of = [&] {
    const auto names = items(value);
    return std::set<std::string>(names.begin(), names.end());
  };
  const std::map<std::string, std::function<void()>> setters{
      {"--table", [&] { options.table = value; }},
      {"--algorithms", [&] { options.algorithms = parse_algorithms(value); }},
      {"--efforts", [&] { options.efforts = parse_efforts(value); }},
      {"--threads",
       [&] {
         for (const auto& n : items(value)) options.threads.push_back(number32(n));
       }},
      {"--ranks",
       [&] {
         for (const auto& n : items(value)) options.ranks.insert(number32(n));
       }},
      {"--most-ranks", [&] { options.most_ranks = number32(value); }},
      {"--only", [&] { options.only = value; }},
      {"--machines", [&] { options.machines = set_of(); }},
      {"--orders", [&] { options.orders = set_of(); }},
      {"--limit", [&] { options.limit_s = number(value); }},
      {"--memory", [&] { options.memory_mb = number(value); }},
      {"--plot", [&] { options.plot = value; }},
      {"--seed", [&] { options.seed = number(value); }},
      {"--members", [&] { options.members = number32(value); }},
      {"--annealing", [&] { options.annealing = number(value); }},
  };
  const auto setter = setters.find(name);
  if (setter == setters.end()) explain(2);
  setter->second();
}

}  // namespace

std::string_view name_of(Effort effort) {
  return effort == Effort::fast ? "fast" : effort == Effort::balanced ? "balanced" : "best";
}

Options parse_options(int count, char** words) {
  Options options;
  bool of_stencils = false;
  for (int i = 1; i < count; ++i) {
    const std::string name = words[i];
    if (name == "--help") explain(0);
    if (name == "--quick") {
      options.most_ranks = 1100;
      options.limit_s = 2;
      continue;
    }
    if (i + 1 == count) explain(2);
    set_option(options, name, words[++i]);
    of_stencils = of_stencils || name == "--algorithms" || name == "--ranks" ||
                  name == "--machines" || name == "--orders";
  }
  if (options.table.empty())
    options.table = of_stencils && options.only.empty() ? "stencils" : "reference";
  const std::set<std::string> tables{"reference", "own",        "scaling", "stencils",
                                     "links",     "structures", "all"};
  if (!tables.contains(options.table)) explain(2);
  return options;
}

}  // namespace kith::bench
