// "Compact" of section 3.2 of P. N. Soomro: "A Framework for Task Placement on Multicore
// Architectures", thesis, Koc University, 2018: all processing units of a node are occupied before
// the next node is used. Unlike identity it goes by where slots are, not by their numbers. With
// more ranks than slots, which the thesis leaves out, each slot gets a block of ranks, the first
// blocks one rank larger.
#include <algorithm>

#include "mapping/mappers.hpp"
#include "mapping/slot_tree.hpp"

namespace kith {
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

  Answer map(const MapProblem& problem) const override {
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

}  // namespace kith
