"""A communicator in an order that suits what has been sent so far."""
import kith
import pairs
from mpi4py import MPI

before = pairs.exchange(MPI.COMM_WORLD)  # Kith sees who talks to whom

better = kith.reorder(MPI.COMM_WORLD)
pairs.show(better)

# From here on `better` takes the world's place: this process may be another rank in it.
after = pairs.exchange(better)
if better.rank == 0:
    print(f"sums {before:.0f} {after:.0f}")
better.Free()
