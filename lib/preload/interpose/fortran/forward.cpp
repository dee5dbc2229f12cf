#include "interpose/fortran/forward.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "interpose/wrapper.hpp"
#include "mpi/library.hpp"
#include "mpi/succession.hpp"

// The calls with which a program, or a library that it loads late and privately (an extension of
// Python, say), first turns to MPI from Fortran. The dynamic linker finds ours before MPI's: they
// redirect the bindings that are loaded by now, and call on.

using namespace kith::interpose;

extern "C" {

#define KITH_ENTRY(symbol)                                                           \
  KITH_EXPORT std::intptr_t symbol(Word a, Word b, Word c, Word d, Word e, Word f) { \
    static constinit NextFortran next{#symbol};                                      \
    redirect_bindings();                                                             \
    return next(a, b, c, d, e, f);                                                   \
  }

KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_init, MPI_INIT)
KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_init_thread, MPI_INIT_THREAD)
KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_initialized, MPI_INITIALIZED)
KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_comm_rank, MPI_COMM_RANK)
KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_comm_size, MPI_COMM_SIZE)
KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_comm_dup, MPI_COMM_DUP)
KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_comm_split, MPI_COMM_SPLIT)
KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_comm_group, MPI_COMM_GROUP)
KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_barrier, MPI_BARRIER)
KITH_FORTRAN_NAMES(KITH_ENTRY, mpi_bcast, MPI_BCAST)

}  // extern "C"

namespace kith::interpose {
namespace {

void* defined_privately(const char* name) {
  for (const std::string& path : mpi::loaded_paths()) {
    void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    void* const function = dlsym(library, name);
    if (function != nullptr && !mpi::is_of_this_library(function)) return function;
    dlclose(library);
  }
  return nullptr;
}

}  // namespace

NextFortran::Function NextFortran::look_up() const noexcept {
  void* const heir = mpi::successor.load(std::memory_order_acquire);
  void* next = heir == nullptr ? nullptr : dlsym(heir, name_);
  if (next == nullptr) next = mpi::next_in_scope(name_);
  if (next == nullptr) next = defined_privately(name_);
  if (next == nullptr) {
    std::fprintf(stderr, "kith: the program calls %s, which no library defines\n", name_);
    std::abort();
  }
  return reinterpret_cast<Function>(next);
}

}  // namespace kith::interpose
