// "Scatter" of section 3.2 of P. N. Soomro: "A Framework for Task Placement on Multicore
// Architectures", thesis, Koc University, 2018: tasks are spread equally over the resources, one to
// each socket in turn (its figure 3.1). On any machine: ranks are dealt in turn to the objects
// below the root, those of each object in turn to the objects below it, and so on; an object that
// is full is passed over. With more ranks than slots it begins again.
#include <algorithm>
#include <numeric>

#include "mapping/mappers.hpp"
#include "mapping/slot_tree.hpp"

namespace kith {
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

  Answer map(const MapProblem& problem) const override {
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

}  // namespace kith
