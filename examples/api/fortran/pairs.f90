! What the examples do beside calling Kith: ranks r and r + n/2 exchange numbers, and rank 0 shows
! who runs where.
module pairs
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use kith
  implicit none

contains

  integer function rank_in(comm)
    type(MPI_Comm), intent(in) :: comm
    call MPI_Comm_rank(comm, rank_in)
  end function

  integer function size_of(comm)
    type(MPI_Comm), intent(in) :: comm
    call MPI_Comm_size(comm, size_of)
  end function

  integer function partner_in(comm)
    type(MPI_Comm), intent(in) :: comm
    partner_in = mod(rank_in(comm) + size_of(comm) / 2, size_of(comm))
  end function

  real(real64) function sum_over(comm, mine)
    type(MPI_Comm), intent(in) :: comm
    real(real64), intent(in) :: mine
    call MPI_Allreduce(mine, sum_over, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm)
  end function

  ! An exchange with the partner in `comm`; the sum of all that was received anywhere.
  real(real64) function exchange(comm)
    type(MPI_Comm), intent(in) :: comm
    real(real64) :: mine(1000), theirs(1000)
    integer :: i
    mine = [(real(rank_in(comm) + i, real64), i = 0, size(mine) - 1)]
    call MPI_Sendrecv(mine, size(mine), MPI_DOUBLE_PRECISION, partner_in(comm), 0, &
                      theirs, size(theirs), MPI_DOUBLE_PRECISION, partner_in(comm), 0, &
                      comm, MPI_STATUS_IGNORE)
    exchange = sum_over(comm, sum(theirs))
  end function

  ! Rank 0 of `better` says what was decided about it, and which process each of its ranks is.
  subroutine show(better)
    type(MPI_Comm), intent(in) :: better
    type(kith_report) :: report
    integer, allocatable :: processes(:)
    allocate (processes(size_of(better)))
    call MPI_Gather(rank_in(MPI_COMM_WORLD), 1, MPI_INTEGER, processes, 1, MPI_INTEGER, 0, better)
    if (rank_in(better) /= 0) return
    call kith_decision(better, report)
    print '(3a)', trim(merge('reordered    ', 'not reordered', report%reordered)), ': ', &
      report%reason
    print '(3(a, i0), a)', 'cost ', nint(report%cost_before, int64), ' -> ', &
      nint(report%cost_after, int64), ', ', report%moved_ranks, ' ranks move'
    print '(a, *(1x, i0))', 'processes of ranks:', processes
  end subroutine
end module
