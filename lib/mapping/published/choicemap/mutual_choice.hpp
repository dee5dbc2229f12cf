// One round of ChoiceMap: each element chooses a partner, and mutual choices become pairs. The plan
// of the rounds: how the pairs become a tree of groups.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "mapping/element_graph.hpp"
#include "mapping/slot_tree.hpp"

namespace kith {

/// How many pairs of which kinds of elements there may be. Kinds are 0, 1, ...
class WantedPairs {
 public:
  struct Kinds {
    std::uint32_t a;
    std::uint32_t b;  ///< at least a
  };

  explicit WantedPairs(std::uint32_t kinds) : partners_(kinds) {}

  void add(std::uint32_t a, std::uint32_t b);
  /// Takes one away, of which some are left. True when it was the last of its kind.
  bool take(std::uint32_t a, std::uint32_t b);
  std::uint32_t left(std::uint32_t a, std::uint32_t b) const;
  std::uint64_t total_left() const { return total_; }
  std::uint32_t kinds() const { return static_cast<std::uint32_t>(partners_.size()); }
  /// The kinds that may pair with kind `a`, any number left.
  const std::vector<std::uint32_t>& partners(std::uint32_t a) const { return partners_[a]; }
  /// All pairs of kinds, any number left.
  const std::vector<Kinds>& all() const { return all_; }

 private:
  static std::uint64_t key(std::uint32_t a, std::uint32_t b);

  std::unordered_map<std::uint64_t, std::uint32_t> left_;
  std::vector<std::vector<std::uint32_t>> partners_;
  std::vector<Kinds> all_;
  std::uint64_t total_ = 0;
};

/// Which of equally wanted partners comes first in a choice list.
enum class FirstChoice {
  lowest,  ///< the lowest index
  next,    ///< the lowest index above one's own, then round from the start
};

struct ChosenPair {
  std::uint32_t first;  ///< the lower index
  std::uint32_t second;
  std::uint32_t pass;  ///< of the paper's loop, from 1
  bool operator==(const ChosenPair&) const = default;
};

/// As many pairs as wanted, in the order in which the paper's passes find them. `kind_of` has one
/// kind per element; of each kind there must be as many as the pairs wanted take, or more.
/// O(entries log entries), with `next` besides O(elements) for each cycle.
std::vector<ChosenPair> pair_by_choice(const ElementGraph& graph,
                                       const std::vector<std::uint32_t>& kind_of,
                                       WantedPairs wanted, FirstChoice first);

// The machine as a sequence of rounds in which pairs of places become one.

inline constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

/// What a place is after a round. Two places have the same type when the same merges, in the same
/// rounds, lead to them: then whatever fits one fits the other. Type 0 is a leaf: room for one
/// rank.
struct Place {
  std::uint32_t type = 0;
  std::uint32_t first = 0;          ///< a place before the round
  std::uint32_t second = no_place;  ///< another, of the same or a higher type; or none
};

/// Leaves, one for each rank, and how they come together: rounds[0] makes its places of the leaves,
/// of the last round a single place is left.
struct MergePlan {
  std::vector<Slot> slot_of_leaf;  ///< from left to right
  std::vector<std::vector<Place>> rounds;
};

/// For `ranks` >= 1 ranks on the first slots from the left, as evenly as that many fit. Level by
/// level from the slots up, the places below an object merge two by two, as often as it takes until
/// one is left; an odd one waits for the next round.
MergePlan merge_plan(const SlotTree& tree, std::uint32_t ranks);

}  // namespace kith
