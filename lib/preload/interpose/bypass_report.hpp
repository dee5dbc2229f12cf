// Did the program's MPI_Init come to us at all?
#pragma once

#include <string>

namespace kith::interpose {

/// It did. Under an MPI library of another kind than ours one line on stderr says so now. Where it
/// did not, at the end of a process that used MPI while a trace or an order was asked for, one line
/// on stderr says so.
void note_init();

/// Why some calls of this program may not reach us, as a clause; empty when all do. Such a program
/// must not be reordered: it would see two orders at once.
std::string bypass_reason();

/// What of the program calls an intercepted function by its PMPI name, past Kith, as a clause;
/// empty where nothing does. Not meant are the MPI library, its bindings, and tools: what defines
/// one of MPI's functions passes the program's own calls on. Sees what is loaded by now.
std::string direct_call();

}  // namespace kith::interpose
