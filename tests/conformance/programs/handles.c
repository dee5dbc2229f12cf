/* Handles as Fortran's integers, and back: the same object, and the world is the world. */
#include "conformance.h"

void handles(void) {
  MPI_Comm copy;
  MPI_Group group;
  MPI_Request request;
  MPI_Info info;
  MPI_Win window;
  MPI_Errhandler handler;
  MPI_Status status, back;
  MPI_Fint fortran_status[sizeof(MPI_Status) / sizeof(MPI_Fint) + 8];
  int relation, byte = 0, cell = 0, source;
  tell("world: %d, self: %d, none: %d",
       MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD,
       MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) == MPI_COMM_SELF,
       MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
  tell_communicator("the world by its number", MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)));
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  tell("copy: %d, not the world: %d", MPI_Comm_f2c(MPI_Comm_c2f(copy)) == copy,
       MPI_Comm_c2f(copy) != MPI_Comm_c2f(MPI_COMM_WORLD));
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Group_compare(MPI_Group_f2c(MPI_Group_c2f(group)), group, &relation);
  tell("group: %d", relation == MPI_IDENT);
  MPI_Irecv(&byte, 1, MPI_INT, left(1), 1, MPI_COMM_WORLD, &request);
  MPI_Send(&rank, 1, MPI_INT, right(1), 1, MPI_COMM_WORLD);
  request = MPI_Request_f2c(MPI_Request_c2f(request));
  MPI_Wait(&request, &status);
  MPI_Status_c2f(&status, fortran_status);
  MPI_Status_f2c(fortran_status, &back);
  source = back.MPI_SOURCE;
  tell("request: %d from %d", byte, source);
  MPI_Message message;
  MPI_Isend(&rank, 1, MPI_INT, left(1), 2, MPI_COMM_WORLD, &request);
  MPI_Mprobe(right(1), 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  message = MPI_Message_f2c(MPI_Message_c2f(message));
  MPI_Mrecv(&byte, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  tell("message: %d", byte);
  MPI_Info_create(&info);
  MPI_Win_create(&cell, sizeof cell, 1, info, MPI_COMM_WORLD, &window);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  tell("info: %d, window: %d, handler: %d, type: %d, op: %d",
       MPI_Info_f2c(MPI_Info_c2f(info)) == info, MPI_Win_f2c(MPI_Win_c2f(window)) == window,
       MPI_Errhandler_f2c(MPI_Errhandler_c2f(handler)) == handler,
       MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE,
       MPI_Op_f2c(MPI_Op_c2f(MPI_MAX)) == MPI_MAX);
  MPI_Errhandler_free(&handler);
  MPI_Win_free(&window);
  MPI_Info_free(&info);
  MPI_Group_free(&group);
  MPI_Comm_free(&copy);
}
