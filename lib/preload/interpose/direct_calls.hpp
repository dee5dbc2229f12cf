// Calls of PMPI by the program itself.
#pragma once

#include <string>

namespace kith::interpose {

/// What of the program calls an intercepted function by its PMPI name, past Kith, as a clause;
/// empty where nothing does. Not meant are the MPI library, its bindings, and tools: what defines
/// one of MPI's functions passes the program's own calls on. Sees what is loaded by now.
std::string direct_call();

}  // namespace kith::interpose
