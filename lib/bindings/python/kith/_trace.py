"""Traces, for looking at them with NumPy and SciPy. No MPI here."""
import functools
import json
import os
import pathlib

from ._library import KithError
from ._matrix import read_matrix
from ._timeline import MOST_EVENTS, read_timeline

LONGEST_JSON = 512 << 20
MOST_RANKS = 1 << 24
CLASSES = ("p2p", "coll", "rma")


def _read_json(path):
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size > LONGEST_JSON:
                raise KithError(f"{path}: expected at most {LONGEST_JSON >> 20} MiB")
            return json.loads(file.read())
    except OSError as error:
        raise KithError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise KithError(f"{path}: expected JSON: {error}") from None


class Phase:
    """A phase of the run. name: as the program or Kith called it; bytes: its matrix."""

    def __init__(self, path, name, ranks):
        self.name = name
        self._path = path
        self._ranks = ranks

    def __repr__(self):
        return f"<kith.Phase {self.name!r}>"

    @functools.cached_property
    def bytes(self):
        return read_matrix(self._path, self._ranks)


def _folder_of(path):
    """Of the trace that `path` names: NAME.kith or NAME."""
    path = pathlib.Path(path)
    named = pathlib.Path(f"{path}.kith")
    for folder in (path, named):
        if folder.name.endswith(".partial"):
            continue
        if (folder / "meta.json").exists():
            return folder
    for folder in (path, *(pathlib.Path(f"{place}.partial") for place in (path, named))):
        if folder.name.endswith(".kith.partial") and folder.exists():
            raise KithError(f"{folder}: a partial trace; make a matrix of it with `kith convert`, "
                            "and read that with scipy.io.mmread")
    raise KithError(f"{path}: expected a trace, found no meta.json there")


class Trace:
    """A recorded run.

    Matrices are scipy.sparse.csr_matrix of 64-bit integers, ranks x ranks, read when first asked
    for: entry [i, j] is what rank i sent to rank j.

    path      of the trace, a folder
    meta      meta.json: program, hosts, phases, totals, how it was recorded
    machine   machine.json: host and cores of each rank; None where it was not recorded
    ranks     their number
    bytes     of the whole run
    messages  of the whole run
    classes   {"p2p": ..., "coll": ..., "rma": ...}: bytes by class of call; they add up to `bytes`
    phases    a list of Phase, in the order of the run
    """

    def __init__(self, path):
        """`path`: NAME.kith or NAME. Raises KithError as read_trace() does."""
        self.path = path = _folder_of(path)
        self.meta = _read_json(path / "meta.json")
        self.ranks = self.meta.get("ranks") if isinstance(self.meta, dict) else None
        if type(self.ranks) is not int or not 1 <= self.ranks <= MOST_RANKS:
            raise KithError(f"{path / 'meta.json'}: expected the number of ranks, "
                            f"found {self.ranks!r}")
        machine = path / "machine.json"
        self.machine = _read_json(machine) if machine.exists() else None
        self.phases = [self._phase(described) for described in self._phases_described()]

    def __repr__(self):
        return f"<kith.Trace {str(self.path)!r}: {self.ranks} ranks, {len(self.phases)} phases>"

    @functools.cached_property
    def bytes(self):
        return self._matrix("bytes.mtx")

    @functools.cached_property
    def messages(self):
        return self._matrix("messages.mtx")

    @functools.cached_property
    def classes(self):
        return {name: self._matrix(f"classes/{name}.bytes.mtx") for name in CLASSES}

    def timeline(self, rank, limit=MOST_EVENTS):
        """What `rank` did, as a NumPy array of records in the order of each thread's operations.

        op         its number: kith.OPERATIONS[op] is its name
        thread     0: the first thread that called MPI
        peer       world rank of the other side, -1 where there is none or it is not known; of
                   rooted collectives the root's rank in the communicator
        tag, comm  comm counts the communicators of this rank, 0 is the world
        bytes      of the message, of one-sided operations and collectives the payload
        begin      seconds from the end of MPI_Init to the begin of the operation
        computing  seconds since the operation before
        inside     seconds in it

        Times are the mean of all passes through the same place of the program, apart from the
        first. More than `limit` operations are refused (KithError).
        """
        return read_timeline(self.path / "timeline", rank, limit)

    def _matrix(self, file):
        return read_matrix(self.path / file, self.ranks)

    def _phases_described(self):
        phases = self.meta.get("phases", [])
        if not isinstance(phases, list):
            raise KithError(f"{self.path / 'meta.json'}: expected a list of phases")
        return phases

    def _phase(self, described):
        name = described.get("name") if isinstance(described, dict) else None
        file = described.get("file") if isinstance(described, dict) else None
        if not isinstance(name, str) or not isinstance(file, str):
            raise KithError(f"{self.path / 'meta.json'}: expected name and file of each phase")
        place = pathlib.PurePosixPath(file)
        if place.is_absolute() or ".." in place.parts or "\0" in file:
            raise KithError(f"{self.path / 'meta.json'}: expected a file inside the trace, "
                            f"found {file!r}")
        return Phase(self.path / place, name, self.ranks)


def read_trace(path):
    """The Trace at `path`, NAME.kith or NAME. Without MPI; matrices need SciPy.

    Raises KithError: no trace there, a partial one (of a run that did not end: `kith convert` makes
    a matrix of it), or a file of it that is not what it should be.
    """
    return Trace(path)
