#include "goal_words.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "values.hpp"

namespace kith::tools {
namespace {

constexpr std::string_view goal_option = "--objective";

Criterion parse_criterion(std::string_view text) {
  std::vector<std::string> names;
  for (const Criterion criterion : criteria) names.emplace_back(to_string(criterion));
  return criteria[parse_choice(text, goal_option, names)];
}

/// Beyond these limits a mix is its heaviest term, except for rounding.
double parse_weight(std::string_view text) {
  const auto weight = parse_real(text);
  if (weight && *weight >= 1e-6 && *weight <= 1e6) return *weight;
  throw bad_input(goal_option, "a weight from 0.000001 to 1000000", fmt::format("'{}'", text));
}

}  // namespace

void add_objective_option(CLI::App& app, std::optional<std::string>& word) {
  app.add_option(goal_option.data(), word,
                 "What to minimise: bytes times hops, the sum or the largest of bytes times cost, "
                 "the bytes on the busiest link, or a mix with weights, each value relative to "
                 "identity's: hop-bytes:1,link-load:0.5. Default sum-com where the machine carries "
                 "costs, else hop-bytes")
      ->type_name("hop-bytes|sum-com|max-com|link-load|NAME:W,...");
}

Goal parse_goal(std::string_view text) {
  Goal goal;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t colon = part.find(':');
    Goal::Term term{parse_criterion(part.substr(0, colon))};
    if (colon != std::string_view::npos) term.weight = parse_weight(part.substr(colon + 1));
    if (goal.has(term.criterion)) {
      throw bad_input(goal_option, "each name once", fmt::format("'{}'", text));
    }
    goal.terms.push_back(term);
  }
  return goal;
}

Goal chosen_goal(const std::optional<Goal>& asked, const Machine& machine) {
  if (!asked) return Goal{{{criterion_of(default_objective(machine))}}};
  check_goal(*asked, machine);
  return *asked;
}

void set_goal(MapOptions& options, const Goal& goal) {
  options.objective = goal.nearest_objective();
  options.goal.reset();
  if (!goal.as_objective()) options.goal = goal;
}

}  // namespace kith::tools
