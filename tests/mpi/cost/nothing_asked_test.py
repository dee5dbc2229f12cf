#!/usr/bin/env python3
"""Loaded and nothing asked: programs run as without Kith. No call of MPI that talks to others or makes
something, none after MPI_Finalize; no process is started and no file opened but libkith.so."""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import kithtest as kt

RANKS = 2
binary = kt.setting("KITH_BINARY")
library = kt.setting("KITH_LIB")
PROGRAMS = {
    "halo2d": [binary / "examples/patterns/halo2d", 8, 6, 5],
    "pairs": [binary / "tests/mpi/pairs"],
    "world": [binary / "tests/mpi/world"],
    "collectives": [binary / "tests/mpi/collectives"],
    "threads": [binary / "tests/mpi/threads"],
    "cycles dup": [binary / "tests/mpi/cost/cycles", "dup", 10],
    "cycles persist": [binary / "tests/mpi/cost/cycles", "persist", 10],
}
# What Kith may ask where nothing is asked of it: local, and the same whoever asks.
MAY_ASK = {"PMPI_Comm_get_parent", "PMPI_Comm_rank", "PMPI_Comm_size", "PMPI_Comm_test_inter",
           "PMPI_Get_library_version"}


def preload(*libraries):
    return ":".join(str(path) for path in libraries if path)


def pmpi_calls(program, kith):
    """Calls of PMPI in all processes, by function; and those after MPI_Finalize."""
    os.mkdir("counts")
    folder = pathlib.Path("counts").absolute()
    libraries = preload(kith, binary / "tests/mpi/cost/libcounter.so")
    done = kt.run(["mpirun", "-n", RANKS, "-x", f"PMPI_COUNTS={folder}", "-x",
                   f"LD_PRELOAD={libraries}", *program], timeout=100)
    found, late = collections.Counter(), []
    for path in folder.iterdir():
        for line in path.read_text().splitlines():
            name, number = line.split()
            if name == "late":
                late.append(number)
            else:
                found[name] += int(number)
    shutil.rmtree(folder)
    return found, late, done


def plain_name(path):
    """Without the numbers of processes and jobs; of the MPI library's scratch files only the folder."""
    scratch = re.match(r"(/tmp|/dev/shm)/(?!.*kith[^/]*$)", path)
    return scratch.group(1) if scratch else re.sub(r"[0-9a-f]*\d[0-9a-f]*", "#", path)


def system_calls(program, kith):
    """Files opened, by name without numbers, and processes started; all ranks together."""
    os.mkdir("traces")
    environment = ["-E", f"LD_PRELOAD={kith}"] if kith else []
    kt.run(["mpirun", "-n", RANKS, "strace", "-ff", "-qq", "-o", "traces/t", "-e",
            "trace=open,openat,creat,execve,execveat,fork,vfork,clone,clone3", *environment,
            *program], timeout=200)
    opened, started = set(), 0
    for path in pathlib.Path("traces").iterdir():
        for line in path.read_text(errors="replace").splitlines():
            failed = " = -1 " in line
            name = re.match(r"\w+", line).group(0)
            if name in ("open", "openat", "creat"):
                if not failed:
                    opened.add(plain_name(re.search(r'"([^"]*)"', line).group(1)))
            elif name.startswith("exec") or "CLONE_THREAD" not in line:
                started += 0 if failed else 1
    shutil.rmtree("traces")
    return opened, started


def may_trace():
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode == 0


with kt.work_folder():
    for name, program in PROGRAMS.items():
        plain, _, without = pmpi_calls(program, None)
        found, late, done = pmpi_calls(program, library)
        kt.check_equal((sorted(done.stdout.splitlines()), done.stderr),
                       (sorted(without.stdout.splitlines()), without.stderr), f"{name}: output")
        asked = {call: number - plain[call] for call, number in found.items()
                 if number > plain[call] and call not in MAY_ASK}
        kt.check_equal(asked, {}, f"{name}: calls of MPI that Kith made")
        kt.check_equal(late, [], f"{name}: calls of MPI after MPI_Finalize")
    print(f"{len(PROGRAMS)} programs: MPI was asked for nothing")
    if not may_trace():
        kt.skip("no strace that may trace (tools/install-packages --with-tests)")
    own = {plain_name(str(library)), plain_name(str(library.resolve()))}
    for name, program in PROGRAMS.items():
        plain_opened, plain_started = system_calls(program, None)
        opened, started = system_calls(program, library)
        kt.check_equal(sorted(opened - plain_opened - own), [], f"{name}: files that Kith opened")
        kt.check_equal(started, plain_started, f"{name}: processes started")
    print(f"{len(PROGRAMS)} programs: no file opened, no process started")
