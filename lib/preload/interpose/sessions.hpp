// MPI 4's sessions: processes named without a world.
#pragma once

#include <string>

namespace kith::interpose {

/// Did the program open one?
bool session_opened();

/// Empty, or why MPI_COMM_WORLD may not be reordered: a group made before has the launcher's order.
/// Asked in MPI_Init.
std::string session_obstacle();

}  // namespace kith::interpose
