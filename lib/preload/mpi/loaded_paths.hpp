// What is loaded into this process, to be opened and asked afterwards.
#pragma once

#include <string>
#include <vector>

namespace kith::mpi {

/// Paths of the loaded libraries, in the order of their loading; the program itself is left out.
/// As far as memory reaches.
///
/// dl_iterate_phdr holds the lock of the list of libraries while it calls back, dlopen takes that
/// lock after its own, and dlsym and dladdr take dlopen's: none of them may be called from a
/// callback, or a thread that opens a library meanwhile and this one wait for each other.
std::vector<std::string> loaded_paths() noexcept;

/// Whether a function or object is part of libkith.so.
bool is_of_this_library(const void* address) noexcept;

}  // namespace kith::mpi
