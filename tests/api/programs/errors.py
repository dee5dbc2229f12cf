"""errors.c in Python."""
from array import array

import kith
from mpi4py import MPI

NAMES = {getattr(MPI, name): f"MPI_{name}" for name in
         ("SUCCESS", "ERR_COMM", "ERR_ARG", "ERR_RANK", "ERR_COUNT", "ERR_TYPE", "ERR_BUFFER")}
world = MPI.COMM_WORLD.Dup()
half = world.Split(world.rank % 2)
between = half.Create_intercomm(0, world, 1 - world.rank % 2, 7)
made = []


def told(what, call, *arguments, **options):
    code = MPI.SUCCESS
    try:
        made.append(call(*arguments, **options))
    except MPI.Exception as error:
        code = error.Get_error_code()
    except (TypeError, ValueError):
        code = None  # this rank's own; the others are told by a code
    codes = {code for code in world.allgather(code) if code is not None}
    if world.rank == 0:
        print(what, NAMES[codes.pop()] if len(codes) == 1 else "differs")


data = array("i", [1, 2])
one = data if world.rank % 2 else data[:1]
told("reorder null", kith.reorder, MPI.COMM_NULL)
told("reorder inter", kith.reorder, between)
told("reorder infinite", kith.reorder, world, state_bytes=float("inf"))
told("graph null", kith.reorder_graph, MPI.COMM_NULL, [world.rank])
told("graph inter", kith.reorder_graph, between, [world.rank])
told("graph rank", kith.reorder_graph, world, [world.size])
told("graph lists", kith.reorder_graph, world, [world.rank], [1, 1] if world.rank == 0 else [1])
told("graph weight", kith.reorder_graph, world, [world.rank], [-1])
told("checkpoint null", kith.checkpoint, MPI.COMM_NULL, "name")
told("checkpoint inter", kith.checkpoint, between, "name")
told("checkpoint half", kith.checkpoint, half, "name")
told("checkpoint empty", kith.checkpoint, world, "")
told("checkpoint empty on one", kith.checkpoint, world, "" if world.rank == 1 else "name")
told("redistribute null", kith.redistribute, MPI.COMM_NULL, world, data)
told("redistribute to null", kith.redistribute, world, MPI.COMM_NULL, data)
told("redistribute inter", kith.redistribute, between, world, data)
told("redistribute half", kith.redistribute, world, half, data)
told("redistribute count", kith.redistribute, world, world, one)
told("decision null", kith.decision, MPI.COMM_NULL)
told("decision self", kith.decision, MPI.COMM_SELF)
told("made none", lambda: None)
if len(made) > 1:
    print("made", made)
