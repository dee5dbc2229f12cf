// ChoiceMap: P. N. Soomro: "A Framework for Task Placement on Multicore Architectures", thesis, Koc
// University, 2018, chapter 4: algorithms 1 and 2, aggregation by equation 4.1.
//
// The thesis pairs tasks, so it needs a symmetric tree, a power of two of children everywhere and
// as many tasks as processing units. Here the same pairing serves any machine. Level by level from
// the slots up, the places below an object merge two by two in rounds, an odd one waiting for the
// next round (5 children: 2+2+1, then 4+1, then 5): with 2 children that is the thesis's level,
// with 4 two of them. Each round makes so many pairs of the elements there are as it merges places;
// where not all merge, the first pairs that the passes find are made and the rest stay alone.
// Unequal objects give places of unequal shape; an element may then choose only among those with
// which the round still wants a pair of such shapes. Elements get their numbers as the passes find
// the pairs, then those that stayed alone; the lower number goes to the left.
//
// Fewer ranks than slots: the first slots from the left are used, as if silent ranks followed. More
// ranks than slots: each slot gets equally many, the first one more, and is a level itself. On
// networks the nodes are the children of the root. The thesis does not say which of equally wanted
// partners comes first in a choice list; its matrices (figure 4.1) have the lowest index first.
#include <unordered_map>
#include <utility>

#include "mapping/budget.hpp"
#include "mapping/element_graph.hpp"
#include "mapping/published/choicemap/mutual_choice.hpp"
#include "mapping/registry.hpp"

namespace kith {
namespace {

/// The types of one round under small numbers.
class Kinds {
 public:
  std::uint32_t of(std::uint32_t type) {
    return kind_of_.try_emplace(type, static_cast<std::uint32_t>(kind_of_.size())).first->second;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(kind_of_.size()); }

 private:
  std::unordered_map<std::uint32_t, std::uint32_t> kind_of_;
};

/// Elements pair round by round, each round's merges given; then they are put on their places.
class ChoiceMap {
 public:
  ChoiceMap(const TrafficGraph& graph, const MergePlan& plan, FirstChoice first)
      : plan_(plan), elements_(elements_of(graph)), type_of_(graph.ranks(), 0) {
    for (const std::vector<Place>& round : plan.rounds) pair(round, first);
  }

  /// The leaf of each rank.
  std::vector<std::uint32_t> leaves() const {
    std::vector<std::uint32_t> element_at{0};
    for (std::size_t r = plan_.rounds.size(); r-- > 0;) {
      const std::vector<Place>& places = plan_.rounds[r];
      std::vector<std::uint32_t> below(groups_[r].members.size());
      for (std::size_t p = 0; p < places.size(); ++p) {
        const auto members = groups_[r].of(element_at[p]);
        below[places[p].first] = members[0];
        if (places[p].second != no_place) below[places[p].second] = members[1];
      }
      element_at = std::move(below);
    }
    std::vector<std::uint32_t> leaf_of(element_at.size());
    for (std::uint32_t leaf = 0; leaf < element_at.size(); ++leaf) leaf_of[element_at[leaf]] = leaf;
    return leaf_of;
  }

 private:
  /// The places before a round have the types of the elements, though in another order.
  void pair(const std::vector<Place>& round, FirstChoice first) {
    Kinds kinds;
    std::vector<std::uint32_t> kind_of;
    kind_of.reserve(type_of_.size());
    for (const std::uint32_t type : type_of_) kind_of.push_back(kinds.of(type));
    WantedPairs wanted(kinds.count());
    std::unordered_map<std::uint64_t, std::uint32_t> type_of_pair;
    for (const Place& place : round) {
      if (place.second == no_place) continue;
      const std::uint32_t a = type_before(place.first);
      const std::uint32_t b = type_before(place.second);
      wanted.add(kinds.of(a), kinds.of(b));
      type_of_pair[(std::uint64_t{a} << 32U) | b] = place.type;
    }
    make_groups(pair_by_choice(elements_, kind_of, std::move(wanted), first), type_of_pair);
  }

  std::uint32_t type_before(std::uint32_t place) const {
    return groups_.empty() ? 0 : plan_.rounds[groups_.size() - 1][place].type;
  }

  void make_groups(const std::vector<ChosenPair>& pairs,
                   const std::unordered_map<std::uint64_t, std::uint32_t>& type_of_pair) {
    Groups groups;
    std::vector<std::uint32_t> types;
    std::vector<bool> is_paired(type_of_.size());
    for (const ChosenPair& pair : pairs) {
      std::uint32_t a = pair.first;
      std::uint32_t b = pair.second;
      is_paired[a] = is_paired[b] = true;
      if (type_of_[a] > type_of_[b]) std::swap(a, b);  // as Place has it
      groups.members.insert(groups.members.end(), {a, b});
      groups.close_group();
      types.push_back(type_of_pair.at((std::uint64_t{type_of_[a]} << 32U) | type_of_[b]));
    }
    for (std::uint32_t element = 0; element < type_of_.size(); ++element) {
      if (is_paired[element]) continue;
      groups.members.push_back(element);
      groups.close_group();
      types.push_back(type_of_[element]);
    }
    elements_ = communication_between(elements_, groups);  // equation 4.1
    type_of_ = std::move(types);
    groups_.push_back(std::move(groups));
  }

  const MergePlan& plan_;
  ElementGraph elements_;
  std::vector<std::uint32_t> type_of_;  // of each element: that of the places that it fits
  std::vector<Groups> groups_;          // by round
};

constexpr MapperSetting choicemap_settings[] = {
    {"first-choice", "lowest",
     "which of equally wanted partners is the first choice: lowest (index), or next (the lowest "
     "index above one's own, which makes cycles)"},
};

class ChoiceMapper final : public Mapper {
 public:
  std::string_view name() const override { return "choicemap"; }
  std::string_view summary() const override {
    return "pairs ranks that want each other most, level by level, on any machine";
  }
  std::string_view source() const override {
    return "Soomro: A Framework for Task Placement on Multicore Architectures, 2018, chapter 4";
  }
  std::span<const MapperSetting> settings() const override { return choicemap_settings; }

  Answer map(const MapTask& problem) const override {
    const MapperSettings settings(*this, problem.options);
    const FirstChoice first = settings.choice("first-choice", {"lowest", "next"}) == 0
                                  ? FirstChoice::lowest
                                  : FirstChoice::next;
    Mapping mapping;
    if (problem.graph.ranks() == 0) return {mapping, "choicemap"};
    const MergePlan plan = merge_plan(SlotTree(problem.machine), problem.graph.ranks());
    mapping.slot_of.reserve(problem.graph.ranks());
    for (const std::uint32_t leaf : ChoiceMap(problem.graph, plan, first).leaves()) {
      mapping.slot_of.push_back(plan.slot_of_leaf[leaf]);
    }
    return {std::move(mapping), "choicemap"};
  }
};

}  // namespace

const Mapper& choicemap_mapper() {
  static const ChoiceMapper mapper;
  return mapper;
}

}  // namespace kith
