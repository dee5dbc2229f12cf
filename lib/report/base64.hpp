// Numbers in few characters.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace kith {

/// The numbers as 4 bytes each, lowest first, in base64 (RFC 4648, section 4).
std::string base64_of(std::span<const std::uint32_t> numbers);

}  // namespace kith
