! kith_redistribute from Fortran: buffers of any type and rank, large counts, MPI_BOTTOM, refusals.
! Ranks are handed on by one; a report has the fields, and options the effects, of C. The argument
! "handles" tries numbers that are no handles as well: MPICH ends the program then.
#include "binding.h"
program moves
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use MPI_MODULE
  use kith
  implicit none
  COMM :: turned
  DATATYPE :: absolute
  integer :: rank, ranks, new_rank, code
  integer, target, asynchronous :: matrix(3, 4)  ! changed behind the compiler's back: MPI_BOTTOM
  integer, target :: wide(4, 4)
  real(real64) :: scalar
  complex :: pairs(2)
  character(len=8) :: text, argument
  logical :: flags(3)
  integer(MPI_ADDRESS_KIND) :: address(1)
  integer, allocatable :: nothing(:)

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  new_rank = mod(rank + 1, ranks)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, new_rank, turned, code)

  matrix = rank
  call kith_redistribute(MPI_COMM_WORLD, turned, matrix, size(matrix), MPI_INTEGER, code)
  call expect(code == MPI_SUCCESS .and. all(matrix == new_rank), 'an array of two dimensions')
  scalar = rank
  call kith_redistribute(MPI_COMM_WORLD, turned, scalar, 1, MPI_DOUBLE_PRECISION, code)
  call expect(code == MPI_SUCCESS .and. scalar == new_rank, 'a scalar')
  pairs = cmplx(rank, -rank)
  call kith_redistribute(MPI_COMM_WORLD, turned, pairs, 2_int64, MPI_COMPLEX, code)
  call expect(code == MPI_SUCCESS .and. all(pairs == cmplx(new_rank, -new_rank)), 'a large count')
  write (text, '(a, i0)') 'rank ', rank
  call kith_redistribute(MPI_COMM_WORLD, turned, text, len(text), MPI_CHARACTER)
  call expect(text(6:6) == achar(iachar('0') + new_rank), 'text, without ierror')
  flags = mod(rank, 2) == 0
  call kith_redistribute(MPI_COMM_WORLD, turned, flags, 3, MPI_LOGICAL, code)
  call expect(code == MPI_SUCCESS .and. all(flags .eqv. mod(new_rank, 2) == 0), 'logicals')
  allocate (nothing(0))
  call kith_redistribute(MPI_COMM_WORLD, turned, nothing, 0, MPI_INTEGER, code)
  call expect(code == MPI_SUCCESS, 'no data')

  wide = rank
  call kith_redistribute(MPI_COMM_WORLD, turned, wide(:, 2:3), 8, MPI_INTEGER, code)
  call expect(code == MPI_SUCCESS .and. all(wide(:, 2:3) == new_rank) .and. &
              all(wide(:, [1, 4]) == rank), 'whole columns')
  wide = rank
  call kith_redistribute(MPI_COMM_WORLD, turned, wide(2:3, :), 8, MPI_INTEGER, code)
  call expect(code == MPI_ERR_BUFFER .and. all(wide == rank), 'rows, which are not contiguous')
  call kith_redistribute(MPI_COMM_WORLD, turned, MPI_IN_PLACE, 1, MPI_INTEGER, code)
  call expect(code == MPI_ERR_BUFFER, 'MPI_IN_PLACE')
  matrix = rank
  call MPI_Get_address(matrix, address(1), code)
  call MPI_Type_create_hindexed(1, [size(matrix)], address, MPI_INTEGER, absolute, code)
  call MPI_Type_commit(absolute, code)
  call kith_redistribute(MPI_COMM_WORLD, turned, MPI_BOTTOM, 1, absolute, code)
  call expect(code == MPI_SUCCESS .and. all(matrix == new_rank), 'MPI_BOTTOM')
  call MPI_Type_free(absolute, code)

  call kith_redistribute(MPI_COMM_WORLD, turned, matrix, 1, MPI_DATATYPE_NULL, code)
  call expect(code == MPI_ERR_TYPE, 'MPI_DATATYPE_NULL')
  call get_command_argument(1, argument)
  if (argument == 'handles') call not_handles()
  call options_and_report()

  call MPI_Comm_free(turned, code)
  if (rank == 0) print '(a, i0, a)', 'moves on ', ranks, ' ranks'
  call MPI_Finalize(code)

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    integer :: ierror
    if (holds) return
    print '(a, i0, 2a)', 'rank ', rank, ': not as expected: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end subroutine

  ! Numbers that no communicator or datatype has.
  subroutine not_handles()
    COMM :: comm
    DATATYPE :: type
#ifdef USE_F08
    comm%MPI_VAL = 99999
    type%MPI_VAL = 99999
#else
    comm = 99999
    type = 99999
#endif
    call kith_redistribute(MPI_COMM_WORLD, turned, matrix, 1, type, code)
    call expect(code == MPI_ERR_TYPE, 'no datatype')
    call kith_redistribute(MPI_COMM_WORLD, comm, matrix, 1, MPI_INTEGER, code)
    call expect(code == MPI_ERR_COMM, 'no communicator')
    call kith_checkpoint(comm, 'name', code)
    call expect(code == MPI_ERR_COMM, 'no communicator at a checkpoint')
  end subroutine

  ! Each option has its effect, each field of the report its meaning.
  subroutine options_and_report()
    COMM :: made
    type(kith_options) :: options
    type(kith_report) :: report
    integer :: partner
    made = MPI_COMM_NULL
    partner = mod(rank + ranks / 2, ranks)
    options%algorithm = 'topolb+refine'
    options%topology = 'tree:2x2'
    options%keep_rank0 = 0
    options%state_bytes = 10
    options%remaining = 3
    call kith_reorder_graph(MPI_COMM_WORLD, [partner], made, [500.0_real64], options, code)
    call kith_decision(made, report, code)
    ! Two pairs of 1000 over 4 hops, then over 2.
    call expect(code == MPI_SUCCESS .and. report%reordered, 'reordered')
    call expect(report%cost_before == 8000 .and. report%cost_after == 4000, 'costs')
    call expect(report%algorithm == 'topolb+refine' .and. len(report%reason) > 0, 'texts')
    call expect(report%saving == 12000 .and. report%seconds > 0, 'saving')
    call expect(report%moved_ranks >= 2 .and. &
                report%moving_cost == 10 * 4 * report%moved_ranks, 'moving')
    call MPI_Comm_free(made, code)
    options%min_gain = 0.9_real64
    call kith_reorder_graph(MPI_COMM_WORLD, [partner], made, options=options, ierror=code)
    call kith_decision(made, report, code)
    call expect(.not. report%reordered, 'min_gain')
    call MPI_Comm_free(made, code)
    options = kith_options(topology='tree:1')
    call kith_reorder(MPI_COMM_WORLD, made, options, code)
    call kith_decision(made, report, code)
    call expect(code == MPI_SUCCESS .and. .not. report%reordered, 'a machine that does not fit')
    call MPI_Comm_free(made, code)
  end subroutine
end program
