#!/usr/bin/env python3
"""Kith under a real Slurm: traces, orders and checks through srun, the switches that Slurm knows of,
and launch files for SLURM_HOSTFILE, started by the command line that `kith map` prints.

usage (inside a bed): slurm_test.py
"""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import slurm


RANKS = 8
KITH = kt.setting("KITH")
program = kt.setting("KITH_BINARY") / "tests/apps/whereami"
SRUN = ["srun", "--mpi=pmix", "-N", 4, "--ntasks-per-node=2", "-n", RANKS]
HOST_OF_LAUNCHER_RANK = [f"h{j // 2}" for j in range(RANKS)]


def onhost(*words, status=0):
    return kt.run(["onhost", "h0", *words], status=status)


def check_jobs():
    """kith run before srun: a trace with Slurm's switches, an order, a check."""
    plain = onhost(*SRUN, program).stdout
    done = onhost(KITH, "run", "--trace", "t", "--", *SRUN, program)
    kt.check_equal(sorted(done.stdout.split("\n")), sorted(plain.split("\n")), "output under Kith")
    kt.check_trace("t.kith", RANKS)
    machine = json.loads(pathlib.Path("t.kith/machine.json").read_text())
    kt.check_equal([machine["hosts"][rank["host"]]["name"] for rank in machine["ranks"]],
                   HOST_OF_LAUNCHER_RANK, "the recorded job")
    kt.check_equal({host["name"]: host["switches"] for host in machine["hosts"]},
                   {"h0": ["s0"], "h1": ["s1"], "h2": ["s0"], "h3": ["s1"]}, "Slurm's switches")
    print("a job under srun is traced, with the switches that Slurm knows of")

    order = [3, 0, 6, 2, 7, 5, 1, 4]
    kt.write_mapping("order.map", order)
    done = onhost(KITH, "run", "--reorder", "order.map", "--trace", "turned", "--", *SRUN, program)
    kt.check("ranks reordered" in done.stderr, done.stderr)
    kt.check_equal([order[rank] for rank in kt.placement("turned.kith")], list(range(RANKS)),
                   "launcher rank of each rank")
    report = json.loads(onhost(KITH, "run", "--check", "--json", "--reorder", "order.map", "--",
                               *SRUN, program).stdout)
    kt.check_equal([place["host"] for place in report["places"]],
                   [HOST_OF_LAUNCHER_RANK[j] for j in order], "kith run --check: hosts")
    print("srun's ranks are reordered as the mapping says")


def map_job(seed, *launcher):
    """(host of each rank, what kith map says), by way of a launch file `out`."""
    words = ["map", "t", "--algorithm", "random", "--seed", seed]
    kt.run([KITH, *words, "-o", "mapping"])
    slots = [int(line.split()[1]) for line in pathlib.Path("mapping").read_text().splitlines()
             if not line.startswith("#")]
    said = onhost(*launcher, KITH, *words, "--format", "slurm", "-o", "out").stderr
    return [HOST_OF_LAUNCHER_RANK[slot] for slot in slots], said


def check_launch_files():
    """By itself and inside an allocation, srun starts each rank where the mapping says."""
    app = pathlib.Path("app")
    app.write_text("#!/bin/sh\necho $SLURM_PROCID $(hostname)\n")
    app.chmod(0o755)
    for seed, launcher in ((1, []), (2, []), (3, ["salloc", "-Q", "-N", 4, "-n", RANKS])):
        hosts, said = map_job(seed)
        command = re.search(r"start with: (SLURM_HOSTFILE=out srun .*)", said)[1]
        kt.check(command.endswith(f" {program}"), command)
        command = command.removesuffix(program) + "./app"
        lines = onhost(*launcher, "sh", "-c", command).stdout.splitlines()
        found = dict(line.split() for line in lines)
        kt.check_equal([found.get(str(rank)) for rank in range(RANKS)], hosts,
                       f"{command}, seed {seed}: host of each rank")
    print("SLURM_HOSTFILE: the tasks' hosts are the mapping's")

    _, said = map_job(1, "salloc", "-Q", "-w", "h0,h2", "-n", 2)
    kt.check("this allocation (SLURM_JOB_NODELIST) does not hold h1 and 1 more" in said, said)
    _, said = map_job(1, "salloc", "-Q", "-N", 4, "-n", 4)
    kt.check("warning: this allocation" not in said, said)
    print("an allocation that lacks hosts is noticed")


kt.need_programs("slurmctld", "slurmd", "srun", "salloc")
os.environ["PATH"] += ":/usr/sbin:/sbin"
with kt.work_folder(), slurm.running({"s0": ["h0", "h2"], "s1": ["h1", "h3"]}):
    check_jobs()
    check_launch_files()
