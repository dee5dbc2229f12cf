! What a program in Fortran sees of messages, files, names and topologies: the counterpart of the
! programs in C for what calls.F90 does not ask. Every rank prints a line per question.
#include "binding.h"
#if defined(BINDING_F08)
#define FILEHANDLE type(MPI_File)
#define MESSAGE type(MPI_Message)
#else
#define FILEHANDLE integer
#define MESSAGE integer
#endif

module questions
  use binding
  implicit none
  integer :: rank, size, ierror, right, left

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

  subroutine ask_messages()
    use iso_c_binding
    integer :: mode, count, room
    integer, asynchronous :: out(1), in(1)
    integer, allocatable, asynchronous :: buffer(:)
    logical :: flag
    type(c_ptr) :: detached
    REQUEST :: later
    MESSAGE :: letter
    STATUS(state)
    room = 4 + MPI_BSEND_OVERHEAD
    allocate (buffer(room))
    call MPI_Buffer_attach(buffer, room IERR)
    do mode = 1, 4
      out = 100 * mode + rank
      call MPI_Irecv(in, 1, MPI_INTEGER, left, mode, MPI_COMM_WORLD, later IERR)
      call MPI_Barrier(MPI_COMM_WORLD IERR)
      select case (mode)
      case (1)
        call MPI_Send(out, 1, MPI_INTEGER, right, mode, MPI_COMM_WORLD IERR)
      case (2)
        call MPI_Ssend(out, 1, MPI_INTEGER, right, mode, MPI_COMM_WORLD IERR)
      case (3)
        call MPI_Rsend(out, 1, MPI_INTEGER, right, mode, MPI_COMM_WORLD IERR)
      case default
        call MPI_Bsend(out, 1, MPI_INTEGER, right, mode, MPI_COMM_WORLD IERR)
      end select
      call MPI_Wait(later, state IERR)
      call answer('sent', [mode, in, SOURCE_OF(state), TAG_OF(state)])
    end do
#if defined(BINDING_F08)
    call MPI_Buffer_detach(detached, room)
#else
    call MPI_Buffer_detach(buffer, room, ierror)
