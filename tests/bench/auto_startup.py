#!/usr/bin/env python3
"""What KITH_REORDER=auto adds with a known profile: time from mpirun's start to its end, of a program
that sends little, on many oversubscribed ranks, interleaved. "known": ranks are reordered; "stays":
the gain is too small.

Usage: auto_startup.py BUILD_FOLDER [RANKS [ROUNDS]]
"""
import sys
import tempfile
import time

from ways import build_folder, output_of, print_table

build = build_folder(__doc__, "lib/libkith.so", "examples/patterns/halo2d")
ranks = int(sys.argv[2]) if len(sys.argv) > 2 else 64
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
program = [build / "examples/patterns/halo2d", 16, 512, 16]
base = ["mpirun", "-n", ranks, "--oversubscribe", "--bind-to", "none",
        "--mca", "mpi_yield_when_idle", "1"]
kith = ["-x", f"LD_PRELOAD={build}/lib/libkith.so", "-x", "KITH_VERBOSE=0"]

with tempfile.TemporaryDirectory() as home:
    # Half a host per leaf: something to gain, so that the world is replaced as well.
    auto = [*kith, "-x", "KITH_REORDER=auto", "-x", f"KITH_HOME={home}", "-x",
            f"KITH_TOPOLOGY=tree:{ranks // 2}x2"]
    ways = {"nothing": [], "kith, idle": kith, "auto, known": auto,
            "auto, stays": [*auto, "-x", "KITH_MIN_GAIN=99%"], "nothing again": []}
    output_of([*base, *auto, *program])
    found = {}
    for _ in range(rounds):
        for name, options in ways.items():
            begin = time.monotonic()
            output_of([*base, *options, *program])
            found.setdefault(name, []).append(1000 * (time.monotonic() - begin))
    print_table(f"{ranks} ranks: ms from mpirun's start to its end, median of {rounds} runs", found)
