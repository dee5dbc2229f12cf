#!/usr/bin/env python3
"""Without root, against an MPI library in a prefix of its own: configured by -DMPI_HOME or by
CMAKE_PREFIX_PATH, built, installed into a home, used. The library is this machine's Open MPI, copied,
with a version of its own in its header and moved by OPAL_PREFIX. Root steps down to nobody for this.
What knows no MPI, the engine and the program, is the build's.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import installed
from installed import kt

PACKAGES = ("libopenmpi3", "openmpi-bin", "openmpi-common", "libopenmpi-dev")
NOBODY = 65534
FROM_BUILD = ("bin/kith", "libexec/kith/kith-engine", "lib/libkith_engine.a", "tools/manual")
SOURCES = ("CMakeLists.txt", "LICENSE", "cmake", "include", "lib", "tools", "tests/apps/programs",
           "tests/install", "tests/support")


def copy_open_mpi(prefix):
    """The files of Debian's packages below `prefix`, with the plain names of its programs."""
    files = kt.run(["dpkg", "-L", *PACKAGES]).stdout.split("\n")
    for file in sorted({name for name in files if re.match("/usr/(bin|include|lib|share/openmpi)/", name)}):
        place = prefix / file.removeprefix("/usr/")
        if pathlib.Path(file).is_dir() and not os.path.islink(file):
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, place, follow_symlinks=False)
    for name in ("mpicc", "mpicxx", "mpirun", "mpiexec"):
        (prefix / "bin" / name).symlink_to(f"{name}.openmpi")
    headers = [path for path in prefix.rglob("mpi.h") if "OMPI_RELEASE_VERSION" in path.read_text()]
    kt.check(headers, "no mpi.h with a version")
    for header in headers:
        header.write_text(re.sub(r"(#define OMPI_RELEASE_VERSION) \d+", r"\1 99", header.read_text()))


def copy(origin, place):
    (shutil.copytree if origin.is_dir() else shutil.copy)(origin, place)


def copy_sources(folder):
    """What nobody may read and write, wherever the sources are."""
    for name in SOURCES:
        place, origin = folder / name, kt.setting("KITH_SOURCE") / name
        place.parent.mkdir(parents=True, exist_ok=True)
        copy(origin, place)


def configure(build, *options):
    done = kt.run(["cmake", "-S", "source", "-B", build, "-G", "Unix Makefiles", "-DKITH_TESTS=OFF", "-DKITH_FORTRAN=OFF",
                   "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0", *options])
    kt.check("Kith is built for Open MPI 4.1.99" in done.stdout, f"{options}: {done.stdout}")


def make(folder, target):
    kt.run(["make", "-C", folder, f"-j{os.cpu_count()}", target], timeout=1500)


def libraries_of(program):
    """What a program finds by itself."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    return subprocess.run(["ldd", str(program)], capture_output=True, text=True,
                          env=environment).stdout


def as_user(work):
    os.chdir(work)
    kt.check(os.getuid() != 0, "this is root's account")
    prefix, home = work / "mpi", work / "home"
    os.environ.update(HOME=str(home), OPAL_PREFIX=str(prefix))
    triplet = next(prefix.rglob("libmpi.so.40")).parent
    os.environ["LD_LIBRARY_PATH"] = str(triplet)  # what the module of that library would set
    configure("trial", f"-DCMAKE_PREFIX_PATH={prefix}")
    configure("build", f"-DMPI_HOME={prefix}")
    print("configured by MPI_HOME and by CMAKE_PREFIX_PATH")
    make("build", "kith")
    for name in FROM_BUILD:
        place = work / "build" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        (work / "from_build" / place.name).rename(place)
    make("build/tools/kith-probe", "kith_probe/fast")  # and not the engine, on which it depends
    kt.run(["cmake", "--install", "build", "--prefix", home / "kith"])

    os.environ["PATH"] = f"{prefix}/bin:{os.environ['PATH']}"
    kith = home / "kith/bin/kith"
    library = (home / "kith/lib/libkith.so").read_bytes()
    kt.check(b"Open MPI 4.1.99" in library, "libkith.so does not name the MPI library")
    probe = libraries_of(home / "kith/libexec/kith/kith-probe")
    kt.check(f" {triplet}/libmpi.so" in probe, f"kith-probe finds another libmpi: {probe}")
    kt.run(["mpicc", "-w", "source/tests/apps/programs/whereami.c", "-o", "whereami"])
    installed.check_program(kith, work / "whereami")
    program = installed.build("kith;engine", f"-DCMAKE_PREFIX_PATH={home}/kith;{prefix}")
    installed.check_engine(program / "with_engine")
    installed.check_api(program / "with_api", "kith::kith")
    found = libraries_of(program / "with_api")
    kt.check(f" {home}/kith/lib" in found, found)
    print("built, installed and used without root")


if sys.argv[1:2] == ["--as-user"]:
    as_user(pathlib.Path(sys.argv[2]))
    sys.exit()

kt.need_programs("cmake", "dpkg", "ldd", "setpriv")
if subprocess.run(["dpkg", "-s", *PACKAGES], capture_output=True).returncode != 0:
    kt.skip("the MPI library is not Debian's Open MPI")
with kt.work_folder() as work:
    copy_open_mpi(work / "mpi")
    copy_sources(work / "source")
    (work / "home").mkdir()
    (work / "from_build").mkdir()
    for name in FROM_BUILD:
        copy(kt.setting("KITH_BINARY") / name, work / "from_build" / pathlib.Path(name).name)
    # Not the interpreter of this session, which may lie in root's home.
    python = shutil.which("python3", path="/usr/bin:/bin")
    command = [python, "-B", work / "source/tests/install/other_prefix_test.py", "--as-user", work]
    if os.getuid() == 0:
        command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command]
        kt.run(["chown", "-R", f"{NOBODY}:{NOBODY}", work])
    print(kt.run(command, timeout=1700).stdout, end="")
