#!/usr/bin/env python3
"""Jobs that are killed at any moment: what they leave is a timeline that reads well, or none.

usage: killed_test.py TIMES
"""
import ctypes
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import kithtest as kt

KITH = kt.setting("KITH")
PROGRAM = [str(kt.setting("KITH_BINARY") / "tests/mpi/rounds"), "100000000", "0"]
RANKS = 3


def kill_children(parent):
    """All processes that `parent` has started."""
    listed = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, text=True, check=False)
    for word in listed.stdout.split():
        try:
            os.kill(int(word), signal.SIGKILL)
        except ProcessLookupError:
            pass


def killed_after(seconds):
    words = ["-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}", "-x", "KITH_TRACE=killed"]
    with subprocess.Popen(["mpirun", "-n", str(RANKS), *words, *PROGRAM], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, env={**os.environ, **kt.LAUNCH_ENVIRONMENT}) as job:
        time.sleep(seconds)
        kill_children(job.pid)
        job.kill()
    # A rank that was just being started is this process's child now.
    while True:
        kill_children(os.getpid())
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            break


def what_is_left():
    """Operations of the timeline; nothing where there is none."""
    partial = pathlib.Path("killed.kith.partial")
    if not partial.is_dir():
        return None
    done = subprocess.run([KITH, "info", partial, "--json"], capture_output=True, text=True, check=False)
    kt.check(done.returncode == 0, f"kith info: {done.returncode} {done.stderr}")
    kt.check(not pathlib.Path("killed.kith").exists(), "a killed job left a whole trace")
    timeline = json.loads(done.stdout).get("timeline")
    converted = subprocess.run([KITH, "convert", partial, "killed.json", "--to", "perfetto"],
                               capture_output=True, text=True, check=False)
    if timeline is None:
        kt.check(converted.returncode == 2 and "no timeline" in converted.stderr, converted.stderr)
        return None
    kt.check(converted.returncode == 0, f"kith convert: {converted.stderr}")
    json.loads(pathlib.Path("killed.json").read_text())
    return timeline["operations"]


def adopt_orphans():
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1)


def main(times):
    adopt_orphans()
    moments = random.Random(19)
    found = []
    for _ in range(times):
        shutil.rmtree("killed.kith.partial", ignore_errors=True)
        pathlib.Path("killed.json").unlink(missing_ok=True)
        moment = moments.uniform(0.2, 6)
        killed_after(moment)
        found.append((moment, what_is_left()))
    left = [operations for _, operations in found if operations is not None]
    print(f"killed {times} times: {times - len(left)} times no timeline, else {min(left, default=0)} to "
          f"{max(left, default=0)} operations")
    kt.check(len(left) > times / 4, "most jobs left nothing")


kt.need_programs("mpirun", "pgrep")
with kt.work_folder():
    main(int(sys.argv[1]))
