// Passing a Fortran call on.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <link.h>

#include "mpi/late_mpi.h"
#include "mpi/world.hpp"

namespace kith::interpose {

/// One argument: Fortran passes addresses.
using Word = void*;

/// The Fortran function behind ours, looked up at its first use. Constant-initialised.
///
/// Six words are passed whatever it takes: as many as the functions here have arguments, and all
/// integer registers that a C function of the same undecorated name (a program's own `mpi_init`)
/// may look at.
class NextFortran {
 public:
  constexpr explicit NextFortran(const char* name) : name_(name) {}

  std::intptr_t operator()(Word a, Word b, Word c, Word d, Word e, Word f) {
    Function function = function_.load(std::memory_order_acquire);
    if (function == nullptr) [[unlikely]] {
      function = look_up();
      function_.store(function, std::memory_order_release);
    }
    return function(a, b, c, d, e, f);
  }

 private:
  using Function = std::intptr_t (*)(Word, Word, Word, Word, Word, Word);

  /// The next definition in the global scope, else that of a privately loaded library, which then
  /// stays loaded. Ends the process with one line when there is none: the dynamic linker would
  /// have done so without us.
  Function look_up() const noexcept;

  const char* name_;
  std::atomic<Function> function_{nullptr};
};

}  // namespace kith::interpose

/// FORWARD(symbol) for each name that compilers give the Fortran function `lower` of mpif.h and
/// `use mpi` (decorated or not, in capitals), and for its counterpart in mpi_f08.
#define KITH_FORTRAN_NAMES(FORWARD, lower, upper) \
  FORWARD(lower##_)                               \
  FORWARD(lower##__)                              \
  FORWARD(lower)                                  \
  FORWARD(upper)                                  \
  FORWARD(lower##_f08_)

namespace kith::interpose {

// MPI_COMM_WORLD as Fortran's integer handle, in both directions.

inline bool world_is_replaced() {
  return mpi::world_replacement.active.load(std::memory_order_relaxed);
}

/// From the handle that the program names to the one that the library is to see.
inline MPI_Fint seen_handle(MPI_Fint comm) {
  if (!world_is_replaced() || comm != PMPI_Comm_c2f(MPI_COMM_WORLD)) return comm;
  return PMPI_Comm_c2f(mpi::program_world());
}

/// From the handle that the library passes to a callback to the one that the program knows.
inline MPI_Fint named_handle(MPI_Fint comm) {
  if (!world_is_replaced() || comm != PMPI_Comm_c2f(mpi::program_world())) return comm;
  return PMPI_Comm_c2f(MPI_COMM_WORLD);
}

}  // namespace kith::interpose

// The MPI library's Fortran bindings, made to call us.
//
// Open MPI's bindings turn Fortran arguments into C ones and call PMPI_X, past every C wrapper;
// MPICH's do so for a part of mpi_f08. Their slots for PMPI_X are pointed at our MPI_X.

namespace kith::interpose {

/// Whether the library is one of these bindings, by its name. Safe where the list of libraries is
/// locked.
bool is_binding(const dl_phdr_info& library);

/// Redirects the bindings that are loaded by now; cheap when nothing was loaded since the last
/// call. Thread safe, never fails: ask bindings_obstacle() what could not be done.
void redirect_bindings() noexcept;

/// Why calls from Fortran may not reach us, as a clause; empty when all do, or none can be made.
std::string bindings_obstacle();

}  // namespace kith::interpose
