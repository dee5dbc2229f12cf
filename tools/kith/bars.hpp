// Ratios as bars of characters.
#pragma once

#include <cstddef>
#include <string>

#include "terminal.hpp"

namespace kith::tools {

/// A bar as long as `ratio` where `most` (at least 1) takes all `columns`, with a mark at 1 where
/// it ends before. Good looks below 1, bad ones above; eighths of a character where the terminal
/// has Unicode. No blanks behind it.
std::string ratio_bar(double ratio, double most, std::size_t columns, const Terminal& terminal);

}  // namespace kith::tools
