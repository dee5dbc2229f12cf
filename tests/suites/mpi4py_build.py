"""mpi4py for MPICH, from its source: Debian has it for Open MPI alone."""
import os
import subprocess

import kithtest as kt

PYTHON = "/usr/bin/python3"
MINUTES = 15


def mpi4py_for_mpich(fetch_source):
    """The folder for PYTHONPATH, made at the first call from the folder that fetch_source() returns. Skips
    the test where it cannot be built."""
    place = kt.setting("KITH_BINARY") / "tests/suites/mpi4py-for-mpich"
    if place.is_dir():
        return place
    kt.need_programs("mpicc.mpich")
    if subprocess.run([PYTHON, "-c", "import Cython, setuptools"], stderr=subprocess.DEVNULL).returncode != 0:
        kt.skip("no cython3 (tools/install-packages --with-full-tests)")
    unfinished = place.with_name(f"{place.name}.unfinished")
    done = subprocess.run([PYTHON, "setup.py", "build", f"--build-lib={unfinished}"], cwd=fetch_source(), text=True,
                          capture_output=True, timeout=60 * MINUTES, env={**os.environ, "MPICC": "mpicc.mpich"})
    kt.check_equal(done.returncode, 0, f"mpi4py for MPICH: {done.stderr[-2000:]}")
    unfinished.rename(place)
    return place
