#!/usr/bin/env python3
"""A program of one MPI library under the launcher of another is as many worlds as it has processes:
a check says so at once, nothing is recorded, the program runs on, and one process speaks."""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("mpicc.mpich", "mpicc.openmpi", "mpiexec.hydra")
PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int count, char **words) {
  int size = 0;
  MPI_Init(&count, &words);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("one of %d\\n", size);
  return MPI_Finalize();
}
"""
RANKS = 3


def run(options, launcher, program):
    return kt.run([kt.setting("KITH"), "run", *options, "--", launcher, "-n", RANKS, f"./{program}"],
                  timeout=60, status=None)


def check_apart(launcher, program, library):
    """`launcher` of another library than the program's."""
    told = f"this program's MPI library ({library}"
    done = run(["--check"], launcher, program)
    kt.check_equal(done.returncode, 3, f"check: {done}")
    kt.check(f"{RANKS} worlds instead of one: {told}" in done.stderr, f"check: {done.stderr}")
    for options in (["--trace", "none"], ["--reorder", "auto"]):
        done = run(options, launcher, program)
        kt.check_equal((done.returncode, done.stdout.split("\n").count("one of 1")), (0, RANKS), f"{options}: {done}")
        kt.check_equal(done.stderr.count(f"off for this run: {told}"), 1, f"{options}: {done.stderr}")
    kt.check(not any(pathlib.Path(".").glob("none*")), "a trace of one of the worlds")
    print(f"{library} under {launcher}: told")


def check_alone(program):
    """Not a world too many: one process of a launcher, also within another launcher."""
    around = {"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"}
    done = kt.run([kt.setting("KITH"), "run", "--trace", "alone", "--", "mpiexec.hydra", "-n", 1, f"./{program}"],
                  around)
    kt.check("off for this run" not in done.stderr, done.stderr)
    kt.check_equal(json.loads(pathlib.Path("alone.kith/meta.json").read_text())["ranks"], 1, "a world of its own")
    print("one process alone: recorded")


with kt.work_folder():
    pathlib.Path("world.c").write_text(PROGRAM)
    for name in ("openmpi", "mpich"):
        kt.run([f"mpicc.{name}", "-o", name, "world.c"])
    check_apart("mpirun.openmpi", "mpich", "MPICH")
    check_apart("mpiexec.hydra", "openmpi", "Open MPI")
    check_alone("mpich")
