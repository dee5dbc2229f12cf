#!/usr/bin/env python3
"""Messages sent from Fortran, through each binding: results unchanged with the ranks in order and
reversed, and counts equal to those of Open MPI's own monitoring, cell by cell.
"""
import json

import fortran
import kithtest as kt

fortran.need_compiler()
kt.need_programs("mpirun")
monitoring = ["--mca", "pml", "ob1,monitoring", "--mca", "pml_monitoring_enable", "2",
              "--mca", "pml_monitoring_enable_output", "3",
              "--mca", "pml_monitoring_filename", "oracle"]


def nonzero(matrix):
    return {cell: weight for cell, weight in matrix.items() if weight}


def check_binding(binding, ranks):
    sends = fortran.program("sends", binding)
    # Monitoring misses what MPI_Start starts: it watches the program send that otherwise.
    kt.mpirun(ranks, [sends, "plain"], options=monitoring)
    sizes, messages = kt.read_monitoring("oracle")
    kt.check(sum(messages.values()) > 50 * ranks, f"the oracle saw too little: {messages}")
    _, traces = kt.three_ways("sends", ranks, [sends], fortran.sorted_lines,
                              settings={"KITH_COLLECTIVES": "off"})
    for trace in traces:
        kt.check_equal(kt.read_matrix(trace / "classes/p2p.bytes.mtx"), nonzero(sizes),
                       f"{binding}, {trace.name}: bytes")
        kt.check_equal(kt.read_matrix(trace / "messages.mtx"), nonzero(messages),
                       f"{binding}, {trace.name}: messages")
        grid = json.loads((trace / "meta.json").read_text())["cartesian"]
        kt.check_equal(grid, {"dims": [ranks], "periods": [1], "ranks": list(range(ranks))[::-1]},
                       f"{binding}, {trace.name}: the ring made of all ranks")
    print(f"{binding}, {ranks} ranks: {sum(sizes.values())} bytes in {sum(messages.values())} "
          f"messages, {len(sizes)} cells equal")


for ranks in (4, 3):
    for binding in fortran.BINDINGS:
        with kt.work_folder():
            check_binding(binding, ranks)
