// Numbers as a reader takes them in at a glance.
#pragma once

#include <cstdint>
#include <string>

namespace kith {

/// "54.8 MiB", "812 bytes".
std::string short_bytes(std::uint64_t bytes);

/// "42%", "0.5%": `part` of `whole` = 1 in percent, two digits at most where it is below 10.
std::string short_percent(double part);

}  // namespace kith
