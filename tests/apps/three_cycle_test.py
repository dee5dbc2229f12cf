#!/usr/bin/env python3
"""A mapping that is no involution puts each rank on the process that the file says."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("mpirun")
whereami = kt.setting("KITH_BINARY") / "tests/apps/whereami"
for slot_of in ([1, 2, 0, 3], [2, 0, 1, 3], [3, 0, 1, 2], [2, 1, 3, 0, 4]):
    with kt.work_folder():
        kt.write_mapping("cycle.map", slot_of)
        output = kt.mpirun(len(slot_of), [whereami], preload=True,
                           settings={"KITH_REORDER": "cycle.map"}).stdout
        found = [int(line.split()[1]) for line in output.splitlines()]
        kt.check_equal(found, slot_of, "launcher rank of each rank")
        print("rank -> launcher rank:", found)
