#!/usr/bin/env python3
"""What Kith adds to starting up and shutting down: MPI_Init and MPI_Finalize with nothing between them,
on many oversubscribed ranks, with and without the preload and a trace, interleaved; also by `kith run`.

Usage: startup.py BUILD_FOLDER [RANKS [ROUNDS]]
"""
import sys
import tempfile
import time

from ways import build_folder, output_of, print_table, ways

build = build_folder(__doc__, "bin/kith", "lib/libkith.so", "tests/bench/pingpong")
ranks = int(sys.argv[2]) if len(sys.argv) > 2 else 64
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
base = ["mpirun", "-n", ranks, "--oversubscribe", "--bind-to", "none",
        "--mca", "mpi_yield_when_idle", "1"]

program = build / "tests/bench/pingpong"


def commands(folder):
    """{name: command}, plain at the beginning and at the end."""
    all_ways = {name: [*base, *options, program] for name, options in ways(build, folder).items()}
    last, again = all_ways.popitem()
    by_kith_run = [build / "bin/kith", "run", "--trace", f"{folder}/r", "--", *again]
    return {**all_ways, "kith run --trace": by_kith_run, last: again}


found = {}
for _ in range(rounds):
    with tempfile.TemporaryDirectory() as folder:
        for name, command in commands(folder).items():
            begin = time.monotonic()
            output_of(command)
            found.setdefault(name, []).append(1000 * (time.monotonic() - begin))
print_table(f"{ranks} ranks: ms from mpirun's start to its end, median of {rounds} runs", found)
