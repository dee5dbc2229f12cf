#!/usr/bin/env python3
"""Programs that never reach MPI_Finalize: what all ranks sent until then survives in a partial trace,
which says that it is one."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS, ROUNDS = 3, 3  # rounds as in programs/endings.c
endings = kt.setting("KITH_BINARY") / "tests/mpi/endings"
kith = kt.setting("KITH")
EXPECTED = {(r, (r + 1) % RANKS): ROUNDS * (100 + r) for r in range(RANKS)}
# How each ends, and mpirun's exit status then.
WAYS = {"abort": 3, "exit": 3, "_exit": 3, "term": 143, "kill": 137}


def check_partial(name):
    trace = f"{name}.kith.partial"
    kt.check_equal(sorted(path.name for path in pathlib.Path().glob(f"{name}*")), [trace],
                   f"{name}: files")
    kt.run([kith, "convert", trace, f"{name}.out.mtx"])
    kt.check_equal(kt.read_matrix(f"{name}.out.mtx"), EXPECTED, f"{name}: bytes")
    kt.check("partial" in kt.run([kith, "info", trace]).stdout, f"{name}: kith info says no word")
    found = json.loads(kt.run([kith, "info", trace, "--json"]).stdout)
    kt.check_equal((found["ranks"], found.get("partial")), (RANKS, True), f"{name}: kith info --json")


def settings(name):
    return {"KITH_TRACE": name, "KITH_COLLECTIVES": "off", "KITH_VERBOSE": "0"}


with kt.work_folder():
    for way, status in WAYS.items():
        exports = [word for key, value in settings(way).items() for word in ("-x", f"{key}={value}")]
        done = kt.run(["mpirun", "-n", RANKS, "-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}", *exports,
                       endings, way], status=status)
        kt.check("all have sent" in done.stdout, f"{way}: {done.stdout}{done.stderr}")
        check_partial(way)
        print(f"{way}: the rows of {RANKS} ranks survive")
    # The time limit of a batch system: the launcher is told to stop.
    exports = [word for key, value in settings("limit").items() for word in ("-x", f"{key}={value}")]
    kt.run(["timeout", "--preserve-status", "--signal", "TERM", "4", "mpirun", "-n", RANKS, "-x",
            f"LD_PRELOAD={kt.setting('KITH_LIB')}", *exports, endings, "hang"], status=1)
    check_partial("limit")
    print("time limit: the rows survive")
    # A program that ends well leaves no part behind.
    kt.mpirun(RANKS, [kt.setting("KITH_BINARY") / "tests/mpi/forks", "exit"], preload=True,
              settings=settings("well"))
    kt.check_equal([path.name for path in pathlib.Path().glob("well*")], ["well.kith"],
                   "files of a program that ends well")
