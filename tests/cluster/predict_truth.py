#!/usr/bin/env python3
"""Seconds that `kith predict` says from one trace, beside the clock: programs on 4 hosts x 4 ranks under
several orders and bandwidths.

usage (inside a bed of 20 Mbit/s): predict_truth.py REPEATS MBIT,... PROGRAM...|all
Recorded once in the launcher's order at the bed's rate; all else is predicted from that trace and
one probe. Every
order is run REPEATS times in turns; the noise is how far equal runs are apart. Prints a table.
"""
import json
import os
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hpcc_case
import kithtest as kt
import lammps_case

RANKS, RECORDED_AT, CPUS = 16, 20, len(os.sched_getaffinity(0))
PATTERNS = kt.setting("KITH_BINARY") / "examples/patterns"
PROGRAMS = {
    "halo2d": ["halo2d", 1024, 256, 400], "halo3d": ["halo3d", 48, 40],
    "faces": ["halo3d", 128, 10], "halo27": ["halo27", 4, 2, 2, 6, 400, 5],
    "hpcg": ["halo27", 16, 1, 1, 24, 200, 2], "cg": ["cg_transpose", 2048, 60],
    "fft": ["fft_alltoall", 64, 4], "neighbour": ["neighbour", 2048, 60],
    "wavefront": ["wavefront", 600, 40, 8], "ring": ["ring", 12000, 4],
    "workers": ["workers", 8000, 120], "lammps": "cube", "lammps-slab": "slab",
    "hpcc": None,
}
BY_NAME_ONLY = {"hpcc"}  # more than five minutes a run at 20 Mbit/s


def command_of(name):
    if name == "hpcc":
        hpcc_case.prepare(n=400, rows=4, columns=4)
        return hpcc_case.COMMAND
    if name.startswith("lammps"):
        return lammps_case.command(**lammps_case.CLUSTER_CASES[PROGRAMS[name]], n=30)
    return [PATTERNS / PROGRAMS[name][0], *PROGRAMS[name][1:]]


def set_rate(megabits):
    """At both ends of each host's cable."""
    for number, host in enumerate(os.environ["BED_HOSTS"].split()):
        for space, device in ((host, "eth0"), ("switches", f"port{number}")):
            kt.run(["ip", "netns", "exec", space, "tc", "qdisc", "replace", "dev", device, "root", "tbf",
                    "rate", f"{megabits}mbit", "burst", "32kb", "limit", "4mb"])


def seconds_of_run(program, mapping, trace):
    """Wall seconds from the end of MPI_Init to MPI_Finalize."""
    options = ["--trace", trace, "--force"] + (["--reorder", mapping] if mapping else [])
    kt.run(["onhost", "h0", kt.setting("KITH"), "run", *options, "--", "mpirun", "-n", RANKS,
            "--map-by", "ppr:4:node", *program], timeout=300)
    return json.loads((pathlib.Path(f"{trace}.kith") / "meta.json").read_text())["wall_seconds"]


def orders_of(name):
    """A mapping file for each order; nothing for the present one."""
    kith = kt.setting("KITH")
    kt.run([kith, "map", f"{name}.kith", "-o", f"{name}-kith.map"])
    for seed in (1, 2):
        kt.run([kith, "map", f"{name}.kith", "--algorithm", "random", "--seed", seed, "-o",
                f"{name}-random{seed}.map"])
    kt.write_mapping(f"{name}-reversed.map", list(reversed(range(RANKS))))
    kt.write_mapping(f"{name}-round.map", [rank % 4 * 4 + rank // 4 for rank in range(RANKS)])
    names = ("kith", "reversed", "round", "random1", "random2")
    return {"present": None} | {order: f"{name}-{order}.map" for order in names}


def predicted(name, orders, megabits):
    files = [word for file in orders.values() if file for word in ("--mapping", file)]
    words = [kt.setting("KITH"), "predict", f"{name}.kith", "--json", "--cpus", CPUS, "--network",
             "probed.net", *files]
    if megabits != RECORDED_AT:
        words += ["--what-if", f"bandwidth={megabits / RECORDED_AT}x"]
    told = json.loads(kt.run(words).stdout)
    return told, [row["seconds"] for row in told["orders"]]


def places(values):
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]


def correlation(a, b):
    a, b = places(a), places(b)
    return statistics.correlation(a, b) if len(set(a)) > 1 and len(set(b)) > 1 else float("nan")


def measure(name, rates, repeats, errors):
    program = command_of(name)
    set_rate(RECORDED_AT)
    seconds_of_run(program, None, name)
    orders = orders_of(name)
    for rate in rates:
        set_rate(rate)
        told, says = predicted(name, orders, rate)
        measured = {order: [] for order in orders}
        for _ in range(repeats):
            for order, mapping in orders.items():
                measured[order].append(seconds_of_run(program, mapping, "again"))
        middle = [statistics.median(all_runs) for all_runs in measured.values()]
        noise = max((max(r) - min(r)) / statistics.median(r) for r in measured.values())
        print(f"{name} at {rate} Mbit/s: recorded {told['recorded_seconds']:.2f} s, simulated "
              f"{told['simulated_seconds']:.2f} s, noise {noise:.0%}, rank correlation {correlation(says, middle):.2f}")
        for order, seconds, clock in zip(orders, says, middle):
            error = seconds / clock - 1
            errors.append(abs(error))
            print(f"  {order:10}{seconds:9.2f} s predicted {clock:9.2f} s measured {error:+8.1%}",
                  flush=True)


def main(repeats, rates, programs):
    errors = []
    kt.run(["onhost", "h0", kt.setting("KITH"), "probe", "-o", "probed.net", "--", "mpirun", "-n", RANKS,
            "--map-by", "node"], timeout=120)
    print(pathlib.Path("probed.net").read_text())
    every = [name for name in PROGRAMS if name not in BY_NAME_ONLY]
    for name in every if programs == ["all"] else programs:
        measure(name, rates, repeats, errors)
    errors.sort()
    print(f"|predicted - measured| / measured: median {statistics.median(errors):.1%}, 90th "
          f"percentile {errors[int(0.9 * (len(errors) - 1))]:.1%} of {len(errors)}")


if __name__ == "__main__":
    kt.need_programs("mpirun")
    with kt.work_folder():
        main(int(sys.argv[1]), [int(rate) for rate in sys.argv[2].split(",")], sys.argv[3:])
