// Did the program's MPI_Init come to us at all?
#pragma once

namespace kith::interpose {

/// It did. Otherwise, at the end of a process that used MPI while a trace or an order was asked for, one
/// line on stderr says so.
void note_init();

}  // namespace kith::interpose
