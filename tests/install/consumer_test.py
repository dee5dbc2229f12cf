#!/usr/bin/env python3
"""An installed tree that was moved, and one that was staged by DESTDIR: program, library, CMake
package and pkg-config file work, and name no other place."""
import os
import shutil

import installed
from installed import kt

kt.need_programs("cmake", "mpirun", "mpicc", "pkg-config", "readelf")
whereami = kt.setting("KITH_BINARY") / "tests/apps/whereami"


def check_tree(prefix, *places):
    libdir = next(prefix.rglob("libkith.so")).parent
    installed.check_library(libdir)
    installed.check_program(prefix / "bin/kith", whereami)
    installed.check_manual(prefix)
    installed.check_pkg_config({"PKG_CONFIG_PATH": str(libdir / "pkgconfig")})
    installed.check_no_place_named(prefix, *places, kt.setting("KITH_BINARY"))


with kt.work_folder() as work:
    binary = kt.setting("KITH_BINARY")
    kt.run(["cmake", "--install", binary, "--prefix", work / "first"])
    prefix = (work / "first").rename(work / "moved")
    check_tree(prefix, work / "first")
    found_at = f"-DCMAKE_PREFIX_PATH={prefix}"
    installed.check_engine(installed.build("engine", found_at) / "with_engine")
    both = installed.build("kith;engine", found_at)
    installed.check_engine(both / "with_engine")
    installed.check_api(both / "with_api", "kith::kith")
    if compiler := shutil.which("mpicc.mpich"):
        configure = ["cmake", "-S", installed.CONSUMER, "-B", "other", "-DCOMPONENTS=kith", found_at,
                     f"-DMPI_C_COMPILER={compiler}"]
        half = next(prefix.rglob("libkith.so")).with_name("libkith-mpich.so")
        if half.exists():
            kt.run(configure)
            kt.run(["cmake", "--build", "other"])
            done = kt.run(["mpiexec.hydra", "-n", 4, "other/with_api"])
            kt.check("reordered 1: " in done.stdout, done.stdout + done.stderr)
            print("a project of the other MPI library uses the same tree")
        else:
            done = kt.run(configure, status=1)
            kt.check("was built for Open MPI" in done.stderr and "uses MPICH" in done.stderr, done.stderr)
            print("a project of another MPI library is told so")
    text = kt.run(["kith", "info", "t.kith"], {"PATH": f"{prefix}/bin:{os.environ['PATH']}"}).stdout
    kt.check(text.strip(), "kith info prints nothing")

with kt.work_folder() as work:
    kt.run(["cmake", "--install", binary, "--prefix", "/opt/kith"], {"DESTDIR": str(work / "stage")})
    kt.check_equal([path.name for path in (work / "stage").iterdir()], ["opt"], "below DESTDIR")
    check_tree(work / "stage/opt/kith", work / "stage", "/opt/kith")
