#include "mpi/world.hpp"

namespace kith::mpi {

constinit WorldReplacement world_replacement;

}  // namespace kith::mpi
