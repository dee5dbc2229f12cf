#!/usr/bin/env python3
"""libkith.so as a guest: what it exports and needs, and that it leaves other programs alone."""
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

# Seen in the MPI program that a shell starts among others, bound at once or late.
whereami = kt.setting("KITH_BINARY") / "tests/apps/whereami"
for extra in ({}, {"LD_BIND_NOW": "1"}):
    with kt.work_folder():
        ranks = kt.mpirun(3, ["bash", "-c", f"true | cat; {whereami}; true"], preload=True,
                          settings={"KITH_TRACE": "shell", "KITH_VERBOSE": "0", **extra})
        kt.check_equal((ranks.stdout, ranks.stderr), ("0 0\n1 1\n2 2\n", ""),
                       f"output with {extra}")
        meta = kt.check_trace("shell.kith", 3)
        kt.check("whereami" in meta["program"], f"the traced program: {meta['program']}")
print("an MPI program behind a shell is seen")
