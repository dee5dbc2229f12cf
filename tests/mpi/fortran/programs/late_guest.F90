! A library in Fortran that a program without any loads late: it tells whom it is, adds up the ranks
! and sends 1000 + rank integers to the right.
#include "binding.h"

subroutine late_guest(begins) bind(C)
  use iso_c_binding
  use binding
  implicit none
  integer(c_int), value :: begins  ! 1: MPI begins and ends in here
  integer :: rank, size, ierror, total(1), right, left, length
  integer, save :: outgoing(2000), incoming(2000)
  STATUS(found)
  if (begins == 1) call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank IERR)
  call MPI_Comm_size(MPI_COMM_WORLD, size IERR)
  total = rank + 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERR)
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  outgoing = rank
  call MPI_Sendrecv(outgoing, 1000 + rank, MPI_INTEGER, right, 1, incoming, 2000, MPI_INTEGER, &
                    left, 1, MPI_COMM_WORLD, found IERR)
  call MPI_Get_count(found, MPI_INTEGER, length IERR)
  print '("rank ", i0, " of ", i0, " received ", *(1x, i0))', rank, size, total, length, incoming(1)
  call flush()
  if (begins == 1) call MPI_Finalize(ierror)
end subroutine late_guest
