#!/usr/bin/env python3
"""Started with a launch file of `kith map`, each rank runs where the mapping says; `kith run --check`
and ranks without Kith on several hosts.

usage (inside a bed): launch_test.py
"""
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt


RANKS = 8
KITH = kt.setting("KITH")
program = kt.setting("KITH_BINARY") / "tests/apps/whereami"
AGENT = pathlib.Path(__file__).resolve().parent / "agent"


def onhost(*words, status=0):
    return kt.run(["onhost", "h0", *words], status=status)


def hosts_by_rank(done):
    lines = sorted(line.split() for line in done.stdout.splitlines())
    kt.check_equal([int(rank) for rank, _ in lines], list(range(RANKS)), f"ranks: {done.stdout}")
    return [host for _, host in lines]


def prepare_launchers():
    """What the printed command lines need here, and users have: `mpiexec` is Hydra's, and it knows how
    to reach hosts (it says "-x HOST ..." to ssh)."""
    tools = pathlib.Path("tools").absolute()
    tools.mkdir()
    agent = tools / "agent"
    agent.write_text(f'#!/bin/sh\n[ "$1" != -x ] || shift\nexec {AGENT} "$@"\n')
    agent.chmod(0o755)
    if hydra := shutil.which("mpiexec.hydra"):
        mpiexec = tools / "mpiexec"
        mpiexec.write_text(f'#!/bin/sh\nexec {hydra} "$@"\n')  # it finds its proxy by its name
        mpiexec.chmod(0o755)
    os.environ.update(PATH=f"{tools}:{os.environ['PATH']}", HYDRA_LAUNCHER="ssh",
                      HYDRA_LAUNCHER_EXEC=str(agent))
    app = pathlib.Path("app")
    app.write_text("#!/bin/sh\necho ${OMPI_COMM_WORLD_RANK-$PMI_RANK} $(hostname)\n")
    app.chmod(0o755)


def check_files():
    onhost(KITH, "run", "--trace", "t", "--", "mpirun", "-n", RANKS, "--map-by", "node", program)
    machine = json.loads(pathlib.Path("t.kith/machine.json").read_text())
    host_of_slot = [machine["hosts"][process["host"]]["name"] for process in machine["ranks"]]
    kt.check_equal(host_of_slot, [f"h{j % 4}" for j in range(RANKS)], "the recorded job")
    prepare_launchers()
    for form, needed in {"rankfile": "mpirun", "hydra": "mpiexec.hydra"}.items():
        if shutil.which(needed) is None:
            kt.not_tried(f"{form}: no {needed}")
            continue
        for seed in (1, 2):
            words = ["map", "t", "--algorithm", "random", "--seed", seed]
            kt.run([KITH, *words, "-o", "mapping"])
            said = kt.run([KITH, *words, "--format", form, "-o", "out"]).stderr
            command = re.search("start with: (.*)$", said, re.MULTILINE)[1]
            kt.check(command.endswith(f" {program}"), command)
            command = command.removesuffix(program) + "./app"
            slots = [int(line.split()[1]) for line in pathlib.Path("mapping").read_text().splitlines()
                     if not line.startswith("#")]
            kt.check_equal(hosts_by_rank(onhost("sh", "-c", command)), [host_of_slot[s] for s in slots],
                           f"{command}, seed {seed}: host of each rank")
        print(f"{form}: the launcher's places are the mapping's ({command})")


def check_hosts():
    kt.write_mapping("reverse.map", [RANKS - 1 - rank for rank in range(RANKS)])
    report = json.loads(onhost(KITH, "run", "--check", "--json", "--reorder", "reverse.map", "--",
                               "mpirun", "-n", RANKS, "--map-by", "node", program).stdout)
    kt.check_equal([(p["launcher_rank"], p["host"], p["place"]) for p in report["places"]],
                   [(j, f"h{j % 4}", j // 4) for j in reversed(range(RANKS))], "who would be where")

    # Ranks 2 and 6 are on h2, ranks 0 and 4 on the root's host.
    for missing in ((2, 6), (0,)):
        cases = "|".join(map(str, missing))
        drops = ["sh", "-c",
                 f'case $OMPI_COMM_WORLD_RANK in {cases}) unset LD_PRELOAD;; esac; exec "$0"', program]
        launch = ["mpirun", "-n", RANKS, "--map-by", "node"]
        report = json.loads(onhost(KITH, "run", "--check", "--json", "--", *launch, *drops,
                                   status=3).stdout)
        kt.check_equal(report["missing"], list(missing), "ranks without Kith")
        for options in ([], ["--mca", "pmix_base_collect_data", "0"]):
            done = onhost(KITH, "run", "--trace", "mixed", "--", *launch, *options, *drops)
            kt.check("off for this run: rank" in done.stderr, done.stderr)
            kt.check_equal(len(done.stdout.splitlines()), RANKS, "lines of the program")
    print("ranks without Kith are found on any host")


with kt.work_folder():
    check_files()
    check_hosts()
kt.finish()
