#!/usr/bin/env python3
"""The engine on a kernel without close_range and process descriptors, where many files may be open: it
starts without closing that many, answers, and is killed when it is late."""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

programs = kt.setting("KITH_BINARY") / "tests/mpi"
ROUNDS = [programs / "topology_rounds", "adjacent", 1, 2]


def reordered(library, settings=()):
    words = [word for setting in ("KITH_TOPOLOGY=tree:2x2", *settings) for word in ("-x", setting)]
    return kt.run(["mpirun", "-n", 4, "-x", f"LD_PRELOAD={library}", *words,
                   programs / "old_kernel", *ROUNDS]).stderr


def is_running(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


if kt.run([programs / "old_kernel", "true"], status=None).returncode == 77:
    kt.skip("no seccomp filter, or no high limit of open files")
with kt.work_folder() as folder:
    said = reordered(kt.setting("KITH_LIB"))
    kt.check("ranks reordered" in said, said)
    print("an answer:", said.strip())

    library, engine = kt.library_alone()
    kt.write_engine(engine, f"echo $$ >> {folder}/started\nexec sleep 300")
    said = reordered(library, ["KITH_BUDGET=2"])
    kt.check("order unchanged: the engine took longer" in said, said)
    started = pathlib.Path("started").read_text().split()
    deadline = time.monotonic() + 60
    while any(map(is_running, started)) and time.monotonic() < deadline:
        time.sleep(0.1)
    kt.check(started and not any(map(is_running, started)), f"engines that were not killed: {started}")
    print(f"late: {len(started)} killed")
