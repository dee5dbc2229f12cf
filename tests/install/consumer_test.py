#!/usr/bin/env python3
"""An installed tree that was moved, and one that was staged by DESTDIR: program, library, CMake
package and pkg-config file work, and name no other place."""
import os
import pathlib
import re
import shutil

import installed
from installed import kt

kt.need_programs("cmake", "mpirun", "mpicc", "pkg-config", "readelf")
whereami = kt.setting("KITH_BINARY") / "tests/apps/whereami"


# Of what the engine is made with.
ENGINE_ONLY = ("Scotch64", "fmt", "yaml-cpp", "OpenMP", "Hwloc")


def check_what_is_found(found_at):
    """find_package(kith) asks for what the project uses only, and says what a component lacks."""
    without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ENGINE_ONLY]
    has_fortran = next(pathlib.Path(".").rglob("kith.mod"), None) is not None
    for name, languages, options, targets in (
            ("c", "C", without, {"kith"}), ("c-all", "C", [], {"kith"}),
            ("cxx", "C;CXX", [], {"kith", "engine"}), ("cxx-bare", "C;CXX", without, {"kith"}),
            ("fortran", "C;Fortran", without, {"kith", "fortran"})):
        if "fortran" in targets and not has_fortran:
            kt.not_tried("find_package(kith) in a project with Fortran")
            continue
        folder = pathlib.Path(f"found-{name}").absolute()
        said = installed.configure(folder, "", f"-DLANGUAGES={languages}", found_at, *options).stdout
        kt.check_equal(set(re.findall("there is kith::([a-z]+)", said)), targets, name)
        if name in ("c", "cxx-bare", "fortran"):
            kt.run(["cmake", "--build", folder])
    if has_fortran:
        installed.check_api(pathlib.Path("found-fortran/with_api").absolute(), "without components")
        said = kt.mpirun(4, [pathlib.Path("found-fortran/with_fortran").absolute()]).stdout
        kt.check(said.startswith("reordered T: "), said)
    said = kt.mpirun(4, [pathlib.Path("found-cxx-bare/with_reordered").absolute()]).stdout
    kt.check(said.startswith("reordered 1: "), said)
    print(f"kith/reordered.hpp: {said.strip()}")
    refused = [("engine", "C;CXX", without, "kith::engine needs Scotch64"),
               ("engine", "C", [], "kith::engine needs C++ among the languages"),
               ("kith", "CXX", [], "kith::kith needs C among the languages"),
               ("kith", "C", ["-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON"], "kith::kith needs MPI for C")]
    if has_fortran:
        refused += [("fortran", "C", [], "kith::fortran needs Fortran among the languages"),
                    ("fortran", "C;Fortran", [f"-DMPI_Fortran_COMPILER={mpifort_without_f08()}"],
                     "kith::fortran needs a module mpi_f08 that ")]
    for number, (component, languages, options, says) in enumerate(refused):
        said = installed.configure(f"refused-{number}", component, f"-DLANGUAGES={languages}", found_at,
                                   *options, status=1).stderr
        kt.check(says in " ".join(said.split()), f"{component} for {languages}: {said}")
    print("what a component lacks is said when the project is configured")


def mpifort_without_f08():
    """An mpifort that shows a folder with mpi.mod alone, as of an MPI library for another compiler."""
    modules = pathlib.Path("modules").absolute()
    modules.mkdir()
    for word in kt.run(["mpifort", "-showme:compile"]).stdout.split():
        for file in pathlib.Path(word.removeprefix("-I")).glob("mpi*") if word[:2] == "-I" else ():
            if file.suffix in (".mod", ".h") and "f08" not in file.name:
                shutil.copy(file, modules)
    link = kt.run(["mpifort", "-showme:link"]).stdout.strip()
    script = pathlib.Path("mpifort").absolute()
    script.write_text(f"#!/bin/sh\ncase $1 in\n-showme:compile) echo -I{modules};;\n"
                      f"-showme:link) echo '{link}';;\n-*) exit 1;;\n*) exec gfortran \"$@\";;\nesac\n")
    script.chmod(0o755)
    return script


def check_tree(prefix, *places):
    libdir = next(prefix.rglob("libkith.so")).parent
    installed.check_library(libdir)
    installed.check_program(prefix / "bin/kith", whereami)
    installed.check_manual(prefix)
    installed.check_pkg_config({"PKG_CONFIG_PATH": str(libdir / "pkgconfig")})
    if (libdir / "pkgconfig/kith-fortran.pc").exists():
        installed.check_pkg_config_of_fortran({"PKG_CONFIG_PATH": str(libdir / "pkgconfig")})
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
    check_what_is_found(found_at)
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
