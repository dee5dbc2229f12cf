#!/usr/bin/env python3
"""Bindings bound lazily, bound at the start with read-only slots, and called without stubs are
followed; where they cannot be, the order stays and the reason is said. Needs no Fortran compiler.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import kithtest as kt

kt.need_programs("mpirun")
folder = kt.setting("KITH_BINARY") / "tests/mpi/fortran/layouts"
ranks = 3
expected = {(r, r + 1): 100 + r for r in range(ranks - 1)}


no_mprotect = {"LD_PRELOAD": f"{kt.setting('KITH_LIB')}:{folder / 'libno_mprotect.so'}"}
wanted = {"KITH_TRACE": "own.kith", "KITH_REORDER": "reverse.map"}
own = pathlib.Path("own.kith")


def run(layout, arguments=(), **options):
    """The program's output in order, and what Kith says."""
    done = kt.mpirun(ranks, [folder / layout, *arguments], **options)
    lines = sorted(done.stdout.splitlines())
    kt.check_equal(lines, [f"rank {r} received from {r - 1}" for r in range(1, ranks)],
                   f"{layout}: output")
    return done.stderr


def check_followed(layout, *arguments):
    run(layout, arguments)
    run(layout, arguments, preload=True, settings=wanted)
    kt.check_equal(kt.placement(own), list(reversed(range(ranks))), f"{layout}: ranks")
    kt.check_equal(kt.read_matrix(own / "classes/p2p.bytes.mtx"), expected, f"{layout}: bytes")
    print(f"{layout} {' '.join(arguments)}: followed")


def check_missed(layout, settings):
    """MPI begins past us: no trace, no order, one line."""
    messages = run(layout, **settings)
    kt.check(re.search(r"^kith: nothing was recorded or reordered: calls from Fortran through "
                       r"lib\w+\.so go past Kith$", messages, re.M), f"{layout}: {messages}")
    kt.check(not own.exists(), f"{layout}: a trace without the messages")
    print(f"{layout}: {messages.strip()}")


def check_unordered(layout, settings):
    """MPI begins in C: what is sent from C can be traced, but the order has to stay."""
    messages = run(layout, ["in C"], **settings)
    kt.check(re.search(r"^kith: order unchanged: calls from Fortran through lib\w+\.so go past Kith$",
                       messages, re.M), f"{layout}: {messages}")
    kt.check_equal(kt.placement(own), list(range(ranks)), f"{layout}: ranks")
    print(f"{layout} in C: {messages.strip()}")


preloaded = {"preload": True, "settings": wanted}
unprotectable = {"settings": {**wanted, **no_mprotect}}
for check, layout, *more in (
        (check_followed, "lazy"), (check_followed, "eager"), (check_followed, "direct"),
        (check_followed, "eager", "in C"),
        (check_missed, "unknown", preloaded), (check_missed, "eager", unprotectable),
        (check_unordered, "unknown", preloaded), (check_unordered, "eager", unprotectable)):
    with kt.work_folder():
        kt.write_mapping("reverse.map", reversed(range(ranks)))
        check(layout, *more)
