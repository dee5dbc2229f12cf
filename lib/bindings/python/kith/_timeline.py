"""Timelines: what a rank did, operation by operation. The format: lib/timeline/README.md."""
import pathlib
import struct

from ._library import KithError

# By number, the field `op`.
OPERATIONS = (
    "MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend", "MPI_Isend", "MPI_Ibsend", "MPI_Issend",
    "MPI_Irsend", "MPI_Start (send)", "MPI_Recv", "MPI_Irecv", "MPI_Start (receive)", "MPI_Mrecv",
    "MPI_Imrecv", "MPI_Sendrecv (send)", "MPI_Sendrecv (receive)", "MPI_Isendrecv (send)",
    "MPI_Isendrecv (receive)", "MPI_Probe", "MPI_Iprobe", "MPI_Mprobe", "MPI_Improbe", "MPI_Wait",
    "MPI_Waitall", "MPI_Waitany", "MPI_Waitsome", "MPI_Test", "MPI_Testall", "MPI_Testany",
    "MPI_Testsome", "MPI_Request_free", "MPI_Allgather", "MPI_Allgatherv", "MPI_Allreduce",
    "MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw", "MPI_Barrier", "MPI_Bcast", "MPI_Exscan",
    "MPI_Gather", "MPI_Gatherv", "MPI_Reduce", "MPI_Reduce_scatter", "MPI_Reduce_scatter_block",
    "MPI_Scan", "MPI_Scatter", "MPI_Scatterv", "MPI_Neighbor_allgather", "MPI_Neighbor_allgatherv",
    "MPI_Neighbor_alltoall", "MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallw", "MPI_Put",
    "MPI_Get", "MPI_Accumulate", "MPI_Get_accumulate", "MPI_Fetch_and_op", "MPI_Compare_and_swap",
    "MPI_Win_fence", "MPI_Win_lock", "MPI_Win_unlock", "MPI_Win_lock_all", "MPI_Win_unlock_all",
    "MPI_Win_flush", "MPI_Win_flush_all", "MPI_Win_post", "MPI_Win_start", "MPI_Win_complete",
    "MPI_Win_wait", "MPI_Win_sync", "making communicators and windows", "MPI_File", "phase"
)

MAGIC = b"KITHTIME"
VERSION = 2
NO_PEER = -2**31
COLLECTIVES = range(OPERATIONS.index("MPI_Allgather"), OPERATIONS.index("MPI_Put"))
MOST_EVENTS = 1 << 27


def _checksum(data):
    state = 0xcbf29ce484222325
    for byte in data:
        state = (state ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return state


class _Reader:
    """Numbers from the bytes of a file, from the front."""

    def __init__(self, path, data, first=0):
        self.path, self.data, self.first, self.at = path, data, first, 0

    def refuse(self, expected):
        raise KithError(f"{self.path}: byte {self.first + self.at}: expected {expected}")

    def take(self, size, what):
        if size > len(self.data) - self.at:
            self.refuse(what)
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, what, most=2**64 - 1):
        value = shift = 0
        while True:
            byte = self.take(1, what)[0]
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                break
            if shift > 63:
                self.refuse(what)
        if value > most:
            self.refuse(f"{what} up to {most}")
        return value

    def signed(self, what):
        value = self.number(what)
        return value >> 1 ^ -(value & 1)

    def count(self, what):
        return self.number(what, len(self.data) - self.at)

    def seconds(self, what):
        return struct.unpack("<d", self.take(8, what))[0]

    def section(self, kind):
        """The inside of the section that begins here."""
        begin = self.at
        if self.take(1, "a section") != kind:
            self.refuse(f"a section of kind {kind.decode()}")
        size = self.number("the size of a section")
        inside = _Reader(self.path, self.take(size, "a section"), self.first + self.at - size)
        sum_ = _checksum(self.data[begin:self.at])
        if struct.unpack("<Q", self.take(8, "a checksum"))[0] != sum_:
            self.refuse("the checksum of what comes before")
        return inside


def _read_index(file):
    """([places of programs], {rank: place})"""
    size = len(file.data)
    if size < 24 or file.data[:8] != MAGIC:
        file.refuse("a timeline")
    place = struct.unpack("<Q", file.data[size - 16:size - 8])[0]
    if not 8 <= place <= size - 16:
        file.refuse("the place of the index")
    file.at = place
    index = file.section(b"I")
    programs, at = [], 0
    for _ in range(index.count("programs")):
        at += index.number("a place")
        programs.append(at)
    ranks, at, following = {}, 0, 0
    for _ in range(index.count("ranks")):
        following += index.signed("a rank")
        at += index.number("a place")
        ranks[following] = at
        following += 1
    return programs, ranks


