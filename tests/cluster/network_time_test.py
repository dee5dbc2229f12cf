#!/usr/bin/env python3
"""Programs on 4 hosts x 4 ranks in several orders: what Kith says of the busiest cable is what its
shaper counts, and how the seconds follow that.

usage (inside a bed): network_time_test.py REPEATS CASE...|all
Bytes are checked (within 10%), seconds are printed: the least of REPEATS runs that take turns.
"""
import json
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hpcc_case
import kithtest as kt
import lammps_case
from shapers import bytes_out_by_host

BUILD = kt.setting("KITH_BINARY")
PATTERNS = BUILD / "examples/patterns"
CASES = {
    "hpcg": ["halo27", 16, 1, 1, 24, 200, 2], "amg": ["halo27", 4, 2, 2, 6, 400, 5],
    "hpcg-box": ["halo27", 4, 2, 2, 24, 100, 2], "amg-line": ["halo27", 16, 1, 1, 6, 400, 5],
    "halo2d": ["halo2d", 1024, 256, 80], "halo3d": ["halo3d", 48, 40],
    "cg": ["cg_transpose", 256, 20], "fft": ["fft_alltoall", 64, 4],
    "neighbour": ["neighbour", 2048, 60], "wavefront": ["wavefront", 600, 40, 4],
    "ring": ["ring", 6000, 4], "workers": ["workers", 8000, 60], "lammps": None, "hpcc": None,
}
UNLIKE = {"workers"}  # each run sends other bytes
BY_NAME_ONLY = {"hpcc"}  # more than five minutes a run at 20 Mbit/s
NEEDS = {"lammps": "lmp", "hpcc": "hpcc"}
DEALT = {"slot": "ppr:4:node", "node": "node"}
GOALS = ("hop-bytes", "link-load", "max-com", "network-time")
TOLERANCE = 0.10


def program_of(case):
    if case == "hpcc":
        hpcc_case.prepare(n=400, rows=4, columns=4)
        return hpcc_case.COMMAND
    if case == "lammps":
        return lammps_case.command(**lammps_case.CLUSTER_CASES["cube"], n=30)
    name, *words = CASES[case]
    return [PATTERNS / name, *words]


def result_of(case, done):
    """What every order has to print, or to write, alike."""
    if case == "hpcc":
        return len(hpcc_case.verdicts())
    if case == "lammps":
        return lammps_case.thermo(done.stdout)
    return [] if case == "workers" else done.stdout.splitlines()[-1:]


class Run:
    def __init__(self, program, dealt):
        self.launcher = ["mpirun", "-n", 16, "--map-by", DEALT[dealt], *program]

    def __call__(self, options=None):
        before, begin = bytes_out_by_host(), time.monotonic()
        command = self.launcher
        if options is not None:
            command = [kt.setting("KITH"), "run", *options, "--", *command]
        done = kt.run(["onhost", "h0", *command], timeout=300, environment={"KITH_HOME": "home"})
        seconds = time.monotonic() - begin
        sent = [after - earlier for earlier, after in zip(before, bytes_out_by_host())]
        return done, sent, seconds


def correlation(pairs):
    """Spearman's."""
    def places(values):
        order = sorted(values)
        return [order.index(v) + (order.count(v) - 1) / 2 for v in values]
    a, b = (places([pair[i] for pair in pairs]) for i in (0, 1))
    return statistics.correlation(a, b) if len(set(a)) > 1 and len(set(b)) > 1 else float("nan")


def slots_in(mapping):
    return tuple(line for line in mapping.read_text().splitlines() if not line.startswith("#"))


def measure(case, dealt, repeats, idle):
    kith = kt.setting("KITH")
    run = Run(program_of(case), dealt)
    name = f"{case}-{dealt}"
    run(["--trace", name])
    orders, same = {"launcher": None}, {}
    wanted = {goal: ["--objective", goal] for goal in GOALS}
    wanted |= {f"random{seed}": ["--algorithm", "random", "--seed", seed] for seed in range(1, 5)}
    for order, options in wanted.items():
        mapping = pathlib.Path(f"{name}-{order}.map")
        kt.run([kith, "map", f"{name}.kith", *options, "-o", mapping])
        first = same.setdefault(slots_in(mapping), order)
        if first == order:
            orders[order] = ["--reorder", mapping]
        else:
            print(f"{name}: {order} is the order of {first}")
    first, _, _ = run(["--reorder", "auto"])
    expected = result_of(case, first)
    orders["auto"] = ["--reorder", "auto"]
    seconds, sent, said = {o: [] for o in orders}, {}, ""
    for _ in range(repeats):
        for order, options in orders.items():
            done, out, taken = run(options)
            kt.check_equal(result_of(case, done), expected, order)
            seconds[order].append(taken)
            sent[order] = max(a - b for a, b in zip(out, idle))
            said = done.stderr if order == "auto" else said
    print(f"{name}: {said.strip()}")
    print(f"{'':14}{'predicted MB':>13}{'hop-bytes':>12}{'counted MB':>11}{'median s':>9}{'least s':>8}")
    rows = []
    for order in orders:
        metrics = None
        if order != "auto":
            mapping = [] if order == "launcher" else ["--mapping", f"{name}-{order}.map"]
            told = json.loads(kt.run([kith, "eval", f"{name}.kith", *mapping, "--json"]).stdout)
            metrics = told["metrics"]
            rows.append((metrics["busiest_host"], min(seconds[order])))
        predicted = metrics and metrics["busiest_host"]
        print(f"{order:14}{predicted / 1e6 if metrics else float('nan'):13.2f}"
              f"{metrics['hop_bytes'] if metrics else 0:12}{sent[order] / 1e6:11.2f}"
              f"{statistics.median(seconds[order]):9.2f}{min(seconds[order]):8.2f}")
        if metrics and predicted > 2e6 and case not in UNLIKE:
            share = sent[order] / predicted - 1
            kt.check(abs(share) < TOLERANCE, f"{name}, {order}: {sent[order]} bytes left the "
                     f"busiest host, predicted {predicted}")
    print(f"rank correlation of the busiest host's bytes with seconds: {correlation(rows):.2f}",
          flush=True)


def main(repeats, cases):
    idle = Run([BUILD / "tests/apps/whereami"], "slot")(["--trace", "idle"])[1]
    every = [case for case in CASES if case not in BY_NAME_ONLY]
    for case in every if cases == ["all"] else cases:
        if case in NEEDS:
            kt.need_programs(NEEDS[case])
        for dealt in DEALT:
            measure(case, dealt, repeats, idle)


kt.need_programs("mpirun")
with kt.work_folder():
    main(int(sys.argv[1]), sys.argv[2:])
