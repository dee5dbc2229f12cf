#!/usr/bin/env python3
"""MPI_THREAD_MULTIPLE: nothing is lost or counted twice when several threads send at once."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 3
THREADS, GENERATIONS, MESSAGES, BYTES = 4, 3, 500, 11  # as in programs/threads.c

threads = kt.setting("KITH_BINARY") / "tests/mpi/threads"
with kt.work_folder():
    kt.mpirun(RANKS, [threads], preload=True, settings={"KITH_TRACE": "t.kith"})
    count = THREADS * GENERATIONS * MESSAGES
    ring = {(r, (r + 1) % RANKS) for r in range(RANKS)}
    kt.check_equal(kt.read_matrix("t.kith/classes/p2p.bytes.mtx"),
                   {cell: count * BYTES for cell in ring}, "bytes")
    kt.check_equal(kt.read_matrix("t.kith/messages.mtx"), {cell: count for cell in ring},
                   "messages")
    print(f"{count} messages of {THREADS} threads counted on each of {RANKS} ranks")