def _skip_communicators(reader, base):
    """Reads the identities' sizes only: [(size, remote size)]."""
    made = []
    for i in range(reader.count("communicators")):
        flags = reader.number("what a communicator has", 31)
        if not flags & 2:
            reader.take(8, "an identity")
        sizes = base[i] if i < len(base) else (0, 0)
        if not flags & 4:
            sizes = (reader.number("a size"), reader.number("a size"))
        if not flags & 16:
            reader.number("a rank")
        if flags & 8:
            reader.take(reader.number("members"), "members")
        made.append(sizes)
    return made


def _read_facts(reader, base):
    """(rank, communicators)"""
    rank = reader.number("a rank")
    reader.take(24, "times of a rank")
    return rank, _skip_communicators(reader, base)


def _read_times(reader, reference):
    """A list of [timed, before (mean, below, above, spread), inside, has first, before, inside,
    asleep, first asleep], flat: 14 numbers each."""
    size = reader.number("positions")
    if size < 1 or size - 1 > len(reader.data) - reader.at:
        reader.refuse("as many positions as there are bytes for")
    times = [[0] * 14]
    for i in range(1, size):
        near = reference[i] if i < len(reference) else times[i - 1]
        flags = reader.number("what a position has", 7)
        position = [0] * 14
        position[0] = near[0]
        if not flags & 2:
            position[0] = near[0] + reader.signed("how often") & 0xffffffffffffffff
        if position[0] > 0:
            fields = (1, 5) if position[0] == 1 else range(1, 9)
            for field in fields:
                position[field] = near[field] + reader.signed("a time")
        position[9] = flags & 1
        if flags & 1:
            position[10] = near[10] + reader.signed("a time")
            position[11] = near[11] + reader.signed("a time")
        if flags & 4:
            position[12] = near[12] + reader.signed("a time")
            position[13] = near[13] + reader.signed("a time")
        times.append(position)
    return times


def _read_program(reader):
    """(events as tuples op, flags, bytes, peer, tag, comm; rules as lists of items)"""
    lists = reader.count("lists")
    for _ in range(lists):
        reader.take(reader.number("a list"), "a list")
    events = []
    for _ in range(reader.count("events")):
        op = reader.number("an operation", len(OPERATIONS) - 1)
        has = reader.number("fields of an event", 127)
        size = reader.number("bytes") if has & 1 else 0
        peer = reader.signed("a peer") if has & 2 else NO_PEER
        tag = reader.signed("a tag") if has & 4 else 0
        comm = reader.number("a communicator") if has & 8 else 0
        if has & 16:
            reader.number("a list", lists - 1)
        if has & 32:
            reader.number("an element")
        if has & 64:
            reader.number("flags")
        events.append((op, size, peer, tag, comm))
    rules, last = [], 0
    count = reader.count("rules")
    for rule in range(count):
        items = []
        for _ in range(reader.count("items")):
            head = reader.number("an item")
            index, is_rule = head >> 3, head & 1
            if index >= (count if is_rule else len(events)) or is_rule and index <= rule:
                reader.refuse("an event, or a later rule")
            repeats = reader.number("repeats") if head & 2 else 1
            times = 0
            if not is_rule:
                times = last + 1 if head & 4 else reader.number("times")
                last = times or last
            items.append((is_rule, index, repeats, times))
        rules.append(items)
    if not rules:
        reader.refuse("rules")
    return events, rules


def _unrolled(reader, rules, limit):
    """Event and times of each operation, as two arrays."""
    import numpy as np
    lengths = [0] * len(rules)
    for rule in reversed(range(len(rules))):
        lengths[rule] = sum(repeats * (lengths[index] if is_rule else 1)
                            for is_rule, index, repeats, _ in rules[rule])
    if lengths[0] > limit:
        raise KithError(f"{reader.path}: {lengths[0]} operations, more than limit={limit}")
    needed = {0}
    for rule, items in enumerate(rules):
        if rule in needed:
            needed.update(index for is_rule, index, _, _ in items if is_rule)
    whole = [None] * len(rules)
    for rule in reversed(range(len(rules))):
        if rule not in needed:
            continue
        parts = [np.zeros((0, 2), np.int64)]
        for is_rule, index, repeats, times in rules[rule]:
            if is_rule and lengths[index] == 0:
                continue
            once = whole[index] if is_rule else np.array([[index, times]], np.int64)
            parts.append(np.tile(once, (repeats, 1)))
        whole[rule] = np.concatenate(parts)
    return whole[0][:, 0], whole[0][:, 1]


