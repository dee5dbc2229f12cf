#!/usr/bin/env python3
"""Whichever way a program is launched, it runs with Kith as without: same output, same status, and
traced where it was asked for."""
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

programs = kt.setting("KITH_BINARY") / "tests/mpi"
world, dynamic = programs / "world", programs / "dynamic"
LIBRARY = str(kt.setting("KITH_LIB"))
# The launchers themselves must not load Kith: a shell between them and the program does it.
WITH_KITH = ["sh", "-c", 'export LD_PRELOAD="$0"; exec "$@"', LIBRARY]

STYLES = {
    "mpirun": (["mpirun", "-n", "3"], [world], 3),
    "mpiexec": (["mpiexec", "-n", "3"], [world], 3),
    "two programs": (["mpirun", "-n", "2"], [world, ":", "-n", "1", world], 3),
    "prterun": (["prterun", "-n", "3"], [world], 3),
    "srun": (["srun", "--mpi=pmix", "-n", "3"], [world], 3),
    "singleton": ([], [world], 1),
    "spawn": (["mpirun", "-n", "2"], [dynamic, "spawn"], 2),
}


def can_start(launcher):
    """Installed, and able to start anything here (an srun without a Slurm is not)."""
    if not launcher:
        return True
    if shutil.which(launcher[0]) is None:
        return False
    return kt.run([launcher[0], "-n", "1", "true"], status=None, timeout=60).returncode == 0


def preloaded(launcher, words):
    """Kith in front of each program of the command."""
    out = [*launcher, *WITH_KITH]
    for word in words:
        out.append(word)
        if word in ("-n", "1", "2") and out[-2:-1] == ["-n"]:
            out += WITH_KITH
    return out


def lines_of(done):
    """Without what launchers say of themselves."""
    return done.stdout, done.returncode


def tries(style):
    launcher, words, ranks = STYLES[style]
    plain = kt.run([*launcher, *words])
    ways = {"loaded": {}, "traced": {"KITH_TRACE": "style", "KITH_FORCE": "1"}}
    for how, settings in ways.items():
        done = kt.run(preloaded(launcher, words), environment=settings)
        kt.check_equal(lines_of(done), lines_of(plain), f"{style}, {how}")
        if settings:
            kt.check_trace("style.kith", ranks)
            shutil.rmtree("style.kith")
        else:
            kt.check("kith:" not in done.stderr, f"{style}, {how}: {done.stderr}")
    print(f"{style}: as without Kith")


os.environ.pop("LD_PRELOAD", None)
tried = 0
with kt.work_folder():
    for style, (launcher, _, _) in STYLES.items():
        if can_start(launcher) and (style != "two programs" or kt.starts_several_programs()):
            tries(style)
            tried += 1
        else:
            print(f"{style}: not to be had here")
kt.check(tried >= 3, f"only {tried} ways to launch a program could be tried")
