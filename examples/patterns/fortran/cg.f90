! Conjugate gradients on a line of ranks with mpi_f08: a tridiagonal matrix in rows, one value
! exchanged with each neighbour per product, scalar products by allreduce (one of them in place).
!
! cg_f [N STEPS]: N unknowns on each rank.
program cg
  use mpi_f08
  implicit none
  integer :: n, steps, ranks, rank, left, right, s, i
  double precision, allocatable :: x(:), r(:), p(:), q(:)
  double precision :: rho, before, alpha, checksum

  call MPI_Init()
  n = argument(1, 500)
  steps = argument(2, 40)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  right = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)

  allocate (x(n), r(n), p(0:n + 1), q(n))
  x = 0
  p = 0
  do i = 1, n
    r(i) = 1 + mod(rank*n + i, 3)
  end do
  p(1:n) = r
  rho = dot(r, r)
  do s = 1, steps
    call multiply()
    alpha = rho/dot(p(1:n), q)
    x = x + alpha*p(1:n)
    r = r - alpha*q
    before = rho
    rho = dot(r, r)
    p(1:n) = r + rho/before*p(1:n)
  end do
  checksum = sum(x)
  call MPI_Allreduce(MPI_IN_PLACE, checksum, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(a, es24.16)', 'cg_f: checksum', checksum
  call MPI_Finalize()

contains

  ! q = matrix x p: 2.5 on the diagonal, -1 beside it.
  subroutine multiply()
    call MPI_Sendrecv(p(n), 1, MPI_DOUBLE_PRECISION, right, 1, p(0), 1, MPI_DOUBLE_PRECISION, left, &
                      1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(p(1), 1, MPI_DOUBLE_PRECISION, left, 2, p(n + 1), 1, MPI_DOUBLE_PRECISION, &
                      right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    q = 2.5d0*p(1:n) - p(0:n - 1) - p(2:n + 1)
  end subroutine multiply

  double precision function dot(a, b)
    double precision, intent(in) :: a(:), b(:)
    double precision :: mine
    mine = dot_product(a, b)
    call MPI_Allreduce(mine, dot, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end function dot

  integer function argument(place, otherwise)
    integer, intent(in) :: place, otherwise
    character(len=32) :: word
    integer :: status
    call get_command_argument(place, word, status=status)
    argument = otherwise
    if (status == 0) read (word, *) argument
  end function argument
end program cg
