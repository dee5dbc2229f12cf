// "Balanced" of section 3.2 of P. N. Soomro: "A Framework for Task Placement on Multicore
// Architectures", thesis, Koc University, 2018: equally many tasks on all cores, as with scatter,
// but neighbours together, as with compact. On any machine: consecutive ranks are divided between
// the objects below the root in proportion to their slots, those of each object between the objects
// below it, and so on.
#include <algorithm>

#include "mapping/mappers.hpp"
#include "mapping/shares.hpp"
#include "mapping/slot_tree.hpp"

namespace kith {
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

  Answer map(const MapProblem& problem) const override {
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

}  // namespace kith
