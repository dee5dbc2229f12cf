"""What the tests of the Fortran bindings share."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import kithtest as kt

BINDINGS = ("mpifh", "mpi", "f08")


def need_compiler():
    """Skips the test where its programs could not be built."""
    if os.environ.get("KITH_TEST_FORTRAN", "").upper() != "TRUE":
        kt.skip("no Fortran compiler with MPI (tools/install-packages --with-tests)")


def program(name, binding):
    return kt.setting("KITH_BINARY") / "tests/mpi/fortran" / binding / name


def sorted_lines(text):
    """What ranks print in any order, in one."""
    lines = sorted(text.splitlines())
    kt.check(lines, "the program printed nothing")
    return lines
