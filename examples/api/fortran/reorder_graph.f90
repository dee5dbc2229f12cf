! A communicator in an order that suits what the program is going to send, before it has sent
! anything: each rank names its peers, with weights.
program reorder_graph
  use pairs
  implicit none
  type(MPI_Comm) :: better
  type(kith_options) :: options
  integer :: peers(2)
  real(real64) :: total

  call MPI_Init()
  peers = [partner_in(MPI_COMM_WORLD), mod(rank_in(MPI_COMM_WORLD) + 1, size_of(MPI_COMM_WORLD))]
  options%min_gain = 0.1_real64  ! not for less than a tenth of the cost
  ! A lot to the partner, a little to the next rank.
  call kith_reorder_graph(MPI_COMM_WORLD, peers, better, [1000.0_real64, 1.0_real64], options)
  call show(better)

  total = exchange(better)
  if (rank_in(better) == 0) print '(a, i0)', 'sum ', nint(total, int64)
  call MPI_Comm_free(better)
  call MPI_Finalize()
end program
