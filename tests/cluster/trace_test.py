#!/usr/bin/env python3
"""Ranks dealt out to 4 hosts in turn: the host leaders' rows meet in one trace, in rank order; what a
run leaves that does not end, with a file system that the hosts share, and without.

usage (inside a bed): trace_test.py
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt


RANKS = 10
programs = kt.setting("KITH_BINARY") / "tests/mpi"


def shifted(by, size):
    return {(r, (r + by) % RANKS): size for r in range(RANKS)}


def launch(options, program):
    return kt.run(["onhost", "h0", kt.setting("KITH"), "run", *options, "--", "mpirun", "-n", RANKS,
                   "--map-by", "node", programs / program])


def whole_trace():
    kt.write_mapping("reverse.map", [RANKS - 1 - rank for rank in range(RANKS)])
    for name, extra in (("dealt", []), ("reversed", ["--reorder", "reverse.map"])):
        launch(["--trace", name, *extra], "phases")
        trace = pathlib.Path(f"{name}.kith")
        meta = kt.check_trace(trace, RANKS)
        kt.check_equal(len(meta["hosts"]), 4, "hosts")
        kt.check_equal(kt.read_matrix(trace / "bytes.mtx"),
                       {**shifted(1, 111), **shifted(2, 1000)}, f"{name}: bytes")
        kt.check_equal(kt.read_matrix(trace / "phases/0002.bytes.mtx"), shifted(2, 1000),
                       f"{name}: the second phase")
        rows = [line.split() for line in (trace / "bytes.mtx").read_text().splitlines()[3:]]
        kt.check_equal(rows, sorted(rows, key=lambda row: (int(row[0]), int(row[1]))),
                       f"{name}: order of the entries")
        kt.check_equal(json.loads((trace / "meta.json").read_text())["totals"]["bytes"],
                       1111 * RANKS, f"{name}: total")
    print(f"{RANKS} ranks on 4 hosts: one trace")


def hanging_job(trace, **environment):
    """`endings hang`, when every rank has sent: its process."""
    job = subprocess.Popen(
        ["onhost", "h0", kt.setting("KITH"), "run", "--trace", trace, "--", "mpirun", "-n",
         str(RANKS), "--map-by", "node", programs / "endings", "hang"],
        text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, **environment})
    kt.check_equal(job.stdout.readline().strip(), "all have sent", f"{trace}: the job")
    return job


def end(job):
    job.terminate()
    _, errors = job.communicate(timeout=60)
    said = [line for line in errors.splitlines() if line.startswith("kith:")]
    kt.check(len(said) == 1 and "the job ended before MPI_Finalize" in said[0], errors)


def rows_in(folder):
    return sorted(path.name for path in pathlib.Path(folder).glob("rank-*.rows"))


def partial_trace():
    end(hanging_job("ended"))
    info = json.loads(kt.run([kt.setting("KITH"), "info", "ended", "--json"]).stdout)
    kt.check_equal(info["rows"], {"ranks": RANKS, "incomplete": 0}, "rows on a shared file system")
    kt.run([kt.setting("KITH"), "convert", "ended", "ended.mtx"])
    kt.check_equal(kt.read_matrix("ended.mtx"),
                   {(r, (r + 1) % RANKS): 3 * (100 + r) for r in range(RANKS)}, "bytes")
    print("a job that is ended on 4 hosts leaves all rows")


def hosts_with_folders_of_their_own():
    """Every host but the root's has an empty file system in the place of the folder."""
    os.mkdir("own")
    agent = pathlib.Path("agent").absolute()
    agent.write_text(f'''#!/bin/sh
host=$1
shift
exec onhost "$host" unshare --mount env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$HOME" \\
  TMPDIR="${{TMPDIR-/tmp}}" sh -c "mount -t tmpfs own {pathlib.Path("own").absolute()} && $*"
''')
    agent.chmod(0o755)
    # Open MPI 4.1; 5.0.
    there = {"OMPI_MCA_plm_rsh_agent": str(agent), "PRTE_MCA_plm_ssh_agent": str(agent)}
    job = hanging_job("own/t", **there)
    folder = pathlib.Path("own/t.kith.partial").absolute()
    seen = {tuple(rows_in(f"/proc/{rank}/root{folder}"))
            for rank in map(int, kt.run(["pgrep", "-x", "endings"]).stdout.split())}
    dealt = {tuple(f"rank-{rank:06}.rows" for rank in range(host, RANKS, 4)) for host in range(4)}
    kt.check_equal(seen, dealt, "rows on each host")
    kt.check_equal(tuple(rows_in(folder)), min(dealt), "rows on the root's host")
    end(job)
    info = json.loads(kt.run([kt.setting("KITH"), "info", "own/t", "--json"]).stdout)
    kt.check_equal(info["rows"]["ranks"], len(min(dealt)), "rows that the root's host has")

    done = kt.run(["onhost", "h0", kt.setting("KITH"), "run", "--trace", "own/t", "--force", "--",
                   "mpirun", "-n", RANKS, "--map-by", "node", programs / "phases"],
                  environment=there)
    said = [line for line in done.stderr.splitlines() if line.startswith("kith:")]
    kt.check_equal(said, ["kith: recorded: own/t.kith; next: kith info own/t.kith"], "said")
    kt.check_trace("own/t.kith", RANKS)
    print("hosts that share no file system keep their rows themselves")


with kt.work_folder():
    whole_trace()
    partial_trace()
    hosts_with_folders_of_their_own()
