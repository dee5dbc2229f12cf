"""A communicator in an order that suits what the program is going to send, before it has sent
anything: each rank names its peers, with weights."""
import kith
import pairs
from mpi4py import MPI

world = MPI.COMM_WORLD
peers = [pairs.partner_in(world), (world.rank + 1) % world.size]
weights = [1000, 1]  # a lot to the partner, a little to the next rank

better = kith.reorder_graph(world, peers, weights, min_gain=0.1)
pairs.show(better)

total = pairs.exchange(better)
if better.rank == 0:
    print(f"sum {total:.0f}")
better.Free()
