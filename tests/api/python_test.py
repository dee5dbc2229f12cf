#!/usr/bin/env python3
"""`import kith` beside mpi4py: what is Python's own, and where libkith.so has to be."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import languages
from languages import PYTHON

here = pathlib.Path(__file__).resolve().parent
if not languages.has_python("mpi4py", "numpy"):
    kt.skip("no mpi4py and NumPy (tools/install-packages --with-tests)")


def moves():
    kt.write_mapping("order.map", [3, 1, 0, 2])
    for preload in (False, True):
        for settings in ({}, {"KITH_REORDER": "order.map"}):
            done = kt.mpirun(4, [PYTHON, here / "programs/moves.py"], preload=preload,
                             settings={**languages.python_settings(preload), **settings})
            kt.check_equal(done.stdout, "moves on 4 ranks\n", f"preload {preload}, {settings}")
            kt.check("order unchanged" not in done.stderr, done.stderr)


def told(program, settings, ranks=1, preload=False):
    """What KithError says in a program of one line."""
    text = f"""
{program}
try:
    kith.reorder(MPI.COMM_WORLD).Free()
    print("no error")
except kith.KithError as error:
    print(error)"""
    return kt.mpirun(ranks, [PYTHON, "-c", text], preload=preload,
                     settings={**languages.python_settings(True), **settings}).stdout


def where_the_library_is():
    kith_first = "import kith\nfrom mpi4py import MPI"
    mpi_first = "from mpi4py import MPI\nimport kith"
    library, program_folder = kt.setting("KITH_LIB"), kt.setting("KITH").parent
    old = kt.setting("KITH_BINARY") / "tests/api/old/libkith.so"
    for program, settings, preload, expected in (
            (kith_first, {"KITH_LIBRARY": library}, False, "no error"),
            (mpi_first, {}, True, "no error"),
            (mpi_first, {"KITH_LIBRARY": library}, False, "import kith before mpi4py.MPI, or"),
            (kith_first, {"KITH_LIBRARY": "/no/libkith.so"}, False, "/no/libkith.so"),
            (kith_first, {"KITH_LIBRARY": "libc.so.6"}, False, "is no libkith.so of this version"),
            (kith_first, {"KITH_LIBRARY": ""}, False, "KITH_LIBRARY is set and empty"),
            (kith_first, {"PATH": "/usr/bin:/bin"}, False, "or set KITH_LIBRARY to its path"),
            (kith_first, {"LD_PRELOAD": old}, False, f"{old}, which is in this process, is older"),
            (kith_first, {"PATH": f"{program_folder}:/usr/bin:/bin"}, False, "no error")):
        output = told(program, settings, preload=preload)
        kt.check(expected in output, f"{program!r}, {settings}, preload {preload}: {output}")


def recording_is_complete():
    """Loaded by the import, libkith.so counts what it counts preloaded."""
    example = kt.setting("KITH_SOURCE") / "examples/api/python/reorder.py"
    matrices = []
    for preload in (False, True):
        trace = f"seen-{preload}.kith"
        kt.mpirun(4, [PYTHON, example], preload=preload,
                  settings={**languages.python_settings(preload), "KITH_TRACE": trace})
        kt.check_trace(trace, 4)
        matrices.append(kt.read_matrix(f"{trace}/classes/p2p.bytes.mtx"))
    kt.check_equal(matrices[0], matrices[1], "p2p by import and by preload")
    kt.check(sum(matrices[0].values()) >= 64000, f"{matrices[0]}")


with kt.work_folder():
    moves()
    where_the_library_is()
    recording_is_complete()
print("import kith: arrays, options, refusals, where libkith.so is")
