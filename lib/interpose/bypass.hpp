// Are we first in line?
#pragma once

namespace kith::interpose {

/// Name of an intercepted function whose first definition in this process is not ours, null when
/// all are: the program's calls of it may never reach us.
const char* first_bypassed();

}  // namespace kith::interpose
