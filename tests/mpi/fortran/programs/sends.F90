! Every way of sending, on the world and on communicators derived from it, with sizes that tell the
! pairs apart; collectives only as barriers and to make communicators. Each rank prints the sum of
! what it received.
!
! sends [plain]: `plain` sends the same by MPI_Isend and its kin where it would start persistent
! requests: Open MPI's monitoring sees no MPI_Start (4.1.4), so it has to look at that.
#include "binding.h"

module ring_of_ranks
  use binding
  implicit none
  integer, parameter :: capacity = 4096
  integer :: outgoing(capacity), incoming(capacity), ierror
  integer(kind=8) :: total = 0
  logical :: plain = .false.

contains

  ! A pair's message length in elements: different for each pair, way and direction.
  integer function length_of(from, to, way)
    integer, intent(in) :: from, to, way
    length_of = 17 * from + 5 * to + 1 + 101 * way
  end function length_of

  subroutine fill(rank, way)
    integer, intent(in) :: rank, way
    integer :: i
    do i = 1, capacity
      outgoing(i) = 1000 * rank + 10 * way + mod(i, 7)
    end do
    incoming = 0
  end subroutine fill

  subroutine count_received()
    total = total + sum(int(incoming, 8))
  end subroutine count_received

  subroutine send_blocking(way, length, right, comm)
    integer, intent(in) :: way, length, right
    COMM, intent(in) :: comm
    select case (way)
    case (0)
      call MPI_Send(outgoing, length, MPI_INTEGER, right, way, comm IERR)
    case (1)
      call MPI_Bsend(outgoing, length, MPI_INTEGER, right, way, comm IERR)
    case (2)
      call MPI_Ssend(outgoing, length, MPI_INTEGER, right, way, comm IERR)
    case (3)
      call MPI_Rsend(outgoing, length, MPI_INTEGER, right, way, comm IERR)
    end select
  end subroutine send_blocking

  subroutine start_sending(mode, way, length, right, comm, request_)
    integer, intent(in) :: mode, way, length, right
    COMM, intent(in) :: comm
    REQUEST, intent(out) :: request_
    select case (mode)
    case (0)
      call MPI_Isend(outgoing, length, MPI_INTEGER, right, way, comm, request_ IERR)
    case (1)
      call MPI_Ibsend(outgoing, length, MPI_INTEGER, right, way, comm, request_ IERR)
    case (2)
      call MPI_Issend(outgoing, length, MPI_INTEGER, right, way, comm, request_ IERR)
    case (3)
      call MPI_Irsend(outgoing, length, MPI_INTEGER, right, way, comm, request_ IERR)
    end select
  end subroutine start_sending

  subroutine prepare_sending(mode, way, length, right, comm, request_)
    integer, intent(in) :: mode, way, length, right
    COMM, intent(in) :: comm
    REQUEST, intent(out) :: request_
    select case (mode)
    case (0)
      call MPI_Send_init(outgoing, length, MPI_INTEGER, right, way, comm, request_ IERR)
    case (1)
      call MPI_Bsend_init(outgoing, length, MPI_INTEGER, right, way, comm, request_ IERR)
    case (2)
      call MPI_Ssend_init(outgoing, length, MPI_INTEGER, right, way, comm, request_ IERR)
    case (3)
      call MPI_Rsend_init(outgoing, length, MPI_INTEGER, right, way, comm, request_ IERR)
    end select
  end subroutine prepare_sending

  subroutine once(rank, left, right, comm)
    integer, intent(in) :: rank, left, right
    COMM, intent(in) :: comm
    REQUEST :: both(2)
    STATUSES(statuses, 2)
    integer :: way
    do way = 0, 7
      call fill(rank, way)
      call MPI_Irecv(incoming, capacity, MPI_INTEGER, left, way, comm, both(1) IERR)
      call MPI_Barrier(comm IERR)  ! ready sends need the receive in place
      if (way < 4) then
        call send_blocking(way, length_of(rank, right, way), right, comm)
        call MPI_Wait(both(1), MPI_STATUS_IGNORE IERR)
      else
        call start_sending(way - 4, way, length_of(rank, right, way), right, comm, both(2))
        if (mod(way, 2) == 0) then
          call MPI_Waitall(2, both, statuses IERR)
          if (FIRST_SOURCE_OF(statuses) /= left) print *, 'wrong source'
        else
          call MPI_Waitall(2, both, MPI_STATUSES_IGNORE IERR)
        end if
      end if
      call count_received()
    end do
  end subroutine once

  subroutine again(rank, left, right, comm)
    integer, intent(in) :: rank, left, right
    COMM, intent(in) :: comm
    REQUEST :: in, out(1)
    integer :: mode, way, round, length
    do mode = 0, 3
      way = 8 + mode
      length = length_of(rank, right, way)
      if (.not. plain) call prepare_sending(mode, way, length, right, comm, out(1))
      call MPI_Recv_init(incoming, capacity, MPI_INTEGER, left, way, comm, in IERR)
      do round = 0, mode
        call fill(rank, way + round)
        call MPI_Start(in IERR)
        call MPI_Barrier(comm IERR)
        if (plain) then
          call start_sending(mode, way, length, right, comm, out(1))
        else if (mod(round, 2) == 1) then
          call MPI_Startall(1, out IERR)
        else
          call MPI_Start(out(1) IERR)
        end if
        call MPI_Wait(out(1), MPI_STATUS_IGNORE IERR)
        call MPI_Wait(in, MPI_STATUS_IGNORE IERR)
        call count_received()
      end do
      if (.not. plain) call MPI_Request_free(out(1) IERR)
      call MPI_Request_free(in IERR)
    end do
  end subroutine again

  ! Exchanges, and receives of what a probe found.
  subroutine exchange(rank, left, right, comm)
    integer, intent(in) :: rank, left, right
    COMM, intent(in) :: comm
    REQUEST :: request_
    STATUS(found)
    integer :: length
    logical :: there
    call fill(rank, 12)
    call MPI_Sendrecv(outgoing, length_of(rank, right, 12), MPI_INTEGER, right, 12, &
                      incoming, capacity, MPI_INTEGER, left, 12, comm, found IERR)
    call MPI_Get_count(found, MPI_INTEGER, length IERR)
    if (length /= length_of(left, rank, 12) .or. SOURCE_OF(found) /= left) print *, 'wrong status'
    call count_received()
    incoming = rank
    call MPI_Sendrecv_replace(incoming, 64, MPI_INTEGER, right, 13, left, 13, comm, &
                              MPI_STATUS_IGNORE IERR)
    call count_received()
    call fill(rank, 14)
    call MPI_Isend(outgoing, length_of(rank, right, 14), MPI_INTEGER, right, 14, comm, &
                   request_ IERR)
    call MPI_Probe(left, MPI_ANY_TAG, comm, found IERR)
    call MPI_Get_count(found, MPI_INTEGER, length IERR)
    call MPI_Recv(incoming, length, MPI_INTEGER, SOURCE_OF(found), TAG_OF(found), comm, &
                  MPI_STATUS_IGNORE IERR)
    call MPI_Wait(request_, MPI_STATUS_IGNORE IERR)
    call count_received()
    call MPI_Isend(outgoing, 3, MPI_INTEGER, right, 15, comm, request_ IERR)
    there = .false.
    do while (.not. there)
      call MPI_Iprobe(left, 15, comm, there, MPI_STATUS_IGNORE IERR)
    end do
    call MPI_Recv(incoming, 3, MPI_INTEGER, left, 15, comm, MPI_STATUS_IGNORE IERR)
    there = .false.
    do while (.not. there)
      call MPI_Test(request_, there, MPI_STATUS_IGNORE IERR)
    end do
    call MPI_Send(outgoing, 5, MPI_INTEGER, MPI_PROC_NULL, 0, comm IERR)
  end subroutine exchange

  ! Each rank sends to its right neighbour in `comm` in each way.
  subroutine ring(comm)
    COMM, intent(in) :: comm
    integer :: rank, size, left, right
    call MPI_Comm_rank(comm, rank IERR)
    call MPI_Comm_size(comm, size IERR)
    right = mod(rank + 1, size)
    left = mod(rank + size - 1, size)
    call once(rank, left, right, comm)
    call again(rank, left, right, comm)
    call exchange(rank, left, right, comm)
  end subroutine ring

