#include "mapping/portfolio/incumbent.hpp"

#include <utility>

#include "mapping/fill_slots.hpp"
#include "mapping/fixed_ranks.hpp"
#include "mapping/incremental/stay.hpp"
#include "mapping/mappers.hpp"

namespace kith {
namespace {

Mapping constrained(const MapProblem& problem, Mapping mapping) {
  return fill_short_slots(problem, place_fixed_ranks(problem, std::move(mapping)));
}

}  // namespace

Incumbent::Incumbent(const MapProblem& problem)
    : problem_(problem), valuer_(problem), best_(identity_mapper().map(problem)) {
  best_.mapping = constrained(problem, std::move(best_.mapping));
  value_ = valuer_(best_.mapping);
  identity_value_ = value_;
  if (problem.options.from) offer(stay(problem), "stay");
}

bool Incumbent::offer(Mapping mapping, std::string_view made_by,
                      std::vector<std::string> explanation) {
  mapping = constrained(problem_, std::move(mapping));
  const MappingValue value = valuer_(mapping);
  if (value >= value_) return false;
  value_ = value;
  best_ = {std::move(mapping), std::string(made_by), std::move(explanation)};
  return true;
}

}  // namespace kith
