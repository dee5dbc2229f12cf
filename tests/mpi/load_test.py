#!/usr/bin/env python3
"""CPU time inside and outside MPI, per phase, of a program that works and waits in known shares."""
import csv
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

UNIT = 0.5  # seconds of CPU time that a working rank burns in each phase
program = kt.setting("KITH_BINARY") / "tests/mpi/load"


def read_load(trace):
    """{(phase name, rank): (seconds outside MPI, seconds inside)}; "" is the whole run."""
    names = [""] + [p["name"] for p in json.loads((trace / "meta.json").read_text())["phases"]]
    with open(trace / "load.csv", newline="") as file:
        return {(names[int(row["phase"])], int(row["rank"])):
                (float(row["cpu_outside_s"]), float(row["cpu_inside_s"]))
                for row in csv.DictReader(file)}


def check_near(found, expected, what, slack=0.4 * UNIT):
    kt.check(abs(found - expected) <= slack, f"{what}: expected {expected} s, found {found} s")


with kt.work_folder():
    kt.mpirun(2, [program, UNIT], preload=True, settings={"KITH_TRACE": "l.kith"})
    load = read_load(pathlib.Path("l.kith"))
    # "waits": rank 0 works, rank 1 waits for it and polls (or gives the processor away).
    check_near(load["level 1", 0][0], UNIT, "work of rank 0")
    check_near(load["level 1", 1][0], 0, "work of rank 1, which only waits")
    kt.check(load["level 1", 1][1] > load["level 1", 0][1], "it is rank 1 that waits in MPI")
    for rank in (0, 1):
        check_near(load["level 2", rank][0], UNIT, f"work of rank {rank} between late partners")
        # Short messages are timed in samples: the work between them is still work.
        check_near(load["level 3", rank][0], UNIT, f"work of rank {rank} between short messages")
        kt.check(load["level 3", rank][1] > 0, "short messages take some time")
        for column in (0, 1):
            parts = sum(value[column] for (name, r), value in load.items() if name and r == rank)
            check_near(parts, load["", rank][column], "phases add up to the run", slack=0.01)
    kt.check_equal(len({name for name, _ in load}), 6, "phases, and the run")
    # What a rank computes before its first call is no sleep; nor what it computes between calls that
    # are no event of the timeline, and of which most go untimed.
    for arguments in (["first"], ["null"], ["null", 50]):
        kt.mpirun(2, [program, UNIT, *arguments], preload=True, settings={"KITH_TRACE": "f.kith", "KITH_FORCE": 1})
        found = subprocess.run([kt.setting("KITH"), "info", "f.kith", "--json"], capture_output=True, text=True,
                               check=True)
        mean = json.loads(found.stdout)["time"]["mean"]
        check_near(mean["computing_s"], UNIT, f"computing of {arguments}: {mean}", slack=0.3 * UNIT)
print({key: value for key, value in load.items() if key[0] == ""})