#endif
    out = 900 + rank
    call MPI_Isend(out, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, later IERR)
    call MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, state IERR)
    call MPI_Get_count(state, MPI_INTEGER, count IERR)
    call MPI_Iprobe(right, 5, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE IERR)
    call MPI_Mprobe(right, 5, MPI_COMM_WORLD, letter, MPI_STATUS_IGNORE IERR)
    call MPI_Mrecv(in, 1, MPI_INTEGER, letter, MPI_STATUS_IGNORE IERR)
    call MPI_Wait(later, MPI_STATUS_IGNORE IERR)
    call answer('probed', [in, count, SOURCE_OF(state), one_if(flag)])
    out = -1
    call MPI_Recv(out, 1, MPI_INTEGER, MPI_PROC_NULL, 5, MPI_COMM_WORLD, state IERR)
    call answer('from nobody', [out, one_if(SOURCE_OF(state) == MPI_PROC_NULL)])
  end subroutine ask_messages

  subroutine ask_requests()
    integer :: round, place, done, i
    integer, asynchronous :: out(1), in(1), row(0:size - 1), sent(0:size - 1)
    REQUEST :: pair(2), many(0:size - 1), ours(0:size - 1)
    STATUS(state)
    call MPI_Send_init(out, 1, MPI_INTEGER, right, 6, MPI_COMM_WORLD, pair(1) IERR)
    call MPI_Recv_init(in, 1, MPI_INTEGER, left, 6, MPI_COMM_WORLD, pair(2) IERR)
    do round = 1, 2
      out = 10 * rank + round
      call MPI_Startall(2, pair IERR)
      call MPI_Waitall(2, pair, MPI_STATUSES_IGNORE IERR)
      call answer('again', [round, in])
    end do
    call MPI_Request_free(pair(1) IERR)
    call MPI_Request_free(pair(2) IERR)
    do i = 0, size - 1
      sent(i) = 20 * rank + i
      call MPI_Irecv(row(i), 1, MPI_INTEGER, i, 7, MPI_COMM_WORLD, many(i) IERR)
      call MPI_Isend(sent(i), 1, MPI_INTEGER, i, 7, MPI_COMM_WORLD, ours(i) IERR)
    end do
    done = 0
    do i = 1, size
      call MPI_Waitany(size, many, place, state IERR)
      done = done + one_if(SOURCE_OF(state) == place - 1)
    end do
    call MPI_Waitall(size, ours, MPI_STATUSES_IGNORE IERR)
    call answer('any', [done, row])
  end subroutine ask_requests

  subroutine ask_files()
    FILEHANDLE :: handle
    GROUP :: members
    integer :: got(2), place
    integer(kind=MPI_OFFSET_KIND) :: at
    call MPI_File_open(MPI_COMM_WORLD, 'conformance.fortran', &
                       ior(MPI_MODE_CREATE, ior(MPI_MODE_RDWR, MPI_MODE_DELETE_ON_CLOSE)), &
                       MPI_INFO_NULL, handle IERR)
    at = 4 * rank
    call MPI_File_write_at_all(handle, at, rank, 1, MPI_INTEGER, MPI_STATUS_IGNORE IERR)
    call MPI_File_sync(handle IERR)
    call MPI_Barrier(MPI_COMM_WORLD IERR)
    at = 4 * right
    call MPI_File_read_at_all(handle, at, got(1), 1, MPI_INTEGER, MPI_STATUS_IGNORE IERR)
    at = 0
    call MPI_File_set_view(handle, at, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL IERR)
    call MPI_File_write_ordered(handle, 50 + rank, 1, MPI_INTEGER, MPI_STATUS_IGNORE IERR)
    call MPI_File_sync(handle IERR)
    call MPI_Barrier(MPI_COMM_WORLD IERR)
    at = left
    call MPI_File_read_at(handle, at, got(2), 1, MPI_INTEGER, MPI_STATUS_IGNORE IERR)
    call MPI_File_get_group(handle, members IERR)
    call MPI_Group_rank(members, place IERR)
    call MPI_Group_free(members IERR)
    call answer('file', [got, place])
    call MPI_File_close(handle IERR)
  end subroutine ask_files

  subroutine ask_names()
    COMM :: copy
    INFO :: hints
    integer :: length, code
    character(len=MPI_MAX_OBJECT_NAME) :: name
    call MPI_Comm_dup(MPI_COMM_WORLD, copy IERR)
    call MPI_Comm_set_name(copy, 'a copy' IERR)
    call MPI_Comm_get_name(copy, name, length IERR)
    call answer('name ' // name(1:length), [length])
    call MPI_Comm_free(copy IERR)
    call MPI_Comm_set_name(MPI_COMM_WORLD, 'everybody' IERR)
    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length IERR)
    call answer('name ' // name(1:length), [length])
    call MPI_Comm_set_name(MPI_COMM_WORLD, 'MPI_COMM_WORLD' IERR)
    call MPI_Info_create(hints IERR)
    call MPI_Comm_set_info(MPI_COMM_WORLD, hints, code)
    call answer('hints', [one_if(code == MPI_SUCCESS)])
    call MPI_Info_free(hints IERR)
  end subroutine ask_names

  ! Which process takes which place is the library's choice: what its place says is not.
  subroutine ask_topologies(reorder)
    logical, intent(in) :: reorder
    COMM :: made
    integer :: here, place(1), before, after, got(2), sources(1), targets(1), good, all_good, there
    logical :: periods(1)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], reorder, made IERR)
    call MPI_Comm_rank(made, here IERR)
    call MPI_Cart_coords(made, here, 1, place IERR)
    call MPI_Cart_get(made, 1, got(1:1), periods, got(2:2) IERR)
    call MPI_Cart_shift(made, 0, 1, before, after IERR)
    call MPI_Neighbor_allgather(here, 1, MPI_INTEGER, got, 1, MPI_INTEGER, made IERR)
    good = one_if(place(1) == here .and. before == modulo(here - 1, size) .and. &
                  after == modulo(here + 1, size) .and. all(got == [before, after]) .and. periods(1))
    call MPI_Allreduce(good, all_good, 1, MPI_INTEGER, MPI_SUM, made IERR)
    call answer('good in the ring', [all_good])
    call MPI_Comm_free(made IERR)
    sources = left
    targets = right
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, 1, targets, &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, reorder, made IERR)
    call MPI_Comm_rank(made, here IERR)
    call MPI_Neighbor_alltoall(here, 1, MPI_INTEGER, there, 1, MPI_INTEGER, made IERR)
    good = one_if(there == modulo(here - 1, size))
    call MPI_Allreduce(good, all_good, 1, MPI_INTEGER, MPI_SUM, made IERR)
    call answer('good in the graph', [all_good])
    call MPI_Comm_free(made IERR)
    call MPI_Cart_map(MPI_COMM_WORLD, 1, [size], [.true.], here IERR)
    call MPI_Allreduce(here, there, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERR)
    call answer('places', [there])
  end subroutine ask_topologies

end module questions

program conformance
  use questions
  implicit none
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank IERR)
  call MPI_Comm_size(MPI_COMM_WORLD, size IERR)
  right = mod(rank + 1, size)
  left = modulo(rank - 1, size)
  call ask_messages()
  call ask_requests()
  call ask_files()
  call ask_names()
  call ask_topologies(.false.)
  call ask_topologies(.true.)
  call MPI_Finalize(ierror)
end program conformance
