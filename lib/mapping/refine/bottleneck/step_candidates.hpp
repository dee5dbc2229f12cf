// Where a search for lower bottlenecks tries to put a rank.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/rng.hpp"
#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "mapping/refine/near_slots.hpp"

namespace kith::bottleneck {

/// Slots around given ones; all of them on small machines.
class StepCandidates {
 public:
  StepCandidates(const Machine& machine, const Mapping& mapping)
      : allowed_(machine.allowed()), mapping_(mapping), near_(machine, false) {}

  /// Replaces `out` by slots near that of rank `other` and near that of `r` itself, and some others
  /// at random. Each once, r's own not.
  void find(Rank r, Rank other, Rng& rng, std::vector<Slot>& out) {
    out.clear();
    if (allowed_.size() <= few_slots) {
      out = allowed_.to_vector();
    } else {
      add_around(mapping_[other], out);
      add_around(mapping_[r], out);
      for (int i = 0; i < random_slots; ++i) out.push_back(mapping_[random_rank(rng)]);
      std::ranges::sort(out);
      const auto repeated = std::unique(out.begin(), out.end());
      out.erase(repeated, out.end());
    }
    std::erase(out, mapping_[r]);
  }

  Rank random_rank(Rng& rng) const {
    return Rank(static_cast<std::uint32_t>(rng.below(mapping_.ranks())));
  }

 private:
  static constexpr std::uint64_t few_slots = 64;
  static constexpr std::uint64_t reach = 6;
  static constexpr int random_slots = 4;

  void add_around(Slot slot, std::vector<Slot>& out) {
    near_.around(slot, groups_);
    for (const SlotGroup& group : groups_) {
      if (allowed_.contains(group.first)) out.push_back(group.first);
    }
    const std::uint64_t centre = allowed_.index_of(slot);
    const std::uint64_t last = std::min(centre + reach, allowed_.size() - 1);
    for (std::uint64_t i = centre - std::min(centre, reach); i <= last; ++i) {
      out.push_back(allowed_.at(i));
    }
  }

  const SlotSet& allowed_;
  const Mapping& mapping_;
  NearSlots near_;
  std::vector<SlotGroup> groups_;
};

}  // namespace kith::bottleneck
