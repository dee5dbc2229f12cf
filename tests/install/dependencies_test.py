#!/usr/bin/env python3
"""What Kith is built with and the system lacks: all of it is named at once, with the reason; an archive with
other content is not taken."""
import re
import shutil
import subprocess

from installed import kt

SOURCE = kt.setting("KITH_SOURCE")
WITHOUT = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("CLI11", "fmt")]
FMT = "fmtlib_9.1.0+ds1.orig.tar.gz"


def refused(*options, before=()):
    """What CMake says, its lines joined."""
    done = subprocess.run([*before, "cmake", "-S", SOURCE, "-B", "out", "-DKITH_MPI=OFF", "-DKITH_TESTS=OFF",
                           *options], capture_output=True, text=True, check=False, timeout=100)
    kt.check(done.returncode != 0, f"{options} were taken")
    return re.sub(r"\s+", " ", done.stderr)


def check_has(text, *parts):
    for part in parts:
        kt.check(part in text, f"expected '{part}' in: {text}")


check_has(refused("-DKITH_FETCH=maybe"), "KITH_FETCH: expected AUTO, ON or OFF, found 'maybe'")
check_has(refused("-DKITH_FETCH=OFF", *WITHOUT), "CLI11 is not installed", "fmt is not installed",
          "-DKITH_FETCH=AUTO")

offline = ["unshare", "--net"]
if subprocess.run([*offline, "true"], capture_output=True, check=False).returncode != 0:
    offline = ["unshare", "--user", "--net"]
if shutil.which("unshare") is None or \
        subprocess.run([*offline, "true"], capture_output=True, check=False).returncode != 0:
    print("no part of this machine is without network: not tried")
else:
    with open(FMT, "w", encoding="utf-8") as file:
        file.write("not what it was")
    said = refused("-DKITH_FETCH=AUTO", "-DKITH_ARCHIVES=.", *WITHOUT, before=offline)
    check_has(said, "CLI11 2.3.2:", "fmt 9.1.0:", "-DKITH_ARCHIVES=FOLDER", FMT)
    print("without network: both are named")
