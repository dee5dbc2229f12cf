#include "mapping/search/quick_start.hpp"

#include "mapping/mappers.hpp"
#include "mapping/search/cost_model.hpp"

namespace kith {

Step quick_start(const MapProblem& problem) {
  const double seconds = choicemap_seconds(problem.graph);
  const auto propose = [=](const MapProblem& part) -> std::optional<Proposal> {
    if (!pay(part, seconds)) return std::nullopt;
    return Proposal{choicemap_mapper().map(part).mapping, "kith", "mutual choice"};
  };
  return {seconds, propose, {}};
}

}  // namespace kith
