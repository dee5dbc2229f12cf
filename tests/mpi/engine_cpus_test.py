#!/usr/bin/env python3
"""The engine of a job runs on the CPUs of all its ranks of that host, not of the one that asks: the
others wait for its answer."""
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

idle = kt.setting("KITH_BINARY") / "tests/apps/whereami"
cpus = len(os.sched_getaffinity(0))


def threads_of_engine(ranks, binding):
    """What the engine answers, caught by a script in its place."""
    pathlib.Path("answer").unlink(missing_ok=True)
    kt.run(["mpirun", "-n", ranks, *binding, "-x", f"LD_PRELOAD={library}", "-x",
            "KITH_REORDER=traffic.mtx", idle])
    return int(pathlib.Path("answer").read_bytes().split(b"threads")[1].split()[1])


with kt.work_folder() as folder:
    os.makedirs("alone/lib")
    os.makedirs("alone/bin")
    library = shutil.copy(kt.setting("KITH_LIB"), folder / "alone/lib/libkith.so")
    engine = folder / "alone/bin/kith"
    # Only the answer to the question of the order tells of threads.
    engine.write_text(f"""#!/bin/sh
{kt.setting("KITH")} "$@" > {folder}/answer.$$
grep -q threads {folder}/answer.$$ && cp {folder}/answer.$$ {folder}/answer
cat {folder}/answer.$$
""")
    engine.chmod(0o755)
    pathlib.Path("traffic.mtx").write_text(
        "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 7\n")
    if cpus < 2:
        kt.skip("one CPU alone")
    kt.check_equal(threads_of_engine(2, ["--bind-to", "core"]), 2, "threads for two bound ranks")
    kt.check_equal(threads_of_engine(2, ["--bind-to", "none"]), cpus, "threads for free ranks")
print(f"2 threads for two bound ranks, {cpus} for free ones")
