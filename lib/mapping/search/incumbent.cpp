#include "mapping/search/incumbent.hpp"

#include <utility>

#include "mapping/fill_slots.hpp"
#include "mapping/fixed_ranks.hpp"
#include "mapping/mappers.hpp"
#include "mapping/remap/align.hpp"
#include "mapping/remap/relink.hpp"
#include "mapping/remap/stay.hpp"

namespace kith {
namespace {

/// `name`, or what it is where fixed ranks are elsewhere in `mapping`.
std::string name_of_start(const MapProblem& problem, const Mapping& mapping, std::string name) {
  if (keeps_fixed_ranks(mapping, problem.options.fixed)) return name;
  return name + " with the fixed ranks in place";
}

}  // namespace

Mapping with_constraints(const MapProblem& problem, Mapping mapping) {
  mapping = fill_short_slots(problem, place_fixed_ranks(problem, std::move(mapping)));
  // A reflected grid may load its links otherwise.
  if (!problem.options.from || problem.options.goal) return mapping;
  return align(problem, std::move(mapping));
}

Incumbent::Incumbent(const MapProblem& problem) : problem_(problem), valuer_(problem) {
  Mapper::Answer identity = identity_mapper().map(problem);
  identity_name_ = name_of_start(problem, identity.mapping, "the present order");
  best_ = {with_constraints(problem, std::move(identity.mapping)), identity.made_by,
           identity_name_};
  value_ = valuer_(best_.mapping);
  identity_value_ = value_;
  if (problem.options.from) {
    present_ = with_constraints(problem, stay(problem));
    offer({*present_, "stay",
           name_of_start(problem, *problem.options.from, "the mapping of before")});
    is_start_ = true;
  }
}

bool Incumbent::offer(Proposal proposal) {
  if (!keep_if_better(std::move(proposal.mapping))) return false;
  best_.made_by = std::move(proposal.made_by);
  best_.how = std::move(proposal.how);
  is_start_ = refined_ = false;
  return true;
}

bool Incumbent::offer_refined(Mapping mapping, std::string_view made_by) {
  if (!keep_if_better(std::move(mapping))) return false;
  refined_ = true;
  if (is_start_) best_.made_by = made_by;
  is_start_ = false;
  return true;
}

bool Incumbent::keep_if_better(Mapping mapping) {
  mapping = with_constraints(problem_, std::move(mapping));
  MappingValue value = valuer_(mapping);
  if (present_) {
    Mapping relinked = relink(problem_, *present_, mapping);
    const MappingValue of_relinked = valuer_(relinked);
    if (of_relinked < value) {
      value = of_relinked;
      mapping = std::move(relinked);
    }
  }
  if (value >= value_) return false;
  value_ = value;
  best_.mapping = std::move(mapping);
  return true;
}

}  // namespace kith
