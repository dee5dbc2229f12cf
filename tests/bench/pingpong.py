#!/usr/bin/env python3
"""What recording adds to a message: a ping-pong between two ranks through shared memory, against no
preload, Open MPI's own monitoring and EZTrace (where it is installed), interleaved in one run.

Usage: pingpong.py BUILD_FOLDER [ROUNDS [BYTES...]]
"""
import sys
import tempfile

from ways import build_folder, output_of, print_table, ways

BLOCKS = 30
build = build_folder(__doc__, "lib/libkith.so", "tests/bench/pingpong")
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
sizes = sys.argv[3:] or ["1", "8", "64", "1024", "8192", "65536", "1048576"]
base = ["mpirun", "-n", "2", "--bind-to", "core", "--mca", "btl", "self,vader"]

found = {size: {} for size in sizes}
for _ in range(rounds):
    with tempfile.TemporaryDirectory() as folder:
        for name, options in ways(build, folder).items():
            text = output_of([*base, *options, build / "tests/bench/pingpong", BLOCKS, *sizes])
            for line in text.splitlines():
                size, nanoseconds = line.split()
                found[size].setdefault(name, []).append(float(nanoseconds))

for size, measured in found.items():
    print_table(f"{size} bytes: ns per message, median of {rounds} interleaved runs", measured)
