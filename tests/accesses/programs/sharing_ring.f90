! Threads in a ring, each of which reads what its neighbour wrote: sharing_ring, 4 threads, 1000 rounds.
program sharing_ring
  use omp_lib
  implicit none
  integer, parameter :: threads = 4, rounds = 1000
  real(8) :: lines(8, 0:threads - 1, 0:1), total
  integer :: self, left, round
  total = 0
  lines = 0
  !$omp parallel num_threads(threads) private(self, left, round) reduction(+:total)
  self = omp_get_thread_num()
  left = mod(self + threads - 1, threads)
  do round = 1, rounds
    lines(1, self, 0) = self + round
    !$omp barrier
    total = total + lines(1, left, 0)
    !$omp barrier
  end do
  !$omp end parallel
  print '(f0.1)', total
end program
