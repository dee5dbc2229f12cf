#!/usr/bin/env python3
"""Kith built without MPICH's header, as on a machine that has Open MPI alone: MPICH's programs find nothing
missing. Builds libkith.so into a folder of its own; the tests are those of mpich_test.py.
"""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("mpicc.mpich", "mpiexec.hydra")
source, binary = kt.setting("KITH_SOURCE"), kt.setting("KITH_BINARY")
build = binary / "tests/mpich/builtin"
kt.run(["cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DKITH_TESTS=OFF",
        "-DKITH_STANDARD_MPI=OFF", "-DKITH_OTHER_MPI=BUILTIN"], timeout=300)
kt.run(["cmake", "--build", build, "--parallel", os.cpu_count(), "--target", "kith", "kith_mpich"], timeout=1500)
(build / "libexec/kith").mkdir(parents=True, exist_ok=True)
shutil.copy(kt.engine(), build / "libexec/kith")
flags = (build / "lib/preload/CMakeFiles").rglob("flags.make")
kt.check(not any("include/x86_64-linux-gnu/mpich" in file.read_text() for file in flags), "MPICH's header was used")
test = pathlib.Path(__file__).with_name("mpich_test.py")
sys.exit(subprocess.run([test, "all"], env={**os.environ, "KITH_LIB": str(build / "lib/libkith.so")}).returncode)