def _values(codes):
    """Of short floats, in seconds."""
    import numpy as np
    codes = np.asarray(codes, np.int64)
    bits = (np.maximum(codes, 1) - 1 + (1015 << 10)) << 42
    return np.where(codes > 0, bits.view(np.float64), 0.0) * 1e-9


# Columns of mean and first time: see _read_times.
COMPUTING, INSIDE, ASLEEP = (1, 10), (5, 11), (12, 13)


def _expected(times, which, columns):
    """Seconds at each operation: first what was measured the first time, then the mean."""
    import numpy as np
    table = np.array(times, np.float64).astype(np.int64)
    mean = _values(table[:, columns[0]])
    first = _values(table[:, columns[1]])
    mean = np.where((table[:, 0] == 0) & (table[:, 9] == 1), first, mean)
    seconds = mean[which]
    positions, places = np.unique(which, return_index=True)
    known = table[positions, 9] == 1
    seconds[places[known]] = first[positions[known]]
    return seconds


def _thread_records(reader, rank, number, begin, omissions, times, program, limit):
    import numpy as np
    events, rules = program
    event, which = _unrolled(reader, rules, limit)
    if len(which) and which.max() >= len(times):
        reader.refuse("times of every operation")
    records = np.zeros(len(event), dtype())
    if not len(event):
        return records
    columns = list(zip(*events))
    for field, column in zip(("op", "bytes", "tag", "comm"),
                             (columns[0], columns[1], columns[3], columns[4])):
        records[field] = np.array(column, records.dtype[field])[event]
    peers = np.array([peer if op in COLLECTIVES or peer == NO_PEER else rank + peer
                      for op, _, peer, _, _ in events], np.int64)
    records["peer"] = np.where(peers == NO_PEER, -1, peers)[event]
    records["thread"] = number
    records["computing"] = _expected(times, which, COMPUTING)
    records["inside"] = _expected(times, which, INSIDE)
    records["asleep"] = _expected(times, which, ASLEEP)
    ends = begin + np.cumsum(records["computing"] + records["asleep"] + records["inside"])
    for after, seconds in omissions:
        ends[min(after, len(ends)):] += seconds
    records["begin"] = ends - records["inside"]
    return records


def dtype():
    import numpy as np
    return np.dtype([("op", "u1"), ("thread", "u2"), ("peer", "i4"), ("tag", "i4"), ("comm", "u4"),
                     ("bytes", "u8"), ("begin", "f8"), ("computing", "f8"), ("asleep", "f8"),
                     ("inside", "f8")])


def _read_rank(file, programs, place, rank, limit):
    import numpy as np
    file.at = len(MAGIC)
    head = file.section(b"H")
    version = head.number("a version", VERSION)
    base = _read_facts(head, [])[1]
    file.at = place
    reader = file.section(b"R")
    found = _read_facts(reader, base)[0]
    if found != rank:
        reader.refuse(f"rank {rank}")
    threads = [np.zeros(0, dtype())]
    for number in range(reader.count("threads")):
        begin = reader.seconds("the begin of a thread")
        reader.seconds("the end of a thread")
        if version > 1 and reader.number("whether it was seen to wait for a processor", 1):
            reader.seconds("the time that it waited for a processor")
        reader.number("events")
        reader.number("bytes")
        omissions = []
        for _ in range(reader.count("omissions")):
            after = reader.number("where")
            reader.number("events")
            reader.number("bytes")
            omissions.append((after, reader.seconds("omitted time")))
        file.at = programs[reader.number("a program", len(programs) - 1)]
        program = file.section(b"P")
        times = _read_times(program, [])
        if not reader.number("whose times", 1):
            times = _read_times(reader, times)
        threads.append(_thread_records(reader, rank, number, begin, omissions, times,
                                       _read_program(program), limit))
    return np.concatenate(threads)


def read_timeline(folder, rank, limit=MOST_EVENTS):
    """What `rank` did, from NAME.kith/timeline."""
    files = sorted(pathlib.Path(folder).glob("host-*.timeline"))
    if not files:
        raise KithError(f"{folder}: expected a timeline, found none (recorded with "
                        "KITH_TIMELINE=0, or by an older Kith?)")
    for path in files:
        try:
            file = _Reader(path, path.read_bytes())
        except OSError as error:
            raise KithError(f"{path}: {error.strerror or error}") from None
        programs, ranks = _read_index(file)
        if rank in ranks:
            if ranks[rank] > len(file.data):
                file.refuse("the place of a rank")
            return _read_rank(file, programs, ranks[rank], rank, limit)
    raise KithError(f"{folder}: rank {rank} left no timeline")
