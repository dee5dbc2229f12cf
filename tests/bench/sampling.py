#!/usr/bin/env python3
"""What `kith run --threads` costs a program of OpenMP, and how well it tells what threads share: runs with and
without in turn, and the matrix beside that of every access.

Usage: sampling.py BUILD_FOLDER [THREADS [ROUNDS]]
"""
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from ways import build_folder

build = build_folder(__doc__, "bin/kith", "lib/libkith.so", "tests/sharing")
threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 9
programs = build / "tests/sharing"


def seconds(words, **settings):
    began = time.monotonic()
    subprocess.run([str(word) for word in words], check=True, capture_output=True, env={**os.environ, **settings})
    return time.monotonic() - began


def matrix(file):
    lines = [line.split() for line in file.read_text().splitlines() if not line.startswith("%")]
    return {(i, j): int(w) for i, j, w in lines[1:]}


def cosine(a, b):
    product = sum(weight * b.get(cell, 0) for cell, weight in a.items())
    return product / math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()) or 1)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    preload = {"LD_PRELOAD": str(build / "lib/libkith.so")}
    sampled = {**preload, "KITH_THREADS": "1", "KITH_TRACE": str(folder / "found"), "KITH_FORCE": "1"}
    print(f"{threads} threads, {rounds} rounds: seconds in the middle, longer with samples, samples, cosine")
    for kernel, doubles, times in (("ring", 8192, 60000), ("ring", 800000, 500), ("all-to-all", 8192, 40000)):
        seconds([programs / "sharing_blocks_exact", kernel, threads, 20, doubles],
                KITH_ACCESSES=str(folder / "exact.mtx"))
        words = [programs / "sharing_blocks", kernel, threads, times, doubles]
        without, with_samples = [], []
        for _ in range(rounds):
            without.append(seconds(words, **preload))
            with_samples.append(seconds(words, **sampled))
        longer = statistics.median(b / a - 1 for a, b in zip(without, with_samples))
        head = (folder / "found.mtx").read_text().splitlines()[1].split("; ")[1]
        alike = cosine(matrix(folder / "exact.mtx"), matrix(folder / "found.mtx"))
        print(f"{kernel:10} {doubles:7} doubles: {statistics.median(without):.2f} s, {100 * longer:+.1f}%, {head}, "
              f"{alike:.3f}")
