// Text cut at a separator.
#pragma once

#include <string_view>
#include <vector>

namespace kith {

/// The pieces between separators, at least one, in order; views into `text`.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace kith
