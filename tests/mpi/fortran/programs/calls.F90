! What a Fortran program asks of MPI beside plain messages, and most on MPI_COMM_WORLD: collectives,
! datatypes, communicators, attributes, error handlers, groups, one-sided, a C part of the program.
! Every rank prints what it found, one line per question.
#include "binding.h"

module answers
  use binding
  implicit none
  integer :: rank, size, ierror

  interface
    ! The sum of the ranks, and whether the handle is C's MPI_COMM_WORLD (from_c.c).
    integer(c_int) function sum_of_ranks(comm) bind(C)
      use iso_c_binding
      integer(c_int), value :: comm
    end function sum_of_ranks
    integer(c_int) function is_world_in_c(comm) bind(C)
      use iso_c_binding
      integer(c_int), value :: comm
    end function is_world_in_c
  end interface

contains

  subroutine answer(question, values)
    character(len=*), intent(in) :: question
    integer, intent(in) :: values(:)
    print '(a, " on ", i0, ":", *(1x, i0))', question, rank, values
  end subroutine answer

  integer function one_if(condition)
    logical, intent(in) :: condition
    one_if = merge(1, 0, condition)
  end function one_if

end module answers

module callbacks
  use answers
  implicit none
  integer :: errors_seen = 0, copies_seen = 0, deletions_seen = 0
  logical :: world_was_named = .true.

contains

  subroutine handle_error(comm, code)
    COMM :: comm
    integer :: code, class
    call MPI_Error_class(code, class, ierror)
    errors_seen = errors_seen + 100 + one_if(class == MPI_ERR_RANK)
    world_was_named = world_was_named .and. comm == MPI_COMM_WORLD
  end subroutine handle_error

  subroutine copy_and_add_one(old, keyval, extra, value, new_value, flag, code)
    COMM :: old
    integer :: keyval, code
    integer(kind=MPI_ADDRESS_KIND) :: extra, value, new_value
    logical :: flag
    copies_seen = copies_seen + int(extra)
    world_was_named = world_was_named .and. old == MPI_COMM_WORLD
    new_value = value + 1
    flag = .true.
    code = MPI_SUCCESS
  end subroutine copy_and_add_one

  subroutine count_deletion(comm, keyval, value, extra, code)
    COMM :: comm
    integer :: keyval, code
    integer(kind=MPI_ADDRESS_KIND) :: extra, value
    deletions_seen = deletions_seen + 1
    code = MPI_SUCCESS
  end subroutine count_deletion

#if defined(BINDING_F08)
  subroutine multiply(in, inout, count, datatype_)
    use iso_c_binding
    type(c_ptr), value :: in, inout
    integer :: count
    DATATYPE :: datatype_
    integer, pointer :: a(:), b(:)
    call c_f_pointer(in, a, [count])
    call c_f_pointer(inout, b, [count])
    b = a * b
  end subroutine multiply
#else
  subroutine multiply(in, inout, count, datatype_)
    integer :: count, in(count), inout(count)
    DATATYPE :: datatype_
    inout = in * inout
  end subroutine multiply
#endif

end module callbacks

module questions
  use callbacks
  implicit none

