#!/usr/bin/env python3
"""Topologies with reorder=1: declared neighbours, and as few of them on other hosts as block tilings have."""
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
from block_tiling import best_cut, cut_of

kith = kt.setting("KITH")
program = kt.setting("KITH_BINARY") / "tests/mpi/topologies"
KINDS = ["cart", "graph", "adjacent", "adjacent weighted", "distributed"]


def cuts(ranks, width, moves, extents, settings):
    done = kt.mpirun(ranks, [program, width, moves, *extents], preload=True,
                     settings={"KITH_TOPOLOGY": f"tree:{ranks // width}x{width}", **settings})
    found = dict(line.rsplit(" cut ", 1) for line in done.stdout.splitlines())
    kt.check_equal(sorted(found), sorted(KINDS + ["turned cart", "turned adjacent weighted"]),
                   "topologies")
    return [int(found[kind]) for kind in KINDS], done.stderr


with kt.work_folder():
    for width, extents in ((4, (2, 2, 4)), (4, (4, 2, 2)), (4, (4, 4)), (4, (-4, -4)), (3, (2, -6)), (3, (12,)), (6, (3, 4)), (1, (3, 2))):
        ranks = abs(math.prod(extents))
        best = best_cut(extents, width)
        stays = cut_of(extents, [1] * len(extents)) if width == 1 else None
        found, _ = cuts(ranks, width, "move", extents, {})
        # Weights make some edges dearer than others: those kinds may cut more of them.
        kt.check_equal(found[:3], [best] * 3, f"{extents} on hosts of {width}: edges between hosts")
        kt.check(stays is None or found == [stays] * len(KINDS), f"{extents}: nowhere to be near")
    print("edges between hosts: those of the best block tiling")

    present = cut_of((2, 2, 4), (1, 1, 4))
    best = best_cut((2, 2, 4), 4)
    on = {"KITH_REORDER_TOPOLOGIES": "on"}
    kt.write_mapping("turned.map", [(5 * r + 3) % 16 for r in range(16)])
    found, said = cuts(16, 4, "move", (2, 2, 4), {"KITH_REORDER": "turned.map", **on})
    kt.check_equal(found[0], best, "in a reordered world")
    kt.check(said.count("ranks reordered") >= 2, said)
    # Unless they are asked for, an order that was given and what is recorded are left alone.
    kt.write_mapping("tiles.map", [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15])
    found, said = cuts(16, 4, "still", (2, 2, 4), {"KITH_REORDER": "tiles.map"})
    kt.check_equal(said.count("ranks reordered"), 1, said)
    found, said = cuts(16, 4, "move", (2, 2, 4), {"KITH_REORDER": "none.map"})
    kt.check_equal(found[0], best, "no order was given: " + said)
    for name, way in (("as_is", {}), ("moved", on)):
        found, said = cuts(16, 4, "move" if way else "still", (2, 2, 4), {"KITH_TRACE": name, **way})
        kt.check_equal(found[0], best if way else present, f"recorded, {name}")
        meta = json.loads((pathlib.Path(f"{name}.kith") / "meta.json").read_text())
        told = meta.get("reordered_topologies", {"count": 0, "of_world": 0})
        kt.check_equal(told["count"] > 0, bool(way), f"{name}: {told}")
        kt.check_equal(told["of_world"], told["count"], f"{name}: of all ranks")
        kt.check_equal("reordered by Kith" in kt.run([kith, "info", name]).stdout, bool(way), name)
        warned = kt.run([kith, "map", name, "--topology", "tree:4x4", "-o", "x.map"]).stderr
        kt.check_equal("recorded with topologies reordered by Kith" in warned, bool(way), warned)
    said = cuts(16, 4, "move", (2, 2, 4), {"KITH_REORDER": "moved", "KITH_KEEP_RANK0": "0",
                                           "KITH_MIN_GAIN": "0"})[1]
    kt.check("recorded with topologies reordered by Kith" in said or "order unchanged" in said, said)
    for run in (1, 2):
        found, said = cuts(16, 4, "still", (2, 2, 4), {"KITH_REORDER": "auto", "KITH_HOME": "home"})
        kt.check("MPI_" not in said, f"auto, run {run}: {said}")

    for settings in ({"KITH_REORDER_TOPOLOGIES": "off"}, {"KITH_MIN_GAIN": "90%"}):
        found, said = cuts(16, 4, "still", (2, 2, 4), settings)
        kt.check_equal(found, [present] * len(KINDS), f"{settings}: as the launcher has it")
        kt.check("reordered" not in said, said)
    found, said = cuts(16, 4, "still", (4, 4), {"KITH_TOPOLOGY": "tree:16"})
    kt.check_equal(said, "", "nothing is said where nothing is gained")

    # A machine with too few places: told once by each of the two processes that are first in a communicator.
    found, said = cuts(16, 4, "still", (4, 4), {"KITH_TOPOLOGY": "tree:1x2"})
    kt.check_equal(said.count("order unchanged: "), 2, said)
    kt.check("KITH_TOPOLOGY" in said and "found 2 slots" in said, said)

    # An engine that gives no answer, and a tool in front of us: the launcher's order, and a line.
    found, said = cuts(16, 4, "still", (2, 2, 4), {"KITH_BUDGET": "0.001"})
    kt.check_equal(found, [present] * len(KINDS), "without an answer: as the launcher has it")
    kt.check("MPI_Cart_create: order unchanged: the engine took longer" in said, said)
    kt.check("MPI_Graph_create" not in said, "nobody waits for it again\n" + said)
    tool = kt.setting("KITH_BINARY") / "tests/mpi/libchaining_tool.so"
    done = kt.run(["mpirun", "-n", 4, "-x", f"LD_PRELOAD={tool}:{kt.setting('KITH_LIB')}", "-x",
                   "KITH_TOPOLOGY=tree:2x2", program, 2, "still", 4])
    kt.check_equal(done.stderr.count("reorder=1 is left to the MPI library"), 1, done.stderr)
    done = kt.mpirun(4, [program, 2, "move", 4], preload=True, settings={"KITH_REORDER_TOPOLOGIES": "maybe"})
    kt.check("KITH_REORDER_TOPOLOGIES: expected on or off, found maybe" in done.stderr, done.stderr)

    # More processes than places: who is left over gets no communicator.
    done = kt.mpirun(9, [program, 3, "move", 2, 3], preload=True,
                     settings={"KITH_TOPOLOGY": "tree:3x3"})
    kt.check("cart cut 6\n" in done.stdout, "two rows of three on two of three hosts\n" + done.stdout)

    # Processes that were started without Kith, among those of the communicator.
    stranger = [kt.setting("KITH_BINARY") / "tests/mpi/dynamic", "stranger"]
    done = kt.mpirun(2, stranger, preload=True, settings={"KITH_TOPOLOGY": "tree:2x2"}, timeout=60)
    kt.check_equal(done.stdout, "met\n", "with strangers\n" + done.stderr)
print("a reordered world, off, no gain, more processes than places, strangers")
