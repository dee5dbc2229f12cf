#include <algorithm>
#include <map>
#include <utility>

#include "core/rng.hpp"
#include "mapping/multilevel/multisect.hpp"
#include "mapping/packing/packing.hpp"

namespace kith::packing {
namespace {

using multilevel::WorkGraph;

class Packing {
 public:
  Packing(const MapTask& problem, const Grouping& grouping, const Effort& effort,
          std::uint64_t seed)
      : problem_(problem),
        effort_(effort),
        seed_(seed),
        slots_(problem.machine),
        tree_(slots_, problem.options.capacity),
        rng_(seed),
        members_(grouping.count),
        block_of_(grouping.group_of.size(), RoomTree::none) {
    for (std::uint32_t r = 0; r < grouping.group_of.size(); ++r) {
      members_[grouping.group_of[r]].push_back(r);
    }
  }

  std::optional<Mapping> run() {
    if (tree_[0].children == 0) return std::nullopt;
    if (!place_groups()) return std::nullopt;
    if (effort_.tests_per_group > 0) exchange();
    if (is_over()) return std::nullopt;
    return mapping();
  }

 private:
  bool is_over() const { return problem_.budget != nullptr && problem_.budget->exhausted(); }

  /// False where the budget did not last.
  bool place_groups() {
    std::vector<std::uint64_t> sizes(members_.size());
    std::vector<double> weights(members_.size(), 0);
    for (std::size_t group = 0; group < members_.size(); ++group) {
      sizes[group] = members_[group].size();
      for (const std::uint32_t r : members_[group]) {
        for (const Weight weight : problem_.graph.weights(Rank{r})) {
          weights[group] += static_cast<double>(weight);
        }
      }
    }
    auto shares = pack_groups(tree_, sizes, weights, effort_.sharing, effort_.tries, seed_);
    std::optional<WorkGraph> whole;
    std::vector<std::uint32_t> place;
    for (std::size_t group = 0; group < members_.size(); ++group) {
      if (shares[group].size() == 1) {
        for (const std::uint32_t r : members_[group]) block_of_[r] = shares[group][0].block;
        continue;
      }
      if (is_over()) return false;
      if (!whole) {
        whole = multilevel::work_graph(problem_.graph);
        place.assign(whole->vertices(), multilevel::outside);
      }
      std::ranges::sort(shares[group], {},
                        [&](const Share& share) { return tree_[share.block].slots.first; });
      divide(multilevel::induced(*whole, members_[group], place), members_[group], 0,
             shares[group]);
    }
    return !is_over();
  }

  /// Ranks below an object, whose shares are from left to right.
  void divide(const WorkGraph& graph, const std::vector<std::uint32_t>& ranks, std::uint32_t object,
              std::span<const Share> shares) {
    if (shares.size() == 1) {
      for (const std::uint32_t r : ranks) block_of_[r] = shares[0].block;
      return;
    }
    std::vector<std::uint32_t> children;
    std::vector<std::uint64_t> sizes;
    std::vector<std::size_t> firsts;
    const std::uint32_t end = tree_[object].first_child + tree_[object].children;
    std::uint32_t child = tree_[object].first_child;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const std::uint64_t position = tree_[shares[i].block].slots.first;
      while (child < end && tree_[child].slots.last <= position) ++child;
      if (children.empty() || children.back() != child) {
        children.push_back(child);
        sizes.push_back(0);
        firsts.push_back(i);
      }
      sizes.back() += shares[i].ranks;
    }
    firsts.push_back(shares.size());
    if (children.size() == 1) return divide(graph, ranks, children[0], shares);
    const auto part = multilevel::multisect(graph, sizes, effort_.trials, rng_, problem_.budget);
    if (is_over()) return;
    std::vector<std::vector<std::uint32_t>> members(sizes.size());
    for (std::uint32_t v = 0; v < part.size(); ++v) members[part[v]].push_back(v);
    std::vector<std::uint32_t> place(graph.vertices(), multilevel::outside);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const WorkGraph below = multilevel::induced(graph, members[i], place);
      for (std::uint32_t& v : members[i]) v = ranks[v];
      divide(below, members[i], children[i], shares.subspan(firsts[i], firsts[i + 1] - firsts[i]));
    }
  }

  /// First groups, or their parts, then whole contents of blocks.
  void exchange() {
    Units groups;
    groups.unit_of.resize(block_of_.size());
    for (const auto& members : members_) {
      std::map<std::uint32_t, std::uint32_t> unit_in;  // by block
      for (const std::uint32_t r : members) {
        const auto next = static_cast<std::uint32_t>(groups.sizes.size());
        const auto [unit, is_new] = unit_in.emplace(block_of_[r], next);
        if (is_new) groups.sizes.push_back(0);
        ++groups.sizes[unit->second];
        groups.unit_of[r] = unit->second;
      }
    }
    const std::uint64_t tests = effort_.tests_per_group * groups.sizes.size();
    exchange_units(problem_, slots_, tree_, groups, block_of_, tests, seed_);

    Units blocks;
    blocks.only_alike = true;
    std::vector<std::uint32_t> unit_of_block(tree_.objects().size(), RoomTree::none);
    for (const std::uint32_t block : block_of_) {
      if (unit_of_block[block] == RoomTree::none) {
        unit_of_block[block] = static_cast<std::uint32_t>(blocks.sizes.size());
        blocks.sizes.push_back(tree_[block].capacity);
      }
      blocks.unit_of.push_back(unit_of_block[block]);
    }
    exchange_units(problem_, slots_, tree_, blocks, block_of_,
                   effort_.tests_per_group * blocks.sizes.size(), seed_);
  }

  Mapping mapping() const {
    std::vector<std::uint64_t> filled(tree_.objects().size(), 0);
    Mapping mapping;
    mapping.slot_of.reserve(block_of_.size());
    for (const std::uint32_t block : block_of_) {
      const SlotTree::Object& slots = tree_[block].slots;
      mapping.slot_of.push_back(slots_.slot(slots.first + filled[block]++ % slots.slots()));
    }
    return mapping;
  }

  const MapTask problem_;
  const Effort& effort_;
  std::uint64_t seed_;
  SlotTree slots_;
  RoomTree tree_;
  Rng rng_;
  std::vector<std::vector<std::uint32_t>> members_;
  BlockOf block_of_;
};

}  // namespace

bool has_blocks(const MapTask& problem) {
  return RoomTree(SlotTree(problem.machine), problem.options.capacity)[0].children > 0;
}

std::optional<Mapping> pack(const MapTask& problem, const Grouping& grouping, const Effort& effort,
                            std::uint64_t seed) {
  return Packing(problem, grouping, effort, seed).run();
}

}  // namespace kith::packing
