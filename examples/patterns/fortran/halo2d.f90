! Heat on a torus, as ../halo2d.c, with mpi_f08: columns of the field are contiguous, rows are not.
!
! halo2d_f [NX NY STEPS]: NX x NY points on each rank.
program halo2d
  use mpi_f08
  implicit none
  integer :: nx, ny, steps, ranks, rank, s, x, y, side
  integer :: dims(2) = 0, peer(4)
  logical :: periodic(2) = .true.
  type(MPI_Comm) :: grid
  type(MPI_Datatype) :: row
  type(MPI_Request) :: requests(8)
  double precision, allocatable, asynchronous :: field(:, :)
  double precision, allocatable :: next(:, :)
  double precision :: mine, total

  call MPI_Init()
  nx = argument(1, 48)
  ny = argument(2, 32)
  steps = argument(3, 20)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Dims_create(ranks, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, .false., grid)
  call MPI_Comm_rank(grid, rank)
  call MPI_Cart_shift(grid, 0, 1, peer(1), peer(2))
  call MPI_Cart_shift(grid, 1, 1, peer(3), peer(4))
  call MPI_Type_vector(ny, 1, nx + 2, MPI_DOUBLE_PRECISION, row)
  call MPI_Type_commit(row)

  allocate (field(0:nx + 1, 0:ny + 1), next(0:nx + 1, 0:ny + 1))
  field = 0
  next = 0
  do y = 1, ny
    do x = 1, nx
      field(x, y) = mod((rank + 1)*x, 7) + mod(y, 5)
    end do
  end do

  do s = 1, steps
    call MPI_Irecv(field(0, 1), 1, row, peer(1), 1, grid, requests(1))
    call MPI_Irecv(field(nx + 1, 1), 1, row, peer(2), 0, grid, requests(2))
    call MPI_Irecv(field(1, 0), nx, MPI_DOUBLE_PRECISION, peer(3), 3, grid, requests(3))
    call MPI_Irecv(field(1, ny + 1), nx, MPI_DOUBLE_PRECISION, peer(4), 2, grid, requests(4))
    call MPI_Isend(field(1, 1), 1, row, peer(1), 0, grid, requests(5))
    call MPI_Isend(field(nx, 1), 1, row, peer(2), 1, grid, requests(6))
    call MPI_Isend(field(1, 1), nx, MPI_DOUBLE_PRECISION, peer(3), 2, grid, requests(7))
    call MPI_Isend(field(1, ny), nx, MPI_DOUBLE_PRECISION, peer(4), 3, grid, requests(8))
    call MPI_Waitall(8, requests, MPI_STATUSES_IGNORE)
    do y = 1, ny
      do x = 1, nx
        next(x, y) = 0.5d0*field(x, y) + 0.125d0* &
                     (field(x - 1, y) + field(x + 1, y) + field(x, y - 1) + field(x, y + 1))
      end do
    end do
    field(1:nx, 1:ny) = next(1:nx, 1:ny)
  end do

  mine = 0
  do side = 1, nx
    mine = mine + side*sum(field(side, 1:ny))
  end do
  call MPI_Reduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, grid)
  if (rank == 0) print '(a, es24.16)', 'halo2d_f: checksum', total
  call MPI_Type_free(row)
  call MPI_Comm_free(grid)
  call MPI_Finalize()

contains

  ! Argument `place` as a number, `otherwise` where it is missing.
  integer function argument(place, otherwise)
    integer, intent(in) :: place, otherwise
    character(len=32) :: word
    integer :: status
    call get_command_argument(place, word, status=status)
    argument = otherwise
    if (status == 0) read (word, *) argument
  end function argument
end program halo2d
