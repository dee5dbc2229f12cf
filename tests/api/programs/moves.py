"""kith.redistribute and the options of kith.reorder from Python: what arrays it takes, what it
refuses without leaving the other ranks waiting."""
from array import array

import kith
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size
turned = world.Split(key=(rank + 1) % ranks)
after = turned.rank


def expect(holds, what):
    if not holds:
        print(f"rank {rank}: not as expected: {what}", flush=True)
        world.Abort(1)


def bytes_of(data):
    return data.tobytes() if hasattr(data, "tobytes") else bytes(data)


def refused(here, elsewhere, call, *arguments):
    """On rank 0 the call raises `here`, on the others MPI's error `elsewhere`."""
    try:
        call(*arguments)
    except MPI.Exception as error:
        expect(rank != 0 and error.Get_error_code() == elsewhere, f"error {error}")
    except Exception as error:
        expect(rank == 0 and type(error) is here, f"{type(error)}: {error}")
    else:
        expect(False, f"no error where {here.__name__} was due")


for make in (lambda r: numpy.full((3, 4), r, dtype="f8"),
             lambda r: numpy.full((3, 4, 5), r + 1j, order="F"),
             lambda r: numpy.array(r + 0.5),
             lambda r: numpy.array([(r, b"x%d" % r)] * 7, dtype=[("Os", "i4"), ("name", "S3")]),
             lambda r: numpy.arange(r, r + 3_000_000),
             lambda r: numpy.full((2, 3), r).astype("M8[s]"), lambda r: numpy.array(r, "m8[ms]"),
             lambda r: array("h", [r] * 9), lambda r: bytearray(b"%d" % r * 5)):
    data = make(rank)
    kith.redistribute(world, turned, data)
    expect(bytes_of(data) == bytes_of(make(after)), f"{data!r}")
kith.redistribute(world, turned, numpy.zeros((0, 3)))
columns = numpy.full((4, 6), rank)
kith.redistribute(world, turned, columns[1:3])
expect((columns[1:3] == after).all() and (columns[[0, 3]] == rank).all(), "rows of an array")

good = numpy.zeros(8)
constant = numpy.zeros(8)
constant.flags.writeable = False
for bad, error in ((constant, ValueError), (numpy.zeros(16)[::2], ValueError),
                   (b"12345678", ValueError), (numpy.array([None] * 8), TypeError),
                   (numpy.ma.masked_equal(good, 0), TypeError), (numpy.ma.zeros(8), TypeError),
                   (numpy.zeros(8, "M8[s]")[::2], ValueError),
                   (numpy.zeros(8, [("when", "M8[s]")]), ValueError),
                   ([0.0] * 8, TypeError), (None, TypeError)):
    refused(error, MPI.ERR_COUNT, kith.redistribute, world, turned, bad if rank == 0 else good)
refused(ValueError, MPI.ERR_ARG, kith.reorder_graph, world, [1, 2] if rank == 0 else [1], [1])
refused(TypeError, MPI.ERR_ARG, kith.reorder_graph, world, [1.5] if rank == 0 else [1])
refused(ValueError, MPI.ERR_ARG, kith.reorder_graph, world, [2**32] if rank == 0 else [1])
refused(TypeError, MPI.ERR_ARG, kith.reorder_graph, world, None if rank == 0 else [])
refused(TypeError, MPI.ERR_COMM, kith.redistribute, world, None if rank == 0 else turned, good)
for name, error in ((3, TypeError), (None, TypeError), (b"bytes", TypeError), ("a\0", ValueError)):
    refused(error, MPI.ERR_ARG, kith.checkpoint, world, name if rank == 0 else "name")
for option, error in (({"typo": 1}, TypeError), ({"algorithm": 5}, TypeError),
                      ({"topology": "tree\0"}, ValueError), ({"remaining": "long"}, TypeError),
                      ({"state_bytes": 10**400}, OverflowError)):
    for call in (lambda: kith.reorder(world, **(option if rank == 0 else {})),
                 lambda: kith.reorder_graph(world, [1], **(option if rank == 0 else {}))):
        refused(error, MPI.ERR_ARG, call)
for call in (lambda comm: kith.reorder(comm), lambda comm: kith.reorder_graph(comm, []),
             lambda comm: kith.checkpoint(comm, "name"), lambda comm: kith.decision(comm),
             lambda comm: kith.redistribute(comm, turned, good)):
    for none in (None, 0, MPI.BYTE):  # nobody can be told: there is no communicator
        try:
            call(none)
        except TypeError as error:
            expect(str(error).startswith("expected a communicator of mpi4py, found"), f"{error}")
        else:
            expect(False, f"{none} as a communicator")

# As the refusal says.
numbers = numpy.ma.masked_equal([rank, 1, 2], rank)
numbers.mask = numpy.ma.getmaskarray(numbers)
kith.redistribute(world, turned, numbers.data)
kith.redistribute(world, turned, numbers.mask)
expect(numbers.tolist() == numpy.ma.masked_equal([after, 1, 2], after).tolist(), f"{numbers!r}")
when = numpy.full(3, rank, [("when", "M8[s]"), ("what", "i4")])
kith.redistribute(world, turned, when.view("u1"))
expect((when == numpy.full(3, after, when.dtype)).all(), f"{when}")

# Each option has its effect, each field of the decision its meaning; NumPy's numbers do.
partner = numpy.int64((rank + ranks // 2) % ranks)
chosen = dict(algorithm="topolb+refine", topology="tree:2x2", keep_rank0=False, state_bytes=10,
              remaining=3)
better = kith.reorder_graph(world, numpy.array([partner]), numpy.array([500.0]), **chosen)
found = kith.decision(better)
# Two pairs of 1000 over 4 hops, then over 2.
expect(type(better) is MPI.Intracomm and found.reordered, f"reordered: {found}")
expect((found.cost_before, found.cost_after, found.saving) == (8000, 4000, 12000), f"{found}")
expect(found.algorithm == "topolb+refine" and found.reason and found.seconds > 0, f"{found}")
expect(found.moved_ranks >= 2 and found.moving_cost == 10 * 4 * found.moved_ranks, f"{found}")
order = better.allgather(rank)
expect(sum(r != p for r, p in enumerate(order)) == found.moved_ranks, f"{order}: {found}")
expect(all(order[r] // 2 == order[r + 2] // 2 for r in range(2)), f"pairs: {order}")
better.Free()
for option in (dict(min_gain=0.9), dict(topology="tree:1"), dict(remaining=0, state_bytes=1)):
    same = kith.reorder_graph(world, [partner], **{**chosen, **option})
    found = kith.decision(same)
    expect(not found.reordered, f"{option}: {found}")
    too_small = f"tree:1 (--topology, KITH_TOPOLOGY): expected a slot for each of {ranks} ranks, found 1 slot"
    expect((too_small in found.reason) == ("topology" in option), f"{option}: {found}")
    same.Free()
turned.Free()
if rank == 0:
    print(f"moves on {ranks} ranks")
