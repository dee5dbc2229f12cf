"""steps.c in Python, by mpi4py."""
import sys
import time
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
outgoing = array("i", range(rank * 1000, rank * 1000 + 1000))
incoming = array("i", [0] * 1000)
world.Sendrecv([outgoing, 250 * (rank + 1), MPI.INT], (rank + 1) % size, 1, [incoming, 1000, MPI.INT],
               (rank - 1) % size, 1)
total = array("i", [0])
world.Allreduce([array("i", [incoming[100] * (rank + 1)]), 1, MPI.INT], [total, 1, MPI.INT])
grid = world.Create_cart([2, 2], [True, True], reorder=True)
squares = array("i", [0])
world.Reduce([array("i", [(grid.Get_rank() + 1) ** 2]), 1, MPI.INT], [squares, 1, MPI.INT])
if rank == 0:
    print(size, total[0], squares[0], flush=True)
while len(sys.argv) > 1:
    time.sleep(0.1)
    world.Barrier()
