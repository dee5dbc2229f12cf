#include "report/heat_choice.hpp"

#include <algorithm>
#include <bit>

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

/// The same resolution of every order; empty where they take more than `most_bytes` together,
/// which is lowered by what they take.
std::vector<HeatLevel> one_resolution(const HeatRequest& request,
                                      const std::vector<ReportOrder>& orders, std::uint32_t block,
                                      std::uint64_t& most_bytes) {
  std::vector<HeatLevel> levels;
  std::uint64_t left = most_bytes;
  for (const ReportOrder& order : orders) {
    const HeatSource source{request.bytes, request.messages, order.axis, request.levels,
                            order.mapping ? &*order.mapping : nullptr};
    auto level = heat_level(source, block, left);
    if (!level || text_bytes(*level) > left) return {};
    left -= text_bytes(*level);
    levels.push_back(std::move(*level));
  }
  most_bytes = left;
  return levels;
}

}  // namespace

std::uint64_t add_heat_matrices(const HeatRequest& request, std::uint64_t most_bytes,
                                std::vector<ReportOrder>& orders) {
  const std::uint64_t around = orders.size() * (request.name.size() + bytes_around_matrix);
  if (most_bytes < around) return 0;
  std::uint64_t left = most_bytes - around;
  const std::uint32_t ranks = request.bytes.ranks();
  const std::uint32_t coarsest = block_for(ranks, fewest_cells_at_first);
  std::uint32_t block = block_for(ranks, most_cells_at_first);
  std::vector<HeatLevel> levels = one_resolution(request, orders, block, left);
  while (levels.empty() && block < coarsest) {
    block *= 2;
    levels = one_resolution(request, orders, block, left);
  }
  if (levels.empty()) return 0;
  for (ReportOrder& order : orders) order.matrices.push_back({request.name, {}});
  while (!levels.empty()) {
    for (std::size_t i = 0; i < orders.size(); ++i) {
      orders[i].matrices.back().levels.push_back(std::move(levels[i]));
    }
    if (block == 1) break;
    block /= 2;
    levels = one_resolution(request, orders, block, left);
  }
  return most_bytes - left;
}

}  // namespace kith
