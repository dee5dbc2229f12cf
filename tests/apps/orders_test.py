#!/usr/bin/env python3
"""Real programs in many random orders: the same results as without Kith, bit for bit.

usage: orders_test.py ORDERS [PROGRAM...]
Each program runs without Kith, then once in each of ORDERS random orders. That sums come out with the
same last bits is a promise for collectives whose algorithms depend on the ranks alone, as Open MPI's
do. Not so coll/adapt, which adds in the order of arrival (two runs without Kith differ), and coll/han,
under which Kith leaves the order alone (tests/cluster/reductions_test.py).
"""
import hashlib
import pathlib
import random
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hpcc_case
import kithtest as kt
import lammps_case

BINARY = kt.setting("KITH_BINARY")


def lammps(text):
    """The thermodynamics, and the digest of all atoms' positions and velocities to all digits."""
    atoms = pathlib.Path("atoms.data")
    digest = hashlib.sha256(atoms.read_bytes()).hexdigest()
    atoms.unlink()
    return lammps_case.thermo(text) + [digest]


# All that HPCC found that is no time, rate or size of time.
HPCC_FINDS = re.compile(r"Found \d+ errors|tests completed and|Success=|residual=|"
                        r"Errors=|_N=|_NB=|maxError|_ResidCheck|\|\|.*=")


def lammps_program():
    """The examples' input with its atoms written at the end, all digits, in the order of their ids."""
    source = lammps_case.source().read_text()
    pathlib.Path("in.exact").write_text(
        source + "\nwrite_dump all custom atoms.data id x y z vx vy vz modify sort id "
                 "format float %.17g\n")
    words = ["lmp", "-log", "none", "-in", "in.exact"]
    for name, value in {"px": 2, "py": 4, "pz": 1, "lx": 6, "ly": 6, "lz": 6, "n": 40}.items():
        words += ["-var", name, str(value)]
    return words


def programs():
    """Name, ranks, command, what of its output counts."""
    if shutil.which("lmp"):
        yield "LAMMPS", 8, lammps_program(), lammps
    else:
        kt.not_tried("LAMMPS is not installed")
    if shutil.which("hpcc"):
        hpcc_case.prepare()
        yield "HPCC", 4, hpcc_case.COMMAND, lambda _: hpcc_case.verdicts(HPCC_FINDS)
    else:
        kt.not_tried("HPCC is not installed")
    patterns = BINARY / "examples/patterns"
    for name, ranks in (("halo2d", 12), ("halo3d", 8), ("cg_transpose", 16), ("fft_alltoall", 8),
                        ("neighbour", 7), ("rma_halo", 6)):
        yield name, ranks, [patterns / name], str.splitlines
    for ranks in (4, 7, 8):
        yield "reductions", ranks, [BINARY / "tests/apps/reductions"], str.splitlines


def main(orders, chosen):
    kt.need_programs("mpirun")
    for name, ranks, command, result_of in programs():
        if chosen and name not in chosen:
            continue
        plain = result_of(kt.mpirun(ranks, command, timeout=300).stdout)
        kt.check(plain, f"{name} printed nothing to compare")
        order = list(range(ranks))
        shuffle = random.Random(ranks).shuffle
        for _ in range(orders):
            shuffle(order)
            while order == sorted(order):
                shuffle(order)
            kt.write_mapping("order.map", order)
            done = kt.mpirun(ranks, command, preload=True, timeout=300,
                             settings={"KITH_REORDER": "order.map"})
            kt.check("order unchanged" not in done.stderr, done.stderr)
            kt.check_equal(result_of(done.stdout), plain, f"{name}, rank r on slot {order}")
        print(f"{name} on {ranks} ranks: {len(plain)} results, the same in {orders} random orders")


if __name__ == "__main__":
    with kt.work_folder():
        main(int(sys.argv[1]), sys.argv[2:])
    kt.finish()
