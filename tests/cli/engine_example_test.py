#!/usr/bin/env python3
"""examples/engine: the engine in a program without MPI."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

program = kt.setting("KITH_BINARY") / "examples/engine/map"
with kt.work_folder():
    # Four groups of eight that talk inside only, dealt out at random.
    ranks = list(range(32))
    random.Random(5).shuffle(ranks)
    groups = [ranks[i:i + 8] for i in range(0, 32, 8)]
    edges = [(a, b) for group in groups for a in group for b in group if a != b]
    text = "%%MatrixMarket matrix coordinate integer general\n32 32 " + f"{len(edges)}\n"
    pathlib.Path("groups.mtx").write_text(text + "".join(f"{a + 1} {b + 1} 10\n" for a, b in edges))
    cost, slots = kt.run([program, "groups.mtx", "tree:4x8"]).stdout.splitlines()
    slot_of = [int(word) for word in slots.split(":")[1].split()]
    kt.check_equal(sorted(slot_of), list(range(32)), "slots")
    for group in groups:
        kt.check_equal(len({slot_of[rank] // 8 for rank in group}), 1, "nodes of a group")
    kt.check_equal(int(cost.split()[-1]), len(edges) * 10 * 2, "hop-bytes of groups on a node each")
    kt.check(int(cost.split()[1]) > int(cost.split()[-1]), cost)

    done = kt.run([program, "groups.mtx", "tree:4x"], status=2)
    kt.check(done.stdout == "" and done.stderr.startswith("map: topology: expected"), done.stderr)
    kt.run([program], status=2)
print("groups of 8 share a node")
