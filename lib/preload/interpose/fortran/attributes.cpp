// Attributes from Fortran: the bindings read and write them inside the library, past MPI_X, so the
// world is swapped here, in the integer handle.
#include "interpose/fortran/forward.hpp"
#include "interpose/wrapper.hpp"

using namespace kith::interpose;

namespace {

// Duplicates of the world have no MPI_LASTUSEDCODE.
bool is_asked_of_world(Word comm, Word key) {
  const MPI_Fint handle = *static_cast<const MPI_Fint*>(comm);
  if (handle == PMPI_Comm_c2f(MPI_COMM_WORLD)) return true;
  return *static_cast<const MPI_Fint*>(key) != MPI_LASTUSEDCODE &&
         kith::mpi::is_world_or_duplicate(PMPI_Comm_f2c(handle));
}

}  // namespace

extern "C" {

#define KITH_SET(symbol)                                                                \
  KITH_EXPORT std::intptr_t symbol(Word comm, Word b, Word c, Word d, Word e, Word f) { \
    static constinit NextFortran next{#symbol};                                         \
    if (!world_is_replaced()) return next(comm, b, c, d, e, f);                         \
    MPI_Fint seen = seen_handle(*static_cast<const MPI_Fint*>(comm));                   \
    return next(&seen, b, c, d, e, f);                                                  \
  }

// What the reordered world and its duplicates lack are the predefined attributes (MPI_TAG_UB and
// others, under keys that differ between libraries): the library keeps them on its own world.
#define KITH_GET(symbol)                                                                          \
  KITH_EXPORT std::intptr_t symbol(Word comm, Word key, Word value, Word flag, Word e, Word f) {  \
    static constinit NextFortran next{#symbol};                                                   \
    if (!world_is_replaced()) return next(comm, key, value, flag, e, f);                          \
    MPI_Fint seen = seen_handle(*static_cast<const MPI_Fint*>(comm));                             \
    const std::intptr_t result = next(&seen, key, value, flag, e, f);                             \
    if (*static_cast<const MPI_Fint*>(flag) != 0 || !is_asked_of_world(comm, key)) return result; \
    MPI_Fint world = PMPI_Comm_c2f(MPI_COMM_WORLD);                                               \
    return next(&world, key, value, flag, e, f);                                                  \
  }

KITH_FORTRAN_NAMES(KITH_SET, mpi_comm_set_attr, MPI_COMM_SET_ATTR)
KITH_FORTRAN_NAMES(KITH_SET, mpi_attr_put, MPI_ATTR_PUT)
KITH_FORTRAN_NAMES(KITH_GET, mpi_comm_get_attr, MPI_COMM_GET_ATTR)
KITH_FORTRAN_NAMES(KITH_GET, mpi_attr_get, MPI_ATTR_GET)

}  // extern "C"
