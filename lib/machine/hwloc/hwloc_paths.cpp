#include "machine/hwloc/hwloc_paths.hpp"

#include <algorithm>

namespace kith {

PathGroupings::PathGroupings(std::vector<std::string> level_names) {
  for (std::string& name : level_names) levels_.push_back({std::move(name), {}});
}

void PathGroupings::add_slot(const std::vector<Step>& chain) {
  // Ids of objects and of slots that stand alone share one numbering.
  const auto fresh = [this] { return static_cast<std::uint32_t>(ids_.size()) + slots_; };
  std::uint32_t below = fresh();  // nothing of the chain is below the last step: the slot alone
  auto step = chain.rbegin();
  ++slots_;
  for (std::size_t level = levels_.size(); level-- > 0;) {
    if (step != chain.rend() && step->level == level) {
      below = ids_.try_emplace(step->identity, fresh()).first->second;
      ++step;
    }
    levels_[level].group_of.push_back(below);
  }
}

std::vector<HwlocStep> chain_above(const hwloc_obj* object) {
  std::vector<HwlocStep> chain;
  for (; object->parent != nullptr; object = object->parent) {
    chain.push_back({static_cast<unsigned>(object->depth), object->logical_index});
  }
  std::ranges::reverse(chain);
  return chain;
}

}  // namespace kith
