// Who sends how much to whom, as a picture of characters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kith/traffic.hpp"
#include "terminal.hpp"

namespace kith::tools {

/// The sums of a matrix over squares of consecutive ranks, all of one size but the last.
struct TileSums {
  std::uint32_t ranks = 0;
  std::uint32_t ranks_of_tile = 1;
  std::uint32_t tiles = 0;    ///< along each axis
  std::vector<Weight> bytes;  ///< tiles x tiles, row by row: what the row's ranks send

  Weight at(std::uint32_t row, std::uint32_t column) const {
    return bytes[std::size_t{row} * tiles + column];
  }
};

/// At most `most` tiles along each axis. What ranks send to themselves is left out. The sum of all
/// cells must fit into 64 bits. O(entries + most^2).
TileSums tile_sums(const TrafficMatrix& matrix, std::uint32_t most);

/// A title, the picture on a logarithmic scale with ranks beside it, and what its shades mean: at
/// most 36 lines, as wide as the terminal allows. Colours, blocks or plain ASCII, as the terminal
/// knows them; plain ASCII without escapes otherwise. Empty where no rank sends to another.
std::string heatmap(const TrafficMatrix& matrix, const Terminal& terminal);

}  // namespace kith::tools
