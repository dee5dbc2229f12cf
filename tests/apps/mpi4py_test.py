#!/usr/bin/env python3
"""An mpi4py program (Debian's own mpi4py and Python) that checks every value it receives."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

PYTHON = "/usr/bin/python3"
kt.need_programs(PYTHON, "mpirun")
if subprocess.run([PYTHON, "-c", "import mpi4py"], stderr=subprocess.DEVNULL).returncode != 0:
    kt.skip("no mpi4py (tools/install-packages --with-tests)")
guest = pathlib.Path(__file__).resolve().parent / "programs/mpi4py_guest.py"
with kt.work_folder():
    digests, traces = kt.three_ways("mpi4py", 4, [PYTHON, guest], str.strip)
    kt.check(digests.startswith("4 ranks agree:"), f"unexpected output: {digests}")
    p2p = kt.read_matrix(traces[0] / "classes/p2p.bytes.mtx")
    ring = {(r, (r + step) % 4) for r in range(4) for step in (1, 3)}
    kt.check(ring <= set(p2p), f"the ring is missing in {sorted(p2p)}")
print(digests)
