#!/usr/bin/env python3
"""While the engine of another host takes long, the ranks that wait for it sleep: where they share
cores with it, they would make it take longer still.

usage (inside a bed): slow_engine_test.py
"""
import pathlib
import resource
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 16
SECONDS = 2
BUILD = kt.setting("KITH_BINARY")


def slow_installation(folder):
    """Kith, whose engine takes SECONDS to start on all hosts but the first."""
    for part in ("lib", "bin", "libexec/kith"):
        (folder / part).mkdir(parents=True)
    shutil.copy(pathlib.Path(kt.setting("KITH_LIB")).resolve(), folder / "lib/libkith.so")
    shutil.copy(kt.setting("KITH"), folder / "bin/kith")
    engine = folder / "libexec/kith/kith-engine"
    engine.write_text(f"""#!/bin/sh
[ "$(uname -n)" = h0 ] || sleep {SECONDS}
exec "{BUILD}/libexec/kith/kith-engine" "$@"
""")
    engine.chmod(0o755)
    return folder / "bin/kith"


def run(kith):
    """Processor seconds of all ranks and of their launcher, and what it says."""
    def processor_seconds():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    before = processor_seconds()
    done = kt.run(["onhost", "h0", kith, "run", "--reorder", "order.map", "--", "mpirun", "-n", RANKS,
                   "--map-by", "ppr:4:node", BUILD / "tests/apps/whereami"], timeout=100)
    kt.check("ranks reordered" in done.stderr, f"the order stays: {done.stderr}")
    return processor_seconds() - before


with kt.work_folder() as folder:
    kt.write_mapping("order.map", list(reversed(range(RANKS))))
    slow = slow_installation(folder / "slow")
    quick_runs = [run(kt.setting("KITH")) for _ in range(3)]
    slow_runs = [run(slow) for _ in range(2)]
    print("processor seconds of the job:", [round(s, 2) for s in quick_runs], "quick,",
          [round(s, 2) for s in slow_runs], "slow")
    # Ranks that spin would keep both processors of a small machine busy for SECONDS; looking now and then
    # costs a part of that, more under Open MPI 5.
    kt.check(min(slow_runs) < max(quick_runs) + SECONDS,
             "ranks that wait for an engine keep processors busy")
