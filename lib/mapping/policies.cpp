// Mappers that look at the machine alone, not at the traffic: identity, compact, scatter, balanced
// and random.

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/rng.hpp"
#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/registry.hpp"
#include "mapping/slot_tree.hpp"

namespace kith {

// "Balanced" of section 3.2 of P. N. Soomro: "A Framework for Task Placement on Multicore
// Architectures", thesis, Koc University, 2018: equally many tasks on all cores, as with scatter,
// but neighbours together, as with compact. On any machine: consecutive ranks are divided between
// the objects below the root in proportion to their slots, those of each object between the objects
// below it, and so on.

namespace {

/// Puts the next `ranks` ranks below an object.
void spread(const SlotTree& tree, const SlotTree::Object& object, std::uint32_t ranks,
            Mapping& mapping) {
  if (ranks == 0) return;
  std::vector<SlotTree::Object> children;
  tree.children(object, children);
  if (children.empty()) {
    mapping.slot_of.insert(mapping.slot_of.end(), ranks, tree.slot(object.first));
    return;
  }
  std::vector<std::uint64_t> slots;
  slots.reserve(children.size());
  for (const SlotTree::Object& child : children) slots.push_back(child.slots());
  const auto shares = proportional_shares(ranks, slots);
  for (std::size_t i = 0; i < children.size(); ++i) spread(tree, children[i], shares[i], mapping);
}

class BalancedMapper final : public Mapper {
 public:
  std::string_view name() const override { return "balanced"; }
  std::string_view summary() const override {
    return "equally many ranks on all nodes, sockets and so on, neighbours together";
  }
  std::string_view source() const override {
    return "Soomro: A Framework for Task Placement on Multicore Architectures, 2018, section 3.2";
  }

  Answer map(const MapTask& problem) const override {
    const SlotTree tree(problem.machine);
    Mapping mapping;
    mapping.slot_of.reserve(problem.graph.ranks());
    spread(tree, tree.root(), problem.graph.ranks(), mapping);
    return {std::move(mapping), "balanced"};
  }
};

}  // namespace

const Mapper& balanced_mapper() {
  static const BalancedMapper mapper;
  return mapper;
}

namespace {

/// The first `count` places of a random permutation of 0 .. n-1, in O(count) memory.
std::vector<std::uint64_t> random_choice(std::uint64_t n, std::uint32_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::unordered_map<std::uint64_t, std::uint64_t> moved;  // places that no longer hold themselves
  const auto at = [&](std::uint64_t place) {
    const auto found = moved.find(place);
    return found == moved.end() ? place : found->second;
  };
  std::vector<std::uint64_t> chosen;
  chosen.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t j = i + rng.below(n - i);
    chosen.push_back(at(j));
    moved[j] = at(i);
  }
  return chosen;
}

class RandomMapper final : public Mapper {
 public:
  std::string_view name() const override { return "random"; }
  std::string_view summary() const override {
    return "a random allowed slot for each rank, by the seed";
  }
  std::string_view source() const override { return "the usual baseline"; }

  Answer map(const MapTask& problem) const override {
    const std::uint32_t ranks = problem.graph.ranks();
    const SlotSet& allowed = problem.machine.allowed();
    Mapping mapping;
    mapping.slot_of.resize(ranks);
    if (ranks <= allowed.size()) {
      const auto chosen = random_choice(allowed.size(), ranks, problem.options.seed);
      for (std::uint32_t r = 0; r < ranks; ++r) mapping.slot_of[r] = allowed.at(chosen[r]);
    } else {
      // Spread as evenly as identity does, then shuffled.
      const Mapping even = identity_mapping(ranks, problem.machine, problem.options.capacity);
      const auto permutation = random_permutation(ranks, problem.options.seed);
      for (std::uint32_t r = 0; r < ranks; ++r) {
        mapping.slot_of[r] = even.slot_of[permutation[r]];
      }
    }
    return {std::move(mapping), "random"};
  }
};

}  // namespace

const Mapper& random_mapper() {
  static const RandomMapper mapper;
  return mapper;
}

// "Scatter" of section 3.2 of P. N. Soomro: "A Framework for Task Placement on Multicore
// Architectures", thesis, Koc University, 2018: tasks are spread equally over the resources, one to
// each socket in turn (its figure 3.1). On any machine: ranks are dealt in turn to the objects
// below the root, those of each object in turn to the objects below it, and so on; an object that
// is full is passed over. With more ranks than slots it begins again.

namespace {

class Dealer {
 public:
  /// Deals ranks 0 .. count-1; there are at least as many slots.
  Dealer(const SlotTree& tree, std::uint32_t count) : tree_(tree), position_of_(count) {
    std::vector<std::uint32_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0U);
    deal(tree.root(), ranks);
  }

  std::uint64_t position_of(std::uint32_t rank) const { return position_of_[rank]; }

 private:
  void deal(const SlotTree::Object& object, const std::vector<std::uint32_t>& ranks) {
    if (ranks.empty()) return;
    std::vector<SlotTree::Object> children;
    tree_.children(object, children);
    if (children.empty()) {
      position_of_[ranks.front()] = object.first;
      return;
    }
    const auto hands = hands_of(children, ranks);
    for (std::size_t child = 0; child < hands.size(); ++child) deal(children[child], hands[child]);
  }

