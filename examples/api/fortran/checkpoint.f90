! Reordering in the middle of a run: phases are told apart, the order is chosen by the last one only,
! and each rank's field moves to the process that is that rank from now on.
program checkpoint
  use pairs
  implicit none
  integer, parameter :: cells = 500
  type(MPI_Comm) :: better
  type(kith_options) :: options
  real(real64) :: field(cells), before, after, ignored
  integer :: i, step

  call MPI_Init()
  field = [(real(rank_in(MPI_COMM_WORLD) * cells + i, real64), i = 0, cells - 1)]
  before = checksum(MPI_COMM_WORLD)
  call kith_checkpoint(MPI_COMM_WORLD, 'set-up')  ! what was sent until here is not typical

  do step = 1, 4
    ignored = exchange(MPI_COMM_WORLD)
  end do

  options%since_checkpoint = .true.
  options%state_bytes = storage_size(field) / 8.0_real64 * cells  ! moving has a price, ...
  options%remaining = 9  ! ... and nine times as much is still to come
  call kith_reorder(MPI_COMM_WORLD, better, options)
  call kith_redistribute(MPI_COMM_WORLD, better, field, cells, MPI_DOUBLE_PRECISION)
  call kith_checkpoint(better, 'steps')
  call show(better)

  after = checksum(better)
  if (rank_in(better) == 0) then
    print '(2(a, i0))', 'checksums ', nint(before, int64), ' ', nint(after, int64)
  end if
  call MPI_Comm_free(better)
  call MPI_Finalize()

contains

  ! Depends on which rank holds which field, not on which process is that rank.
  real(real64) function checksum(comm)
    type(MPI_Comm), intent(in) :: comm
    checksum = sum_over(comm, sum(field) * (rank_in(comm) + 1))
  end function
end program
