#!/usr/bin/env python3
"""LAMMPS with its input on stdin, reordered from its trace: rank 0 stays where the launcher gives
it stdin, other ranks move, and the physics is the same."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import lammps_case

RANKS = 16
kt.need_programs("lmp", "mpirun")
program = lammps_case.command(from_stdin=True, px=4, py=4, pz=1, lx=10, ly=40, lz=10, n=20)
text = lammps_case.source().read_text()


def run(**settings):
    return kt.mpirun(RANKS, program, preload=True, settings=settings, stdin=text)


with kt.work_folder():
    first = run(KITH_TRACE="first")
    kt.check_equal(kt.placement("first.kith"), list(range(RANKS)), "rank of each process")
    again = run(KITH_TRACE="again", KITH_REORDER="first.kith", KITH_TOPOLOGY="tree:4x4")
    kt.check_equal(lammps_case.thermo(again.stdout), lammps_case.thermo(first.stdout), "thermo")
    order = kt.placement("again.kith")
    kt.check_equal(order[0], 0, "rank of the process that gets stdin")
    kt.check_equal(sorted(order), list(range(RANKS)), "ranks")
    kt.check(order != list(range(RANKS)), f"nothing was reordered: {again.stderr}")
    said = [line for line in again.stderr.splitlines() if line.startswith("kith")]
    kt.check_equal(len(said), 1, f"lines of the decision: {again.stderr}")
    print(said[0])

    # Not worth it: the order stays, and one line says so.
    kept = run(KITH_TRACE="kept", KITH_REORDER="first.kith", KITH_TOPOLOGY="tree:4x4",
               KITH_MIN_GAIN="99%")
    kt.check_equal(kt.placement("kept.kith"), list(range(RANKS)), "rank of each process")
    kt.check("99" in kept.stderr, f"the decision: {kept.stderr}")
