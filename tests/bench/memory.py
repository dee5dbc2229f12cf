#!/usr/bin/env python3
"""What Kith takes of a rank's memory: private pages of a process that has spoken to no, few and all
other ranks, with and without the preload. What a single peer takes, bench_memory says.

Usage: memory.py BUILD_FOLDER [RANKS [ROUNDS]]
"""
import sys
import tempfile

from ways import build_folder, output_of, print_table, ways

build = build_folder(__doc__, "lib/libkith.so", "tests/bench/memory")
ranks = int(sys.argv[2]) if len(sys.argv) > 2 else 32
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
base = ["mpirun", "-n", ranks, "--oversubscribe", "--bind-to", "none",
        "--mca", "mpi_yield_when_idle", "1"]

for peers in (0, 6, ranks - 1):
    found = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name, options in ways(build, folder).items():
                text = output_of([*base, *options, build / "tests/bench/memory", peers])
                found.setdefault(name, []).append(float(text))
    print_table(f"{ranks} ranks, {peers} peers each: private kB of the median rank", found)
