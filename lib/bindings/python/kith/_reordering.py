"""kith.h for mpi4py: communicators go by the integers that MPI gives Fortran."""
import ctypes
import dataclasses
import enum
import operator
import sys

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
                ("moving_cost", ctypes.c_double), ("saving", ctypes.c_double),
                ("reason_code", ctypes.c_int)]


_NO_OPTIONS = _Options(size=0)  # refused on all ranks


class Reason(enum.IntEnum):
    """kith_reason of kith.h. A later libkith.so may give other numbers."""
    NOT_SAID = 0         # by a library that does not know them yet
    REORDERED = 1        # ranks moved
    SMALL_GAIN = 2       # no order was found that saves enough
    NOTHING_TO_GAIN = 3  # one process, or ranks that send each other nothing
    NO_ANSWER = 4        # kith-engine could not start, or took longer than KITH_BUDGET
    FAILED = 5           # something else was in the way


@dataclasses.dataclass(frozen=True)
class Decision:
    """What was decided about a communicator; the fields are those of kith_report in kith.h."""
    reordered: bool      # ranks moved
    cost_before: float   # the objective of the old order; 0 when it was not computed
    cost_after: float    # the same, predicted for the order that was proposed
    seconds: float       # wall seconds that the decision took
    algorithm: str       # that proposed the order; empty when none ran
    reason: str          # one sentence
    moved_ranks: int     # how many the proposed order gives to another process, applied or not
    moving_cost: float   # state_bytes x distance moved, summed over ranks
    saving: float        # remaining x (cost_before - cost_after)
    reason_code: int = Reason.NOT_SAID  # what `reason` says, for programs


def _mpi():
    from mpi4py import MPI
    return MPI


def _check(code):
    MPI = _mpi()
    if code != MPI.SUCCESS:
        raise MPI.Exception(code)


def _attempt(convert, refused):
    """(what `convert` makes, None), or (`refused`, what it raised): arguments that the call refuses
    on all ranks, as those who passed better ones wait in it for this one."""
    try:
        return convert(), None
    except Exception as trouble:  # whatever the conversions of strange objects raise
        return refused, trouble


def _conclude(trouble, code):
    """Raises what _attempt() has kept, or the error that the call returned."""
    if trouble is not None:
        raise trouble
    _check(code)


def _text(text, what):
    if not isinstance(text, str):
        raise TypeError(f"expected a str as {what}, found {type(text).__name__}")
    encoded = text.encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ValueError(f"expected text without NUL as {what}, found {text!r}")
    return encoded


def _options(algorithm=None, topology=None, min_gain=None, keep_rank0=None, state_bytes=0,
             remaining=None, since_checkpoint=False):
    return _Options(ctypes.sizeof(_Options),
                    None if algorithm is None else _text(algorithm, "algorithm"),
                    None if topology is None else _text(topology, "topology"),
                    -1 if min_gain is None else min_gain,
                    -1 if keep_rank0 is None else bool(keep_rank0), state_bytes,
                    -1 if remaining is None else remaining, bool(since_checkpoint))


def _handle(comm):
    if not isinstance(comm, _mpi().Comm):
        raise TypeError(f"expected a communicator of mpi4py, found {type(comm).__name__}")
    return ctypes.c_int(comm.py2f())


def _made(handle):
    """The communicator that a call has left in `handle`."""
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
    not finite. Invalid options (TypeError, ValueError on their rank) are ERR_ARG on the other
    ranks. Trouble inside Kith is no error: the order is then the old one, and decision() tells the
    reason.
    """
    library = _library.library()
    made, handle = ctypes.c_int(), _handle(comm)
    chosen, trouble = _attempt(lambda: _options(**options), _NO_OPTIONS)
    _conclude(trouble, library.kith_reorder_f(handle, ctypes.byref(chosen), ctypes.byref(made)))
    return _made(made)


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
    options: as of reorder(), except since_checkpoint, which has no meaning here.

    Raises as reorder(), and ERR_RANK for a peer that `comm` has not, ERR_ARG for other weights.
    Invalid lists and options (TypeError, ValueError on their rank) are ERR_ARG on the other
    ranks.
    """
    library = _library.library()
    made, handle = ctypes.c_int(), _handle(comm)
    (chosen, graph), trouble = _attempt(lambda: (_options(**options), _graph(peers, weights)),
                                        (_NO_OPTIONS, (0, None, None)))
    _conclude(trouble, library.kith_reorder_graph_f(handle, *graph, ctypes.byref(chosen),
                                                    ctypes.byref(made)))
    return _made(made)


