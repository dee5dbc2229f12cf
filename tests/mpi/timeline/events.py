"""Events of ranks as timeline_check prints them, against each other and against a plain log."""
import collections
import pathlib

import kithtest as kt

ANY_SOURCE, ANY_TAG = 1, 2  # bits of an event's flags
COLLECTIVES = ("MPI_Allgather", "MPI_Allreduce", "MPI_Alltoall", "MPI_Barrier", "MPI_Bcast",
               "MPI_Exscan", "MPI_Gather", "MPI_Reduce", "MPI_Scan", "MPI_Scatter", "MPI_Neighbor")
COMPLETIONS = ("MPI_Wait", "MPI_Test", "MPI_Request_free")
WITHOUT_COMMUNICATOR = (*COMPLETIONS, "making communicators", "MPI_File", "phase")
SENDS = ("MPI_Send", "MPI_Bsend", "MPI_Ssend", "MPI_Rsend", "MPI_Isend", "MPI_Ibsend", "MPI_Issend",
         "MPI_Irsend", "MPI_Start (send)", "MPI_Sendrecv (send)")
RECEIVES = ("MPI_Recv", "MPI_Mrecv", "MPI_Sendrecv (receive)")
POSTED = ("MPI_Irecv", "MPI_Imrecv", "MPI_Start (receive)")

Event = collections.namedtuple("Event", "name peer bytes tag comm element flags list")
Communicator = collections.namedtuple("Communicator", "identity size rank remote is_window")


def checker():
    return kt.setting("KITH_BINARY") / "tests/mpi/timeline/timeline_check"


def matrix_agrees(trace, what):
    """The matrix of the timeline is that of the trace; returns what the checker says last."""
    done = kt.run([checker(), trace], status=None)
    kt.check(done.returncode == 0, f"{what}: {done.stdout}{done.stderr}")
    kt.check("left out 0" in done.stdout, f"{what}: {done.stdout}")
    return done.stdout.strip().splitlines()[-1]


def read_line(line):
    words = line.split("\t")
    return Event(*words[:7], words[7].split())


class Rank:
    """What the timeline of one rank says."""

    def __init__(self, trace, rank):
        self.rank = rank
        self.communicators = {}
        self.threads = []
        for line in kt.run([checker(), trace, "--events", rank]).stdout.splitlines():
            words = line.split("\t")
            if words[0] in ("communicator", "window"):
                number, identity, *numbers = words[1:]
                self.communicators[number] = Communicator(identity, *map(int, numbers),
                                                          words[0] == "window")
            elif words[0] == "thread":
                self.threads.append([])
            else:
                self.threads[-1].append(read_line(line))

    def identity(self, event):
        return self.communicators[event.comm].identity


def starts_with(event, names):
    return event.name.startswith(names)


# --- against a plain log --------------------------------------------------------------------------

class Handles:
    """Which number of the timeline a communicator of the log has. While two are there at a time,
    they have different numbers."""

    def __init__(self, rank):
        self.rank = rank
        self.described = {}
        self.numbers = {}

    def take(self, line):
        sign, (kind, number, *facts) = line[0], line[1:].rstrip("\n").split("\t")
        if sign == "+":
            self.described[number] = (kind == "window", *map(int, facts))
        else:
            self.numbers.pop(number, None)

    def agree(self, logged, found):
        if logged in self.numbers:
            return self.numbers[logged] == found
        comm = self.rank.communicators[found]
        same = self.described[logged] == (comm.is_window, comm.size, comm.rank, comm.remote)
        unused = found not in self.numbers.values()
        self.numbers[logged] = found
        return same and unused


def agrees(logged, found, handles):
    for field in ("name", "peer", "bytes", "tag", "element"):
        a, b = getattr(logged, field), getattr(found, field)
        if a not in ("*", b):
            return False
    if logged.list != ["*"] and logged.list != found.list:
        return False
    return starts_with(found, WITHOUT_COMMUNICATOR) or handles.agree(logged.comm, found.comm)


def is_logged(rank, log, what):
    """The only thread of a rank did what its log says, event by event. Returns how many there are."""
    events = [event for event in rank.threads[0] if event.name != "phase"]
    handles = Handles(rank)
    number = 0
    for line in pathlib.Path(log).read_text().splitlines():
        if line[0] in "+-":
            handles.take(line)
            continue
        logged = read_line(line)
        kt.check(number < len(events), f"{what}, rank {rank.rank}: the timeline ends before event "
                                       f"{number}, {logged}")
        kt.check(agrees(logged, events[number], handles),
                 f"{what}, rank {rank.rank}, event {number}:\n  expected {logged}\n"
                 f"  found    {events[number]}\n  after {events[max(0, number - 3):number]}")
        number += 1
    kt.check_equal(len(events), number, f"{what}, rank {rank.rank}: events")
    return number


# --- against the other ranks ----------------------------------------------------------------------

def is_collective(event):
    return starts_with(event, COLLECTIVES)


def members_agree(ranks, what):
    """All members of a communicator say the same of its collectives, in one order."""
    said, sizes = collections.defaultdict(dict), {}
    for rank in ranks:
        for event in (event for thread in rank.threads for event in thread if is_collective(event)):
            said[rank.identity(event)].setdefault(rank.rank, []).append(event.name)
            comm = rank.communicators[event.comm]
            sizes[rank.identity(event)] = comm.size + comm.remote
    for identity, by_rank in said.items():
        kt.check_equal(len(by_rank), sizes[identity], f"{what}, communicator {identity}: members")
        first = next(iter(by_rank.values()))
        for number, names in by_rank.items():
            kt.check_equal(names, first, f"{what}, communicator {identity}, rank {number}")


def messages_of(rank):
    """((from, to, communicator, tag) of all sends), and of all receives, with their numbers."""
    sent, received = collections.Counter(), collections.Counter()
    posted = {}  # by (thread, request)
    for thread, events in enumerate(rank.threads):
        made = 0
        for event in events:
            place = (rank.identity(event), event.tag) if event.comm in rank.communicators else None
            if event.name in SENDS:
                sent[rank.rank, int(event.peer), *place] += 1
            if event.name in RECEIVES:
                received[int(event.peer), rank.rank, *place] += 1
            if event.name in POSTED:
                posted[thread, made] = event
            made += makes_request(event)
    for event in (event for events in rank.threads for event in events):
        if not starts_with(event, COMPLETIONS):
            continue
        for entry in event.list:
            request, peer, tag = entry.split("/")
            post = posted.get(tuple(map(int, request.split(":"))))
            if post is None:
                continue
            if not int(post.flags) & (ANY_SOURCE | ANY_TAG):
                peer, tag = post.peer, post.tag
            received[int(peer), rank.rank, rank.identity(post), tag] += 1
    return sent, received


def makes_request(event):
    nonblocking_or_persistent = 8 | 16
    return (event.name in POSTED or event.name == "MPI_Start (send)"
            or event.name in SENDS and event.name.startswith("MPI_I")
            or int(event.flags) & nonblocking_or_persistent != 0)


def messages_arrive(ranks, what):
    """Each message that was sent was received, by the right one."""
    sent, received = collections.Counter(), collections.Counter()
    for rank in ranks:
        more_sent, more_received = messages_of(rank)
        sent += more_sent
        received += more_received
    kt.check_equal(received - sent, collections.Counter(), f"{what}: received and not sent")
    kt.check_equal(sent - received, collections.Counter(), f"{what}: sent and not received")
