#!/usr/bin/env python3
"""Topologies with reorder=1, made again and again: no engine where no order can be better, none for few
processes, one for equal requests; and nothing is asked of the library that the program did not ask."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

programs = kt.setting("KITH_BINARY") / "tests/mpi"
KINDS = ("cart", "graph", "adjacent", "varied")


def library_with_counted_engine(folder):
    """A copy of libkith.so whose engine leaves a line in `started`."""
    library, engine = kt.library_alone()
    kt.write_engine(engine, f"echo x >> {folder}/started\nexec {kt.engine()}")
    return library


def engines(ranks, kind, count, stride, preload, settings=None):
    """How many engines a run started, and what it said."""
    pathlib.Path("started").unlink(missing_ok=True)
    words = [word for name, value in (settings or {}).items() for word in ("-x", f"{name}={value}")]
    done = kt.run(["mpirun", "-n", ranks, "-x", f"LD_PRELOAD={':'.join(map(str, preload))}",
                   *words, programs / "topology_rounds", kind, count, stride])
    started = pathlib.Path("started")
    lines = started.read_text().splitlines() if started.exists() else []
    return len(lines), done.stdout + done.stderr


with kt.work_folder() as folder:
    kith = library_with_counted_engine(folder)
    hosts_of_two = programs / "libsmall_hosts.so"
    for kind in KINDS:
        count, said = engines(4, kind, 5, 1, [kith])
        kt.check_equal(count, 0, f"{kind} on one host: engines\n{said}")
        kt.check("reordered:" not in said and "unchanged" not in said, said)
        print("one host:", said.strip())

    # Open MPI 4.1 hangs after some of them with reorder=0, which is what the library gets from Kith.
    count, said = engines(4, "distributed", 60, 1, [kith])
    kt.check_equal(count, 0, f"distributed on one host: engines\n{said}")
    print("one host:", said.strip())

    # Ranks on hosts of two, neighbours two apart: a better order is found, by every process alike.
    for kind in KINDS:
        count, said = engines(8, kind, 5, 2, [kith, hosts_of_two])
        kt.check_equal(count, 0, f"{kind} on hosts of two: engines\n{said}")
        if kind != "cart":  # a ring by rank lies well as it is
            told = (r"ranks reordered: weight of neighbours on other hosts (\d+), in the best order found "
                    r"(\d+) \((\d+)% less\); [1-8] of 8 ranks move")
            found = re.search(told, said)
            kt.check(found, said)
            before, after, less = map(int, found.groups())
            kt.check(abs(less - 100 * (1 - after / before)) <= 0.5, f"per cent of {before} and {after}: {less}")
    print("hosts of two: no engine, better orders")

    # Only the engine can read a topology: it is asked once for equal requests, for the host's
    # hardware and for the order.
    for kind in KINDS[1:-1]:
        topology = {"KITH_TOPOLOGY": "tree:4x2"}
        count, said = engines(8, kind, 5, 2, [kith], topology)
        kt.check("ranks reordered" in said, said)
        kt.check_equal(count, 1, f"{kind} under a topology: engines\n{said}")
    print("a given topology: one question for equal requests")

    # The time is told, not judged: the machine may be busy.
    for kind in ("cart", "adjacent"):
        _, said = engines(16, kind, 100, 1, [kith])
        print("16 ranks:", re.search(rf"{kind}: .*", said)[0])
