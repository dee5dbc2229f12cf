#!/usr/bin/env python3
"""The conformance programs print the same without Kith, traced, and with their ranks in any order.

conformance_test.py short|full
"""
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

programs = kt.setting("KITH_BINARY") / "tests/conformance"
calls = kt.setting("KITH_BINARY") / "tests/mpi/fortran"
bindings = ("mpifh", "mpi", "f08") if os.environ.get("KITH_TEST_FORTRAN", "").upper() == "TRUE" else ()
is_full = sys.argv[1:] == ["full"]


def orders(ranks):
    shuffled = list(range(ranks))
    random.Random(ranks).shuffle(shuffled)
    return {"identity": list(range(ranks)),
            "reversing": [ranks - 1 - r for r in range(ranks)],
            "shifting": [(r + 1) % ranks for r in range(ranks)],
            "random": shuffled}


def printed(ranks, program, status, settings):
    """What it prints, and what Kith says."""
    command = ["mpirun", "-n", ranks]
    for name, value in settings.items():
        command += ["-x", f"{name}={value}"]
    done = kt.run([*command, *program], status=status, timeout=280)
    if program[0].parent != programs:  # in Fortran ranks print as they come
        return "".join(sorted(done.stdout.splitlines(keepends=True))), done.stderr
    return done.stdout, done.stderr


def check_same(ranks, program, ways, status=0):
    """`ways`: names of orders, and "traced"."""
    name = " ".join([program[0].name, *program[1:]])
    expected, _ = printed(ranks, program, status, {})
    kt.check(expected.count("\n") > 1, f"{name} printed '{expected}'")
    for way in ways:
        settings = {"LD_PRELOAD": kt.setting("KITH_LIB")}
        if way != "traced":
            kt.write_mapping("order.map", orders(ranks)[way])
            settings["KITH_REORDER"] = "order.map"
        if way in ("traced", "random") and status == 0:
            settings["KITH_TRACE"] = "conformance.kith"
        found, said = printed(ranks, program, status, settings)
        if way not in ("traced", "identity"):
            kt.check("kith: ranks reordered" in said, f"{name}, {way}: not reordered\n{said}")
        if found != expected:
            kt.fail(f"{name}, {way} on {ranks} ranks:\n" + difference(expected, found))
    return len(expected.splitlines())


def difference(expected, found):
    area, lines = "", []
    for before, now in zip(expected.splitlines(), found.splitlines()):
        area = before if before.startswith("== ") else area
        if before != now:
            lines += [area, f"- {before}", f"+ {now}"]
    return "\n".join(lines[:30]) or f"{len(expected)} characters, now {len(found)}"


def check_count(ranks, ways, languages):
    with kt.work_folder():
        lines = check_same(ranks, [programs / "conformance"], ways)
        if kt.starts_several_programs():  # MPI_Comm_spawn_multiple needs the same
            lines += check_same(ranks, [programs / "conformance", "processes"], ways)
        if "finalize" in languages:
            check_same(ranks, [programs / "conformance", "finalize"], ways[1:])
            check_same(ranks, [programs / "conformance", "point_to_point", "end_by_abort"], ways[1:],
                       status=7)
        for binding in languages:
            if binding in bindings:
                lines += check_same(ranks, [programs / binding / "conformance"], ways[-2:])
                if is_full:  # else that is fortran.calls
                    lines += check_same(ranks, [calls / binding / "calls"], ways[-1:])
    print(f"{ranks} ranks: {lines} lines the same, {', '.join(ways)}")


def check_direct():
    """A program that calls PMPI itself would see two orders: it keeps its own."""
    with kt.work_folder():
        kt.write_mapping("order.map", orders(4)["reversing"])
        _, said = printed(4, [programs / "direct"], 0,
                          {"LD_PRELOAD": kt.setting("KITH_LIB"), "KITH_REORDER": "order.map"})
        kt.check("kith: order unchanged: direct calls PMPI_Comm_rank past Kith" in said, said)


def check_programs():
    """Of a job of two programs, ranks may change places within each."""
    said = {}
    with kt.work_folder():
        for name, order in (("within", [1, 0, 2, 3]), ("across", [0, 2, 1, 3])):
            kt.write_mapping("order.map", order)
            part = ["-n", 2, "-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}", "-x",
                    "KITH_REORDER=order.map", programs / "conformance", "comparison"]
            said[name] = kt.run(["mpirun", *part, ":", *part]).stderr
    kt.check("kith: ranks reordered" in said["within"], said["within"])
    kt.check("kith: order unchanged: ranks would run another program" in said["across"],
             said["across"])


kt.need_programs("mpirun")
if kt.is_open_mpi_5():  # its own file locks stop `files` from 5 ranks on, without Kith too
    os.environ["OMPI_MCA_fs_ufs_lock_algorithm"] = "1"  # no locks
check_direct()
if kt.starts_several_programs():
    check_programs()
else:
    kt.not_tried("mpirun A : B does not work here")
if is_full:
    for ranks in range(4, 18):
        check_count(ranks, ["traced", *orders(ranks)], ["finalize", *bindings])
else:
    check_count(4, ["traced", "reversing", "random"], ["finalize", *bindings[::2]])
    check_count(7, ["traced", "identity", "shifting"], [])
kt.finish()
