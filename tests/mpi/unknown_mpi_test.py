#!/usr/bin/env python3
"""Under an MPI library that Kith does not know, one line says so and the program runs as without Kith;
so under one with the standard's own interface (libmpi_abi), whoever made it, where libkith-standard.so
is not there (tests/standard: where it is)."""
import pathlib
import shutil
import subprocess
import sys
import os

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

source = kt.setting("KITH_SOURCE") / "tests/mpi/programs/unknown_mpi.c"
LIBRARIES = {"libmpi.so.99": ("Somebody's MPI", []), "libmpi_abi.so.0": ("MPICH Version: 5", []),
             "libmpi_abi.so.1": ("Open MPI v6.0", ["-DOF_OPEN_MPI"])}


def run(folder, bind_now, **settings):
    environment = {**os.environ, **settings, **({"LD_BIND_NOW": "1"} if bind_now else {})}
    done = subprocess.run([f"{folder}/program"], text=True, capture_output=True, timeout=60, env=environment)
    kt.check_equal((done.returncode, done.stdout), (0, "rank 7, 0 errors\n"), f"{folder}, {settings}")
    return [line for line in done.stderr.splitlines() if line.startswith("kith:")]


with kt.work_folder():
    kith = pathlib.Path(shutil.copy(kt.setting("KITH_LIB"), "libkith.so")).absolute()
    for number, (file, (name, options)) in enumerate(LIBRARIES.items()):
        folder = f"case{number}"
        pathlib.Path(folder).mkdir()
        library = f"{folder}/{file}"
        kt.run(["cc", "-w", "-shared", "-fPIC", "-DLIBRARY", f'-DNAME="{name}"', *options, f"-Wl,-soname,{file}", "-o", library,
                source])
        kt.run(["cc", "-w", "-o", f"{folder}/program", source, library, "-Wl,-rpath,$ORIGIN"])
        for bind_now in (False, True):
            kt.check_equal(run(folder, bind_now), [], "without Kith")
            for settings in ({}, {"KITH_TRACE": "trace", "KITH_REORDER": "auto"}):
                said = run(folder, bind_now, LD_PRELOAD=str(kith), **settings)
                kt.check(len(said) == 1 and "the program runs under" in said[0]
                         and name.split(" ")[0] in said[0], f"{file}: {said}")
        reason = "through the standard's interface" if "abi" in file else "of a kind that Kith does not know"
        kt.check(reason in said[0], f"{file}: {said}")
        print(f"{file}: {said[0]}")
    kt.check(not pathlib.Path("trace.kith").exists(), "a trace")
print("ok")
