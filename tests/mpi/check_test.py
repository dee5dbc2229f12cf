#!/usr/bin/env python3
"""kith run --check: who would be where, and nothing else happens."""
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

world = kt.setting("KITH_BINARY") / "tests/mpi/world"
KITH = kt.setting("KITH")
HOST = os.uname().nodename


def check(options, command, status=0):
    return kt.run([KITH, "run", "--check", *options, "--", *command], status=status)


def as_json(options, command, status=0):
    return json.loads(check(["--json", *options], command, status).stdout)


def all_well():
    done = check(["--trace", "none"], ["mpirun", "-n", 3, world])
    kt.check("holds together" not in done.stdout + done.stderr, "the program did its work")
    kt.check("3 ranks on 1 host, all under Kith" in done.stdout, done.stdout)
    rows = [line.split() for line in done.stdout.splitlines()[1:4]]
    kt.check_equal([row[:4] for row in rows], [[str(r), str(r), HOST, str(r)] for r in range(3)],
                   "the table")
    kt.check_equal(os.listdir(), ["sub"], "files made")
    kt.run([KITH, "run", "--check", "--reorder", "auto", "--", "mpirun", "-n", 3, world],
           environment={"KITH_HOME": os.path.abspath("home")})
    kt.check_equal(os.listdir(), ["sub"], "files made under auto")
    report = as_json([], bound_to_core_0())
    kt.check_equal((report["well"], report["ranks"], report["missing"], report["order"]),
                   (True, 3, [], None), "report")
    kt.check_equal({place["cpus"] for place in report["places"]}, {"0"}, "binding")


def bound_to_core_0():
    """The command; Open MPI 5 calls a set of cores otherwise."""
    if kt.is_open_mpi_5():
        return ["mpirun", "-n", 3, "taskset", "-c", "0", world]
    return ["mpirun", "-n", 3, "--bind-to", "core", "--cpu-set", "0", world]


def binding():
    """Ranks on one core of many are named; hwloc is told of a host with more cores than this one."""
    wrong = {"HWLOC_SYNTHETIC": "package:1 core:16 pu:1"}
    told = [f"{name}={value}" for name, value in wrong.items()]
    command = ["mpirun", "-n", 3, "--bind-to", "none", "env", *told, "taskset", "-c", "0", world]
    report = as_json([], command)
    kt.check_equal(len(report["binding"]), 1, f"mistakes: {report['binding']}")
    kt.check("ranks 0, 1 and 2 share one core, while 15 cores of 16 have no rank; mend: mpirun "
             in report["binding"][0], report["binding"][0])
    text = check([], command).stdout
    kt.check("\nbinding: on " in text and text.index("all under Kith") < text.index("binding: "),
             text)
    kt.check_equal(as_json([], ["mpirun", "-n", 2, world])["binding"], [], "a right binding")
    processors = len(os.sched_getaffinity(0))
    crowd = ["mpirun", "-n", processors + 1, "--oversubscribe", "--bind-to", "none", world]
    text = check([], crowd).stdout
    kt.check(f"{processors + 1} ranks shared {processors} processor" in text, text)
    done = check(["--bind", "scatter"], ["mpirun", "-n", 1, world])
    kt.check(" shared " not in done.stdout and "--bind is not checked" in done.stderr, done)


def orders():
    kt.write_mapping("reverse.map", [3, 2, 1, 0])
    report = as_json(["--reorder", "reverse.map"], ["mpirun", "-n", 4, world])
    kt.check_equal([(p["rank"], p["launcher_rank"], p["place"]) for p in report["places"]],
                   [(r, 3 - r, 3 - r) for r in range(4)], "reversed")
    kt.check_equal((report["well"], report["order"]), (True, "applied"), "reversed")

    kt.write_mapping("same.map", [0, 1, 2, 3])
    report = as_json(["--reorder", "same.map"], ["mpirun", "-n", 4, world])
    kt.check_equal((report["well"], report["order"]), (True, "unchanged"), "identity")

    report = as_json(["--reorder", "reverse.map"], ["mpirun", "-n", 3, world], status=3)
    kt.check_equal((report["well"], report["order"]), (False, "failed"), "another number of ranks")
    kt.check("3 ranks" in report["reason"], report["reason"])

    pathlib.Path("away.map").write_text(
        "# kith mapping ranks=2 topology=job hosts=0123456789abcdef\n0 1\n1 0\n")
    report = as_json(["--reorder", "away.map"], ["mpirun", "-n", 2, world], status=3)
    kt.check_equal((report["well"], report["order"]), (False, "failed"), "other hosts")
    done = check(["--reorder", "away.map"], ["mpirun", "-n", 2, world], status=3)
    kt.check("no order could be made: away.map was made for other hosts" in done.stdout,
             done.stdout)


def without_kith():
    begin = time.monotonic()
    odd = ["sh", "-c", "[ $OMPI_COMM_WORLD_RANK != 1 ] || unset LD_PRELOAD; exec \"$0\"", world]
    report = as_json([], ["mpirun", "-n", 3, *odd], status=3)
    kt.check_equal((report["well"], report["ranks"], report["missing"]), (False, 3, [1]),
                   "one rank without Kith")
    kt.check(time.monotonic() - begin < 60, "the job was not ended")

    done = check([], ["mpirun", "-n", 2, "true"], status=3)
    kt.check("no rank runs under Kith" in done.stderr and done.stdout == "", done.stderr)
    done = subprocess.run([KITH, "run", "--check", "--", "mpirun", "-n", "2", "false"], text=True,
                          capture_output=True, env={**os.environ, **kt.LAUNCH_ENVIRONMENT})
    kt.check(done.returncode != 0 and "before any rank reported" in done.stderr
             and f"ended with status {done.returncode} " in done.stderr
             and "its own, not Kith's" in done.stderr, done.stderr)


def several_jobs():
    """A script that starts one job after another: it is said that only one can be checked."""
    script = pathlib.Path("sub/both.sh")
    script.write_text(f"#!/bin/sh\nmpirun -n 2 {world} &\nmpirun -n 2 {world}\nwait\n")
    script.chmod(0o755)
    done = check([], [script.resolve()], status=3)
    kt.check("2 worlds instead of one: the command starts several jobs (check one at a time)"
             in done.stderr, done.stderr)


with kt.work_folder():
    os.mkdir("sub")
    all_well()
    binding()
    orders()
    without_kith()
    several_jobs()
    print("checked: all well, orders, ranks without Kith")
