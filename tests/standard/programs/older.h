/* Names that the standard's interface leaves out, by those that it has in their place: MPI-1's error
   handlers, and Fortran's numbers of handles (MPI 5.0, 20.3). */
#include <mpi.h>
#include <string.h>

typedef int MPI_Fint;
#define MPI_Errhandler_create MPI_Comm_create_errhandler
#define MPI_Errhandler_set MPI_Comm_set_errhandler
#define MPI_Errhandler_get MPI_Comm_get_errhandler
#define MPI_Comm_c2f MPI_Comm_toint
#define MPI_Comm_f2c MPI_Comm_fromint
#define MPI_Errhandler_c2f MPI_Errhandler_toint
#define MPI_Errhandler_f2c MPI_Errhandler_fromint
#define MPI_File_c2f MPI_File_toint
#define MPI_File_f2c MPI_File_fromint
#define MPI_Group_c2f MPI_Group_toint
#define MPI_Group_f2c MPI_Group_fromint
#define MPI_Info_c2f MPI_Info_toint
#define MPI_Info_f2c MPI_Info_fromint
#define MPI_Message_c2f MPI_Message_toint
#define MPI_Message_f2c MPI_Message_fromint
#define MPI_Op_c2f MPI_Op_toint
#define MPI_Op_f2c MPI_Op_fromint
#define MPI_Request_c2f MPI_Request_toint
#define MPI_Request_f2c MPI_Request_fromint
#define MPI_Type_c2f MPI_Type_toint
#define MPI_Type_f2c MPI_Type_fromint
#define MPI_Win_c2f MPI_Win_toint
#define MPI_Win_f2c MPI_Win_fromint

static inline int MPI_Status_c2f(const MPI_Status* status, MPI_Fint* fortran) {
  memcpy(fortran, status, sizeof *status);
  return MPI_SUCCESS;
}
static inline int MPI_Status_f2c(const MPI_Fint* fortran, MPI_Status* status) {
  memcpy(status, fortran, sizeof *status);
  return MPI_SUCCESS;
}
