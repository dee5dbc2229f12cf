#!/usr/bin/env python3
"""MPI_COMM_WORLD in any order: everything a program can ask of it fits together, on 1 to 7 ranks."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

world = kt.setting("KITH_BINARY") / "tests/mpi/world"


def orders(ranks):
    yield "identity", list(range(ranks))
    yield "reversed", [ranks - 1 - r for r in range(ranks)]
    yield "shifted", [(r + 1) % ranks for r in range(ranks)]
    shuffled = list(range(ranks))
    random.Random(ranks).shuffle(shuffled)
    yield "shuffled", shuffled


for ranks in (1, 2, 4, 7):
    with kt.work_folder():
        plain = kt.mpirun(ranks, [world])
        for name, order in orders(ranks):
            kt.write_mapping("order.map", order)
            trace = f"{name}.kith"
            done = kt.mpirun(ranks, [world], preload=True,
                             settings={"KITH_REORDER": "order.map", "KITH_TRACE": trace})
            kt.check_equal(done.stdout, plain.stdout, f"{name} on {ranks} ranks")
            kt.check("became" not in done.stderr, done.stderr)
            where = kt.placement(trace)
            kt.check_equal([where[slot] for slot in order], list(range(ranks)),
                           f"{name} on {ranks} ranks: where each rank runs")
    print(f"{ranks} ranks: four orders hold")
