"""libkith.so in this process.

Kith sees what a program sends only where its MPI_X are found before the MPI library's: when
libkith.so is preloaded (`kith run`), or loaded for all before the MPI library comes. The latter is
what `import kith` does, so that it has to stand before `from mpi4py import MPI`.
"""
import ctypes
import glob
import os
import pathlib
import shutil

try:
    from ._installed import LIBRARY  # where cmake --install put it, relative to this folder
except ImportError:
    LIBRARY = None

_ADVICE = "start the program with `kith run -- mpirun ...`"
_obstacle = None


class KithError(Exception):
    """What goes wrong outside MPI. One sentence for the user: what was expected, what was found."""

    __module__ = "kith"  # the name that users know


def _candidates():
    """Where libkith.so may be, best first."""
    if "KITH_LIBRARY" in os.environ:
        return [os.environ["KITH_LIBRARY"]]
    found = []
    if LIBRARY is not None:
        found.append(str(pathlib.Path(__file__).resolve().parent / LIBRARY))
    program = shutil.which("kith")
    if program is not None:
        prefix = os.path.dirname(os.path.dirname(os.path.realpath(program)))
        found += sorted(glob.glob(f"{glob.escape(prefix)}/lib*/libkith.so")
                        + glob.glob(f"{glob.escape(prefix)}/lib*/*/libkith.so"))
    return [path for path in found if os.path.exists(path)] + ["libkith.so"]


def _in_process(name):
    """The path of a library in this process whose file's name begins so, or None."""
    try:
        with open("/proc/self/maps", "rb") as maps:
            paths = {line.split(maxsplit=5)[5].strip() for line in maps if b"/" + name in line}
    except OSError:
        return None
    return os.fsdecode(sorted(paths)[0]) if paths else None


def _is_here():
    return hasattr(ctypes.CDLL(None), "kith_reorder_f")


def _is_an_older_one_here():
    """libkith.so, from before this package could call it."""
    return not _is_here() and hasattr(ctypes.CDLL(None), "kith_reorder")


def load():
    """Puts libkith.so into this process where that is still of use; says nothing if it is not."""
    global _obstacle
    if _is_here():
        return
    if _is_an_older_one_here():
        older = _in_process(b"libkith.so") or "libkith.so"
        _obstacle = (f"{older}, which is in this process, is older than this package: start the "
                     "program with the `kith run` of the Kith that the package belongs to")
        return
    if os.environ.get("KITH_LIBRARY") == "":
        _obstacle = ("libkith.so is not in this process: KITH_LIBRARY is set and empty, which "
                     f"keeps it out. Unset it, set it to the path of libkith.so, or {_ADVICE}")
        return
    mpi = _in_process(b"libmpi")
    if mpi is not None:
        _obstacle = (f"libkith.so is not in this process, and {mpi} came first: import kith before "
                     f"mpi4py.MPI, or {_ADVICE}")
        return
    tried = []
    for path in _candidates():
        try:
            ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            tried.append(str(error))
            continue
        if _is_here():
            return
        tried.append(f"{path} is no libkith.so of this version")
    _obstacle = (f"libkith.so is not in this process and was not found ({'; '.join(tried)}): "
                 f"{_ADVICE}, or set KITH_LIBRARY to its path")


def library():
    """libkith.so. Raises KithError where it is not ahead of the MPI library in this process."""
    if not _is_here():
        raise KithError(_obstacle)
    return ctypes.CDLL(None)
