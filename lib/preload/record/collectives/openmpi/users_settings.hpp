// Asks the running library what the user told it about its collectives.
#pragma once

#include "record/collectives/openmpi/settings.hpp"

namespace kith::record::openmpi {

/// Reads the parameters coll_tuned_* and coll_libnbc_* as the library has them, and the
/// rules file that they name. Variables that the library does not have keep their defaults, so that
/// this is safe with any MPI. Local; after MPI_Init. Throws std::bad_alloc.
Settings users_settings();

}  // namespace kith::record::openmpi
