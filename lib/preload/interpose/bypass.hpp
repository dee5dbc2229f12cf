// Are we first in line?
#pragma once

#include <string>

namespace kith::interpose {

/// Why some calls of this program may not reach us, as a clause; empty when all do. Such a program
/// must not be reordered: it would see two orders at once.
std::string bypass_reason();

}  // namespace kith::interpose
