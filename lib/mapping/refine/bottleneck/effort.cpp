#include "mapping/refine/bottleneck/effort.hpp"

#include <algorithm>

#include "mapping/refine/refine.hpp"

namespace kith::bottleneck {
namespace {

std::uint64_t usual_visits(const MapTask& problem) {
  return 50'000 + 5'000 * (problem.graph.ranks() + problem.graph.edges());
}

/// How much an effort may cost, in loads looked at: some ten nanoseconds each. More effort goes the
/// same way further. Of very many ranks all loads are looked at some times over.
std::uint64_t visits_of_effort(const MapTask& problem) {
  constexpr std::uint64_t least_rounds = 10;
  const std::uint64_t entries = problem.graph.all_neighbours().size();
  const std::uint64_t usual = usual_visits(problem);
  const bool is_time = problem.options.goal->is_only(Criterion::network_time);
  const auto at_most = [&](std::uint64_t visits, std::uint64_t most) {
    return std::min(visits, is_time ? std::max(most, least_rounds * entries) : most);
  };
  switch (problem.options.effort) {
    case Effort::fast:
      return at_most(usual, 5'000'000);
    case Effort::balanced:
      return at_most(10 * usual, is_time ? 10'000'000 : 60'000'000);
    case Effort::best:
      break;
  }
  return at_most(100 * usual, 120'000'000);
}

/// Of a visit. Of long searches as measured on trees of four levels; smaller efforts do not have
/// the time by which it matters.
double visit_seconds(const MapTask& problem) {
  return problem.options.effort == Effort::best ? 2.5e-8 : 1e-8;
}

double seconds_of_visits(const MapTask& problem, std::uint64_t visits) {
  const auto calls = std::ranges::count_if(problem.options.goal->terms, is_bottleneck);
  return visit_seconds(problem) * static_cast<double>(calls) * static_cast<double>(visits);
}

}  // namespace

std::uint64_t most_visits(const MapTask& problem) {
  const std::uint64_t visits = visits_of_effort(problem);
  constexpr double share = 0.1;  // of one search
  if (!problem.options.time_limit) return visits;
  const double seconds = share * *problem.options.time_limit;
  return std::min(visits,
                  static_cast<std::uint64_t>(std::max(1.0, seconds / visit_seconds(problem))));
}

bool is_bottleneck(const Goal::Term& term) {
  return term.criterion == Criterion::link_load || term.criterion == Criterion::max_com ||
         term.criterion == Criterion::network_time;
}

std::uint64_t annealing_visits(const MapTask& problem) {
  const std::uint64_t most = most_visits(problem);
  switch (problem.options.effort) {
    case Effort::fast:
      return most / 4;
    case Effort::balanced:
      return problem.options.goal->is_only(Criterion::network_time) && !problem.options.time_limit
                 ? std::min<std::uint64_t>(6 * most, 60'000'000)
                 : std::min<std::uint64_t>(4 * most, 60'000'000);
    case Effort::best:
      break;
  }
  if (problem.options.time_limit) return 4 * most;
  return std::max(most, std::min<std::uint64_t>(400 * usual_visits(problem), 1'800'000'000));
}

std::uint64_t visits_of(const MapTask& problem, const BottleneckStep& step,
                        const std::vector<Change>& changes) {
  const std::uint64_t partners =
      problem.graph.degree(step.rank) + (step.partner ? problem.graph.degree(*step.partner) : 0);
  // Where many partners' links change by nothing in the end, as in an all-to-all, routes of
  // networks are followed all the same: some three links there and back, before and after.
  constexpr std::uint64_t many = 32;
  const bool is_tree = problem.machine.as_tree() != nullptr;
  const std::uint64_t of_partner = is_tree || partners <= many ? 1 : 12;
  return std::max<std::uint64_t>(4 * changes.size(), of_partner * partners) + 8;
}

}  // namespace kith::bottleneck

namespace kith {

double bottleneck_seconds(const MapTask& problem) {
  return problem.options.goal
             ? bottleneck::seconds_of_visits(problem, bottleneck::most_visits(problem))
             : 0;
}

double bottleneck_annealing_seconds(const MapTask& problem) {
  if (!problem.options.goal) return 0;
  return bottleneck::seconds_of_visits(
      problem, bottleneck::most_visits(problem) + bottleneck::annealing_visits(problem));
}

}  // namespace kith
