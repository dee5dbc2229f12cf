"""What a Python program does with mpi4py: each value is checked where it arrives, and rank 0
prints a digest of all that was received."""
import hashlib
import sys
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size
seen = hashlib.sha256()


def expect(found, expected, what):
    if found != expected:
        print(f"rank {rank}: {what}: expected {expected!r}, found {found!r}", flush=True)
        world.Abort(1)
    seen.update(f"{what}:{found!r};".encode())


# Buffers: blocking, nonblocking, persistent, combined.
ints = array("i", [rank] * (100 + rank))
room = array("i", [-1] * (100 + size))
status = MPI.Status()
if rank % 2 == 0:
    world.Send(ints, dest=right, tag=1)
    world.Recv(room, source=left, tag=1, status=status)
else:
    world.Recv(room, source=left, tag=1, status=status)
    world.Send(ints, dest=right, tag=1)
expect((status.Get_source(), status.Get_count(MPI.INT), room[0]), (left, 100 + left, left), "Send")
requests = [world.Irecv(room, source=MPI.ANY_SOURCE, tag=2), world.Isend(ints, dest=right, tag=2)]
MPI.Request.Waitall(requests)
expect(room[99 + left], left, "Isend")
start, await_ = world.Send_init(ints, right, 3), world.Recv_init(room, left, 3)
for _ in range(3):
    MPI.Prequest.Startall([await_, start])
    MPI.Request.Waitall([await_, start])
expect(room[0], left, "Send_init")
world.Sendrecv(ints, dest=left, recvbuf=room, source=right)
expect(room[0], right, "Sendrecv")

# Pickled objects: blocking, nonblocking, probed.
thing = {"rank": rank, "list": list(range(rank)), "text": "ä" * rank}
request = world.isend(thing, dest=right, tag=4)
probed = MPI.Status()
world.probe(source=left, tag=4, status=probed)
expect(probed.Get_source(), left, "probe")
expect(world.recv(source=left, tag=4)["rank"], left, "recv")
request.wait()
expect(world.sendrecv(("from", rank), dest=right, source=left), ("from", left), "sendrecv")

# Collectives on objects and buffers.
expect(world.bcast(thing if rank == size // 2 else None, root=size // 2)["rank"], size // 2,
       "bcast")
expect(world.scatter([i * i for i in range(size)] if rank == 0 else None), rank * rank, "scatter")
expect(world.allgather(rank * 3), [i * 3 for i in range(size)], "allgather")
expect(world.gather(rank, root=size - 1), list(range(size)) if rank == size - 1 else None, "gather")
expect(world.alltoall([(rank, to) for to in range(size)]), [(i, rank) for i in range(size)],
       "alltoall")
expect(world.allreduce(rank, op=MPI.SUM), size * (size - 1) // 2, "allreduce")
expect(world.scan(1), rank + 1, "scan")
total = array("d", [0.0] * 5)
world.Allreduce(array("d", [float(rank)] * 5), total, op=MPI.MAX)
expect(list(total), [float(size - 1)] * 5, "Allreduce")
blocks = array("i", [-1] * size)
world.Allgather(array("i", [rank]), blocks)
expect(list(blocks), list(range(size)), "Allgather")
counts = [i + 1 for i in range(size)]
pieces = array("i", [-1] * sum(counts))
world.Allgatherv(array("i", [rank] * counts[rank]), [pieces, counts])
expect(list(pieces), [i for i in range(size) for _ in range(counts[i])], "Allgatherv")
swapped = array("i", [-1] * size)
world.Alltoall(array("i", [rank * 10 + to for to in range(size)]), swapped)
expect(list(swapped), [i * 10 + rank for i in range(size)], "Alltoall")
part = array("i", [-1])
world.Reduce_scatter_block(array("i", range(size)), part)
expect(part[0], rank * size, "Reduce_scatter_block")
world.Barrier()

# Communicators and groups: the world's own, halves, and back again.
half = world.Split(color=rank % 2, key=-rank)
expect(half.allgather(rank), sorted((r for r in range(size) if r % 2 == rank % 2), reverse=True),
       "Split")
expect(MPI.Group.Translate_ranks(half.Get_group(), [0], world.Get_group())[0],
       max(r for r in range(size) if r % 2 == rank % 2), "Translate_ranks")
copy = world.Dup()
expect(MPI.Comm.Compare(world, copy), MPI.CONGRUENT, "Compare")
line = copy.Create_cart([size], periods=[True])
expect(line.Shift(0, 1), (left, right), "Shift")
key = MPI.Comm.Create_keyval()
for comm, value in ((copy, "kept"), (world, "kept too")):
    comm.Set_attr(key, value)
    expect(comm.Get_attr(key), value, "attribute")
expect(world.Get_attr(MPI.TAG_UB) >= 32767, True, "TAG_UB")
expect(world.Get_name(), "MPI_COMM_WORLD", "name")
world.Set_errhandler(MPI.ERRORS_RETURN)
try:
    world.Send(ints, dest=size + 7)
    expect("no error", "an error", "bad destination")
except MPI.Exception as error:
    expect(error.Get_error_class(), MPI.ERR_RANK, "bad destination")

# One-sided: put to the right, get from the left.
memory = array("i", [rank] * 8)
window = MPI.Win.Create(memory, comm=world)
window.Fence()
window.Put(array("i", [100 + rank] * 4), right)
window.Fence()
expect(list(memory), [100 + left] * 4 + [rank] * 4, "Put")
fetched = array("i", [-1] * 8)
window.Fence()
window.Get(fetched, left)
window.Fence()
expect(fetched[0], 100 + (left - 1) % size, "Get")
window.Lock(right)
window.Accumulate(array("i", [1]), right)
window.Unlock(right)
world.Barrier()
window.Lock(rank)
expect(memory[0], 101 + left, "Accumulate")
window.Unlock(rank)
window.Free()

for each in (line, copy, half):
    each.Free()
digests = world.gather(seen.hexdigest())
if rank == 0:
    print(size, "ranks agree:", *digests)
sys.stdout.flush()
