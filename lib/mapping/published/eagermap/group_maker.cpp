#include "mapping/published/eagermap/group_maker.hpp"

#include <algorithm>
#include <numeric>

namespace kith {

std::uint32_t GroupMaker::add() {
  // The gains of the last one are only needed now that another follows.
  if (groups_.members.size() > groups_.offsets.back()) add_gains_of(groups_.members.back());
  const std::uint32_t winner = choose();
  chosen_[winner] = true;
  groups_.members.push_back(winner);
  return winner;
}

void GroupMaker::close_group() {
  groups_.close_group();
  for (const std::uint32_t element : touched_) gain_[element] = 0;
  touched_.clear();
  heap_ = {};
}

std::uint32_t GroupMaker::choose() {
  while (!heap_.empty()) {
    const Candidate best = heap_.top();
    heap_.pop();
    // Gains only grow: an element's newest entry comes first, its older ones when it is chosen.
    if (!chosen_[best.element]) return best.element;
  }
  while (chosen_[lowest_]) ++lowest_;
  return lowest_;
}

void GroupMaker::add_gains_of(std::uint32_t winner) {
  for (std::uint64_t e = graph_.offsets[winner]; e < graph_.offsets[winner + 1ULL]; ++e) {
    const std::uint32_t element = graph_.neighbours[e];
    if (chosen_[element] || graph_.weights[e] == 0) continue;
    if (gain_[element] == 0) touched_.push_back(element);
    gain_[element] += graph_.weights[e];
    heap_.push({gain_[element], element});
  }
}

Groups even_groups(const ElementGraph& graph, std::uint32_t available) {
  GroupMaker maker(graph);
  const std::uint32_t count = std::min(graph.size(), available);
  for (std::uint32_t g = 0; g < count; ++g) {
    const std::uint32_t size = graph.size() / count + (g < graph.size() % count ? 1 : 0);
    for (std::uint32_t i = 0; i < size; ++i) maker.add();
    maker.close_group();
  }
  return maker.take();
}

Groups groups_of_sizes(const ElementGraph& graph, std::span<const std::uint32_t> sizes) {
  GroupMaker maker(graph);
  for (const std::uint32_t size : sizes) {
    for (std::uint32_t i = 0; i < size; ++i) maker.add();
    maker.close_group();
  }
  return maker.take();
}

LoadGroupMaker::LoadGroupMaker(const ElementGraph& graph, std::span<const Wide> loads,
                               LoadShare all)
    : maker_(graph),
      loads_(loads),
      load_left_(std::accumulate(loads.begin(), loads.end(), Wide{0})),
      left_(all) {}

void LoadGroupMaker::add_group(LoadShare share) {
  const std::uint64_t room_after = left_.most - share.most;
  const std::uint64_t least = maker_.left() > room_after ? maker_.left() - room_after : 1;
  const std::uint64_t most = std::min<std::uint64_t>(share.most, maker_.left());
  Wide load = 0;
  for (std::uint64_t taken = 0; taken < most; ++taken) {
    // load >= loadThreshold, which is load_left x share.slots / left.slots.
    if (taken >= least && load * left_.slots >= load_left_ * share.slots) break;
    load += loads_[maker_.add()];
  }
  maker_.close_group();
  load_left_ -= load;
  left_.slots -= share.slots;
  left_.most = room_after;
}

}  // namespace kith
