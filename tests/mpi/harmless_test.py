#!/usr/bin/env python3
"""Programs that a preload may not survive: with Kith, traced and in another order, they do what
they do without it."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 2
programs = kt.setting("KITH_BINARY") / "tests/mpi"
REORDERED = "kith: ranks reordered"


def said(done):
    return [line for line in done.stderr.splitlines() if line.startswith("kith:")]


def runs(name, words, ranks=RANKS, settings=None, reordered=True):
    """Plain, loaded, traced and reversed: the same output. Returns what Kith said of the last."""
    program = [programs / name, *words]
    plain = kt.mpirun(ranks, program).stdout
    kt.check(plain and "WRONG" not in plain, f"{name} {words}: {plain}")
    trace = {"KITH_TRACE": "whole", "KITH_FORCE": "1", **(settings or {})}
    reversing = {"KITH_REORDER": "reverse.map", **(settings or {})}
    for how, asked in (("loaded", {}), ("traced", trace), ("reversed", reversing)):
        done = kt.mpirun(ranks, program, preload=True, settings=asked)
        kt.check_equal(done.stdout, plain, f"{name} {words}, {how}: output")
    kt.check_equal(bool(said(done)) and said(done)[0].startswith(REORDERED), reordered,
                   f"{name} {words}: reordered ({said(done)})")
    return said(done)


def left_calls():
    """By an exception, longjmp or the end of the thread. The trace goes on afterwards."""
    for how in ("throw", "copy", "jump", "exit"):
        runs("leaves_calls", [how])
        messages = kt.read_matrix("whole.kith/messages.mtx")
        kt.check(messages[0, 1] >= 10 and messages[1, 0] >= 10, f"{how}: messages {messages}")
        print(f"left by {how}: the same, and the trace is whole")


def private_lookups():
    """RTLD_DEEPBIND, and dlsym on the MPI library's handle: one order for all."""
    done = kt.run(["ldd", programs / "private_lookups"])
    library = [line.split()[2] for line in done.stdout.splitlines()
               if line.strip().startswith(("libmpi.", "libmpich."))]
    kt.check(library, f"no MPI library in {done.stdout}")
    runs("private_lookups", [programs / "libplugin.so", programs / "liblate_plugin.so", library[0]])
    print("looked up privately: one order")


def helper_library():
    """libmpiutil.so is no part of MPI, whatever its name: it calls PMPI, so the order stays."""
    lines = runs("calls_helper", [], reordered=False)
    kt.check(len(lines) == 1 and "libmpiutil.so calls PMPI_Comm_rank past Kith" in lines[0], lines)
    print("a helper library that calls PMPI: the order stays, and a line says why")


def failing_collectives():
    """Windows count the calls, also those that fail on one rank."""
    runs("fails_on_one", [], settings={"KITH_WINDOW": "0.01"})
    print("collectives that fail on one rank: windows do not wait for it")


with kt.work_folder():
    kt.write_mapping("reverse.map", list(reversed(range(RANKS))))
    left_calls()
    private_lookups()
    helper_library()
    failing_collectives()
