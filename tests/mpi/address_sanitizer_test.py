#!/usr/bin/env python3
"""A program with AddressSanitizer ends at once under any preload: `kith run` says in one line what to do,
and with that the program runs and is recorded."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

KITH = kt.setting("KITH")
SOURCE = pathlib.Path(__file__).resolve().parent / "programs/rounds.c"
ADVICE = "built with AddressSanitizer"


def build(name, *flags):
    done = subprocess.run(["mpicc", *flags, SOURCE, "-o", name], capture_output=True, text=True)
    return done.returncode == 0


def advice(*command, environment=None, status=None):
    """The lines of `kith run` about the sanitizer."""
    done = kt.run([KITH, "run", "--trace", "t", "--force", "--", "mpirun", *command],
                  environment={"ASAN_OPTIONS": "", **(environment or {})}, status=status)
    return done, [line for line in done.stderr.splitlines() if ADVICE in line]


with kt.work_folder():
    kt.check(build("plain"), "mpicc builds no program")
    if not build("sanitized", "-fsanitize=address") or not build("linked_in", "-fsanitize=address",
                                                                 "-static-libasan"):
        kt.skip("no AddressSanitizer for mpicc")

    done, lines = advice("-n", 2, "./sanitized", 1, 0)
    kt.check_equal(len(lines), 1, f"lines about the sanitizer\n{done.stderr}")
    kt.check("./sanitized" in lines[0] and "ASAN_OPTIONS=verify_asan_link_order=0" in lines[0], lines[0])
    kt.check(done.returncode != 0 and "does not come first" in done.stderr,
             f"it runs all the same?\n{done.stderr}")
    print(lines[0])
    _, lines = advice("-n", 2, "env", "A=1", "./sanitized", 1, 0)
    kt.check_equal(len(lines), 1, "lines where the program is a wrapper's")
    _, lines = advice("-n", 1, "./plain", 1, 0, ":", "-n", 1, "./sanitized", 1, 0)
    kt.check_equal(len(lines), 1, "lines where it is the second program")

    # What the line says is enough, in either place.
    options = "verify_asan_link_order=0:detect_leaks=0"
    for words, environment in (([], {"ASAN_OPTIONS": options}),
                               (["-x", f"ASAN_OPTIONS={options}"], {})):
        done, lines = advice("-n", 2, *words, "./sanitized", 1, 0, environment=environment, status=0)
        kt.check_equal(lines, [], "lines where it is done")
        kt.check_trace("t.kith", 2)
    print("with it the program runs and is recorded")

    for program in ("./plain", "./linked_in"):
        done, lines = advice("-n", 2, program, 1, 0,
                             environment={"ASAN_OPTIONS": "detect_leaks=0"}, status=0)
        kt.check_equal(lines, [], f"{program}: nothing to say")
