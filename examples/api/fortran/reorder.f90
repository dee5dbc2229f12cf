! A communicator in an order that suits what has been sent so far.
program reorder
  use pairs
  implicit none
  type(MPI_Comm) :: better
  real(real64) :: before, after

  call MPI_Init()
  before = exchange(MPI_COMM_WORLD)  ! Kith sees who talks to whom

  call kith_reorder(MPI_COMM_WORLD, better)
  call show(better)

  ! From here on `better` takes the world's place: this process may be another rank in it.
  after = exchange(better)
  if (rank_in(better) == 0) print '(2(a, i0))', 'sums ', nint(before, int64), ' ', nint(after, int64)
  call MPI_Comm_free(better)
  call MPI_Finalize()
end program