end module ring_of_ranks

program sends
  use binding
  use ring_of_ranks
  implicit none
  COMM :: copy, backwards, half, grid
  integer :: rank, size, side
  logical :: reorder = .false.
  character(len=16) :: argument
  integer, save :: room(200000)
  integer :: room_bytes

  call MPI_Init(ierror)
  call get_command_argument(1, argument)
  plain = argument == 'plain'
  call MPI_Comm_rank(MPI_COMM_WORLD, rank IERR)
  call MPI_Comm_size(MPI_COMM_WORLD, size IERR)
  room_bytes = 4 * 200000
  call MPI_Buffer_attach(room, room_bytes IERR)
  call ring(MPI_COMM_WORLD)

  call MPI_Comm_dup(MPI_COMM_WORLD, copy IERR)
  call ring(copy)
  call MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, backwards IERR)
  call ring(backwards)
  side = 1
  if (mod(rank, 2) == 1) side = MPI_UNDEFINED
  call MPI_Comm_split(MPI_COMM_WORLD, side, -rank, half IERR)
  if (half /= MPI_COMM_NULL) call ring(half)
  call MPI_Cart_create(backwards, 1, [size], [.true.], reorder, grid IERR)
  call ring(grid)
  ! A communicator freed and another made, perhaps under the same handle.
  call MPI_Comm_free(copy IERR)
  call MPI_Comm_split(MPI_COMM_WORLD, rank / 2, size - rank, copy IERR)
  call ring(copy)
  call MPI_Comm_free(copy IERR)
  call MPI_Comm_free(grid IERR)
  if (half /= MPI_COMM_NULL) call MPI_Comm_free(half IERR)
  call MPI_Comm_free(backwards IERR)
  print '(a, i0, a, i0)', 'rank ', rank, ' received ', total
  call MPI_Finalize(ierror)
end program sends
