! Kith's API for Fortran: what include/kith/kith.h says holds here, in Fortran's ways.
!
!   use kith
!   type(kith_options) :: options
!   options%state_bytes = 8.0_real64 * cells
!   options%remaining = real(steps - step, real64) / step
!   call kith_reorder(comm, better, options)
!   call kith_redistribute(comm, better, field, cells, MPI_DOUBLE_PRECISION)
!
! Handles are those of `use mpi` or `mpif.h` (integers) or those of `use mpi_f08` (derived types).
!
! ierror, always last, may be left out: then an error goes to the error handler of the communicator
! (of MPI_COMM_WORLD for a null one), which ends the program unless it was told otherwise.
!
! A module is of one compiler: where the one that was installed is of another, compile this file.
module kith
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi, only: MPI_SUCCESS, MPI_COMM_NULL, MPI_COMM_WORLD, MPI_BOTTOM, MPI_IN_PLACE, &
                 MPI_Comm_call_errhandler
  use mpi_f08, only: MPI_Comm, MPI_Datatype, bottom_f08 => MPI_BOTTOM, in_place_f08 => MPI_IN_PLACE
  implicit none
  private
  public :: kith_options, kith_report
  public :: kith_reorder, kith_reorder_graph, kith_redistribute, kith_checkpoint, kith_decision
  public :: kith_bind, kith_bind_fine, kith_bind_core
  public :: kith_reason_not_said, kith_reason_reordered, kith_reason_small_gain
  public :: kith_reason_nothing_to_gain, kith_reason_no_answer, kith_reason_failed

  ! Of kith_bind(): a thread is bound to one processing unit, or to a core with all of them.
  integer, parameter :: kith_bind_fine = 0, kith_bind_core = 1

  ! Of kith_report%reason_code; see kith_reason in kith.h.
  integer, parameter :: kith_reason_not_said = 0, kith_reason_reordered = 1, &
                        kith_reason_small_gain = 2, kith_reason_nothing_to_gain = 3, &
                        kith_reason_no_answer = 4, kith_reason_failed = 5

  ! How to choose a new order; see kith_options in kith.h. The values of rank 0 count.
  type :: kith_options
    character(len=:), allocatable :: algorithm  ! not allocated: KITH_ALGORITHM, or "auto"
    character(len=:), allocatable :: topology   ! not allocated: KITH_TOPOLOGY, or this job's machine
    real(real64) :: min_gain = -1               ! negative: KITH_MIN_GAIN, or 0.02
    integer :: keep_rank0 = -1                  ! 1, 0; negative: KITH_KEEP_RANK0, or 1
    real(real64) :: state_bytes = 0             ! 0: not known, moving is taken to cost nothing
    real(real64) :: remaining = -1              ! negative: not known, taken as 1
    logical :: since_checkpoint = .false.
  end type

  ! What was decided about a communicator; see kith_report in kith.h.
  type :: kith_report
    logical :: reordered = .false.
    real(real64) :: cost_before = 0
    real(real64) :: cost_after = 0
    real(real64) :: seconds = 0
    character(len=:), allocatable :: algorithm
    character(len=:), allocatable :: reason
    integer :: moved_ranks = 0
    real(real64) :: moving_cost = 0
    real(real64) :: saving = 0
    integer :: reason_code = kith_reason_not_said
  end type

  ! kith_reorder(comm, reordered [, options] [, ierror])   or (comm, reordered, ierror)
  ! kith_reorder(comm, options, result [, ierror])       arguments as in C
  interface kith_reorder
    module procedure reorder_mpi, reorder_f08
    module procedure reorder_as_in_c_mpi, reorder_as_in_c_f08
    module procedure reorder_alone_mpi, reorder_alone_f08
  end interface

  ! kith_reorder_graph(comm, peers, reordered [, weights] [, options] [, ierror])
  ! kith_reorder_graph(comm, peers, reordered, ierror)
  ! kith_reorder_graph(comm, peers, weights, options, result [, ierror])       as in C, but without
  !                                                     degree, which is size(peers)
  ! peers(:): ranks of comm, counted from 0; weights(:): real64, as long as peers, else MPI_ERR_ARG.
  interface kith_reorder_graph
    module procedure reorder_graph_mpi, reorder_graph_f08
    module procedure reorder_graph_as_in_c_mpi, reorder_graph_as_in_c_f08
    module procedure reorder_graph_alone_mpi, reorder_graph_alone_f08
  end interface

  ! kith_redistribute(from, to, buffer, count, datatype [, ierror])
  ! buffer: anything contiguous, else MPI_ERR_BUFFER; MPI_BOTTOM too. count: default or int64.
  interface kith_redistribute
    module procedure redistribute_mpi, redistribute_mpi_large
    module procedure redistribute_f08, redistribute_f08_large
  end interface

  ! kith_checkpoint(comm, phase [, ierror])
  ! phase: a name; blanks at its end do not count, and nothing but blanks is MPI_ERR_ARG.
  interface kith_checkpoint
    module procedure checkpoint_mpi, checkpoint_f08
  end interface

  ! kith_decision(comm, report [, ierror])
  interface kith_decision
    module procedure decision_mpi, decision_f08
  end interface

  ! kith_bind([policy] [, granularity] [, ierror]): subroutine bind_threads below

  interface kith_bind
    module procedure bind_threads
  end interface

  ! The structs of kith.h.
  type, bind(C) :: c_options
    integer(c_size_t) :: size
    type(c_ptr) :: algorithm, topology
    real(c_double) :: min_gain
    integer(c_int) :: keep_rank0
    real(c_double) :: state_bytes, remaining
    integer(c_int) :: since_checkpoint
  end type

  type, bind(C) :: c_report
    integer(c_size_t) :: size
    integer(c_int) :: reordered
    real(c_double) :: cost_before, cost_after, seconds
    character(kind=c_char) :: algorithm(64), reason(512)
    integer(c_int) :: moved_ranks
    real(c_double) :: moving_cost, saving
    integer(c_int) :: reason_code
  end type

  interface
    function c_reorder(comm, options, reordered) bind(C, name="kith_reorder_f") result(code)
      import
      integer(c_int), value :: comm
      type(c_options), intent(in) :: options
      integer(c_int), intent(inout) :: reordered
      integer(c_int) :: code
    end function

    function c_reorder_graph(comm, degree, peers, weights, options, reordered) &
        bind(C, name="kith_reorder_graph_f") result(code)
      import
      integer(c_int), value :: comm, degree
      integer(c_int), intent(in) :: peers(*)
      type(c_ptr), value :: weights
      type(c_options), intent(in) :: options
      integer(c_int), intent(inout) :: reordered
      integer(c_int) :: code
    end function

    function c_bind(policy, granularity) bind(C, name="kith_bind") result(code)
      import
      character(kind=c_char), intent(in) :: policy(*)
      integer(c_int), value :: granularity
      integer(c_int) :: code
    end function

    function c_checkpoint(comm, phase) bind(C, name="kith_checkpoint_f") result(code)
      import
      integer(c_int), value :: comm
      character(kind=c_char), intent(in) :: phase(*)
      integer(c_int) :: code
    end function

    function c_redistribute(from, to, buffer, count, datatype, bottom, in_place) &
        bind(C, name="kith_redistribute_f") result(code)
      import
      integer(c_int), value :: from, to, datatype
      type(c_ptr), value :: buffer
      integer(c_int64_t), value :: count
      integer(c_int), intent(in) :: bottom, in_place  ! by their addresses
      integer(c_int) :: code
    end function

    function c_decision(comm, report) bind(C, name="kith_decision_f") result(code)
      import
      integer(c_int), value :: comm
      type(c_report), intent(inout) :: report
      integer(c_int) :: code
    end function
  end interface

