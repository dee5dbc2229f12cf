#!/usr/bin/env python3
"""Kith built for MPICH first, and for Open MPI as the second: one libkith.so, the other way round.

Builds libkith.so with mpicc.mpich into a folder of its own beside the build; the engine, which knows
no MPI, is the build's.
"""
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("mpicc.mpich", "mpicc.openmpi", "mpiexec.hydra")
source, binary = kt.setting("KITH_SOURCE"), kt.setting("KITH_BINARY")
folder = binary / "tests/mpich"
build = folder / "build"
library = build / "lib/libkith.so"
RANKS = 4


def build_all():
    kt.run(["cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DKITH_TESTS=OFF",
            f"-DMPI_C_COMPILER={shutil.which('mpicc.mpich')}", "-DKITH_OTHER_MPI=mpicc.openmpi"])
    kt.run(["cmake", "--build", build, "--parallel", os.cpu_count(), "--target", "kith", "kith_mpich"],
           timeout=1500)
    for program, folder_name in ((kt.setting("KITH"), "bin"), (kt.engine(), "libexec/kith")):
        (build / folder_name).mkdir(parents=True, exist_ok=True)
        shutil.copy(program, build / folder_name)
    for file in (source / "tools/kith-probe").glob("*.cpp"):
        kt.run(["mpicxx.mpich", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-I",
                source / "lib", "-I", source / "lib/preload", "-I", source / "include", "-I",
                source / "tools", file])
    kt.run(["mpicc.mpich", "-O1", "-w", "-o", folder / "cg_first", source / "examples/patterns/cg_transpose.c", "-lm"])


def launched(kind, preload, words, settings):
    settings = {**settings, **({"LD_PRELOAD": preload} if preload else {})}
    if kind == "Open MPI":
        return kt.run(["mpirun", "-n", RANKS, *(word for name, value in settings.items()
                                                for word in ("-x", f"{name}={value}")), *words])
    return kt.run(["mpiexec.hydra", "-n", RANKS, *(word for name, value in settings.items()
                                                   for word in ("-genv", name, value)), *words])


def programs():
    """The same bytes and results under both, in the launcher's order and reversed."""
    for kind, program in (("MPICH", folder / "cg_first"),
                          ("Open MPI", binary / "examples/patterns/cg_transpose")):
        plain = launched(kind, None, [program], {}).stdout
        for order in ({}, {"KITH_REORDER": "reverse.map"}):
            name = f"{kind[0]}{len(order)}.kith"
            done = launched(kind, library, [program], {"KITH_TRACE": name, **order})
            kt.check_equal(done.stdout, plain, f"{kind}, {order}")
            kt.check("ranks reordered" in done.stderr if order else not done.stderr, done.stderr)
            kt.check_trace(name, RANKS)
    for part in ("p2p", "rma"):
        kt.check_equal(kt.read_matrix(f"O1.kith/classes/{part}.bytes.mtx"),
                       kt.read_matrix(f"M0.kith/classes/{part}.bytes.mtx"), part)
    print("programs of both: the same bytes, in both orders")


def interpreted():
    """Python loads Open MPI late and for itself alone, after our constructor."""
    words = ["/usr/bin/python3", "-c", "from mpi4py import MPI; w = MPI.COMM_WORLD; "
             "found = w.gather((w.rank, w.allreduce(w.rank), w.Split(w.rank % 2).size)); "
             "w.rank == 0 and print(found)"]
    plain = launched("Open MPI", None, words, {})
    done = launched("Open MPI", library, words, {"KITH_TRACE": "late"})
    kt.check_equal(done.stdout, plain.stdout, "mpi4py")
    kt.check_equal(done.stderr, "", "mpi4py")
    kt.check_trace("late.kith", RANKS)
    print("mpi4py, which loads Open MPI late: traced")


folder.mkdir(parents=True, exist_ok=True)
build_all()
with kt.work_folder():
    kt.write_mapping("reverse.map", list(reversed(range(RANKS))))
    programs()
    interpreted()
kt.finish()
