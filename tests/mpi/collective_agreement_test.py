#!/usr/bin/env python3
"""The model of collectives against what Open MPI really sends, cell by cell.

programs/collective_sweep.c runs every collective in every way of calling it, one at a time, each in
a phase of its own, and notes what the message layer sent. Where the library's monitoring does not
tell it so, a second run with KITH_COLLECTIVES=exact does. Prints the table of agreement that
lib/preload/record/collectives/README.md keeps.

usage: collective_agreement_test.py short|full
"""
import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

sweep = kt.setting("KITH_BINARY") / "tests/mpi/collective_sweep"
# coll/monitoring cannot cope with communicators between two groups; the rest of it can.
MONITORING = ["--mca", "coll", "^monitoring", "--mca", "pml_monitoring_enable", "1"]
GROUPS = "within,between,neighbours,making"
TOLERANCE = 0.01

# How many algorithms coll_tuned_X_algorithm knows, and those that need two ranks.
ALGORITHMS = {"allgather": 6, "allgatherv": 5, "allreduce": 6, "alltoall": 5, "alltoallv": 2,
              "barrier": 6, "bcast": 9, "exscan": 2, "gather": 3, "reduce": 7,
              "reduce_scatter": 4, "reduce_scatter_block": 4, "scan": 2, "scatter": 3}
FOR_TWO = {"allgather": 6, "allgatherv": 5, "alltoall": 5, "barrier": 5}
NONBLOCKING = {"iallgather": 2, "iallreduce": 4, "ibcast": 4, "iexscan": 2, "ireduce": 3,
               "iscan": 2}

RULES = """3            # collectives
2            # allreduce
2            # communicator sizes
2 2   0 1 0 0   1000 4 0 0
5 2   0 5 0 256   8000 2 0 0
7            # bcast
1
2 3   0 7 0 0   500 2 3 128   20000 4 0 1024
11           # reduce
1
2 2   0 6 0 64   4000 2 2 2000
"""


class Agreement:
    """Cells compared, by collective and way of calling."""

    def __init__(self):
        self.rows = collections.defaultdict(lambda: [0, 0, 0.0])
        self.messages = collections.Counter()  # cells of whole runs, by whether they are equal
        self.failures = []

    def add(self, where, case, found, expected):
        name = case.split("/")[0].split("@")[0].split(".in")[0]
        for cell in sorted(set(found) | set(expected)):
            a, b = found.get(cell, 0), expected.get(cell, 0)
            worst = abs(a - b) / max(b, 1)
            row = self.rows[name]
            row[0] += 1
            row[1] += a == b
            row[2] = max(row[2], worst)
            if worst > TOLERANCE:
                self.failures.append(f"{where}: {case}: {cell}: counted {a}, sent {b}")

    def add_messages(self, where, counted, sent):
        for cell in sorted(set(counted) | set(sent)):
            a, b = counted.get(cell, 0), sent[cell]
            self.messages[a == b] += 1
            if a != b:
                self.failures.append(f"{where}: messages: {cell}: counted {a}, sent {b}")

    def print_table(self):
        ways = (("", "blocking"), ("i", "nonblocking"), ("p", "persistent"))
        names = sorted(name for name in self.rows if not self.is_prefixed(name))
        print("| collective | " + " | ".join(way for _, way in ways) + " |")
        print("|---|" + "---|" * len(ways))
        for name in names:
            texts = [self.text(prefix + name) for prefix, _ in ways]
            print(f"| {name} | " + " | ".join(texts) + " |")
        print(f"\nNumber of messages, all collectives of a run together: {self.messages[True]} of "
              f"{self.messages.total()} cells equal.")

    def is_prefixed(self, name):
        return name[0] in "ip" and name[1:] in self.rows

    def text(self, name):
        if name not in self.rows:
            return "no bytes"
        cells, equal, worst = self.rows[name]
        return f"{equal} of {cells}, {100 * worst:.2f} %"


def read_truth(prefix):
    """{case: {(from, to): (bytes, messages)}} as the processes saw it themselves."""
    truth = collections.defaultdict(dict)
    for path in pathlib.Path().glob(f"{prefix}.*"):
        rank = int(path.suffix[1:])
        for line in path.read_text().splitlines():
            case, peer, size, messages = line.split()
            truth[case][rank, int(peer)] = (int(size), int(messages))
    return truth


def read_phases(trace):
    meta = json.loads((pathlib.Path(trace) / "meta.json").read_text())
    return {phase["name"]: kt.read_matrix(pathlib.Path(trace) / phase["file"])
            for phase in meta["phases"]}


