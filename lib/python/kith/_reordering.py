"""kith.h for mpi4py: communicators go by the integers that MPI gives Fortran."""
import ctypes
import dataclasses
import operator

from . import _library

MOST = 2**31 - 1  # of an int


class _Options(ctypes.Structure):
    """kith_options of kith.h."""
    _fields_ = [("size", ctypes.c_size_t), ("algorithm", ctypes.c_char_p),
                ("topology", ctypes.c_char_p), ("min_gain", ctypes.c_double),
                ("keep_rank0", ctypes.c_int), ("state_bytes", ctypes.c_double),
                ("remaining", ctypes.c_double), ("since_checkpoint", ctypes.c_int)]


class _Report(ctypes.Structure):
    """kith_report of kith.h."""
    _fields_ = [("size", ctypes.c_size_t), ("reordered", ctypes.c_int),
                ("cost_before", ctypes.c_double), ("cost_after", ctypes.c_double),
                ("seconds", ctypes.c_double), ("algorithm", ctypes.c_char * 64),
                ("reason", ctypes.c_char * 512), ("moved_ranks", ctypes.c_int),
                ("moving_cost", ctypes.c_double), ("saving", ctypes.c_double)]


@dataclasses.dataclass(frozen=True)
class Decision:
    """What was decided about a communicator; the fields are those of kith_report in kith.h."""
    reordered: bool      # ranks moved
    cost_before: float   # the objective of the old order; 0 when it was not computed
    cost_after: float    # the same, predicted for the order that was proposed
    seconds: float       # that the decision took
    algorithm: str       # that proposed the order; empty when none ran
    reason: str          # one sentence
    moved_ranks: int     # how many the proposed order gives to another process, applied or not
    moving_cost: float   # state_bytes x distance moved, summed over ranks
    saving: float        # remaining x (cost_before - cost_after)


def _mpi():
    from mpi4py import MPI
    return MPI


def _check(code):
    MPI = _mpi()
    if code != MPI.SUCCESS:
        raise MPI.Exception(code)


def _text(text):
    if text is None:
        return None
    encoded = text.encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ValueError(f"expected text without NUL, found {text!r}")
    return encoded


def _options(algorithm=None, topology=None, min_gain=None, keep_rank0=None, state_bytes=0,
             remaining=None, since_checkpoint=False):
    return _Options(ctypes.sizeof(_Options), _text(algorithm), _text(topology),
                    -1 if min_gain is None else min_gain,
                    -1 if keep_rank0 is None else bool(keep_rank0), state_bytes,
                    -1 if remaining is None else remaining, bool(since_checkpoint))


def _handle(comm):
    return ctypes.c_int(comm.py2f())


def _made(code, handle):
    """The communicator that a call has left in `handle`."""
    _check(code)
    MPI = _mpi()
    return MPI.Intracomm(MPI.Comm.f2py(handle.value))


def reorder(comm, **options):
    """A communicator of the processes of `comm` in an order that suits what they have sent so far.

    Collective. The caller frees it (`Free()`). Data does not move: rank r of it may be another
    process than rank r of `comm`; see redistribute().

    Options, of which those of rank 0 count:
      algorithm         a name from `kith algorithms`; None: KITH_ALGORITHM, or "auto"
      topology          a machine (SPEC) whose i-th slot is where rank i of `comm` sits; None:
                        KITH_TOPOLOGY, or this job's machine
      min_gain          least share of the present cost that must be saved, 0 .. 1; None:
                        KITH_MIN_GAIN, or 0.02
      keep_rank0        rank 0 keeps its process; None: KITH_KEEP_RANK0, or True
      state_bytes       bytes that a rank takes along when it moves; 0: moving costs nothing
      remaining         what is still to come, as a multiple of the traffic that the order is
                        chosen by; None: as much again
      since_checkpoint  choose by what was sent since the last checkpoint() only

    Raises KithError where libkith.so cannot do its work in this process; otherwise, on all ranks,
    mpi4py.MPI.Exception: ERR_COMM for a null or inter-communicator, ERR_ARG for numbers that are
    not finite. Trouble inside Kith is no error: the order is then the old one, and decision() tells
    the reason.
    """
    library = _library.library()
    made = ctypes.c_int()
    chosen = _options(**options)
    return _made(library.kith_reorder_f(_handle(comm), ctypes.byref(chosen), ctypes.byref(made)),
                 made)


