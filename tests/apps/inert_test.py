#!/usr/bin/env python3
"""libkith.so as a guest: what it exports, what it needs, and that it leaves other programs alone."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("nm", "readelf")
library = kt.setting("KITH_LIB")
kt.check(library.is_file(), f"{library} is missing")

# What the recording source of Open MPI's monitoring is called by.
HOOK = "mca_common_monitoring_record_pml"
exported = [line.split()[-1].split("@")[0] for line in
            kt.run(["nm", "-D", "--defined-only", library]).stdout.splitlines()]
strangers = [name for name in exported
             if not re.match(r"(MPIX?|mpix?|kith)_", name) and name != HOOK]
kt.check_equal(strangers, [], "symbols that libkith.so exports beside MPI_*, MPIX_*, mpi_*, kith_*")
kt.check(any(name == "MPI_Send" for name in exported), "MPI_Send is not exported")
kt.check(not any(name.startswith(("PMPI_", "pmpi_")) for name in exported), "PMPI_* is exported")

needed = re.findall(r"\(NEEDED\).*\[(.*)\]", kt.run(["readelf", "-d", library]).stdout)
kt.check_equal([name for name in needed if not re.match(r"libc\.so|ld-linux", name)], [],
               "libraries that libkith.so needs beside libc's")
print(f"{len(exported)} exported symbols, needs {needed}")

COMMANDS = (["/bin/echo", "hello"], ["/bin/sh", "-c", "echo $((6 * 7)); exit 0"],
            ["bash", "-c", "x=$(echo a | tr a b); echo $x; (exit 3) || echo sub"],
            ["python3", "-c", "import json, threading, ctypes; print(json.dumps([1, 2]))"],
            ["mpirun", "--version"])
for command in COMMANDS:
    alone = subprocess.run(command, capture_output=True, text=True)
    for extra in ({}, {"LD_BIND_NOW": "1"}, {"KITH_TRACE": "never.kith", "KITH_VERBOSE": "3",
                                             "KITH_REORDER": "/nonexistent"}):
        with kt.work_folder() as folder:
            found = kt.run(command, {"LD_PRELOAD": str(library), **extra}, status=alone.returncode)
            kt.check_equal((found.stdout, found.stderr), (alone.stdout, alone.stderr),
                           f"{command} under the preload with {extra}")
            kt.check_equal(list(folder.iterdir()), [], f"files that {command} left")
print(f"{len(COMMANDS)} programs without MPI unharmed and silent")

# An MPI program that ends before MPI_Init, or never calls it, is none of ours either.
whereami = kt.setting("KITH_BINARY") / "tests/apps/whereami"
resolved = kt.run([whereami, "--help"], {"LD_PRELOAD": str(library), "LD_BIND_NOW": "1"})
kt.check_equal(resolved.stderr, "", "stderr of an MPI program under LD_BIND_NOW")
