#!/usr/bin/env python3
"""Start and end of reordered, recorded and automatic jobs on cores that they share with busy
neighbours: every job ends, within five minutes. Prints what each way took, for people to judge.

usage: start_end_test.py RANKS ROUNDS
"""
import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS, ROUNDS = int(sys.argv[1]), int(sys.argv[2])
program = [kt.setting("KITH_BINARY") / "examples/patterns/halo2d", RANKS // 2, 512, 2]


@contextlib.contextmanager
def busy_neighbours():
    """Two for each core, as long as this is in use."""
    neighbours = [subprocess.Popen(["sh", "-c", "while :; do :; done"])
                  for _ in range(2 * len(os.sched_getaffinity(0)))]
    try:
        yield
    finally:
        for one in neighbours:
            one.kill()
            one.wait()


def seconds_of(settings):
    begin = time.monotonic()
    done = kt.mpirun(RANKS, program, preload=settings is not None, settings=settings, timeout=300)
    return time.monotonic() - begin, done.stderr


with kt.work_folder():
    kt.write_mapping("turned.map", [RANKS - 1 - rank for rank in range(RANKS)])
    machine = {"KITH_TOPOLOGY": f"tree:{RANKS // 2}x2"}
    auto = {"KITH_REORDER": "auto", "KITH_HOME": "home", **machine}
    trace = {"KITH_TRACE": "t", "KITH_FORCE": "1"}
    turned = {"KITH_REORDER": "turned.map"}
    ways = {"without": None, "loaded": {}, "mapping": turned, "auto": auto, "traced": trace,
            "mapping, traced": {**turned, **trace}, "auto, traced": {**auto, **trace}}
    took = {way: [] for way in ways}
    seconds_of(auto)  # the first run, which records
    with busy_neighbours():
        for _ in range(ROUNDS):
            for way, settings in ways.items():
                seconds, said = seconds_of(settings)
                took[way].append(seconds)
                kt.check("the engine took longer" not in said, f"{way}: {said}")
    for way, seconds in took.items():
        print(f"{way:16} least {min(seconds):6.2f} s, median {statistics.median(seconds):6.2f}, "
              f"most {max(seconds):6.2f}")
print(f"{len(ways)} ways, {ROUNDS} times each, {RANKS} ranks beside busy neighbours")
