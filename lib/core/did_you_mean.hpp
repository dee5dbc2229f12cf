// "Did you mean": the nearest of the known words.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace kith {

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other
/// (the optimal string alignment distance).
std::size_t edits_between(std::string_view a, std::string_view b);

/// " (did you mean treematch?)", or nothing when no known word is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace kith
