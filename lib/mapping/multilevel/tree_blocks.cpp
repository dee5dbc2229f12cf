#include "mapping/multilevel/tree_blocks.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kith::multilevel {

TreeBlocks::TreeBlocks(const TreeMachine& tree, const TreeDistance& distance, unsigned level,
                       std::vector<std::uint64_t> objects)
    : level_(level), objects_(std::move(objects)), above_(level + std::size_t{1}) {
  for (unsigned l = 0; l <= level; ++l) {
    cost_.push_back(static_cast<std::int64_t>(distance.at_level(l)));
  }
  std::vector<std::uint64_t> here = objects_;
  for (unsigned l = level + 1; l-- > 0;) {
    above_[l].reserve(here.size());
    std::uint32_t number = 0;
    for (std::size_t b = 0; b < here.size(); ++b) {
      if (b > 0 && here[b] != here[b - 1]) ++number;
      above_[l].push_back(number);
    }
    if (l == 0) break;
    for (std::uint64_t& object : here) object = tree.parent(l, object);
  }
}

TreeBlocks TreeBlocks::brothers(std::uint32_t count) {
  TreeBlocks blocks;
  blocks.level_ = 1;
  blocks.objects_.resize(count);
  std::iota(blocks.objects_.begin(), blocks.objects_.end(), std::uint64_t{0});
  blocks.above_ = {std::vector<std::uint32_t>(count), std::vector<std::uint32_t>(count)};
  std::iota(blocks.above_[1].begin(), blocks.above_[1].end(), 0U);
  blocks.cost_ = {1, 0};
  return blocks;
}

std::uint32_t TreeBlocks::number_of(std::uint64_t object) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(objects_, object) - objects_.begin());
}

unsigned TreeBlocks::meeting(std::uint32_t a, std::uint32_t b) const {
  unsigned level = level_;
  while (above_[level][a] != above_[level][b]) --level;
  return level;
}

}  // namespace kith::multilevel
