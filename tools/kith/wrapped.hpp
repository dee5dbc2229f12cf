// Text in lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kith::tools {

/// `text` in lines of at most `width` columns, broken at blanks, the second and all further ones
/// behind `indent` blanks. It begins in column `begin`, which is `indent` where it is not given; a
/// word longer than a line stands alone. No line break at the end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent,
                    std::size_t begin);

}  // namespace kith::tools
