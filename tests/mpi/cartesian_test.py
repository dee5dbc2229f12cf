#!/usr/bin/env python3
"""The grid that a program makes of all its ranks is in the trace, with the ranks in any order."""
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 6
program = kt.setting("KITH_BINARY") / "tests/mpi/cartesian"
kith = kt.setting("KITH")
# World rank r sorts by (r + 2) % 6: places 0 and 1 are those of ranks 4 and 5.
SHIFTED = [4, 5, 0, 1, 2, 3]
expected = {
    "none": None,
    "world": {"dims": [2, 3], "periods": [1, 0], "ranks": None},
    "shifted": {"dims": [3, 2], "periods": [1, 0], "ranks": SHIFTED},
    "part": None,
    "several": {"dims": [6, 1], "periods": [1, 0], "ranks": None},
    "apart": None,
}

with kt.work_folder():
    kt.write_mapping("order.map", [3, 1, 4, 0, 5, 2])
    for way, grid in expected.items():
        for reorder in ({}, {"KITH_REORDER": "order.map"}):
            trace = pathlib.Path(f"{way}{len(reorder)}.kith")
            kt.mpirun(RANKS, [program, way], preload=True,
                      settings={"KITH_TRACE": trace, **reorder})
            found = json.loads((trace / "meta.json").read_text()).get("cartesian")
            kt.check_equal(found, grid, f"{way}, {'reordered' if reorder else 'as launched'}")
    told = json.loads(kt.run([kith, "info", "shifted0", "--json"]).stdout)["cartesian"]
    kt.check_equal(told, {"dims": [3, 2], "periods": [True, False], "ranks": SHIFTED}, "kith info")
    kt.check("3 (periodic) x 2" in kt.run([kith, "info", "shifted0"]).stdout, "kith info, text")

    # A geometric mapper goes by these places: ranks 0, 2, 4 are the near half of a row of six.
    trace = pathlib.Path("none0.kith")
    (trace / "bytes.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n"
                                     "6 6 6\n1 3 50\n3 5 70\n2 4 60\n4 6 90\n1 2 1\n3 6 2\n")
    shutil.rmtree(trace / "timeline")  # of other traffic
    meta = json.loads((trace / "meta.json").read_text())
    said = []
    for ranks in (None, [0, 2, 4, 1, 3, 5]):
        grid = {"dims": [6, 1], "periods": [0, 0], "ranks": ranks}
        (trace / "meta.json").write_text(json.dumps({**meta, "cartesian": grid}))
        done = kt.mpirun(RANKS, [program, "none"], preload=True,
                         settings={"KITH_REORDER": trace, "KITH_ALGORITHM": "geom",
                                   "KITH_TOPOLOGY": "tree:2x3"})
        said.append(done.stderr)
    kt.check("order unchanged: no better order found" in said[0], said[0])
    kt.check("ranks reordered" in said[1] and "2 of 6 ranks move" in said[1], said[1])
print(f"{len(expected)} programs, each in two orders")