def _graph(peers, weights):
    """As C arrays: (length, peers, weights or None)."""
    peers = [operator.index(peer) for peer in peers]
    if any(abs(peer) > MOST for peer in peers):
        raise ValueError(f"expected ranks, found {max(peers, key=abs)}")
    array = (ctypes.c_int * len(peers))(*peers)
    if weights is None:
        return len(peers), array, None
    weights = [float(weight) for weight in weights]
    if len(weights) != len(peers):
        raise ValueError(f"expected a weight for each of {len(peers)} peers, found {len(weights)}")
    return len(peers), array, (ctypes.c_double * len(weights))(*weights)


def reorder_graph(comm, peers, weights=None, **options):
    """The same for what each rank says that it is going to send; nothing recorded counts.

    peers: ranks of `comm` that this one sends to, in any order; repeated ones add up.
    weights: how much, from 0 to 1e60, in any unit; None: each 1.
    options: as of reorder(), but for since_checkpoint, which has no meaning here.

    Raises as reorder(), and ERR_RANK for a peer that `comm` has not, ERR_ARG for other weights.
    Lists that are none (TypeError, ValueError on their rank) are ERR_ARG on the other ranks.
    """
    library = _library.library()
    made = ctypes.c_int()
    chosen = _options(**options)
    trouble = None
    try:
        degree, peers, weights = _graph(peers, weights)
    except (TypeError, ValueError) as error:
        trouble, degree, peers, weights = error, -1, None, None  # refused, so that nobody waits
    code = library.kith_reorder_graph_f(_handle(comm), degree, peers, weights,
                                        ctypes.byref(chosen), ctypes.byref(made))
    if trouble is not None:
        raise trouble
    return _made(code, made)


def checkpoint(comm, name):
    """Closes the current phase of the run under `name` and opens the next.

    Collective over `comm`, which must have the ranks of MPI.COMM_WORLD, in any order. The trace
    then has a matrix for each phase; phases of one name are added. Of a name 255 bytes are kept.

    Raises ERR_COMM for another communicator, ERR_ARG for an empty name.
    """
    _check(_library.library().kith_checkpoint_f(_handle(comm), _text(name)))


def _place(array):
    """(address, bytes) of a writable buffer."""
    view = memoryview(array)
    if view.readonly:
        raise ValueError("expected an array that can be written, found one that is read-only")
    if not view.contiguous:
        raise ValueError("expected an array without gaps, found one that is not contiguous")
    if view.format == "O" or getattr(getattr(array, "dtype", None), "hasobject", False):
        raise TypeError("expected an array of plain values, found one of Python objects")
    return (_mpi().Get_address(view) if view.nbytes else None), view.nbytes


def redistribute(old, new, array):
    """Moves data to where the ranks went: afterwards the process that is rank r of `new` holds in
    `array` what the process that was rank r of `old` held.

    Collective over `old`. In place; who keeps its rank keeps its data untouched. Call it once for
    each array of the state.

    old, new: two orders of the same processes, such as the argument and the result of reorder().
    array: any writable, contiguous buffer of plain values (NumPy arrays of any shape, array.array,
    bytearray), of the same size in bytes on all ranks.

    Raises on all ranks ERR_COMM for communicators that differ in more than the order, ERR_COUNT for
    sizes that differ; nothing has moved then. An array that cannot be used is a TypeError or
    ValueError on its rank, and ERR_COUNT on the others.
    """
    library = _library.library()
    trouble = None
    try:
        address, size = _place(array)
    except (TypeError, ValueError) as error:
        trouble, address, size = error, None, -1  # refused, so that nobody waits
    code = library.kith_redistribute_f(_handle(old), _handle(new), ctypes.c_void_p(address),
                                       ctypes.c_int64(size), ctypes.c_int(_mpi().BYTE.py2f()),
                                       None, None)
    if trouble is not None:
        raise trouble
    _check(code)


def decision(comm):
    """What was decided when `comm` was made: by reorder() or reorder_graph(), by one of MPI's
    topology functions with reorder=True, or for MPI.COMM_WORLD at the start. Local, not collective.

    Raises ERR_COMM when Kith did not make `comm`.
    """
    report = _Report(size=ctypes.sizeof(_Report))
    _check(_library.library().kith_decision_f(_handle(comm), ctypes.byref(report)))
    return Decision(bool(report.reordered), report.cost_before, report.cost_after, report.seconds,
                    report.algorithm.decode(errors="replace"),
                    report.reason.decode(errors="replace"), report.moved_ranks,
                    report.moving_cost, report.saving)
