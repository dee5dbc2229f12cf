#!/usr/bin/env python3
"""HPCC (Debian's own) on a small case: its verifications pass and agree in all three ways."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hpcc_case
import kithtest as kt

kt.need_programs("hpcc", "mpirun")
with kt.work_folder():
    hpcc_case.prepare()
    found, _ = kt.three_ways("hpcc", 4, hpcc_case.COMMAND, lambda _: hpcc_case.verdicts(), timeout=90)
    kt.check(len(found) >= 10, f"HPCC verified too little: {found}")
print("\n".join(found))