def nonzero(cells):
    return {cell: weight for cell, weight in cells.items() if weight}


def run_sweep(ranks, groups, sizes, options, source, room, trace):
    settings = {"KITH_COLLECTIVES": source, "KITH_TRACE": trace, "SWEEP_ROOM": room}
    monitoring = MONITORING if source == "model" else []
    kt.mpirun(ranks, [sweep, f"{trace}.truth", groups, *sizes], settings=settings,
              options=[*monitoring, *options], timeout=900)


def compare(agreement, ranks, sizes, options=(), groups=GROUPS, room=8_000_000,
            what=""):
    where = f"{ranks} ranks {what}".strip()
    with kt.work_folder():
        run_sweep(ranks, groups, sizes, options, "model", room, "model.kith")
        model = read_phases("model.kith")
        told = read_truth("model.kith.truth")
        messages = collections.Counter()
        if told:
            truth = {case: nonzero({cell: sent[0] for cell, sent in told.get(case, {}).items()})
                     for case in model}
            for cells in told.values():
                messages.update({cell: sent[1] for cell, sent in cells.items()})
        else:
            run_sweep(ranks, groups, sizes, options, "exact", room, "exact.kith")
            truth = read_phases("exact.kith")
            messages.update(kt.read_matrix("exact.kith/messages.mtx"))
        kt.check(len(truth) > 40 and sum(len(c) for c in truth.values()) > 100,
                 f"{where}: the truth saw too little")
        for case, sent in truth.items():
            agreement.add(where, case, model.get(case, {}), sent)
        agreement.add_messages(where, kt.read_matrix("model.kith/messages.mtx"), messages)
    print(f"{where}: {len(truth)} cases, {sum(messages.values())} messages", flush=True)


def forced(number, ranks):
    """Options that force algorithm `number` of every collective that has it, in segments."""
    options = ["--mca", "coll_tuned_use_dynamic_rules", "1"]
    for collective, count in ALGORITHMS.items():
        algorithm = min(number, count)
        if algorithm == FOR_TWO.get(collective) and ranks != 2:
            algorithm = 0
        prefix = f"coll_tuned_{collective}_algorithm"
        options += ["--mca", prefix, algorithm]
        if collective in ("allreduce", "bcast", "gather", "reduce"):
            options += ["--mca", f"{prefix}_segmentsize", 700]
        if collective in ("bcast", "reduce"):
            options += ["--mca", f"{prefix}_chain_fanout", 3]
    for collective, count in NONBLOCKING.items():
        if number <= count:
            options += ["--mca", f"coll_libnbc_{collective}_algorithm", number]
    return options


def with_rule_file(agreement, ranks, sizes):
    with kt.work_folder() as folder:
        (folder / "rules").write_text(RULES)
        compare(agreement, ranks, sizes, groups="within", what="with a rules file", options=[
            "--mca", "coll_tuned_use_dynamic_rules", "1",
            "--mca", "coll_tuned_dynamic_rules_filename", folder / "rules"])


def finish(agreement, what):
    print(f"\n{what}")
    agreement.print_table()
    kt.check(not agreement.failures, "\n".join(agreement.failures[:20]))


def main():
    kt.need_programs("mpirun", "ompi_info")
    version = subprocess.run(["ompi_info", "--version"], capture_output=True, text=True).stdout
    if "v4.1" not in version:
        kt.skip("the model's decisions are those of Open MPI 4.1")
    full = sys.argv[1:] == ["full"]
    default = Agreement()
    if full:
        sizes = (0, 1, 4, 7, 12, 20, 60, 100, 130, 300, 700, 1500, 3000, 5000, 10000, 20000, 50000,
                 100000, 200000, 400000, 800000, 1048576)
        for ranks in range(2, 18):  # all sizes up to 9 ranks, beyond a third of them in turn
            chosen_sizes = sizes if ranks < 10 else sizes[ranks % 3::3]
            compare(default, ranks, chosen_sizes, room=24_000_000)
    else:
        for ranks, sizes in ((2, (0, 20, 5000)), (5, (0, 1, 700, 20000)), (8, (100, 40000))):
            compare(default, ranks, sizes)
    finish(default, "Default decisions")

    chosen = Agreement()
    for ranks in (2, 5, 8, 13) if full else (6,):
        for number in range(1, 10) if full else (2, 4, 8):
            compare(chosen, ranks, (0, 1, 100, 3000, 20000) if full else (100, 9000),
                    options=forced(number, ranks), groups="within",
                    what=f"with algorithms {number}")
        with_rule_file(chosen, ranks, (0, 100, 3000, 40000))
    finish(chosen, "Decisions of the user")


main()
