#!/usr/bin/env python3
"""What Kith asks of MPI while communicators and requests come and go: nothing where it records
nothing, next to nothing where it does. Calls are counted, not timed."""
import collections
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import kithtest as kt

RANKS = 2
SHORT, LONG = 100, 300
TRIES = 3  # a new communicator may fall on the place of the world's in a table: once in 4096
folder = kt.setting("KITH_BINARY") / "tests/mpi/cost"

# Once for a communicator that is made: who its members are, for the timeline.
MEMBERS = dict.fromkeys(("PMPI_Comm_group", "PMPI_Comm_test_inter", "PMPI_Group_free", "PMPI_Group_rank",
                         "PMPI_Group_size", "PMPI_Group_translate_ranks"), 1)
# Calls of PMPI per cycle and rank; what is not named is 0.
ASKED = {
    "loaded": {},
    # The size of each message's type, which the library may make and free unseen.
    "exact": {"PMPI_Type_size_x": 5, **MEMBERS},
    # The communicator's members, per collective inside.
    "model": {**MEMBERS, "PMPI_Comm_test_inter": 3, "PMPI_Comm_size": 2, "PMPI_Comm_rank": 2,
              "PMPI_Op_commutative": 1},
}
SETTINGS = {"loaded": {}, "exact": {"KITH_COLLECTIVES": "exact"},
            "model": {"KITH_COLLECTIVES": "model"}}


def calls(mode, what, count):
    """Calls of PMPI by all ranks, by function."""
    os.mkdir("counts")
    trace = {} if mode == "loaded" else {"KITH_TRACE": "trace", "KITH_FORCE": "1"}
    settings = {**trace, **SETTINGS[mode], "PMPI_COUNTS": pathlib.Path("counts").absolute()}
    exports = [word for key, value in settings.items() for word in ("-x", f"{key}={value}")]
    libraries = f"{kt.setting('KITH_LIB')}:{folder / 'libcounter.so'}"
    kt.run(["mpirun", "-n", RANKS, *exports, "-x", f"LD_PRELOAD={libraries}", folder / "cycles",
            what, count], timeout=60)
    found = collections.Counter()
    for path in pathlib.Path("counts").iterdir():
        for line in path.read_text().splitlines():
            name, number = line.split()
            if name != "late":
                found[name] += int(number)
        path.unlink()
    os.rmdir("counts")
    return found


def asked_per_cycle(mode, what):
    """Functions that are called in a cycle more often than they may, with the number of calls."""
    short, long = (calls(mode, what, count) for count in (SHORT, LONG))
    cycles = RANKS * (LONG - SHORT)
    each = {name: (long[name] - short[name]) / cycles for name in long}
    return {name: number for name, number in each.items()
            if number > ASKED[mode].get(name, 0) + 0.05}


def after_finalize():
    """Not even where the run went past Kith, which it finds out when the process ends."""
    folder_of_tools = kt.setting("KITH_BINARY") / "tests/mpi"
    for name, in_front in (("traced", []), ("past Kith", [folder_of_tools / "libblunt_tool.so"])):
        os.mkdir("late")
        libraries = ":".join(map(str, (*in_front, kt.setting("KITH_LIB"), folder / "libcounter.so")))
        done = kt.run(["mpirun", "-n", RANKS, "-x", f"LD_PRELOAD={libraries}", "-x",
                       f"PMPI_COUNTS={pathlib.Path('late').absolute()}", "-x",
                       f"KITH_TRACE={name.replace(' ', '-')}", folder_of_tools / "pairs"])
        said = [line for line in done.stderr.splitlines() if line.startswith("kith:")]
        kt.check_equal(["nothing was recorded" in line for line in said], [True] * len(in_front),
                       f"{name}: {said}")
        counts = "".join(path.read_text() for path in pathlib.Path("late").iterdir())
        kt.check("PMPI_" in counts, f"{name}: nothing was counted")
        kt.check_equal([line for line in counts.splitlines() if line.startswith("late")], [],
                       f"{name}: calls of MPI after MPI_Finalize")
        shutil.rmtree("late")
    print("MPI_Finalize: no call after it")


def as_many_on_each_rank():
    """Where ranks hold different numbers of communicators, Open MPI 4.1 needs several rounds to number
    the next one, and hangs at times when two are being made at once. So Kith's own are on all ranks."""
    ranks = 4
    kt.write_mapping("reverse.map", list(reversed(range(ranks))))
    traced = {"KITH_TRACE": "numbers", "KITH_FORCE": "1"}
    ways = {"loaded": {}, "traced": traced, "reordered": {"KITH_REORDER": "reverse.map"},
            "auto": {"KITH_REORDER": "auto", "KITH_PROFILE_DIR": "profiles"}}
    for way, settings in ways.items():
        done = kt.mpirun(ranks, [folder / "numbers"], preload=True, settings=settings)
        numbers = [line.split()[-1] for line in done.stdout.splitlines() if line.startswith("rank ")]
        kt.check_equal(len(numbers), ranks, f"{way}: {done.stdout}")
        kt.check_equal(len(set(numbers)), 1, f"{way}: communicators differ: {sorted(done.stdout.splitlines())}")
    print("as many communicators on each rank")


with kt.work_folder():
    after_finalize()
    as_many_on_each_rank()
    for mode in ASKED:
        if mode == "exact" and kt.is_open_mpi_5():
            continue  # nothing is counted exactly there: the same as "model"
        for what in ("dup", "split", "graph", "persist", "send"):
            for _ in range(TRIES):
                too_many = asked_per_cycle(mode, what)
                if not too_many:
                    break
            kt.check(not too_many, f"{mode}, {what}: calls per cycle {too_many}")
        print(f"{mode}: no more calls than {ASKED[mode] or 'none'}")
