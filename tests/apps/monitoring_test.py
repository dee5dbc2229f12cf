#!/usr/bin/env python3
"""Point-to-point counts against Open MPI's own monitoring, cell by cell, on every way of sending.

Monitoring misses what MPI_Start starts (4.1.4), so it watches the program send that otherwise.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("mpirun")
sends = kt.setting("KITH_BINARY") / "tests/apps/sends"
monitoring = ["--mca", "pml", "ob1,monitoring", "--mca", "pml_monitoring_enable", "2",
              "--mca", "pml_monitoring_enable_output", "3",
              "--mca", "pml_monitoring_filename", "oracle"]


def nonzero(matrix):
    return {cell: weight for cell, weight in matrix.items() if weight}


def compare(ranks, reverse):
    """One number of ranks, in launcher order or reversed."""
    settings = {"KITH_TRACE": "own.kith", "KITH_COLLECTIVES": "off"}
    if reverse:
        kt.write_mapping("reverse.map", [ranks - 1 - rank for rank in range(ranks)])
        settings["KITH_REORDER"] = "reverse.map"
    kt.mpirun(ranks, [sends, "plain"], options=monitoring)
    sizes, messages = kt.read_monitoring("oracle")
    kt.check(sum(messages.values()) > 50 * ranks, f"the oracle saw too little: {messages}")
    kt.mpirun(ranks, [sends], preload=True, settings=settings)
    trace = pathlib.Path("own.kith")
    kt.check_equal(kt.placement(trace), [abs((ranks - 1) * reverse - j) for j in range(ranks)],
                   "rank of each process")
    kt.check_equal(kt.read_matrix(trace / "classes/p2p.bytes.mtx"), nonzero(sizes),
                   f"bytes, {ranks} ranks")
    kt.check_equal(kt.read_matrix(trace / "messages.mtx"), nonzero(messages),
                   f"messages, {ranks} ranks")
    print(f"{ranks} ranks{' reversed' * reverse}: {sum(sizes.values())} bytes in "
          f"{sum(messages.values())} messages, {len(sizes)} cells equal")


def between_groups(ranks):
    """Messages between groups, of which the test program says what it sends."""
    kt.mpirun(ranks, [sends, "between"], preload=True,
              settings={"KITH_TRACE": "own.kith", "KITH_COLLECTIVES": "off"})
    half = ranks // 2
    expected = {(here, there): 777 + here for place in range(half)
                for here, there in ((place, place + half), (place + half, place))}
    kt.check_equal(kt.read_matrix("own.kith/classes/p2p.bytes.mtx"), expected,
                   f"bytes between groups, {ranks} ranks")
    kt.check_equal(kt.read_matrix("own.kith/messages.mtx"), dict.fromkeys(expected, 1),
                   f"messages between groups, {ranks} ranks")
    print(f"{ranks} ranks: {len(expected)} cells between groups as sent")


for ranks in (2, 5):
    with kt.work_folder():
        between_groups(ranks)
for ranks, reverse in ((4, False), (4, True), (3, False), (1, False)):
    with kt.work_folder():
        compare(ranks, reverse)