def checkpoint(comm, name):
    """Closes the current phase of the run under `name` and opens the next.

    Collective over `comm`, which must have the ranks of MPI.COMM_WORLD, in any order. The trace
    then has a matrix for each phase; phases of one name are added. Of a name 255 bytes are kept.

    Raises ERR_COMM for another communicator, ERR_ARG for a name that is empty on any rank. A name
    that is no str (TypeError on its rank) is ERR_ARG on the other ranks. In a run that Kith is off
    in, there is nothing to close, and names are not looked at.
    """
    library, handle = _library.library(), _handle(comm)
    encoded, trouble = _attempt(lambda: _text(name, "name of a phase"), None)
    _conclude(trouble, library.kith_checkpoint_f(handle, encoded))


def bind(policy="compact", granularity="fine"):
    """Binds the threads of this process to its CPUs, each to its own.

    Those of the OpenMP team that a parallel region would have now, or the calling thread alone, and
    from now on each new one that libraries which are loaded by now create: so call it after the
    imports.

    policy: "compact", "scatter", "balanced"; "eagermap", "treematch", "choicemap", "kith", by the
    matrix in the file KITH_BIND_MATRIX; or the name of a mapping file.
    granularity: "fine", a thread is bound to a processing unit, or "core".

    Local; needs no MPI. Raises ValueError for what is unknown or does not fit this host; a line on
    stderr says why.
    """
    granularities = {"fine": 0, "core": 1}
    if granularity not in granularities:
        raise ValueError(f"expected fine or core as granularity, found {granularity!r}")
    library = _library.library()
    if library.kith_bind(_text(policy, "policy"), granularities[granularity]) != 0:
        raise ValueError(f"threads are not bound by {policy!r}")


def _buffer(array):
    """A memoryview of what the array holds."""
    if isinstance(array, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ())):
        raise TypeError("expected an array without a mask, found a masked one: call redistribute() "
                        "for its data (array.data) and for its mask (array.mask, after "
                        "array.mask = numpy.ma.getmaskarray(array) on all ranks)")
    dtype = getattr(array, "dtype", None)
    if getattr(dtype, "kind", None) in ("M", "m"):
        return memoryview(array.view("i8"))  # dates are no buffer by themselves
    try:
        return memoryview(array)
    except ValueError as error:
        if dtype is None:
            raise
        raise ValueError(f"expected an array that is a buffer, found dtype {dtype} ({error}): pass "
                         "the same memory as bytes, array.view('u1')") from None


def _place(array):
    """(address, bytes) of a writable buffer."""
    view = _buffer(array)
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
    bytearray), of the same size in bytes on all ranks. Of a masked array data and mask are two
    arrays, one call each.

    Raises on all ranks ERR_COMM for communicators that differ in more than the order, ERR_COUNT for
    sizes that differ; nothing has moved then. An array that cannot be used is a TypeError or
    ValueError on its rank, and ERR_COUNT on the others; a `new` that is no communicator a
    TypeError, and ERR_COMM.
    """
    library, handle = _library.library(), _handle(old)
    MPI = _mpi()
    (address, size), no_array = _attempt(lambda: _place(array), (None, -1))
    to, no_order = _attempt(lambda: _handle(new), _handle(MPI.COMM_NULL))
    code = library.kith_redistribute_f(handle, to, ctypes.c_void_p(address), ctypes.c_int64(size),
                                       ctypes.c_int(MPI.BYTE.py2f()), None, None)
    _conclude(no_order or no_array, code)


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
                    report.moving_cost, report.saving, report.reason_code)
