! Asks for an order of a given graph, with the options before the result as in C, and after it.
program with_fortran
  use mpi_f08
  use kith
  implicit none
  type(kith_options) :: options
  type(kith_report) :: report
  type(MPI_Comm) :: first, second
  integer :: rank, ranks
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  options%topology = "tree:2x2"
  call kith_reorder_graph(MPI_COMM_WORLD, [mod(rank + ranks / 2, ranks)], [7d0], options, first)
  call kith_reorder(MPI_COMM_WORLD, options, second)
  call kith_decision(first, report)
  if (rank == 0) print "(a, l1, a)", "reordered ", report%reordered, ": "//report%reason
  call MPI_Comm_free(first)
  call MPI_Comm_free(second)
  call MPI_Finalize()
end program
