#!/usr/bin/env python3
"""Collectives: right results, and a decomposition that moves at least what each must move."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

program = kt.setting("KITH_BINARY") / "tests/mpi/collectives"
LENGTHS = (1, 100, 5000)  # as in programs/collectives.c, in ints


def least_bytes(n):
    """What must cross between ranks at least, for one run of all collectives on one communicator."""
    total = 0
    for length in LENGTHS:
        block = 4 * length
        rooted = 6 * (n - 1) * block      # bcast, reduce, gather(v), scatter(v): each root in turn
        total += n * rooted
        total += 2 * (n - 1) * block      # allreduce: everybody's in, everybody's out
        total += 3 * n * (n - 1) * block  # allgather, in place too, allgatherv
        total += 4 * n * (n - 1) * block  # alltoall(v), in place too
        total += 2 * n * (n - 1) * block  # reduce_scatter(_block)
        total += 2 * (n - 1) * block      # scan, exscan
    return total


for ranks in (1, 2, 3, 4, 7, 13):
    with kt.work_folder():
        plain = kt.mpirun(ranks, [program])
        traced = kt.mpirun(ranks, [program], preload=True, settings={"KITH_TRACE": "c.kith"})
        kt.check_equal(traced.stdout, plain.stdout, f"{ranks} ranks")
        cells = kt.read_matrix("c.kith/classes/coll.bytes.mtx")
        kt.check_equal(kt.read_matrix("c.kith/classes/p2p.bytes.mtx"), {}, "nothing else was sent")
        total, least = sum(cells.values()), 2 * least_bytes(ranks)
        kt.check(all(i != j for i, j in cells), "a collective sends nothing to oneself")
        kt.check(least <= total <= 2.5 * least, f"{ranks} ranks: {total} bytes, at least {least}")

        kt.mpirun(ranks, [program], preload=True,
                  settings={"KITH_TRACE": "off.kith", "KITH_COLLECTIVES": "off"})
        kt.check_equal(kt.read_matrix("off.kith/bytes.mtx"), {}, "KITH_COLLECTIVES=off")
    print(f"{ranks} ranks: {total} bytes in collectives")
