#!/usr/bin/env python3
"""Phases that the program does not ask Kith for: MPI_Pcontrol, time windows, a signal. Their matrices
add up to the whole run, and each message is in the phase in which it was sent.

Usage: phases_test.py [PART...]: only these parts.
"""
import collections
import csv
import json
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS, BYTES = 4, 100  # as in programs/rounds.c
program = kt.setting("KITH_BINARY") / "tests/mpi/rounds"


def ring(by, rounds):
    return {(r, (r + by) % RANKS): rounds * BYTES for r in range(RANKS)} if rounds else {}


def run(name, *arguments, **settings):
    """The matrices of the run's phases, in order; they add up to the whole."""
    kt.mpirun(RANKS, [program, *arguments], preload=True,
              settings={"KITH_TRACE": name, "KITH_COLLECTIVES": "off", **settings})
    trace = pathlib.Path(f"{name}.kith")
    meta = kt.check_trace(trace, RANKS)
    # A run that nothing cut has no phases.
    files = [phase["file"] for phase in meta["phases"]] or ["bytes.mtx"]
    matrices = [kt.read_matrix(trace / file) for file in files]
    whole = collections.Counter()
    for matrix in matrices:
        whole.update(matrix)
    rounds = int(arguments[0])
    total = {**ring(1, rounds // 2), **ring(2, rounds - rounds // 2)}
    kt.check_equal(kt.read_matrix(trace / "bytes.mtx"), total, f"{name}: the whole run")
    kt.check_equal(dict(whole), total, f"{name}: sum of {len(matrices)} phases")
    check_wall(name, meta)
    return matrices


def check_wall(name, meta):
    """The wall time of a rank's phases is that of its run; meta.json has the largest of all ranks."""
    with open(f"{name}.kith/load.csv", newline="") as file:
        wall = {(int(row["phase"]), int(row["rank"])): float(row["wall_s"])
                for row in csv.DictReader(file)}
    stated = [meta["wall_seconds"], *(phase["wall_seconds"] for phase in meta["phases"])]
    for number, seconds in enumerate(stated):
        most = max(wall[number, rank] for rank in range(RANKS))
        kt.check(abs(most - seconds) < 1e-6, f"{name}: wall time of phase {number}: {stated}, {wall}")
    for rank in range(RANKS if len(stated) > 1 else 0):
        parts = sum(wall[number, rank] for number in range(1, len(stated)))
        kt.check(abs(parts - wall[0, rank]) < 1e-6, f"{name}: wall time of rank {rank}: {wall}")


def rounds_of(matrix, by, what):
    """How many rounds of messages `by` ranks on are in the phase: as many for every rank."""
    found = {matrix.get(cell, 0) for cell in ring(by, 1)}
    kt.check(len(found) == 1, f"{what}: ranks are in different rounds: {matrix}")
    return found.pop() // BYTES


def pcontrol():
    found = run("all", 10, 0, "all")
    kt.check_equal(found, [ring(1, 5), ring(2, 5)], "MPI_Pcontrol on all ranks")
    # Local: the odd ranks never close theirs.
    found = run("even", 10, 0, "even")
    closed = {cell: size for cell, size in ring(1, 5).items() if cell[0] % 2 == 0}
    rest = {**ring(2, 5), **{cell: size for cell, size in ring(1, 5).items() if cell[0] % 2}}
    kt.check_equal(found, [closed, rest], "MPI_Pcontrol on the even ranks")
    print("MPI_Pcontrol: on all ranks and on some")


def work():
    """What is computed before the end of a phase belongs to it, though no call came in between."""
    run("work", 10, 0, "work")
    time_of = json.loads(kt.run([kt.setting("KITH"), "info", "work", "--json"]).stdout)["time"]
    computing = [phase["computing_s"] for phase in time_of["phases"]]
    kt.check(computing[0] > 0.25 and sum(computing[1:]) < 0.1, f"computing by phase: {computing}")
    print(f"seconds of computing by phase: {computing}")
    # Wall seconds need no timeline.
    run("plain", 10, 20, "work", KITH_TIMELINE="0")
    told = json.loads(kt.run([kt.setting("KITH"), "info", "plain", "--json"]).stdout)
    wall = [phase["wall_seconds"] for phase in told["phases"]]
    kt.check("time" not in told, "a timeline that was turned off")
    kt.check(0.4 < wall[0] < 5 and 0.1 <= wall[1] < wall[0], f"wall seconds by phase: {wall}")
    text = kt.run([kt.setting("KITH"), "info", "plain"]).stdout
    kt.check(re.search(r"phases +start: 2000 .*, at most \S+ m?s on a rank", text), f"seconds of phases: {text}")
    print(f"wall seconds by phase: {wall}")


def windows():
    began = time.monotonic()
    found = run("windows", 100, 20, KITH_WINDOW="0.5s")
    most = (time.monotonic() - began) / 0.5 + 1
    kt.check(2 <= len(found) <= most, f"{len(found)} windows of 0.5 s in more than 2 s")
    rounds = [(rounds_of(matrix, 1, "window"), rounds_of(matrix, 2, "window")) for matrix in found]
    halves = [half for pair in rounds for half in (0, 1) if pair[half]]
    kt.check_equal(halves, sorted(halves), f"order of the two halves in windows: {rounds}")
    # A long window closes nothing.
    kt.check_equal(len(run("long", 10, 0, KITH_WINDOW="1000s")), 1, "windows longer than the run")
    # Without collectives there are none, and the user is told.
    done = kt.mpirun(RANKS, [program, 10, 50, "alone"], preload=True,
                     settings={"KITH_TRACE": "alone", "KITH_WINDOW": "0.1s"})
    kt.check_equal(done.stderr.count("KITH_WINDOW: no window ended: "), 1, done.stderr)
    print(f"windows: rounds of the two halves {rounds}")


def signal():
    found = run("signal", 20, 5, "raise", KITH_CHECKPOINT_SIGNAL="USR1")
    kt.check_equal(len(found), 2, "phases after one signal to one rank")
    late = rounds_of(found[0], 2, "signal")
    kt.check_equal(rounds_of(found[0], 1, "signal"), 10, "rounds before the signal")
    kt.check(1 <= late <= 5, f"the phase ended {late} rounds after the signal")
    kt.check_equal(found[1], ring(2, 10 - late), "what came after the signal")
    # A program that installs its own handler keeps it, and the user is told.
    done = kt.mpirun(RANKS, [program, 10, 0, "own"], preload=True,
                     settings={"KITH_TRACE": "own", "KITH_CHECKPOINT_SIGNAL": "USR1"})
    kt.check_equal(kt.check_trace("own.kith", RANKS)["phases"], [], "phases by a signal that is not ours")
    said = [line for line in done.stderr.splitlines() if "handler of its own" in line]
    kt.check_equal(len(said), 1, f"lines about the program's own handler: {done.stderr}")
    print(f"signal: the phase ended {late} rounds after it")


PARTS = {"pcontrol": pcontrol, "work": work, "windows": windows, "signal": signal}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        with kt.work_folder():
            PARTS[name]()
