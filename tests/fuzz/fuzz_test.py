#!/usr/bin/env python3
"""Every reader against libFuzzer, under AddressSanitizer and UBSan.

usage: fuzz_test.py [--seconds N] [READER...]

Builds the fuzz programs with clang in a folder of their own, then runs each (two at a time) for N
seconds from its corpus. What makes one fail is left beside the corpus found on the way, in the build
folder, and named in the message; the mended reader should keep it in corpus/READER.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

here = pathlib.Path(__file__).resolve().parent
# hwloc itself loses memory over XML that it refuses.
LEAKY = ("hwloc",)
SANITIZERS = "-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"


def build(seconds):
    # A short run ends sooner when its programs are built sooner.
    level = 1 if seconds > 10 else 0
    folder = kt.setting("KITH_BINARY") / "tests/fuzz/programs"
    kt.run(["cmake", "-S", kt.setting("KITH_SOURCE"), "-B", folder, "-DKITH_FUZZ=ON",
            "-DKITH_MPI=OFF", "-DKITH_TESTS=ON", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
            "-DCMAKE_CXX_COMPILER=clang++", "-DCMAKE_C_COMPILER=clang",
            f"-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O{level} -gline-tables-only",
            f"-DCMAKE_CXX_FLAGS={SANITIZERS}"])
    kt.run(["cmake", "--build", folder, "--target", "fuzz_programs", "--parallel", "2"],
           timeout=1200)
    return folder


def fuzz(folder, name, seconds):
    """Runs one program; returns how many inputs it tried."""
    found = folder / "found" / name
    found.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name}.log"
    with log.open("w") as out:
        done = subprocess.run(
            [folder / f"bin/fuzz_{name}", f"-max_total_time={seconds}", "-timeout=100",
             "-rss_limit_mb=2048", "-max_len=65536", "-print_final_stats=1",
             f"-artifact_prefix={found}/failing-", found, here / "corpus" / name],
            stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env={**os.environ, "ASAN_OPTIONS": "allocator_may_return_null=1:"
                 f"detect_leaks={int(name not in LEAKY)}"})
    text = log.read_text(errors="replace")
    kt.check(done.returncode == 0, f"{name}: see {log}\n" + text[-3000:])
    return int(re.search(r"stat::number_of_executed_units:\s*(\d+)", text)[1])


arguments = argparse.ArgumentParser()
arguments.add_argument("--seconds", type=int, default=5)
arguments.add_argument("readers", nargs="*")
arguments = arguments.parse_args()
kt.need_programs("clang++", "cmake")
folder = build(arguments.seconds)
names = sorted(path.name.removeprefix("fuzz_") for path in (folder / "bin").glob("fuzz_*"))
missing = [name for name in names if not any((here / "corpus" / name).glob("*"))]
kt.check(not missing, f"readers without a corpus: {missing}")
names = [name for name in names if not arguments.readers or name in arguments.readers]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    runs = {name: pool.submit(fuzz, folder, name, arguments.seconds) for name in names}
    for name, run in runs.items():
        print(f"{name}: {run.result()} inputs", flush=True)
