#!/usr/bin/env python3
"""What Kith adds to a message: an 8-byte ping-pong between two ranks through shared memory, against
no preload and against Open MPI's own monitoring, interleaved in one run.

Usage: pingpong.py BUILD_FOLDER [ROUNDS] [BYTES]
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
size = sys.argv[3] if len(sys.argv) > 3 else "8"
environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
base = ["mpirun", "-n", "2", "--bind-to", "core", "--mca", "btl", "self,vader"]
program = [str(build / "tests/bench/pingpong"), size]


def ways(folder):
    monitoring = ["--mca", "pml", "ob1,monitoring", "--mca", "pml_monitoring_enable", "2",
                  "--mca", "pml_monitoring_enable_output", "3",
                  "--mca", "pml_monitoring_filename", f"{folder}/prof"]
    yield "nothing", ["--mca", "pml", "ob1"]
    yield "kith", ["--mca", "pml", "ob1", "-x", f"LD_PRELOAD={build}/lib/libkith.so",
                   "-x", f"KITH_TRACE={folder}/t", "-x", "KITH_FORCE=1"]
    yield "monitoring", monitoring
    yield "nothing again", ["--mca", "pml", "ob1"]


with tempfile.TemporaryDirectory() as folder:
    found = {name: [] for name, _ in ways(folder)}
    for _ in range(rounds):
        for name, options in ways(folder):
            done = subprocess.run([*base, *options, *program], env=environment, text=True,
                                  capture_output=True, check=True)
            found[name].append(float(done.stdout.split()[0]))

plain = statistics.median(found["nothing"] + found["nothing again"])
print(f"{size}-byte ping-pong, ns per message, median of {rounds} interleaved runs")
print(f"{'':15}{'median':>9}{'min':>9}{'max':>9}{'added':>9}{'ratio':>8}")
for name, values in found.items():
    middle = statistics.median(values)
    print(f"{name:15}{middle:9.1f}{min(values):9.1f}{max(values):9.1f}{middle - plain:9.1f}"
          f"{middle / plain:8.3f}")
