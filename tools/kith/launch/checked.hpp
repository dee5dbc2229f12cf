// kith run --check: the launcher as a child of ours, up to the end of MPI_Init.
#pragma once

#include "launch/launcher.hpp"

namespace kith::tools {

/// Runs `launch`, whose ranks have KITH_CHECK=1, and prints what they report: who would be where,
/// who does not run under Kith, which order would be made. Ends the launcher where ranks without
/// Kith would go on. Throws ProgramFailed: status 3 when not all ranks run under Kith or an order
/// that was asked for cannot be made, the launcher's own status when it failed.
void run_checked(const Launch& launch, bool json);

}  // namespace kith::tools
