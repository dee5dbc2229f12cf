#!/usr/bin/env python3
"""MPICH's own tests, built with Open MPI or with MPICH: none that passes without Kith fails with it.

Usage: mpich_suite_test.py [FOLDER...|all]: folders of test/mpi (attr, coll, f77/attr, ...). Without
any, a selection that takes minutes; `all` is everything that can be built.
KITH_SUITE_SOURCE=FOLDER: MPICH's source, unpacked, instead of that of the Debian package; with each
MPI library another one, as programs are left in it.
KITH_SUITE_MPI: openmpi (usual) or mpich.
KITH_SUITE_WAYS: how the tests run under Kith, by commas: reversed (usual), traced, random1, ...
KITH_SUITE_SECONDS: for one test (40); more where others use the machine.
"""
import collections
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import ways
from mpich_suite import Suite, read_list
from ways import PLAIN

SECONDS = int(os.environ.get("KITH_SUITE_SECONDS", "40"))  # for one test
MOST_RANKS = 10
SELECTION = ("attr", "comm", "group", "topo", "errhan", "info", "init", "f77/attr", "f77/comm",
             "f77/topo", "f90/attr")
FOLDERS = (*SELECTION, "coll", "pt2pt", "rma", "datatype", "io",
           *(f"threads/{part}" for part in ("comm", "pt2pt", "coll")),
           *(f"f77/{part}" for part in ("coll", "pt2pt", "rma", "io", "ext", "info", "init")),
           *(f"f90/{part}" for part in ("coll", "comm", "pt2pt", "rma", "io", "ext", "topo", "misc",
                                        "info", "init")),
           *(f"f08/{part}" for part in ("attr", "coll", "comm", "pt2pt", "rma", "io", "topo")))

traces = []  # tests that left one
unchanged = set()  # tests, with the way, in which Kith left the order as it was, and its reason

# Whether these pass hangs on the numbers that Open MPI gives to communicators, of which Kith makes
# some: two MPI_Comm_idup of one intercommunicator at once hang on 4 ranks without Kith, too. Then
# atomic mode of files, which fails in most runs without Kith (ompio of 4.1.4), and threads that
# probe at one time: on a busy machine MPI_Probe gives a count that MPI_Recv refuses, in a third of
# the runs without Kith.
BY_LUCK = {"comm/comm_idup_isend", "f77/io/atomicityf", "threads/pt2pt/mt_probe_isendrecv"}


def outcome(test, way):
    """pass, fail or late."""
    command = ["timeout", "--kill-after=5", str(SECONDS), *ways.launched(way, test.ranks),
               str(test.program), *test.arguments]
    done = subprocess.run(command, cwd=test.folder, text=True, errors="replace",
                          capture_output=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, **kt.LAUNCH_ENVIRONMENT})
    if done.returncode in (124, 137, -9):  # the last: timeout has killed itself, too
        return "late"
    reasons = [line for line in done.stderr.splitlines()
               if line.startswith(("kith: order unchanged", "kith: off"))]
    if test.ranks > 1 and reasons:
        unchanged.add(f"{test}, {way}: {reasons[0]}")
    if done.returncode != 0 or "No Errors" not in done.stdout:
        return "fail"
    # Programs that call MPI_Init end with a trace; others (sessions) have none.
    written = ways.TRACE.with_suffix(".kith")
    if way == "traced" and written.is_dir():
        traces.append(str(test))
        shutil.rmtree(written)
    return "pass"


def tried_again(test, way, result):
    """Of a test that did not pass in one way, as some pass by luck alone: "pass" if it does now,
    "luck" if it does not pass without Kith either, else `result`."""
    for _ in range(2):
        if outcome(test, PLAIN) != "pass":
            return "luck"
        if outcome(test, way) == "pass":
            return "pass"
    return result


WAYS = ways.chosen()
kt.need_programs(ways.compiler("mpicc"), ways.LAUNCHER)
root = ways.unpacked_source("mpich") / "test/mpi"
folders = FOLDERS if sys.argv[1:] == ["all"] else sys.argv[1:] or SELECTION
if shutil.which(ways.compiler("mpifort")) is None:
    folders = [name for name in folders if not name.startswith("f")]
listed = [test for name in folders for test in read_list(root, name) if test.ranks <= MOST_RANKS]
kt.check(listed, f"no tests are listed below {root}")
suite = Suite(root)
kt.check(all(suite.prepare().values()), "the helpers of the tests cannot be built")
tests, unbuilt = suite.build_all(listed, os.cpu_count())
kt.check(len(tests) > len(listed) / 2, f"of {len(listed)} tests only {len(tests)} could be built")
print(f"{len(tests)} tests; {unbuilt} programs do not build with this MPI library", flush=True)
with kt.work_folder():
    counts = {way: collections.Counter() for way in (PLAIN, *WAYS)}
    broken = []
    for number, test in enumerate(tests, 1):
        plain = outcome(test, PLAIN)
        counts[PLAIN][plain] += 1
        for way in WAYS if plain == "pass" else ():
            result = outcome(test, way)
            if result != "pass":
                first, result = result, tried_again(test, way, result)
                print(f"{way}: {test}: {first}, tried again: {result}", flush=True)
                if result not in ("pass", "luck") and str(test).split()[0] not in BY_LUCK:
                    broken.append(f"{test}, {way}")
            counts[way][result] += 1
        if number == len(tests) or tests[number].area != test.area:
            passed = ", ".join(f"{way} {counts[way]['pass']}" for way in counts)
            print(f"{test.area}: {number} of {len(tests)} tests done; passed so far: {passed}",
                  flush=True)
for way, count in counts.items():
    print(f"{way}: {count['pass']} pass, {count['fail']} fail, {count['late']} time out, "
          f"{count['luck']} fail now and then, without Kith too")
print(*sorted(unchanged), sep="\n")
kt.check(len(unchanged) < 0.05 * len(WAYS) * counts[PLAIN]["pass"], "too many kept their order")
if "traced" in WAYS:
    print(f"traces: {len(traces)}")
    kt.check(len(traces) > 0.8 * counts["traced"]["pass"], "most tests left no trace")
kt.check(counts[PLAIN]["pass"] > 0.7 * len(tests), "too many tests fail without Kith")
kt.check_equal(broken, [], "tests that pass without Kith and fail with it")
