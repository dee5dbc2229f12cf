#!/usr/bin/env python3
"""Where each rank runs: rank 0 and its input, ranks that keep their local index, tables of places."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

reads_input = kt.setting("KITH_BINARY") / "tests/mpi/reads_input"
RANKS = 6
HOSTS_OF_TWO = f"{kt.setting('KITH_LIB')}:{reads_input.parent / 'libsmall_hosts.so'}"
UNEQUAL = "tree:2x4;slots=0-5"  # hosts of 4 and 2


def write_matrix(path, pairs, ranks):
    lines = [f"{i + 1} {j + 1} 1000000" for i, j in pairs]
    pathlib.Path(path).write_text("%%MatrixMarket matrix coordinate integer general\n"
                                  f"{ranks} {ranks} {len(lines)}\n" + "\n".join(lines) + "\n")


def launch(trace, settings, ranks=RANKS, stdin="some input\n"):
    """(slot of each rank, what Kith said); the program must have had its input."""
    done = kt.mpirun(ranks, [reads_input], preload="LD_PRELOAD" not in settings, stdin=stdin,
                     settings={"KITH_TRACE": trace, **settings})
    kt.check_equal(done.stdout, f"{ranks * (ranks - 1) // 2} some input\n", f"{trace}: the program")
    rank_of = kt.placement(f"{trace}.kith")
    lines = [line for line in done.stderr.splitlines() if line.startswith("kith:")]
    return [rank_of.index(rank) for rank in range(ranks)], lines


def rank_0_and_its_input():
    """The ring 1, 2, 3, 4 belongs on the large host, 0 and 5 on the small one."""
    write_matrix("wish.mtx", [(0, 5), (5, 0), (1, 2), (2, 3), (3, 4), (4, 1)], RANKS)
    settings = {"KITH_REORDER": "wish.mtx", "KITH_TOPOLOGY": UNEQUAL}
    slots, said = launch("kept", settings)
    kt.check("ranks reordered" in said[0], said[0])
    kt.check_equal(slots[0], 0, "rank 0 keeps its process")
    # The launcher gives its own rank 0 the input, unless told which rank is to be the program's.
    free = {**settings, "KITH_KEEP_RANK0": "0", "KITH_TRACE": "free"}
    kt.mpirun(RANKS, [reads_input], preload=True, settings=free)
    launcher_rank = kt.placement("free.kith").index(0)
    kt.check(launcher_rank in (4, 5), f"KITH_KEEP_RANK0=0 frees rank 0, found {launcher_rank}")
    done = kt.mpirun(RANKS, [reads_input], preload=True, stdin="some input\n",
                     options=["--stdin", launcher_rank], settings={**free, "KITH_FORCE": "1"})
    kt.check_equal(done.stdout, "15 some input\n", "rank 0 elsewhere with --stdin")
    print("rank 0 keeps its process and its input, unless told otherwise")


def local_indices():
    """2 hosts of 2: who keeps its local index goes to slots of its own parity only."""
    machine = {"KITH_TOPOLOGY": "tree:2x2", "LD_PRELOAD": HOSTS_OF_TWO}
    write_matrix("even.mtx", [(0, 2), (2, 0), (1, 3), (3, 1)], 4)  # partners of one local index: never together
    write_matrix("odd.mtx", [(0, 3), (1, 2)], 4)
    together = [0, 3, 2, 1]  # ranks 1 and 3 change hosts

    slots, said = launch("index", {**machine, "KITH_REORDER": "even.mtx", "KITH_KEEP_LOCAL": "1"}, 4)
    kt.check_equal(slots, [0, 1, 2, 3], "partners of one local index")
    kt.check("order unchanged" in said[0] and "local index" in said[0], said[0])
    slots, said = launch("odd", {**machine, "KITH_REORDER": "odd.mtx", "KITH_KEEP_LOCAL": "1"}, 4)
    kt.check_equal(slots, together, "partners of two local indices")
    kt.check("ranks reordered" in said[0] and "local index" in said[0], said[0])

    free, _ = launch("free4", {**machine, "KITH_REORDER": "even.mtx", "KITH_KEEP_LOCAL": "0"}, 4)
    kt.check_equal(free[0] // 2, free[2] // 2, "KITH_KEEP_LOCAL=0")
    seen, said = launch("seen", {**machine, "KITH_REORDER": "even.mtx",
                                 "CUDA_VISIBLE_DEVICES": "0,1"}, 4)
    kt.check_equal(seen, [0, 1, 2, 3], "where devices are visible")
    seen, said = launch("freed", {**machine, "KITH_REORDER": "even.mtx", "KITH_KEEP_LOCAL": "0",
                                  "CUDA_VISIBLE_DEVICES": "0,1"}, 4)
    kt.check_equal(seen, free, "devices, but KITH_KEEP_LOCAL=0")

    # A machine whose nodes are not the hosts: on one host of 4 nobody may move.
    line = {"KITH_TOPOLOGY": "mesh:4", "KITH_REORDER": "even.mtx"}
    slots, said = launch("line", {**line, "KITH_KEEP_LOCAL": "0"}, 4)
    kt.check(slots != [0, 1, 2, 3] and "ranks reordered" in said[0], said[0])
    slots, said = launch("one_host", {**line, "KITH_KEEP_LOCAL": "1"}, 4)
    kt.check_equal(slots, [0, 1, 2, 3], f"four nodes, one host: {said[0]}")
    slots, said = launch("two_hosts", {**line, "KITH_REORDER": "odd.mtx", "KITH_KEEP_LOCAL": "1",
                                       "LD_PRELOAD": HOSTS_OF_TWO}, 4)
    kt.check(slots != [0, 1, 2, 3], f"four nodes, two hosts: {said[0]}")
    kt.check_equal([slot % 2 for slot in slots], [0, 1, 0, 1], "four nodes, two hosts")

    # A mapping file is the user's will.
    kt.write_mapping("any.map", [0, 2, 1, 3])
    slots, _ = launch("any", {**machine, "KITH_REORDER": "any.map", "KITH_KEEP_LOCAL": "1"}, 4)
    kt.check_equal(slots, [0, 2, 1, 3], "a mapping file")
    print("local indices are kept where asked for or devices are seen")


def tables():
    kt.write_mapping("turn.map", [0, 2, 3, 1])
    done = kt.mpirun(4, [reads_input], preload=True,
                     settings={"KITH_TRACE": "turned", "KITH_REORDER": "turn.map",
                               "KITH_VERBOSE": "2"})
    rows = [re.fullmatch(r"kith: +(\d) +(\d) +\S+ +(\d) +\S+", line)
            for line in done.stderr.splitlines()]
    found = [tuple(map(int, row.groups())) for row in rows if row]
    expected = [(rank, slot, slot) for rank, slot in enumerate([0, 2, 3, 1])]
    kt.check_equal(found, expected, f"the table at KITH_VERBOSE=2: {done.stderr}")
    kith = kt.setting("KITH")
    listed = json.loads(kt.run([kith, "info", "turned", "--places", "--json"]).stdout)
    kt.check_equal([(p["rank"], p["launcher_rank"], p["place"]) for p in listed], expected,
                   "kith info --places --json")
    text = kt.run([kith, "info", "turned", "--places"]).stdout.splitlines()
    kt.check_equal([tuple(map(int, (row.split()[0], row.split()[1], row.split()[3])))
                    for row in text[1:]], expected, "kith info --places")
    print("tables of places")


def another_machine():
    """A mapping for a machine that was assumed is applied, and says which one it was."""
    rows = "".join(f"{rank} {slot}\n" for rank, slot in enumerate([0, 2, 1, 3]))
    pathlib.Path("assumed.map").write_text(f"# kith mapping ranks=4 topology=tree:2x2 hosts=-\n{rows}")
    for settings, is_told in (({}, True), ({"KITH_TOPOLOGY": "tree:2x2"}, False)):
        said = kt.mpirun(4, [reads_input], preload=True, stdin="some input\n",
                         settings={"KITH_REORDER": "assumed.map", **settings}).stderr
        kt.check("as assumed.map says, 2 of 4 ranks moved" in said, said)
        kt.check_equal("it was made for tree:2x2" in said, is_told, said)


with kt.work_folder():
    rank_0_and_its_input()
    local_indices()
    tables()
    another_machine()