  /// The ranks of each child. Only the first ones get any where there are fewer ranks.
  static std::vector<std::vector<std::uint32_t>> hands_of(
      const std::vector<SlotTree::Object>& children, const std::vector<std::uint32_t>& ranks) {
    std::vector<std::vector<std::uint32_t>> hands(std::min(children.size(), ranks.size()));
    std::vector<std::uint32_t> open(hands.size());  // children with room, in order
    std::iota(open.begin(), open.end(), 0U);
    for (std::size_t dealt = 0; dealt < ranks.size();) {
      std::size_t kept = 0;
      for (const std::uint32_t child : open) {
        if (dealt < ranks.size()) hands[child].push_back(ranks[dealt++]);
        if (hands[child].size() < children[child].slots()) open[kept++] = child;
      }
      open.resize(kept);
    }
    return hands;
  }

  const SlotTree& tree_;
  std::vector<std::uint64_t> position_of_;
};

class ScatterMapper final : public Mapper {
 public:
  std::string_view name() const override { return "scatter"; }
  std::string_view summary() const override {
    return "ranks dealt to nodes in turn, in each node to sockets in turn, and so on";
  }
  std::string_view source() const override {
    return "Soomro: A Framework for Task Placement on Multicore Architectures, 2018, section 3.2";
  }

  Answer map(const MapTask& problem) const override {
    const SlotTree tree(problem.machine);
    const std::uint32_t ranks = problem.graph.ranks();
    const auto used =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(ranks, tree.root().slots()));
    const Dealer dealer(tree, used);
    Mapping mapping;
    mapping.slot_of.reserve(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      mapping.slot_of.push_back(tree.slot(dealer.position_of(rank % used)));
    }
    return {std::move(mapping), "scatter"};
  }
};

}  // namespace

const Mapper& scatter_mapper() {
  static const ScatterMapper mapper;
  return mapper;
}

// "Compact" of section 3.2 of P. N. Soomro: "A Framework for Task Placement on Multicore
// Architectures", thesis, Koc University, 2018: all processing units of a node are occupied before
// the next node is used. Unlike identity it goes by where slots are, not by their numbers. With
// more ranks than slots, which the thesis leaves out, each slot gets a block of ranks, the first
// blocks one rank larger.

namespace {

class CompactMapper final : public Mapper {
 public:
  std::string_view name() const override { return "compact"; }
  std::string_view summary() const override {
    return "ranks next to each other: one node is full before the next is used";
  }
  std::string_view source() const override {
    return "Soomro: A Framework for Task Placement on Multicore Architectures, 2018, section 3.2";
  }

  Answer map(const MapTask& problem) const override {
    const SlotTree tree(problem.machine);
    const std::uint32_t ranks = problem.graph.ranks();
    const std::uint64_t used = std::min<std::uint64_t>(ranks, tree.root().slots());
    Mapping mapping;
    mapping.slot_of.reserve(ranks);
    for (std::uint64_t position = 0; position < used; ++position) {
      const std::uint64_t here = ranks / used + (position < ranks % used ? 1 : 0);
      mapping.slot_of.insert(mapping.slot_of.end(), here, tree.slot(position));
    }
    return {std::move(mapping), "compact"};
  }
};

}  // namespace

const Mapper& compact_mapper() {
  static const CompactMapper mapper;
  return mapper;
}

namespace {

class IdentityMapper final : public Mapper {
 public:
  std::string_view name() const override { return "identity"; }
  std::string_view summary() const override { return "rank i on the i-th allowed slot"; }
  std::string_view source() const override { return "what a launcher does by itself"; }
  Answer map(const MapTask& problem) const override {
    return {identity_mapping(problem.graph.ranks(), problem.machine, problem.options.capacity),
            "identity"};
  }
};

}  // namespace

const Mapper& identity_mapper() {
  static const IdentityMapper mapper;
  return mapper;
}

Mapping identity_mapping(std::uint32_t ranks, const Machine& machine, std::uint32_t capacity) {
  const std::uint64_t slots = machine.allowed().size();
  if (slots * capacity < ranks) {
    throw bad_argument(
        "topology",
        "room for " + std::to_string(ranks) +
            " ranks (oversubscribing spreads them over the slots)",
        std::to_string(slots) + " slots" +
            (capacity > 1 ? " for " + std::to_string(capacity) + " ranks each" : ""));
  }
  Mapping mapping;
  mapping.slot_of.reserve(ranks);
  const std::uint64_t on_each = ranks / slots;
  const std::uint64_t one_more = ranks % slots;
  for (std::uint64_t i = 0; mapping.slot_of.size() < ranks; ++i) {
    const std::uint64_t here = on_each + (i < one_more ? 1 : 0);
    mapping.slot_of.insert(mapping.slot_of.end(), here, machine.allowed().at(i));
  }
  return mapping;
}

}  // namespace kith
