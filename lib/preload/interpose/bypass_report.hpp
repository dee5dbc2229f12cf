// Did the program's MPI_Init come to us at all?
#pragma once

namespace kith::interpose {

/// It did. Under an MPI library of another kind than ours one line on stderr says so now. Where it
/// did not, at the end of a process that used MPI while a trace or an order was asked for, one line
/// on stderr says so.
void note_init();

}  // namespace kith::interpose
