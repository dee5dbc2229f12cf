// Attributes from Fortran: the bindings read and write them inside the library, past MPI_X, so the
// world is swapped here, in the integer handle.
#include "interpose/fortran/forward.hpp"
#include "interpose/fortran/world_handle.hpp"
#include "interpose/wrapper.hpp"

using namespace kith::interpose;

extern "C" {

#define KITH_SET(symbol)                                                                \
  KITH_EXPORT std::intptr_t symbol(Word comm, Word b, Word c, Word d, Word e, Word f) { \
    static constinit NextFortran next{#symbol};                                         \
    if (!world_is_replaced()) return next(comm, b, c, d, e, f);                         \
    MPI_Fint seen = seen_handle(*static_cast<const MPI_Fint*>(comm));                   \
    return next(&seen, b, c, d, e, f);                                                  \
  }

// What the reordered world lacks are the predefined attributes (MPI_TAG_UB and others, under keys
// that differ between libraries): the library keeps them on its own world.
#define KITH_GET(symbol)                                                                         \
  KITH_EXPORT std::intptr_t symbol(Word comm, Word key, Word value, Word flag, Word e, Word f) { \
    static constinit NextFortran next{#symbol};                                                  \
    if (!world_is_replaced()) return next(comm, key, value, flag, e, f);                         \
    const MPI_Fint named = *static_cast<const MPI_Fint*>(comm);                                  \
    MPI_Fint seen = seen_handle(named);                                                          \
    const std::intptr_t result = next(&seen, key, value, flag, e, f);                            \
    if (seen == named || *static_cast<const MPI_Fint*>(flag) != 0) return result;                \
    return next(comm, key, value, flag, e, f);                                                   \
  }

KITH_FORTRAN_NAMES(KITH_SET, mpi_comm_set_attr, MPI_COMM_SET_ATTR)
KITH_FORTRAN_NAMES(KITH_SET, mpi_attr_put, MPI_ATTR_PUT)
KITH_FORTRAN_NAMES(KITH_GET, mpi_comm_get_attr, MPI_COMM_GET_ATTR)
KITH_FORTRAN_NAMES(KITH_GET, mpi_attr_get, MPI_ATTR_GET)

}  // extern "C"