contains

  ! --- text and structs from one language to the other -------------------------------------------

  pure function to_c(text) result(chars)
    character(len=*), intent(in) :: text
    character(kind=c_char) :: chars(len_trim(text) + 1)
    integer :: i
    do i = 1, len_trim(text)
      chars(i) = text(i:i)
    end do
    chars(size(chars)) = c_null_char
  end function

  pure function from_c(chars) result(text)
    character(kind=c_char), intent(in) :: chars(:)
    character(len=:), allocatable :: text
    integer :: i
    text = ""
    do i = 1, size(chars)
      if (chars(i) == c_null_char) exit
      text = text // chars(i)
    end do
  end function

  ! `c` points into the two texts, which have to live as long as it is used.
  subroutine lend(options, c, algorithm, topology)
    type(kith_options), intent(in), optional :: options
    type(c_options), intent(out) :: c
    character(kind=c_char), allocatable, target, intent(out) :: algorithm(:), topology(:)
    type(kith_options) :: chosen
    if (present(options)) chosen = options
    c%size = c_sizeof(c)
    c%algorithm = c_null_ptr
    c%topology = c_null_ptr
    if (allocated(chosen%algorithm)) then
      algorithm = to_c(chosen%algorithm)
      c%algorithm = c_loc(algorithm)
    end if
    if (allocated(chosen%topology)) then
      topology = to_c(chosen%topology)
      c%topology = c_loc(topology)
    end if
    c%min_gain = chosen%min_gain
    c%keep_rank0 = chosen%keep_rank0
    c%state_bytes = chosen%state_bytes
    c%remaining = chosen%remaining
    c%since_checkpoint = merge(1, 0, chosen%since_checkpoint)
  end subroutine

  subroutine conclude(comm, code, ierror)
    integer, intent(in) :: comm
    integer(c_int), intent(in) :: code
    integer, intent(out), optional :: ierror
    integer :: ignored
    if (present(ierror)) then
      ierror = code
    else if (code /= MPI_SUCCESS) then
      call MPI_Comm_call_errhandler(merge(MPI_COMM_WORLD, comm, comm == MPI_COMM_NULL), int(code), &
                                    ignored)
    end if
  end subroutine

  ! --- handles of `use mpi` ----------------------------------------------------------------------

  subroutine reorder_mpi(comm, reordered, options, ierror)
    integer, intent(in) :: comm
    integer, intent(inout) :: reordered
    type(kith_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(kind=c_char), allocatable, target :: algorithm(:), topology(:)
    type(c_options) :: c
    call lend(options, c, algorithm, topology)
    call conclude(comm, c_reorder(comm, c, reordered), ierror)
  end subroutine

  subroutine reorder_graph_mpi(comm, peers, reordered, weights, options, ierror)
    integer, intent(in) :: comm, peers(:)
    integer, intent(inout) :: reordered
    real(real64), intent(in), optional :: weights(:)
    type(kith_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    character(kind=c_char), allocatable, target :: algorithm(:), topology(:)
    real(c_double), allocatable, target :: kept(:)
    type(c_ptr) :: first_weight
    type(c_options) :: c
    integer(c_int) :: degree
    degree = size(peers)
    first_weight = c_null_ptr
    if (present(weights)) then
      if (size(weights) /= degree) degree = -1  ! refused, and so on all ranks
      allocate (kept, source=weights)
      if (size(kept) > 0) first_weight = c_loc(kept)
    end if
    call lend(options, c, algorithm, topology)
    call conclude(comm, c_reorder_graph(comm, degree, peers, first_weight, c, reordered), ierror)
  end subroutine

  ! The code alone behind the result. Another name than ierror's keeps the two forms apart.
  subroutine reorder_alone_mpi(comm, reordered, code)
    integer, intent(in) :: comm
    integer, intent(inout) :: reordered
    integer, intent(out) :: code
    call reorder_mpi(comm, reordered, ierror=code)
  end subroutine

  subroutine reorder_graph_alone_mpi(comm, peers, reordered, code)
    integer, intent(in) :: comm, peers(:)
    integer, intent(inout) :: reordered
    integer, intent(out) :: code
    call reorder_graph_mpi(comm, peers, reordered, ierror=code)
  end subroutine

  subroutine reorder_as_in_c_mpi(comm, options, result, ierror)
    integer, intent(in) :: comm
    type(kith_options), intent(in) :: options
    integer, intent(inout) :: result
    integer, intent(out), optional :: ierror
    call reorder_mpi(comm, result, options, ierror)
  end subroutine

  subroutine reorder_graph_as_in_c_mpi(comm, peers, weights, options, result, ierror)
    integer, intent(in) :: comm
    integer, intent(in) :: peers(:)
    real(real64), intent(in) :: weights(:)
    type(kith_options), intent(in) :: options
    integer, intent(inout) :: result
    integer, intent(out), optional :: ierror
    call reorder_graph_mpi(comm, peers, result, weights, options, ierror)
  end subroutine

  subroutine redistribute_mpi(from, to, buffer, count, datatype, ierror)
    integer, intent(in) :: from, to, count, datatype
    type(*), dimension(..), intent(inout), target :: buffer
    integer, intent(out), optional :: ierror
    call redistribute_mpi_large(from, to, buffer, int(count, int64), datatype, ierror)
  end subroutine

  subroutine redistribute_mpi_large(from, to, buffer, count, datatype, ierror)
    integer, intent(in) :: from, to, datatype
    type(*), dimension(..), intent(inout), target :: buffer
    integer(int64), intent(in) :: count
    integer, intent(out), optional :: ierror
    call conclude(from, c_redistribute(from, to, place_of(buffer), count, datatype, MPI_BOTTOM, &
                                       MPI_IN_PLACE), ierror)
  end subroutine

  ! Null, which is refused, where elements do not follow each other.
  function place_of(buffer) result(place)
    type(*), dimension(..), intent(in), target :: buffer
    type(c_ptr) :: place
    place = c_null_ptr
    if (is_contiguous(buffer)) place = c_loc(buffer)
  end function

  subroutine checkpoint_mpi(comm, phase, ierror)
    integer, intent(in) :: comm
    character(len=*), intent(in) :: phase
    integer, intent(out), optional :: ierror
    call conclude(comm, c_checkpoint(comm, to_c(phase)), ierror)
  end subroutine

  ! policy: "compact" where it is left out, else a name or a file as in kith.h. granularity:
  ! kith_bind_fine (default) or kith_bind_core.
  subroutine bind_threads(policy, granularity, ierror)
    character(len=*), intent(in), optional :: policy
    integer, intent(in), optional :: granularity
    integer, intent(out), optional :: ierror
    integer(c_int) :: chosen, code
    chosen = kith_bind_fine
    if (present(granularity)) chosen = int(granularity, c_int)
    if (present(policy)) then
      code = c_bind(to_c(policy), chosen)
    else
      code = c_bind(to_c("compact"), chosen)
    end if
    call conclude(MPI_COMM_WORLD, code, ierror)
  end subroutine

  subroutine decision_mpi(comm, report, ierror)
    integer, intent(in) :: comm
    type(kith_report), intent(out) :: report
    integer, intent(out), optional :: ierror
    type(c_report) :: c
    integer(c_int) :: code
    c%size = c_sizeof(c)
    code = c_decision(comm, c)
    if (code == MPI_SUCCESS) then
      report%reordered = c%reordered /= 0
      report%cost_before = c%cost_before
      report%cost_after = c%cost_after
      report%seconds = c%seconds
      report%algorithm = from_c(c%algorithm)
      report%reason = from_c(c%reason)
      report%moved_ranks = c%moved_ranks
      report%moving_cost = c%moving_cost
      report%saving = c%saving
      report%reason_code = c%reason_code
    end if
    call conclude(comm, code, ierror)
  end subroutine

  ! --- handles of `use mpi_f08` ------------------------------------------------------------------

  subroutine reorder_f08(comm, reordered, options, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Comm), intent(inout) :: reordered
    type(kith_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    call reorder_mpi(comm%MPI_VAL, reordered%MPI_VAL, options, ierror)
  end subroutine

  subroutine reorder_graph_f08(comm, peers, reordered, weights, options, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: peers(:)
    type(MPI_Comm), intent(inout) :: reordered
    real(real64), intent(in), optional :: weights(:)
    type(kith_options), intent(in), optional :: options
    integer, intent(out), optional :: ierror
    call reorder_graph_mpi(comm%MPI_VAL, peers, reordered%MPI_VAL, weights, options, ierror)
  end subroutine

  subroutine reorder_alone_f08(comm, reordered, code)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Comm), intent(inout) :: reordered
    integer, intent(out) :: code
    call reorder_f08(comm, reordered, ierror=code)
  end subroutine

  subroutine reorder_graph_alone_f08(comm, peers, reordered, code)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: peers(:)
    type(MPI_Comm), intent(inout) :: reordered
    integer, intent(out) :: code
    call reorder_graph_f08(comm, peers, reordered, ierror=code)
  end subroutine

  subroutine reorder_as_in_c_f08(comm, options, result, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(kith_options), intent(in) :: options
    type(MPI_Comm), intent(inout) :: result
    integer, intent(out), optional :: ierror
    call reorder_f08(comm, result, options, ierror)
  end subroutine

  subroutine reorder_graph_as_in_c_f08(comm, peers, weights, options, result, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: peers(:)
    real(real64), intent(in) :: weights(:)
    type(kith_options), intent(in) :: options
    type(MPI_Comm), intent(inout) :: result
    integer, intent(out), optional :: ierror
    call reorder_graph_f08(comm, peers, result, weights, options, ierror)
  end subroutine

  subroutine redistribute_f08(from, to, buffer, count, datatype, ierror)
    type(MPI_Comm), intent(in) :: from, to
    type(*), dimension(..), intent(inout), target :: buffer
    integer, intent(in) :: count
    type(MPI_Datatype), intent(in) :: datatype
    integer, intent(out), optional :: ierror
    call redistribute_f08_large(from, to, buffer, int(count, int64), datatype, ierror)
  end subroutine

  subroutine redistribute_f08_large(from, to, buffer, count, datatype, ierror)
    type(MPI_Comm), intent(in) :: from, to
    type(*), dimension(..), intent(inout), target :: buffer
    integer(int64), intent(in) :: count
    type(MPI_Datatype), intent(in) :: datatype
    integer, intent(out), optional :: ierror
    call conclude(from%MPI_VAL, c_redistribute(from%MPI_VAL, to%MPI_VAL, place_of(buffer), count, &
                  datatype%MPI_VAL, bottom_f08, in_place_f08), ierror)
  end subroutine

  subroutine checkpoint_f08(comm, phase, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(len=*), intent(in) :: phase
    integer, intent(out), optional :: ierror
    call checkpoint_mpi(comm%MPI_VAL, phase, ierror)
  end subroutine

  subroutine decision_f08(comm, report, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(kith_report), intent(out) :: report
    integer, intent(out), optional :: ierror
    call decision_mpi(comm%MPI_VAL, report, ierror)
  end subroutine
end module
