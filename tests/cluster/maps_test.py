#!/usr/bin/env python3
"""MPI_Cart_map and MPI_Graph_map on 4 hosts x 4 ranks: each place once, and as few neighbours on other
hosts as the best tiling by equal blocks has (of graphs at most half as many again); off, the library's order.

usage (inside a bed): maps_test.py
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
from block_tiling import best_cut


program = kt.setting("KITH_BINARY") / "tests/mpi/maps"


def cut(way, dealt, backwards, extents, settings=()):
    done = kt.run(["onhost", "h0", kt.setting("KITH"), "run", "--", "mpirun", "-n", 16, "--map-by",
                   dealt, *settings, program, way, backwards, *extents], timeout=100)
    return int(done.stdout.split()[1])


with kt.work_folder():
    for dealt, backwards, extents in (("node", 0, (4, 4)), ("ppr:4:node", 1, (-4, 2, 2)),
                                      ("node", 1, (-16,)), ("ppr:4:node", 0, (3, 4))):
        best = best_cut(extents, 4) // 2  # counted from one side
        found = cut("cart", dealt, backwards, extents)
        kt.check(found <= best, f"grid {extents} by {dealt}: {found}, in equal blocks {best}")
        as_graph = cut("graph", dealt, backwards, extents)
        kt.check(as_graph <= 1.5 * best, f"graph {extents} by {dealt}: {as_graph}, blocks {best}")
        print(f"{extents} by {dealt}: {found} neighbours on other hosts, as a graph {as_graph}")
    kept = cut("cart", "node", 0, (-16,), ["-x", "KITH_REORDER_TOPOLOGIES=off"])
    kt.check_equal(kept, 16, "off: each neighbour on another host")
