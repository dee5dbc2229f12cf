#!/usr/bin/env python3
"""Jobs of which some ranks do not run under Kith: they run as without it, and one line names those
ranks. Nobody waits for a rank that will not come."""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

world = kt.setting("KITH_BINARY") / "tests/mpi/world"
PRELOAD = ["-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}"]
SETTINGS = ["-x", "KITH_TRACE=mixed", "-x", "KITH_REORDER=reverse.map"]
# Under Open MPI each rank's data come with MPI_Init, or are asked for one by one.
WAYS = {"spread": [], "asked for": ["--mca", "pmix_base_collect_data", "0"]}


def said(done):
    return [line for line in done.stderr.splitlines() if line.startswith("kith:")]


def drops_preload(ranks):
    """The words of a program that leaves Kith behind on some ranks."""
    cases = "|".join(map(str, ranks))
    return ["sh", "-c", f'case $OMPI_COMM_WORLD_RANK in {cases}) unset LD_PRELOAD;; esac; exec "$0"',
            world]


def mixed_jobs(way, options):
    plain = kt.run(["mpirun", "-n", 4, world]).stdout
    kt.write_mapping("reverse.map", [3, 2, 1, 0])
    whole = ["mpirun", *options, "-n", 4, *PRELOAD, *SETTINGS]
    jobs = {
        "ranks 2-3 of 4": ["mpirun", *options, "-n", 2, *PRELOAD, *SETTINGS, world, ":",
                           "-n", 2, world],
        "ranks 0-1 of 4": ["mpirun", *options, "-n", 2, world, ":",
                           "-n", 2, *PRELOAD, *SETTINGS, world],
        "ranks 1, 3 of 4": [*whole, *drops_preload([1, 3])],
        "rank 0 of 4": [*whole, *drops_preload([0])],
    }
    for missing, command in jobs.items():
        if ":" in command and not kt.starts_several_programs():
            kt.not_tried(f"{missing}: mpirun A : B does not work here")
            continue
        begin = time.monotonic()
        done = kt.run(command)
        kt.check_equal(done.stdout, plain, f"{way}, {missing}: the program's output")
        lines = said(done)
        kt.check(len(lines) == 1 and f"off for this run: {missing} do" in lines[0],
                 f"{way}, {missing}: {lines}")
        kt.check(not pathlib.Path("mixed.kith").exists(), f"{way}, {missing}: a trace was written")
        print(f"{way}, {missing}: {time.monotonic() - begin:.1f} s")


def all_present(way, options):
    if not kt.starts_several_programs():
        return
    kt.run(["mpirun", *options, "-n", 1, *PRELOAD, "-x", "KITH_TRACE=all", "-x",
            "KITH_REORDER=swap.map", world, ":", "-n", 2, *PRELOAD, world])
    kt.check_trace("all.kith", 3)
    kt.check_equal(kt.placement("all.kith"), [0, 2, 1], f"{way}: two programs under Kith")


def troubled(variable, value, ranks, program, *options):
    """Seconds; a tool between Kith and PMIx makes the trouble (programs/pmix_trouble.c)."""
    tools = f"LD_PRELOAD={kt.setting('KITH_LIB')}:{world.parent / 'libpmix_trouble.so'}"
    begin = time.monotonic()
    done = kt.run(["mpirun", "--oversubscribe", "-n", ranks, "-x", tools, "-x", "KITH_TRACE=mixed",
                   "-x", f"{variable}={value}", *options, *program])
    kt.check("holds together" in done.stdout, f"{variable}: {done.stdout}")
    return time.monotonic() - begin, said(done)


def note_refused():
    """PMIx is there, but takes no note of rank 1: it must not wait for those who go on without."""
    _, lines = troubled("REFUSE_NOTE", 1, 3, [world])
    kt.check_equal(len(lines), 2, f"lines of {lines}")
    kt.check(any("off for this run: rank 1 could not let the others know" in line
                 for line in lines), lines)
    kt.check(any("off for this run: rank 1 of 3 does not run under Kith" in line
                 for line in lines), lines)
    kt.check(not pathlib.Path("mixed.kith").exists(), "a trace was written")
    print("a rank whose note is refused stays out itself")


def silent_hosts():
    """Eight ranks on other hosts have no note: 5 s for all of them, not for each."""
    silent = [1, 2, 4, 5, 6, 7, 8, 9]
    seconds, lines = troubled("SILENT_RANKS", " ".join(map(str, silent)), 10, drops_preload(silent))
    kt.check(len(lines) == 1 and "off for this run: ranks 1-2, 4-9 of 10 do" in lines[0], lines)
    kt.check(5 <= seconds < 5 * len(silent), f"silent ranks of other hosts took {seconds:.1f} s")
    troubled("SILENT_RANKS", "none", 3, [world])
    kt.check_trace("mixed.kith", 3)
    print(f"silent ranks of other hosts: {seconds:.1f} s")


def some_notes_at_hand():
    """Each rank finds another one's note in its memory: all must come to the same answer, or some
    would wait for the others for ever."""
    _, lines = troubled("SILENT_RANKS", "none", 4, [world], *WAYS["asked for"], "-x",
                        "NEXT_IS_HERE=1", "-x", "KITH_FORCE=1")
    kt.check_equal(lines, [], "lines where each rank knows of another one")
    kt.check_trace("mixed.kith", 4)
    print("notes of which each rank has another one at hand: all are asked for")


for name, mca in WAYS.items():
    with kt.work_folder():
        kt.write_mapping("swap.map", [0, 2, 1])
        mixed_jobs(name, mca)
        all_present(name, mca)
with kt.work_folder():
    note_refused()
    silent_hosts()
    some_notes_at_hand()
kt.finish()
