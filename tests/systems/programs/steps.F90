! steps.c in Fortran, for each binding: compiled with -DBINDING_MPIFH, -DBINDING_MPI or -DBINDING_F08.
#include "binding.h"
program steps
#if defined(BINDING_F08)
  use mpi_f08
#elif defined(BINDING_MPI)
  use mpi
#endif
  implicit none
#if defined(BINDING_MPIFH)
  include 'mpif.h'
#endif
  COMM :: grid
  integer :: rank, size, right, left, mine, total, place, squares, i, ierror
  integer :: outgoing(1000), incoming(1000), dims(2)
  logical :: periods(2)

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  outgoing = [(rank * 1000 + i - 1, i = 1, 1000)]
  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  call MPI_Sendrecv(outgoing, 250 * (rank + 1), MPI_INTEGER, right, 1, incoming, 1000, MPI_INTEGER, left, 1, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  mine = incoming(101) * (rank + 1)
  call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  dims = 2
  periods = .true.
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., grid, ierror)
  call MPI_Comm_rank(grid, place, ierror)
  mine = (place + 1)**2
  call MPI_Reduce(mine, squares, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0) print '(i0,1x,i0,1x,i0)', size, total, squares
  do while (command_argument_count() > 0)
    call sleep(1)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end do
  call MPI_Finalize(ierror)
end program steps
