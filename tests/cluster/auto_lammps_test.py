#!/usr/bin/env python3
"""LAMMPS on 4 hosts x 4 ranks under KITH_REORDER=auto, dealt to the hosts as suits it worst: the first
run records, the second moves hardly more bytes between the hosts than the best order that is known.

usage (inside a bed): auto_lammps_test.py cube|slab STEPS [REPEATS]
Runs take turns: launcher's order, auto, the best order as a mapping, and the launcher's order again
for control. With REPEATS above 1 the medians of their wall times are printed, which nothing checks.
"""
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import lammps_case
from shapers import bytes_out


DEALT = {"cube": "node", "slab": "ppr:4:node"}
# More than the best order's bytes: what a mapping of the same quality may differ by.
TOLERANCE = 0.05


class Case:
    def __init__(self, name, steps):
        self.program = lammps_case.command(**lammps_case.CLUSTER_CASES[name], n=steps)
        self.launcher = ["mpirun", "-n", 16, "--map-by", DEALT[name]]
        self.home = pathlib.Path("home").absolute()

    def run(self, options=(), program=None):
        """One run: (what LAMMPS printed, what Kith said, bytes that left the hosts, seconds)."""
        sent, begin = bytes_out(), time.monotonic()
        command = [*self.launcher, *(program or self.program)]
        if options is not None:
            command = [kt.setting("KITH"), "run", *options, "--", *command]
        done = kt.run(["onhost", "h0", *command], environment={"KITH_HOME": self.home}, timeout=200)
        return done.stdout, done.stderr, bytes_out() - sent, time.monotonic() - begin


def main(name, steps, repeats):
    kt.need_programs("lmp", "mpirun")
    case = Case(name, steps)
    idle = kt.setting("KITH_BINARY") / "tests/apps/whereami"
    _, _, base, _ = case.run(["--trace", "idle"], [idle])

    # What the best is: a mapping by long search, from a trace.
    case.run(["--trace", "first"])
    kt.run([kt.setting("KITH"), "map", "first.kith", "--effort", "best", "-o", "best.map"])
    first, said, _, _ = case.run(["--reorder", "auto"])
    kt.check("first" in said, f"nothing said of a first run: {said}")

    ways = {"launcher": None, "auto": ["--reorder", "auto"], "best known": ["--reorder", "best.map"],
            "launcher again": None}
    sent, seconds = {way: [] for way in ways}, {way: [] for way in ways}
    for _ in range(repeats):
        for way, options in ways.items():
            printed, said, moved, taken = case.run(options)
            kt.check_equal(lammps_case.thermo(printed), lammps_case.thermo(first), way)
            sent[way].append(moved - base)
            seconds[way].append(taken)
    print(f"{'':16}{'MB left the hosts':>18}{'median wall s':>15}")
    for way in ways:
        print(f"{way:16}{statistics.median(sent[way]) / 1e6:18.1f}"
              f"{statistics.median(seconds[way]):15.1f}")
    best, auto = min(sent["best known"]), statistics.median(sent["auto"])
    kt.check(auto <= (1 + TOLERANCE) * best,
             f"auto moved {auto} bytes between the hosts, the best order {best}")
    kt.check(best < 0.8 * min(sent["launcher"]), "nothing could be gained: this tests nothing")


if __name__ == "__main__":
    with kt.work_folder():
        main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
