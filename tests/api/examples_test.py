#!/usr/bin/env python3
"""examples/api: each example in each language moves the ranks that it says, and keeps its sums."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import languages

RANKS = 4
TWO_HOSTS = {"KITH_TOPOLOGY": "tree:2x2"}
HOPS = 4  # between the hosts; 2 inside


def told(output):
    """What an example printed, by the first word of its lines."""
    return {line.split()[0].rstrip(":"): line.split(maxsplit=1)[1] for line in output.splitlines()}


def hops(a, b):
    return 0 if a == b else 2 if a // 2 == b // 2 else HOPS


def check_order(lines, what):
    """Pairs share a host, and the decision is about the order that was made."""
    kt.check("reordered" in lines, f"{what}: {lines}")
    order = [int(word) for word in lines["processes"].split()[2:]]
    kt.check_equal(sorted(order), list(range(RANKS)), f"{what}: processes")
    kt.check_equal([hops(order[r], order[r + RANKS // 2]) for r in range(RANKS // 2)], [2, 2],
                   f"{what}: hops of pairs")
    before, _, after, moved = lines["cost"].replace(",", "").split()[:4]
    kt.check_equal(int(moved), sum(r != p for r, p in enumerate(order)), f"{what}: ranks that move")
    return order, int(before), int(after)


def reorder(run, what):
    lines = told(run("reorder", TWO_HOSTS))
    _, before, after = check_order(lines, what)
    # Each pair sends 2 x 8000 bytes; the sum's few more lie on the way as well.
    kt.check(128000 <= before < 129000 and 64000 <= after < 65000, f"{what}: {before} -> {after}")
    kt.check_equal(lines["sums"], "2004000 2004000", f"{what}: sums")


def reorder_graph(run, what):
    lines = told(run("reorder_graph", TWO_HOSTS))
    order, before, after = check_order(lines, what)
    edges = [(r, (r + 2) % RANKS, 1000) for r in range(RANKS)]
    edges += [(r, (r + 1) % RANKS, 1) for r in range(RANKS)]
    costs = [sum(w * hops(at[a], at[b]) for a, b, w in edges) for at in (range(RANKS), order)]
    kt.check_equal([before, after], costs, f"{what}: costs of the declared graph")
    kt.check_equal(lines["sum"], "2004000", f"{what}: sum")


def checkpoint(run, what):
    trace = pathlib.Path(f"{what}.kith").absolute()
    lines = told(run("checkpoint", {**TWO_HOSTS, "KITH_TRACE": trace}))
    _, before, after = check_order(lines, what)
    kt.check(512000 <= before < 515000 and 256000 <= after < 259000, f"{what}: {before} -> {after}")
    # Each rank's cells are counted by rank + 1: other sums where they were left behind.
    expected = sum((r + 1) * sum(range(500 * r, 500 * r + 500)) for r in range(RANKS))
    kt.check_equal(lines["checksums"], f"{expected} {expected}", f"{what}: checksums")
    names = [phase["name"] for phase in json.loads((trace / "meta.json").read_text())["phases"]]
    kt.check_equal(names[:2], ["set-up", "steps"], f"{what}: phases")


def decisions_are_told():
    """With KITH_VERBOSE=2; otherwise the report has them."""
    example = kt.setting("KITH_BINARY") / "examples/api/c/reorder"
    for verbose, lines in (("1", 0), ("2", 1)):
        said = kt.mpirun(RANKS, [example], preload=False, settings={**TWO_HOSTS, "KITH_VERBOSE": verbose}).stderr
        kt.check_equal(said.count("kith: ranks reordered: "), lines, f"KITH_VERBOSE={verbose}: {said}")


with kt.work_folder():
    decisions_are_told()
    tried = languages.built()
    for language, run in tried.items():
        for example in (reorder, reorder_graph, checkpoint):
            example(run, f"{language}-{example.__name__}")
    print("three examples in each of:", ", ".join(tried))
