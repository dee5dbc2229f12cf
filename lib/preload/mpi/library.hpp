// Which MPI library this process has, how it was set, and what else is loaded.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kith::mpi {

/// The library whose mpi.h we were built with: "Open MPI 4.1.4".
const char* library_built_for();

/// The library of this process, of whatever kind, as it calls itself: "Open MPI v4.1.4",
/// "MPICH 4.0.2"; empty without an MPI library. May be called before MPI_Init.
std::string library_found();

enum class Family { open_mpi, mpich, standard, other };

/// Whose handles, constants and structures the library of this process has. Unlike what it says of
/// itself: a library for the standard's own interface (libmpi_abi) is of that family, whoever made
/// it. May be called before MPI_Init.
Family family_by_handles();

/// Whose mpi.h this file was built with.
extern const Family family_built_for;

/// What the library of this process says of itself.
struct Identity {
  Family family = Family::other;  ///< MVAPICH and Intel MPI are MPICH's
  int major = 0;                  ///< of Open MPI; 0: not known, or another family
  int minor = 0;
  std::string text;  ///< the first line: "Open MPI v4.1.4, package: ..."

  bool is_open_mpi(int wanted_major, int wanted_minor) const {
    return family == Family::open_mpi && major == wanted_major && minor == wanted_minor;
  }
};
/// May be called before MPI_Init. Throws std::bad_alloc.
Identity library_identity();

// Open MPI's own settings, as the library has them: environment, files and defaults merged.

/// An integer parameter of Open MPI by its full name ("coll_sm_priority"), once the component that
/// owns it is loaded; nothing otherwise, nor in other libraries. Local; requires bind() and that
/// MPI is initialised. The caller knows the parameter's type.
///
/// Not through MPI's tool interface: opening that makes Open MPI load every plug-in that it has,
/// which takes seconds and stays in the process.
std::optional<int> library_number(const char* name);
/// The same for a boolean.
std::optional<bool> library_flag(const char* name);
/// The same for a text; an unset text is empty.
std::optional<std::string> library_text(const char* name);

// What is loaded into this process, to be opened and asked afterwards.

/// Paths of the loaded libraries, in the order of their loading; the program itself is left out.
/// As far as memory reaches.
///
/// dl_iterate_phdr holds the lock of the list of libraries while it calls back, dlopen takes that
/// lock after its own, and dlsym and dladdr take dlopen's: none of them may be called from a
/// callback, or a thread that opens a library meanwhile and this one wait for each other.
std::vector<std::string> loaded_paths() noexcept;

/// Whether a function or object is part of libkith.so, or of what took over from it.
bool is_of_this_library(const void* address) noexcept;

}  // namespace kith::mpi
