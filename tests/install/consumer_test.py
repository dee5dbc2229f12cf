#!/usr/bin/env python3
"""An installed tree that was moved: its program, CMake package and pkg-config file work."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("cmake", "mpirun", "mpicc", "pkg-config")
consumer = pathlib.Path(__file__).resolve().parent / "consumer"


def build(prefix, components):
    """Configures and builds the consumer against `prefix`; returns its folder of programs."""
    folder = pathlib.Path(f"build-{components.replace(';', '-')}").absolute()
    kt.run(["cmake", "-S", consumer, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCOMPONENTS={components}", "-DCMAKE_BUILD_TYPE=Debug"])
    kt.run(["cmake", "--build", folder])
    return folder


def check_api(program):
    """A program linked with libkith: the API answers, and the run can be traced without preload."""
    output = kt.mpirun(4, [program], settings={"KITH_TRACE": "linked.kith"}).stdout
    kt.check(output.startswith("reordered 1:"), f"kith_reorder: {output}")
    kt.check_trace("linked.kith", 4)
    shutil.rmtree("linked.kith")
    return output.strip()


with kt.work_folder() as work:
    kt.run(["cmake", "--install", kt.setting("KITH_BINARY"), "--prefix", work / "first"])
    prefix = (work / "first").rename(work / "moved")

    before, after = map(int, kt.run([build(prefix, "engine") / "with_engine"]).stdout.split())
    kt.check(0 < after < before, f"the engine's hop-bytes: {before} before, {after} after")
    print(f"kith::engine: hop-bytes {before} -> {after}")

    print("kith::kith:", check_api(build(prefix, "kith;engine") / "with_api"))

    flags = kt.run(["pkg-config", "--cflags", "--libs", "kith"],
                   {"PKG_CONFIG_PATH": str(next(prefix.rglob("pkgconfig")))}).stdout.split()
    libdir = next(flag[2:] for flag in flags if flag.startswith("-L"))
    kt.run(["mpicc", consumer / "with_api.c", "-o", "with_pc", *flags, f"-Wl,-rpath,{libdir}"])
    print("pkg-config:", check_api(work / "with_pc"))

    # The program finds the library of its own tree, and only that.
    kith = prefix / "bin/kith"
    kt.check(kt.run([kith, "--version"]).stdout.strip(), "no version")
    whereami = kt.setting("KITH_BINARY") / "tests/apps/whereami"
    kt.run([kith, "run", "--trace", "t", "--", "mpirun", "-n", "2", whereami])
    kt.check_trace("t.kith", 2)
    text = kt.run(["kith", "info", "t.kith"], {"PATH": f"{prefix}/bin:/usr/bin:/bin"}).stdout
    kt.check(text.strip(), "kith info prints nothing")

    # Nothing of the install names the place that it was made for.
    for file in prefix.rglob("*"):
        if file.is_file() and file.suffix in (".cmake", ".pc", ".h", ".hpp"):
            kt.check(str(work / "first") not in file.read_text(), f"{file} names its first place")
