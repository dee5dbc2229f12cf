"""Kith: ranks that talk to each other live near each other.

In a job, beside mpi4py:

    import kith                    # before mpi4py.MPI, unless the job was started by `kith run`
    from mpi4py import MPI

    better = kith.reorder(MPI.COMM_WORLD, state_bytes=field.nbytes, remaining=9)
    kith.redistribute(MPI.COMM_WORLD, better, field)
    print(kith.decision(better).reason)

Anywhere, without MPI:

    trace = kith.read_trace("first.kith")
    print(trace.bytes.sum(), trace.meta["program"])
    print(trace.timeline(0)["computing"].sum())

Kith records what goes through it: everything, when libkith.so is in the process before the MPI
library. `kith run` sees to that, and so does `import kith` ahead of mpi4py.MPI, which looks for
libkith.so where it was installed, beside the program `kith`, and where the system looks;
KITH_LIBRARY says where else it is. Otherwise the functions that need it raise KithError.
"""
from . import _library
from ._library import KithError
from ._reordering import (Decision, Reason, bind, checkpoint, decision, redistribute, reorder,
                          reorder_graph)
from ._timeline import OPERATIONS
from ._trace import Phase, Trace, read_trace

read = read_trace

__version__ = "0.1.0"
__all__ = ["Decision", "KithError", "OPERATIONS", "Phase", "Reason", "Trace", "bind", "checkpoint",
           "decision", "read", "read_trace", "redistribute", "reorder", "reorder_graph"]

_library.load()
