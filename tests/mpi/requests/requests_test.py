#!/usr/bin/env python3
"""Persistent requests by the hundred thousand, whose handles never come again: each start is counted,
and what is remembered of those that were freed does not grow."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import kithtest as kt

COUNT = 300_000
MOST_KIB = 4096  # of 14 MiB that one table left behind per 32 requests would take
folder = kt.setting("KITH_BINARY") / "tests/mpi/requests"
library = kt.setting("KITH_LIB")


def grown(name, alive, *tools):
    """KiB by which a traced process grew while it made COUNT requests, `alive` at a time."""
    libraries = ":".join(map(str, (library, *tools)))
    done = kt.run(["mpirun", "-n", 1, "-x", f"LD_PRELOAD={libraries}", "-x", f"KITH_TRACE={name}",
                   folder / "persistent", COUNT, alive], timeout=100)
    kt.check_equal(kt.read_matrix(f"{name}.kith/messages.mtx"), {(0, 0): COUNT}, f"{name}: messages")
    kt.check_equal(kt.read_matrix(f"{name}.kith/bytes.mtx"), {(0, 0): 4 * COUNT}, f"{name}: bytes")
    return int(re.fullmatch(r"grew (-?\d+) KiB\n", done.stdout).group(1))


with kt.work_folder():
    found = {}
    for alive in (1, 7, 3000):
        name = f"fresh-{alive}"
        found[name] = grown(name, alive, folder / "libfresh_handles.so")
    kt.check(all(kib < MOST_KIB for kib in found.values()), f"memory grew, in KiB: {found}")
print(f"{COUNT} requests, KiB: {found}")
