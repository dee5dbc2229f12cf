#!/usr/bin/env python3
"""Each class of call in a section of its own (programs/classes): the bytes of its phase, the class
that they are in, the number of messages. A section that is left out must be missed: these checks fail
when a call is not counted.

Usage: classes_test.py [FAMILY[:SOURCE]...]: only these families of calls, or with only one source of
collectives.
"""
import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS, UNIT = 4, 64  # as in programs/classes/sections.h
INT = 4
RIGHT = [(r, (r + 1) % RANKS) for r in range(RANKS)]
LEFT = [(j, i) for i, j in RIGHT]
ITSELF = [(r, r) for r in range(RANKS)]
DOWN = [(0, 1), (2, 3)]  # from the root of each pair to the other
UP = [(j, i) for i, j in DOWN]


def moved(*parts, times=1):
    """{cell: (bytes, messages)} of (cells, bytes) pairs, one message each, `times` over."""
    total = collections.defaultdict(lambda: (0, 0))
    for cells, size in parts:
        for cell in cells:
            total[cell] = (total[cell][0] + times * size, total[cell][1] + times)
    return dict(total)


def forms(sections):
    """The three forms of each collective; the persistent one is started twice."""
    for name, parts in sections.items():
        yield name, moved(*parts)
        yield f"{name} nonblocking", moved(*parts)
        yield f"{name} persistent", moved(*parts, times=2)


DOWN_ONLY, UP_ONLY, BOTH = [(DOWN, UNIT)], [(UP, UNIT)], [(DOWN, UNIT), (UP, UNIT)]
BARRIER = [(DOWN, 0), (UP, 0)]
RING = [(RIGHT, UNIT), (LEFT, UNIT)]
TO_RIGHT, FROM_RIGHT = [(RIGHT, UNIT)], [(LEFT, UNIT)]

# Sends of programs/classes/p2p.c that need the receive in place: the receiver says so.
ANNOUNCED = moved(*TO_RIGHT, (LEFT, 0))
STARTED_TWICE = moved(*TO_RIGHT, (LEFT, 0), times=2)
P2P = {
    **dict.fromkeys(("send", "bsend", "ssend", "rsend", "isend", "ibsend", "issend", "irsend"),
                    ANNOUNCED),
    **dict.fromkeys(("send_init", "bsend_init", "ssend_init", "rsend_init"), STARTED_TWICE),
    "startall": moved(*TO_RIGHT, times=3),
    **dict.fromkeys(("freed_early", "sendrecv", "sendrecv_replace", "mprobe", "improbe",
                     "with_holes", "on_another_communicator"), moved(*TO_RIGHT)),
    "between_groups": moved(*BOTH),
    "to_oneself": moved((ITSELF, UNIT)),
    "to_nobody": {},
}
COLL = {
    "barrier": BARRIER, "bcast": DOWN_ONLY, "reduce": UP_ONLY, "reduce_in_place": UP_ONLY,
    "allreduce": BOTH, "allreduce_in_place": BOTH, "gather": UP_ONLY, "gather_in_place": UP_ONLY,
    "gatherv": UP_ONLY, "scatter": DOWN_ONLY, "scatter_in_place": DOWN_ONLY, "scatterv": DOWN_ONLY,
    "allgather": BOTH, "allgather_in_place": BOTH, "allgatherv": BOTH, "alltoall": BOTH,
    "alltoall_in_place": BOTH, "alltoallv": BOTH, "alltoallv_in_place": BOTH, "alltoallw": BOTH,
    "reduce_scatter": BOTH, "reduce_scatter_block": BOTH, "scan": DOWN_ONLY, "exscan": DOWN_ONLY,
}
INTER = {
    "barrier": BARRIER, "bcast": DOWN_ONLY, "reduce": UP_ONLY, "allreduce": BOTH,
    "gather": UP_ONLY, "gatherv": UP_ONLY, "scatter": DOWN_ONLY, "scatterv": DOWN_ONLY,
    "allgather": BOTH, "allgatherv": BOTH, "alltoall": BOTH, "alltoallv": BOTH, "alltoallw": BOTH,
    "reduce_scatter_block": BOTH,
}
NEIGHBOUR = {
    "allgather": RING, "allgatherv": RING, "alltoall": RING, "alltoallv": RING, "alltoallw": RING,
    "graph_allgather": TO_RIGHT, "graph_alltoall": TO_RIGHT, "graph_alltoallv": TO_RIGHT,
}
RMA = {
    **dict.fromkeys(("put", "accumulate", "rput", "raccumulate", "put_types", "put_post_start",
                     "put_another_communicator", "put_allocated"), moved(*TO_RIGHT)),
    **dict.fromkeys(("get", "rget", "get_lock"), moved(*FROM_RIGHT)),
    **dict.fromkeys(("get_accumulate", "rget_accumulate"), moved(*RING)),
    **dict.fromkeys(("fetch_and_op", "compare_and_swap"), moved((RIGHT, INT), (LEFT, INT))),
    "put_to_oneself": moved((ITSELF, UNIT)),
    "put_to_nobody": {},
}

