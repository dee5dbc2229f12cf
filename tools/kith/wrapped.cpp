#include "wrapped.hpp"

#include "core/parse_number.hpp"
#include "terminal.hpp"

namespace kith::tools {

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  return wrapped(text, width, indent, indent);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t begin) {
  std::string out;
  std::size_t column = begin;
  bool at_begin = true;
  for (const std::string_view word : split(text, ' ')) {
    const std::size_t length = columns_of(word);
    if (!at_begin && column + 1 + length > width) {
      out.append("\n").append(indent, ' ');
      column = indent;
    } else if (!at_begin) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    at_begin = false;
  }
  return out;
}

}  // namespace kith::tools
