#include "report/heat_picture.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace kith {
namespace {

constexpr std::uint32_t most_cells_at_first = 128;
constexpr std::uint32_t fewest_cells_at_first = 8;
/// What is written around the cells of a level, at most, and around the levels of a matrix.
constexpr std::uint64_t bytes_around_level = 64;
constexpr std::uint64_t bytes_around_matrix = 48;

/// The smallest power of two by which `ranks` make at most `cells` blocks.
std::uint32_t block_for(std::uint32_t ranks, std::uint32_t cells) {
  return std::bit_ceil(std::max((ranks + cells - 1) / cells, 1U));
}

std::uint64_t text_bytes(const HeatLevel& level) {
  std::uint64_t bytes = bytes_around_level;
  for (const HeatCell& cell : level.cells) bytes += text_bytes(cell);
  return bytes;
}

/// The heatmaps of one order while they become finer.
class FinerAndFiner {
 public:
  FinerAndFiner(const HeatRequest& request, const ReportOrder& order)
      : source_{request.bytes, request.messages, order.axis, request.levels,
                order.mapping ? &*order.mapping : nullptr} {}

  /// Takes a resolution, the first or twice as fine as the last one, where it fits into `left`,
  /// which is lowered by it. Nothing finer will follow where it does not.
  bool add(std::uint32_t block, std::uint64_t& left) {
    const bool may_replace = levels_.size() > 1;
    const std::uint64_t freed = may_replace ? text_bytes(levels_.back()) : 0;
    auto level = heat_level(source_, block, left + freed);
    if (!level) return false;
    const bool replaces = may_replace && 2 * levels_.back().cells.size() > level->cells.size();
    const std::uint64_t room = replaces ? left + freed : left;
    if (text_bytes(*level) > room) return false;
    if (replaces) levels_.pop_back();
    left = room - text_bytes(*level);
    levels_.push_back(*std::move(level));
    return true;
  }

  std::vector<HeatLevel> take() { return std::exchange(levels_, {}); }

 private:
  HeatSource source_;
  std::vector<HeatLevel> levels_;
};

/// The coarsest resolution of all orders; false, and none taken, where they do not fit.
bool add_to_all(std::vector<FinerAndFiner>& heatmaps, std::uint32_t block, std::uint64_t& left) {
  const std::uint64_t before = left;
  const auto fits = [&](FinerAndFiner& heatmap) { return heatmap.add(block, left); };
  if (std::ranges::all_of(heatmaps, fits)) return true;
  for (FinerAndFiner& heatmap : heatmaps) heatmap.take();
  left = before;
  return false;
}

}  // namespace

std::uint64_t add_heat_matrices(const HeatRequest& request, std::uint64_t most_bytes,
                                std::vector<ReportOrder>& orders) {
  const std::uint64_t around = orders.size() * (request.name.size() + bytes_around_matrix);
  if (most_bytes < around) return 0;
  std::uint64_t left = most_bytes - around;
  std::vector<FinerAndFiner> heatmaps;
  for (const ReportOrder& order : orders) heatmaps.emplace_back(request, order);
  const std::uint32_t ranks = request.bytes.ranks();
  const std::uint32_t coarsest = block_for(ranks, fewest_cells_at_first);
  std::uint32_t block = block_for(ranks, most_cells_at_first);
  while (!add_to_all(heatmaps, block, left)) {
    if (block >= coarsest) return 0;
    block *= 2;
  }
  std::vector<FinerAndFiner*> growing;
  for (FinerAndFiner& heatmap : heatmaps) growing.push_back(&heatmap);
  for (; block > 1 && !growing.empty(); block /= 2) {
    std::size_t others = growing.size();
    std::erase_if(growing, [&](FinerAndFiner* heatmap) {
      std::uint64_t share = left / others--;
      left -= share;
      const bool is_added = heatmap->add(block / 2, share);
      left += share;
      return !is_added;
    });
  }
  for (std::size_t i = 0; i < orders.size(); ++i) {
    orders[i].matrices.push_back({request.name, heatmaps[i].take()});
  }
  return most_bytes - left;
}

}  // namespace kith