# Open MPI 4.1 takes detours: a nonblocking reduce_scatter reduces all of it to the root, which
# scatters; between groups a barrier may be an allreduce of an int, a nonblocking allreduce sends
# twice, scatterv tells the count beforehand.
REDUCED_FIRST = [(DOWN, UNIT), (UP, 2 * UNIT)]


def detours(sections):
    """The two later forms of {name: parts}."""
    return {name: move for name, move in forms(sections) if " " in name}


COLL_DETOURS = detours({"reduce_scatter": REDUCED_FIRST, "reduce_scatter_block": REDUCED_FIRST})
INTER_DETOURS = {
    **detours({"allreduce": BOTH + BOTH}),
    "barrier": moved((DOWN, INT), (UP, INT)),
    "scatterv": moved((DOWN, INT), (DOWN, UNIT)),
}

Family = collections.namedtuple("Family", "traffic_class expected")
FAMILIES = {
    "p2p": Family("p2p", P2P),
    "coll": Family("coll", {**dict(forms(COLL)), **COLL_DETOURS}),
    "inter": Family("coll", {**dict(forms(INTER)), **INTER_DETOURS}),
    "neighbour": Family("coll", dict(forms(NEIGHBOUR))),
    "rma": Family("rma", RMA),
}
SOURCES = ("exact", "model")


def run(family, source, only):
    """Runs the sections of a family (`only`: even, odd, or "" for all); returns the trace."""
    trace = pathlib.Path(f"{family}-{source}{only}.kith").absolute()
    kt.mpirun(RANKS, [kt.setting("KITH_BINARY") / "tests/mpi/classes", family, only],
              settings={"KITH_TRACE": trace, "KITH_COLLECTIVES": source})
    kt.check_trace(trace, RANKS)
    return trace


def phase_matrices(trace):
    meta = json.loads((trace / "meta.json").read_text())
    return {phase["name"]: kt.read_matrix(trace / phase["file"]) for phase in meta["phases"]}


def added(moves, which):
    """The sum of {cell: (bytes, messages)} mappings: bytes (0) or messages (1)."""
    total = collections.Counter()
    for move in moves:
        total.update({cell: pair[which] for cell, pair in move.items() if pair[which]})
    return dict(total)


def wrong_sections(trace, expected):
    """{section: what was found} where the phase's bytes are not the expected ones."""
    found = phase_matrices(trace)
    return {name: found.get(name) for name, move in expected.items()
            if found.get(name) != added([move], 0)}


def plus(a, b):
    return dict(collections.Counter(a) + collections.Counter(b))


def subtracted(a, b):
    return {cell: a.get(cell, 0) - b.get(cell, 0) for cell in a.keys() | b.keys()
            if a.get(cell, 0) != b.get(cell, 0)}


def check_family(name, source):
    family = FAMILIES[name]
    whole = run(name, source, "")
    wrong = wrong_sections(whole, family.expected)
    kt.check(not wrong, f"{name}, {source}: " + "; ".join(
        f"{section}: {found} instead of {added([family.expected[section]], 0)}"
        for section, found in list(wrong.items())[:8]))

    # All of it is in its class, but for what making communicators and windows took.
    phases = phase_matrices(whole)
    for part in ("p2p", "coll", "rma"):
        bytes_of_part = kt.read_matrix(whole / "classes" / f"{part}.bytes.mtx")
        wanted = added(family.expected.values(), 0) if part == family.traffic_class else {}
        if part == "coll":
            bytes_of_part = subtracted(bytes_of_part, plus(phases["setup"], phases["end"]))
        kt.check_equal(bytes_of_part, wanted, f"{name}, {source}: class {part}")

    # Leave out every other section: exactly these are missed, with all their messages.
    messages = kt.read_matrix(whole / "messages.mtx")
    sections = [name for name in phase_matrices(whole) if name not in ("setup", "end")]
    kt.check_equal(sorted(sections), sorted(family.expected), f"{name}: sections")
    for only, left_out in (("even", sections[1::2]), ("odd", sections[0::2])):
        trace = run(name, source, only)
        missed = wrong_sections(trace, family.expected)
        kt.check_equal(sorted(missed), sorted(section for section in left_out
                                              if added([family.expected[section]], 0)),
                       f"{name}, {source}: sections missed where only the {only} ones ran")
        if name == "rma":
            continue  # synchronising takes messages too
        kt.check_equal(subtracted(messages, kt.read_matrix(trace / "messages.mtx")),
                       added([family.expected[section] for section in left_out], 1),
                       f"{name}, {source}: messages of the sections left out")
    print(f"{name}, {source}: {len(sections)} sections counted in class {family.traffic_class}",
          flush=True)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or FAMILIES:
        name, _, only_source = chosen.partition(":")
        for source in [only_source] if only_source else SOURCES:
            with kt.work_folder():
                check_family(name, source)
