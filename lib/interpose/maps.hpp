// Before a program may call MPI_Cart_map or MPI_Graph_map.
#pragma once

namespace kith::interpose {

/// Collective, at the end of MPI_Init: keeps what those local calls need, if a rank may make them.
void prepare_maps();

}  // namespace kith::interpose
