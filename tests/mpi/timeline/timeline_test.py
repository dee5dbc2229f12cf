#!/usr/bin/env python3
"""The timeline of random programs: the matrix from it is the trace's, and unrolled it is what a plain
log of every call says, event by event.

timeline_test.py short|full|SEED...
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import events
import kithtest as kt

programs = kt.setting("KITH_BINARY") / "tests/mpi/timeline"
is_full = sys.argv[1:] == ["full"]
actions = 400 if is_full else 120


def record(name, ranks, program, settings=None):
    """Runs it with the timeline and the plain log; the trace."""
    trace = pathlib.Path(f"{name}.kith").absolute()
    both = f"{kt.setting('KITH_LIB')}:{programs / 'libplain_log.so'}"
    kt.mpirun(ranks, program, settings={"LD_PRELOAD": both, "KITH_TRACE": trace,
                                        "PLAIN_LOG": pathlib.Path(name).absolute(),
                                        **(settings or {})}, timeout=300)
    return trace


def replays(trace, name):
    """All its operations, to the end: no rank waits for ever."""
    told = json.loads(kt.run([kt.setting("KITH"), "predict", trace, "--json"]).stdout)
    kt.check_equal(told["covered"], 1, f"{name}: share of the run that is simulated")
    kt.check(told["simulated_seconds"] > 0, f"{name}: {told}")


def check_all(name, trace, ranks):
    said = events.matrix_agrees(trace, name)
    unrolled = [events.Rank(trace, rank) for rank in range(ranks)]
    logged = sum(events.is_logged(rank, f"{name}.{rank.rank}", name) for rank in unrolled)
    events.members_agree(unrolled, name)
    events.messages_arrive(unrolled, name)
    replays(trace, name)
    print(f"{name}: {said}, as logged: {logged}", flush=True)


def random_program(seed, ranks, collectives):
    name = f"seed-{seed}-on-{ranks}-{collectives}"
    with kt.work_folder():
        trace = record(name, ranks, [programs / "random_program", seed, actions],
                       {"KITH_COLLECTIVES": collectives})
        check_all(name, trace, ranks)


def many_threads(threads, rounds):
    """A stream for each thread, also where one completes what another has begun."""
    name = f"{threads} threads"
    with kt.work_folder():
        kt.mpirun(2, [programs / "many_threads", threads, rounds], preload=True,
                  settings={"KITH_TRACE": "threads.kith", "KITH_TIMELINE_MEMORY": "16M"},
                  timeout=300)
        said = events.matrix_agrees("threads.kith", name)
        ranks = [events.Rank("threads.kith", rank) for rank in (0, 1)]
        for rank in ranks:
            kt.check(len(rank.threads) >= threads, f"{name}: {len(rank.threads)} streams")
        events.messages_arrive(ranks, name)
        text = kt.run([kt.setting("KITH"), "info", "threads.kith"]).stdout
        kt.check("its threads added up (up to " in text, f"{name}: whose seconds: {text}")
        print(f"{name}: {said}", flush=True)


def odd_receives():
    """Cancelled ones have received nothing; those of a freed communicator know their peer."""
    nothing = f"/-/{-2**31}"
    with kt.work_folder():
        kt.mpirun(3, [programs / "odd_receives"], preload=True, settings={"KITH_TRACE": "odd.kith"})
        events.matrix_agrees("odd.kith", "odd receives")
        (thread,) = events.Rank("odd.kith", 0).threads
        completed = [one for event in thread if events.starts_with(event, events.COMPLETIONS)
                     for one in event.list]
        kt.check_equal([one.partition("/")[2] for one in completed],
                       [nothing[1:], nothing[1:], "-/0", "2/30", "2/31"], "what receives matched")
        kt.check([event.tag for event in thread if event.name == "MPI_Recv"] == ["10", "11", "21"],
                 f"{thread}")
        # A replay has each message once, and its receive.
        told = kt.run([kt.setting("KITH"), "convert", "odd.kith", "odd", "--to", "smpi"]).stderr
        kt.check("left out" not in told, told)
        lines = pathlib.Path("odd/rank-000000.txt").read_text().splitlines()
        tagged = [line.split()[2:4] for line in lines if " recv " in line or " irecv " in line]
        kt.check(len([one for one in tagged if one[0] == "1"]) >= 4, f"{lines}")
    print("cancelled receives, and those of freed communicators", flush=True)


def program(name, ranks, words):
    """Only the matrix."""
    with kt.work_folder():
        kt.mpirun(ranks, words, preload=True, settings={"KITH_TRACE": "program.kith"}, timeout=300)
        print(f"{name}: {events.matrix_agrees('program.kith', name)}", flush=True)
        replays("program.kith", name)


def other_programs():
    binary = kt.setting("KITH_BINARY")
    program("conformance", 4, [binary / "tests/conformance/conformance"])
    for name in ("halo2d", "halo3d", "halo27", "cg_transpose", "fft_alltoall", "neighbour", "ring",
                 "rma_halo", "wavefront", "workers"):
        program(name, 4, [binary / "examples/patterns" / name])


if is_full:
    seeds = range(200)
else:
    seeds = range(8) if sys.argv[1:] in ([], ["short"]) else map(int, sys.argv[1:])
for seed in seeds:
    random_program(seed, 2 + seed % 4, "exact" if seed % 2 else "model")
if sys.argv[1:] in ([], ["short"]) or is_full:
    odd_receives()
    many_threads(64 if is_full else 8, 200)
    other_programs()
