#include "mapping/search/explain.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kith {
namespace {

/// What an optimum is subject to; a job alone fixes rank 0, of which its user need not know.
std::string fixed_words(const std::vector<FixedRank>& fixed) {
  if (fixed.empty()) return "";
  if (fixed.size() == 1) return fmt::format(" with rank {} in its place", fixed[0].rank.value);
  return fmt::format(" with {} ranks in their places", fixed.size());
}

std::string why_nothing_changes(const MapProblem& problem, const Search& search) {
  if (problem.graph.edges() == 0) return "the ranks send each other nothing";
  if (search.is_optimal()) {
    return fmt::format("no order{} can be better", fixed_words(problem.options.fixed));
  }
  const Stopped stopped = problem.budget != nullptr ? problem.budget->stopped() : Stopped::done;
  if (search.steps_done() == 0 && stopped != Stopped::done) {
    return fmt::format("the {} did not suffice for any other", to_string(stopped));
  }
  if (search.steps_done() == 0) return "this effort allows for no try on so many ranks";
  if (search.steps_done() == 1) return "the only try was not better";
  return fmt::format("none of {} tries was better", search.steps_done());
}

}  // namespace

std::vector<std::string> explain(const MapProblem& problem, const Search& search,
                                 const std::string& pattern) {
  const Incumbent& best = search.best();
  if (best.is_start()) {
    return {fmt::format("{}{}{} stays: {}", pattern, pattern.empty() ? "" : "; ", best.how(),
                        why_nothing_changes(problem, search))};
  }
  const double share = static_cast<double>(best.value().total) /
                       static_cast<double>(std::max<Wide>(best.identity_value().total, 1));
  const bool counts_moves = problem.options.from && problem.options.move_cost > 0;
  // An exhaustive search looks for no grid.
  const std::string found =
      search.is_proven() ? "" : (pattern.empty() ? "no grid" : pattern) + "; ";
  return {fmt::format("{}{}{}; {} {:.3g} of {}{}{}", found, best.how(),
                      best.is_refined() ? ", refined" : "", goal_of(problem.options).name(), share,
                      best.identity_name(), counts_moves ? ", moves included" : "",
                      search.is_optimal()
                          ? ", and nothing can be lower" + fixed_words(problem.options.fixed)
                          : "")};
}

}  // namespace kith
