/* PERSISTENT(Bcast): the function that prepares a persistent collective. It is MPI_Bcast_init in MPI 4
 * and in Open MPI 5, MPIX_Bcast_init in Open MPI 4; elsewhere PERSISTENT is not defined. */
#ifndef KITH_TEST_PERSISTENT_H
#define KITH_TEST_PERSISTENT_H

#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define PERSISTENT(Name) MPIX_##Name##_init
#elif MPI_VERSION >= 4 || (defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5)
#define PERSISTENT(Name) MPI_##Name##_init
#endif

#endif
