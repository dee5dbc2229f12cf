// "Did you mean": the nearest of the known words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kith {

/// " (did you mean treematch?)", or nothing when no known word is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace kith
