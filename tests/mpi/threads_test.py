#!/usr/bin/env python3
"""MPI_THREAD_MULTIPLE: nothing is lost or counted twice when several threads communicate at once
in a reordered world.

Usage: threads_test.py [SOURCE...]: only these sources of collectives.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

THREADS = 4  # as in programs/threads.c and programs/crowd.c
programs = kt.setting("KITH_BINARY") / "tests/mpi"


def part(trace, name):
    return kt.read_matrix(pathlib.Path(trace) / f"classes/{name}.bytes.mtx")


def senders():
    """Short-lived threads that send, in another order of the ranks."""
    ranks, generations, messages, size = 3, 3, 500, 11
    kt.write_mapping("shift.map", [1, 2, 0])
    kt.mpirun(ranks, [programs / "threads"], preload=True,
              settings={"KITH_TRACE": "t.kith", "KITH_COLLECTIVES": "off",
                        "KITH_REORDER": "shift.map"})
    kt.check_equal(kt.placement("t.kith"), [2, 0, 1], "rank of each process")
    count = THREADS * generations * messages
    ring = {(r, (r + 1) % ranks) for r in range(ranks)}
    kt.check_equal(part("t.kith", "p2p"), {cell: count * size for cell in ring}, "bytes")
    kt.check_equal(kt.read_matrix("t.kith/messages.mtx"), {cell: count for cell in ring},
                   "messages")
    print(f"{count} messages of {THREADS} threads counted on each of {ranks} ranks")


def crowd(collectives, rounds=200, threads=THREADS):
    """Threads that send, start persistent requests, reduce, put and get."""
    sent, started, reduced, put, got = 10, 20, 8, 40, 80
    both = ((0, 1), (1, 0))
    kt.write_mapping("turn.map", [1, 0])
    for times in (0, rounds):
        kt.mpirun(2, [programs / "crowd", times, threads], preload=True,
                  settings={"KITH_TRACE": f"{times}", "KITH_COLLECTIVES": collectives,
                            "KITH_REORDER": "turn.map"})
        meta = json.loads(pathlib.Path(f"{times}.kith/meta.json").read_text())
        kt.check_equal(meta["sources"]["collectives"], collectives, "source of collectives")
    count = threads * rounds
    told = json.loads(kt.run([kt.setting("KITH"), "info", f"{rounds}.kith", "--json"]).stdout)
    kt.check_equal(told["timeline"]["exact"], True, f"{collectives}: the timeline of all threads")
    setup, coll = part("0.kith", "coll"), part(f"{rounds}.kith", "coll")
    kt.check_equal(part(f"{rounds}.kith", "p2p"), {cell: count * (sent + started) for cell in both},
                   f"{collectives}: point-to-point bytes")
    kt.check_equal(part(f"{rounds}.kith", "rma"), {cell: count * (put + got) for cell in both},
                   f"{collectives}: one-sided bytes")
    kt.check_equal({cell: coll.get(cell, 0) - setup.get(cell, 0) for cell in both},
                   {cell: count * reduced for cell in both}, f"{collectives}: bytes in reductions")
    print(f"{collectives}: {count} rounds of {threads} threads that do everything counted")


with kt.work_folder():
    senders()
for collectives in sys.argv[1:] or (("model",) if kt.is_open_mpi_5() else ("exact", "model")):
    with kt.work_folder():
        crowd(collectives)
    with kt.work_folder():
        crowd(collectives, 20, 64)
