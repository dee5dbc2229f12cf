! errors.c in Fortran. With the argument "fatal": an error without ierror.
#include "binding.h"
program errors
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_positive_inf
  use, intrinsic :: iso_fortran_env, only: real64
  use MPI_MODULE
  use kith
  implicit none
  COMM :: world, half, between, made
  type(kith_options) :: infinite
  type(kith_report) :: report
  integer :: rank, ranks, code, data(2) = [1, 2]
  real(real64), parameter :: negative = -1
  character(len=5) :: argument

  call MPI_Init(code)
  call MPI_Comm_dup(MPI_COMM_WORLD, world, code)
  call MPI_Comm_rank(world, rank, code)
  call MPI_Comm_size(world, ranks, code)
  call get_command_argument(1, argument)
  made = MPI_COMM_NULL
  if (argument == 'fatal') call kith_reorder(MPI_COMM_NULL, made)
  call MPI_Comm_split(world, mod(rank, 2), rank, half, code)
  call MPI_Intercomm_create(half, 0, world, 1 - mod(rank, 2), 7, between, code)
  infinite%state_bytes = ieee_value(infinite%state_bytes, ieee_positive_inf)

  call kith_reorder(MPI_COMM_NULL, made, ierror=code)
  call told('reorder null', code)
  call kith_reorder(between, made, code)
  call told('reorder inter', code)
  call kith_reorder(world, made, infinite, code)
  call told('reorder infinite', code)
  call kith_reorder_graph(MPI_COMM_NULL, [rank], made, ierror=code)
  call told('graph null', code)
  call kith_reorder_graph(between, [rank], made, code)
  call told('graph inter', code)
  call kith_reorder_graph(world, [ranks], made, ierror=code)
  call told('graph rank', code)
  if (rank == 0) then
    call kith_reorder_graph(world, [rank], made, [1.0_real64, 1.0_real64], ierror=code)
  else
    call kith_reorder_graph(world, [rank], made, [1.0_real64], ierror=code)
  end if
  call told('graph lists', code)
  call kith_reorder_graph(world, [rank], made, [negative], ierror=code)
  call told('graph weight', code)
  call kith_checkpoint(MPI_COMM_NULL, 'name', code)
  call told('checkpoint null', code)
  call kith_checkpoint(between, 'name', code)
  call told('checkpoint inter', code)
  call kith_checkpoint(half, 'name', code)
  call told('checkpoint half', code)
  call kith_checkpoint(world, '  ', code)
  call told('checkpoint empty', code)
  call kith_checkpoint(world, merge('    ', 'name', rank == 1), code)
  call told('checkpoint empty on one', code)
  call kith_bind('compcat', kith_bind_fine, code)
  call told('bind policy', code)
  call kith_bind('compact', 7, code)
  call told('bind granularity', code)
  call kith_bind('kith', kith_bind_core, code)
  call told('bind matrix', code)
  call kith_bind(ierror=code)
  call told('bind', code)
  call kith_redistribute(MPI_COMM_NULL, world, data, 2, MPI_INTEGER, code)
  call told('redistribute null', code)
  call kith_redistribute(world, MPI_COMM_NULL, data, 2, MPI_INTEGER, code)
  call told('redistribute to null', code)
  call kith_redistribute(between, world, data, 2, MPI_INTEGER, code)
  call told('redistribute inter', code)
  call kith_redistribute(world, half, data, 2, MPI_INTEGER, code)
  call told('redistribute half', code)
  call kith_redistribute(world, world, data, mod(rank, 2), MPI_INTEGER, code)
  call told('redistribute count', code)
  call kith_decision(MPI_COMM_NULL, report, code)
  call told('decision null', code)
  call kith_decision(MPI_COMM_SELF, report, code)
  call told('decision self', code)
  call told('made none', merge(MPI_SUCCESS, MPI_ERR_COMM, made == MPI_COMM_NULL))
  call MPI_Comm_free(between, code)
  call MPI_Comm_free(half, code)
  call MPI_Comm_free(world, code)
  call MPI_Finalize(code)

contains

  function name_of(number) result(name)
    integer, intent(in) :: number
    character(len=:), allocatable :: name
    name = 'another code'
    if (number == MPI_SUCCESS) name = 'MPI_SUCCESS'
    if (number == MPI_ERR_COMM) name = 'MPI_ERR_COMM'
    if (number == MPI_ERR_ARG) name = 'MPI_ERR_ARG'
    if (number == MPI_ERR_RANK) name = 'MPI_ERR_RANK'
    if (number == MPI_ERR_COUNT) name = 'MPI_ERR_COUNT'
    if (number == MPI_ERR_TYPE) name = 'MPI_ERR_TYPE'
    if (number == MPI_ERR_BUFFER) name = 'MPI_ERR_BUFFER'
  end function

  subroutine told(what, found)
    character(len=*), intent(in) :: what
    integer, intent(in) :: found
    integer :: least, greatest, ierror
    call MPI_Allreduce(found, least, 1, MPI_INTEGER, MPI_MIN, world, ierror)
    call MPI_Allreduce(found, greatest, 1, MPI_INTEGER, MPI_MAX, world, ierror)
    if (rank /= 0) return
    if (least == greatest) then
      print '(3a)', what, ' ', name_of(found)
    else
      print '(2a)', what, ' differs'
    end if
  end subroutine
end program
