// Calls of MPI_X that find the MPI library's own definition, and not ours.
//
// A library that is opened with RTLD_DEEPBIND, and a program that asks the MPI library itself for a
// function (dlsym on its handle, as ctypes does), look past the global scope in which Kith stands
// first. They would see the launcher's order in a program whose other parts see Kith's.
#pragma once

#include <string>

namespace kith::interpose {

/// Points such calls at our wrappers: those of the libraries that are loaded by now, and in the MPI
/// library's table of symbols all that are looked up from now on. Does neither where a tool behind
/// Kith wraps MPI too: its own calls have to reach the MPI library. Before MPI_Init; never fails.
void follow_private_calls() noexcept;

/// What still calls the MPI library past Kith, as a clause; empty where nothing does. Sees what is
/// loaded by now.
std::string private_call();

}  // namespace kith::interpose