contains

  subroutine ask_collectives()
    integer :: one(1), row(0:size - 1), other(0:size - 1), counts(0:size - 1), places(0:size - 1)
    integer :: i
    REQUEST :: later
    OP :: product_
    one = 10 + rank
    if (rank == 1) one = 77
    call MPI_Bcast(one, 1, MPI_INTEGER, 1, MPI_COMM_WORLD IERR)
    call answer('bcast', one)
    one = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERR)
    call answer('allreduce in place', one)
    one = 3 * rank
    call MPI_Reduce(one, row, 1, MPI_INTEGER, MPI_MAX, 1, MPI_COMM_WORLD IERR)
    if (rank == 1) call answer('reduce', row(0:0))
    row = -1
    row(rank) = rank * rank
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, row, 1, MPI_INTEGER, &
                       MPI_COMM_WORLD IERR)
    call answer('allgather in place', row)
    row = -1
    row(rank) = 5 * rank
    if (rank == 0) then
      call MPI_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, row, 1, MPI_INTEGER, 0, MPI_COMM_WORLD IERR)
      call answer('gather in place', row)
      call MPI_Scatter(row, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, 0, MPI_COMM_WORLD IERR)
    else
      call MPI_Gather(row(rank), 1, MPI_INTEGER, other, 1, MPI_INTEGER, 0, MPI_COMM_WORLD IERR)
      call MPI_Scatter(other, 1, MPI_INTEGER, row(0), 1, MPI_INTEGER, 0, MPI_COMM_WORLD IERR)
    end if
    call answer('scatter in place', row(0:0))
    row = [(100 * rank + i, i = 0, size - 1)]
    call MPI_Alltoall(row, 1, MPI_INTEGER, other, 1, MPI_INTEGER, MPI_COMM_WORLD IERR)
    call answer('alltoall', other)
    counts = 1
    places = [(size - 1 - i, i = 0, size - 1)]
    call MPI_Alltoallv(MPI_IN_PLACE, counts, places, MPI_INTEGER, &
                       row, counts, places, MPI_INTEGER, MPI_COMM_WORLD IERR)
    call answer('alltoallv in place', row)
    one = rank + 2
    call MPI_Scan(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERR)
    call answer('scan in place', one)
    row = rank
    call MPI_Reduce_scatter(MPI_IN_PLACE, row, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERR)
    call answer('reduce_scatter in place', row(0:0))
    call MPI_Op_create(multiply, .true., product_ IERR)
    one = rank + 1
    call MPI_Iallreduce(MPI_IN_PLACE, one, 1, MPI_INTEGER, product_, MPI_COMM_WORLD, later IERR)
    call MPI_Wait(later, MPI_STATUS_IGNORE IERR)
    call MPI_Op_free(product_ IERR)
    call answer('own operation', one)
  end subroutine ask_collectives

  subroutine ask_datatypes()
    DATATYPE :: absolute, column
    integer(kind=MPI_ADDRESS_KIND) :: addresses(2)
    integer, target, asynchronous :: first, second(3), table(4, 5)
    integer :: right, left
    right = mod(rank + 1, size)
    left = mod(rank + size - 1, size)
    first = 1000 + rank
    second = [rank, 2 * rank, 3 * rank]
    call MPI_Get_address(first, addresses(1) IERR)
    call MPI_Get_address(second, addresses(2) IERR)
    call MPI_Type_create_struct(2, [1, 3], addresses, [MPI_INTEGER, MPI_INTEGER], absolute IERR)
    call MPI_Type_commit(absolute IERR)
    call MPI_Sendrecv_replace(MPI_BOTTOM, 1, absolute, right, 1, left, 1, MPI_COMM_WORLD, &
                              MPI_STATUS_IGNORE IERR)
    call MPI_Type_free(absolute IERR)
    call answer('sendrecv of MPI_BOTTOM', [first, second])
    table = rank
    call MPI_Type_vector(5, 1, 4, MPI_INTEGER, column IERR)
    call MPI_Type_commit(column IERR)
    call MPI_Sendrecv(table(2, 1), 1, column, left, 2, table(3, 1), 1, column, right, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE IERR)
    call MPI_Type_free(column IERR)
    call answer('sendrecv of a row', [sum(table(2, :)), sum(table(3, :))])
  end subroutine ask_datatypes

  subroutine ask_communicators()
    COMM :: half, grid, line, between, graph, copy
    GROUP :: everybody, some
    integer :: place, left, right, there, i, length
    integer :: ranks(0:size - 1), translated(0:size - 1), sources(1), targets(1), none(1)
    character(len=MPI_MAX_OBJECT_NAME) :: name
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), -rank, half IERR)
    call MPI_Comm_rank(half, place IERR)
    call answer('rank in half', [place])
    call MPI_Cart_create(MPI_COMM_WORLD, 2, [2, size / 2], [.true., .false.], .false., grid IERR)
    if (grid /= MPI_COMM_NULL) then
      call MPI_Cart_shift(grid, 0, 1, left, right IERR)
      call MPI_Cart_sub(grid, [.true., .false.], line IERR)
      call MPI_Comm_rank(line, place IERR)
      call answer('in the grid', [left, right, place])
      call MPI_Comm_free(line IERR)
      call MPI_Comm_free(grid IERR)
    end if
    call MPI_Comm_group(MPI_COMM_WORLD, everybody IERR)
    call MPI_Group_range_incl(everybody, 1, reshape([size - 1, 0, -1], [3, 1]), some IERR)
    ranks = [(i, i = 0, size - 1)]
    call MPI_Group_translate_ranks(some, size, ranks, everybody, translated IERR)
    call answer('backwards', translated)
    call MPI_Comm_create(MPI_COMM_WORLD, some, copy IERR)
    call MPI_Comm_rank(copy, place IERR)
    call answer('rank backwards', [place])
    call MPI_Comm_free(copy IERR)
    call MPI_Group_free(some IERR)
    call MPI_Group_free(everybody IERR)
    sources = mod(rank + size - 1, size)
    targets = mod(rank + 1, size)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, 1, targets, &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph IERR)
    place = rank
    call MPI_Neighbor_allgather(place, 1, MPI_INTEGER, there, 1, MPI_INTEGER, graph IERR)
    call answer('left in the graph', [there])
    call MPI_Comm_free(graph IERR)
    ! rank 0 tells all others
    if (rank == 0) then
      call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [0], [size - 1], ranks(1:), ranks(1:), &
                                 MPI_INFO_NULL, .false., graph IERR)
    else
      call MPI_Dist_graph_create(MPI_COMM_WORLD, 0, none, none, none, MPI_WEIGHTS_EMPTY, &
                                 MPI_INFO_NULL, .false., graph IERR)
    end if
    there = -1
    call MPI_Neighbor_allgather(place, 1, MPI_INTEGER, there, 1, MPI_INTEGER, graph IERR)
    call answer('first neighbour in the graph', [there])
    call MPI_Comm_free(graph IERR)
    if (size > 1) then
      call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, leader_of(1 - mod(rank, 2)), 3, &
                                between IERR)
      call MPI_Comm_remote_size(between, there IERR)
      call answer('remote size', [there])
      call MPI_Comm_free(between IERR)
    end if
    call MPI_Comm_free(half IERR)
    name = ' '
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length IERR)
    call answer('name ' // name(1:length), [length])
    call MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, there IERR)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy IERR)
    call MPI_Comm_compare(MPI_COMM_WORLD, copy, place IERR)
    call answer('comparisons', [one_if(there == MPI_IDENT), one_if(place == MPI_CONGRUENT)])
    call MPI_Comm_free(copy IERR)
  end subroutine ask_communicators

  ! The world's rank of the first in the half of odd or even ranks, which is ordered backwards.
  integer function leader_of(parity)
    integer, intent(in) :: parity
    leader_of = size - 1
    if (mod(leader_of, 2) /= parity) leader_of = size - 2
  end function leader_of

  subroutine ask_attributes()
    integer(kind=MPI_ADDRESS_KIND) :: value
    integer :: key
    logical :: found
    COMM :: copy
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, found IERR)
    call answer('MPI_TAG_UB', [one_if(found), one_if(value >= 32767)])
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, value, found IERR)
    call answer('MPI_UNIVERSE_SIZE', [one_if(found), one_if(value >= 1)])
    call MPI_Comm_create_keyval(copy_and_add_one, count_deletion, key, 7_MPI_ADDRESS_KIND IERR)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, found IERR)
    call answer('before it is set', [one_if(found)])
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 40_MPI_ADDRESS_KIND + rank IERR)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, found IERR)
    call answer('after it is set', [one_if(found), int(value)])
    call MPI_Comm_dup(MPI_COMM_WORLD, copy IERR)
    call MPI_Comm_get_attr(copy, key, value, found IERR)
    call answer('of the copy', [one_if(found), int(value), copies_seen])
    call MPI_Comm_free(copy IERR)
    call answer('copy freed', [deletions_seen])
    call MPI_Comm_delete_attr(MPI_COMM_WORLD, key IERR)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, key, value, found IERR)
    call answer('after it is deleted', [one_if(found), deletions_seen])
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 50_MPI_ADDRESS_KIND IERR)
    call MPI_Comm_free_keyval(key IERR)
