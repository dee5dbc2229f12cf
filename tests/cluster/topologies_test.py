#!/usr/bin/env python3
"""Topologies with reorder=1 on 4 hosts x 4 ranks, dealt to the hosts in either way: as few neighbours
on other hosts as block tilings have, with nothing asked of Kith but to be there.

usage (inside a bed): topologies_test.py few|all
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
from block_tiling import best_cut


program = kt.setting("KITH_BINARY") / "tests/mpi/topologies"
ALL = [(dealt, extents) for dealt in ("node", "ppr:4:node")
       for extents in ((2, 2, 4), (4, 2, 2), (-2, 2, -4), (-4, 4))]
FEW = [("node", (4, 2, 2)), ("ppr:4:node", (-4, 4))]


def check_case(dealt, extents):
    done = kt.run(["onhost", "h0", kt.setting("KITH"), "run", "--", "mpirun", "-n", 16, "--map-by",
                   dealt, program, 0, "move", *extents], timeout=100)
    kinds, cuts = zip(*(line.rsplit(" cut ", 1) for line in done.stdout.splitlines()))
    best = best_cut(extents, 4)
    for kind, cut in zip(kinds, map(int, cuts)):
        # Weights make some edges dearer than others: then another number of them may be cut.
        if kind in ("cart", "graph", "adjacent"):
            kt.check_equal(cut, best, f"{kind} {extents}, dealt by {dealt}: edges between hosts")
    return best, done.stderr


with kt.work_folder():
    for dealt, extents in ALL if sys.argv[1] == "all" else FEW:
        best, said = check_case(dealt, extents)
        print(f"{extents} by {dealt}: {best} of the edges join two hosts; "
              f"{'reordered' if 'MPI_Cart_create: ranks reordered' in said else 'the order stays'}")
    _, said = check_case("ppr:4:node", (4, 4))
    kt.check("MPI_Cart_create: ranks reordered" in said, "rows of four are no best tiling\n" + said)
    _, said = check_case("ppr:4:node", (16,))
    kt.check("MPI_Cart_create" not in said, "a line by host is best as it is\n" + said)
