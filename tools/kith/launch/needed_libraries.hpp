// The libraries that a program says it needs.
#pragma once

#include <string>
#include <vector>

namespace kith::tools {

/// DT_NEEDED of an ELF file of 64 bits, in order; empty for every other file, and where it cannot
/// be read.
std::vector<std::string> needed_libraries(const std::string& path);

}  // namespace kith::tools
