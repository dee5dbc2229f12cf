/* A tool behind Kith in whose MPI library no handle of a request ever comes twice. Nothing is sent.
 */
#include <mpi.h>
#include <stdint.h>

static uintptr_t last = 0x10000;

int MPI_Send_init(const void* buffer, int count, MPI_Datatype datatype, int dest, int tag,
                  MPI_Comm comm, MPI_Request* request) {
  (void)buffer, (void)count, (void)datatype, (void)dest, (void)tag, (void)comm;
  last += 192; /* as a library's own objects lie */
  *request = (MPI_Request)last;
  return MPI_SUCCESS;
}

int MPI_Start(MPI_Request* request) {
  (void)request;
  return MPI_SUCCESS;
}

int MPI_Request_free(MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}