#if !defined(BINDING_F08)
    call ask_old_attributes()
#endif
  end subroutine ask_attributes

#if !defined(BINDING_F08)
  ! Those of MPI-1, which mpi_f08 no longer has.
  subroutine ask_old_attributes()
    integer :: key, value
    logical :: found
    external :: MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN
    call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, value, found, ierror)
    call answer('MPI_Attr_get of MPI_TAG_UB', [one_if(found), one_if(value >= 32767)])
    call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, key, 0, ierror)
    call MPI_Attr_put(MPI_COMM_WORLD, key, 60 + rank, ierror)
    call MPI_Attr_get(MPI_COMM_WORLD, key, value, found, ierror)
    call answer('MPI_Attr_put and get', [one_if(found), value])
    call MPI_Attr_delete(MPI_COMM_WORLD, key, ierror)
    call MPI_Attr_get(MPI_COMM_WORLD, key, value, found, ierror)
    call answer('MPI_Attr_delete', [one_if(found)])
  end subroutine ask_old_attributes
#endif

  subroutine ask_error_handlers()
    ERRHANDLER :: handler, found
    DATATYPE :: none
    COMM :: world
    integer :: code, one(1)
    one = 1
    call MPI_Comm_create_errhandler(handle_error, handler IERR)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler IERR)
    call MPI_Comm_get_errhandler(MPI_COMM_WORLD, found IERR)
    call answer('handler kept', [one_if(found == handler)])
    call MPI_Send(one, 1, MPI_INTEGER, size + 5, 0, MPI_COMM_WORLD, code)
    call answer('error handled', [errors_seen, one_if(code /= MPI_SUCCESS)])
    ! without a communicator: raised on the library's own world
    call MPI_Type_contiguous(-1, MPI_INTEGER, none, code)
    call answer('error elsewhere', [errors_seen, one_if(code /= MPI_SUCCESS)])
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN IERR)
    call MPI_Errhandler_free(handler IERR)
    world = MPI_COMM_WORLD
    call MPI_Comm_free(world, code)
    call answer('the world is not freed', [one_if(code /= MPI_SUCCESS .and. world == MPI_COMM_WORLD)])
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL IERR)
    call answer('callbacks were told of the world', [one_if(world_was_named)])
  end subroutine ask_error_handlers

  subroutine ask_one_sided()
    WINDOW :: window_
    integer, asynchronous :: memory(4), fetched(1)
    integer(kind=MPI_ADDRESS_KIND) :: bytes, place
    integer :: right, mine(1)
    right = mod(rank + 1, size)
    memory = rank
    bytes = 16
    place = 1
    mine = 500 + rank
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window_ IERR)
    call MPI_Win_fence(0, window_ IERR)
    call MPI_Put(mine, 1, MPI_INTEGER, right, place, 1, MPI_INTEGER, window_ IERR)
    call MPI_Win_fence(0, window_ IERR)
    place = 0
    call MPI_Get(fetched, 1, MPI_INTEGER, right, place, 1, MPI_INTEGER, window_ IERR)
    place = 2
    call MPI_Accumulate(mine, 1, MPI_INTEGER, right, place, 1, MPI_INTEGER, MPI_SUM, window_ IERR)
    call MPI_Win_fence(0, window_ IERR)
    call MPI_Win_free(window_ IERR)
    call answer('one-sided', [memory, fetched])
  end subroutine ask_one_sided

  ! Another copy of this program, which sends its rank and ends.
  subroutine ask_spawned()
    character(len=1024) :: path
    COMM :: between
    integer :: number
    number = -1
    call get_command_argument(0, path)
    call MPI_Comm_spawn(trim(path), MPI_ARGV_NULL, 1, MPI_INFO_NULL, 1, MPI_COMM_WORLD, between, &
                        MPI_ERRCODES_IGNORE IERR)
    if (rank == 1) then
      call MPI_Recv(number, 1, MPI_INTEGER, 0, 4, between, MPI_STATUS_IGNORE IERR)
    end if
    call MPI_Comm_disconnect(between IERR)
    call answer('spawned', [number])
  end subroutine ask_spawned

  subroutine answer_parent(parent)
    COMM, intent(inout) :: parent
    call MPI_Send(rank + 40, 1, MPI_INTEGER, 1, 4, parent IERR)
    call MPI_Comm_disconnect(parent IERR)
    call MPI_Finalize(ierror)
    stop
  end subroutine answer_parent

  subroutine ask_c_part()
    COMM :: half
    call answer('C says of the world', [sum_of_ranks(HANDLE_OF(MPI_COMM_WORLD)), &
                                        is_world_in_c(HANDLE_OF(MPI_COMM_WORLD))])
    call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, half IERR)
    call answer('C says of a half', [sum_of_ranks(HANDLE_OF(half)), &
                                     is_world_in_c(HANDLE_OF(half))])
    call MPI_Comm_free(half IERR)
  end subroutine ask_c_part

end module questions

program calls
  use questions
  implicit none
  COMM :: parent
  integer :: provided
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided IERR)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank IERR)
  call MPI_Comm_size(MPI_COMM_WORLD, size IERR)
  call MPI_Comm_get_parent(parent IERR)
  if (parent /= MPI_COMM_NULL) call answer_parent(parent)
  call ask_collectives()
  call ask_datatypes()
  call ask_communicators()
  call ask_attributes()
  call ask_error_handlers()
  call ask_one_sided()
  call ask_c_part()
  call ask_spawned()
  call MPI_Finalize(ierror)
end program calls
