"""What the examples do beside calling Kith: ranks r and r + n/2 exchange numbers, and rank 0 shows
who runs where."""
from array import array

import kith  # before mpi4py.MPI, so that Kith sees all calls also where `kith run` was not used
from mpi4py import MPI


def partner_in(comm):
    return (comm.rank + comm.size // 2) % comm.size


def exchange(comm):
    """An exchange with the partner in `comm`; the sum of all that was received anywhere."""
    mine = array("d", range(comm.rank, comm.rank + 1000))
    theirs = array("d", [0]) * 1000
    comm.Sendrecv(mine, partner_in(comm), recvbuf=theirs, source=partner_in(comm))
    return comm.allreduce(sum(theirs))


def show(better):
    """Rank 0 of `better` says what was decided about it, and which process each of its ranks is."""
    processes = better.gather(MPI.COMM_WORLD.rank)
    if better.rank != 0:
        return
    decision = kith.decision(better)
    print("reordered:" if decision.reordered else "not reordered:", decision.reason)
    print(f"cost {decision.cost_before:.0f} -> {decision.cost_after:.0f}, "
          f"{decision.moved_ranks} ranks move")
    print("processes of ranks:", *processes)
