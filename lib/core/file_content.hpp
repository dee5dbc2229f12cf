// A small file as a whole, as /proc and /sys have them.
#pragma once

#include <string>

namespace kith {

/// Empty where it cannot be read. From libc alone. Throws std::bad_alloc.
std::string file_content(const std::string& path);

/// What it has before its first newline.
std::string first_line_of(const std::string& path);

}  // namespace kith
