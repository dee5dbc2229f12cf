#!/usr/bin/env python3
"""mpi4py's own tests with the mpi4py that python3 finds, or with one that is built here for MPICH: none
that passes without Kith fails with it.

Usage: mpi4py_suite_test.py [MODULE...]: test modules (test_comm, test_cco_buf, ...); without any,
all but those that start other jobs.
KITH_SUITE_SOURCE=FOLDER: mpi4py's source, unpacked, instead of that of the Debian package.
KITH_SUITE_MPI: openmpi (usual) or mpich.
KITH_SUITE_WAYS: how the tests run under Kith, by commas: reversed (usual), traced, random1, ...
"""
import collections
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import ways
from mpi4py_build import mpi4py_for_mpich
from ways import PLAIN

PYTHON = "/usr/bin/python3"
RANKS = 4
SECONDS = 90  # for the tests of one module
# Jobs that start jobs, thread pools that do, and what makes other sources.
LEFT_OUT = ("test_spawn", "test_dynproc", "test_util_pool", "test_cffi", "test_ctypes", "test_dl")


def passed(folder, module, way):
    """The tests that end well on every rank, and all that were begun on one."""
    command = ["timeout", "--kill-after=5", str(SECONDS), *ways.launched(way, RANKS)]
    runner = pathlib.Path(__file__).resolve().parent / "unittest_rank.py"
    results = pathlib.Path("results").absolute()
    for old in results.parent.glob("results.*"):
        old.unlink()
    done = subprocess.run([*command, PYTHON, str(runner), str(folder), module, str(results)],
                          text=True, errors="replace", capture_output=True,
                          stdin=subprocess.DEVNULL, env={**os.environ, **kt.LAUNCH_ENVIRONMENT, **PACKAGE})
    kt.check("kith: order unchanged" not in done.stderr, f"{module}: {done.stderr}")
    outcomes = collections.defaultdict(list)
    for path in results.parent.glob("results.*"):
        for line in path.read_text().splitlines():
            outcome, _, test = line.partition(" ")
            outcomes[test].append(outcome)
    well = {test for test, told in outcomes.items()
            if told.count("ok") == RANKS or (set(told) == {"ok", "skipped"} and len(told) == RANKS)}
    return well, set(outcomes)


chosen = ways.chosen()
kt.need_programs(ways.LAUNCHER, PYTHON)
source = ways.unpacked_source("mpi4py")
PACKAGE = {} if ways.MPI == "openmpi" else {"PYTHONPATH": str(mpi4py_for_mpich(lambda: source))}
if subprocess.run([PYTHON, "-c", "import mpi4py"], stderr=subprocess.DEVNULL,
                  env={**os.environ, **PACKAGE}).returncode != 0:
    kt.skip("no mpi4py (tools/install-packages --with-tests)")
tests = source / "test"
modules = sys.argv[1:] or [path.stem for path in sorted(tests.glob("test_*.py"))
                           if path.stem not in LEFT_OUT]
counts = collections.Counter()
broken = []
with kt.work_folder():
    for module in modules:
        without, begun = passed(tests, module, PLAIN)
        counts.update({"begun": len(begun), PLAIN: len(without)})
        told = [f"{len(without)} pass"]
        for way in chosen:
            with_kith, _ = passed(tests, module, way)
            lost = without - with_kith
            if lost:  # again, as some pass by luck alone
                lost &= passed(tests, module, PLAIN)[0] - passed(tests, module, way)[0]
            broken += sorted(f"{test}, {way}" for test in lost)
            counts[way] += len(without - lost)
            told.append(f"{way} {len(with_kith)}")
        print(f"{module}: {', '.join(told)}", flush=True)
print(f"{len(modules)} modules, {counts['begun']} tests; of those that pass {PLAIN}, these pass: " +
      ", ".join(f"{way} {counts[way]}" for way in (PLAIN, *chosen)))
kt.check(counts[PLAIN] > 0.5 * counts["begun"] > 0, "too few tests pass without Kith")
kt.check_equal(broken, [], "tests that pass without Kith and fail with it")
