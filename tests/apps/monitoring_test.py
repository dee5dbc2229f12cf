#!/usr/bin/env python3
"""Point-to-point counts against Open MPI's own monitoring, cell by cell, on every way of sending."""
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
    kt.mpirun(ranks, [sends], options=monitoring)
    sizes, messages = kt.read_monitoring("oracle")
    kt.check(sum(messages.values()) > 50 * ranks, f"the oracle saw too little: {messages}")
    kt.mpirun(ranks, [sends], preload=True, settings=settings)
    trace = pathlib.Path("own.kith")
    kt.check_equal(kt.read_matrix(trace / "classes/p2p.bytes.mtx"), nonzero(sizes),
                   f"bytes, {ranks} ranks")
    kt.check_equal(kt.read_matrix(trace / "messages.mtx"), nonzero(messages),
                   f"messages, {ranks} ranks")
    print(f"{ranks} ranks{' reversed' * reverse}: {sum(sizes.values())} bytes in "
          f"{sum(messages.values())} messages, {len(sizes)} cells equal")


for ranks, reverse in ((4, False), (4, True), (3, False), (1, False)):
    with kt.work_folder():
        compare(ranks, reverse)
