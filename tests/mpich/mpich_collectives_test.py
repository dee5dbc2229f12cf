#!/usr/bin/env python3
"""The model of MPICH's collectives against what MPICH really hands to UCX, case by case: the same sweep as
for Open MPI (tests/mpi/collective_agreement_test.py), with programs/count_ucx.c in the program.

usage: mpich_collectives_test.py short|full
"""
import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("mpicc.mpich", "mpiexec.hydra")
source, binary = kt.setting("KITH_SOURCE"), kt.setting("KITH_BINARY")
library = kt.setting("KITH_LIB")
sweep = binary / "tests/mpich/collective_sweep"
# MPICH 4.0.2 forwards a nonblocking broadcast between groups from the root's number in the wrong group.
NOT_COMPARED = {"iinter.bcast"}
AFTER_MAKING = 4  # bytes to each that the new communicator's members tell each other


def build():
    """Persistent collectives are left out: MPI_Wait of MPICH 4.0.2 fails on its own."""
    programs = source / "tests/mpi/programs"
    kt.run(["mpicc.mpich", "-O1", "-w", "-rdynamic", "-DNO_PERSISTENT", "-I", programs, "-I",
            source / "include", "-o", sweep, programs / "collective_sweep.c",
            *sorted((programs / "sweep").glob("*.c")), source / "tests/mpich/programs/count_ucx.c",
            "-L", library.parent, "-lkith", f"-Wl,-rpath,{library.parent}", "-ldl"])


def read_truth():
    sent = collections.defaultdict(collections.Counter)
    for path in pathlib.Path().glob("truth.*"):
        rank = int(path.suffix[1:])
        for line in path.read_text().splitlines():
            case, peer, size, _ = line.split()
            if int(peer) != rank:  # what a rank sends itself is none of the matrix's business
                sent[case][rank, int(peer)] += int(size)
    return sent


def compare(ranks, groups, sizes, table):
    with kt.work_folder():
        words = ["mpiexec.hydra", "-n", ranks, "-genv", "MPIR_CVAR_NOLOCAL", 1, "-genv", "KITH_TRACE", "sweep",
                 "-genv", "KITH_COLLECTIVES", "model", "-genv", "SWEEP_ROOM", 8_000_000, sweep, "truth",
                 groups, *sizes]
        done = kt.run(words, timeout=400)
        kt.check("swept" in done.stdout, done.stdout + done.stderr)
        truth = read_truth()
        meta = json.loads(pathlib.Path("sweep.kith/meta.json").read_text())
        cases = {phase["name"]: kt.read_matrix(f"sweep.kith/{phase['file']}") for phase in meta["phases"]}
    kt.check(sum(map(len, truth.values())) > 100, f"{ranks} ranks: UCX was seen too little")
    wrong = []
    for case, counted in cases.items():
        name = case.split("/")[0].split("@")[0]
        if name in NOT_COMPARED:
            continue
        sent = truth[case]
        slack = AFTER_MAKING if name.startswith("make.") else 0
        for cell in sorted({*counted, *sent}):
            a, b = counted.get(cell, 0), sent.get(cell, 0)
            if cell[0] == cell[1]:
                continue
            table[name.removesuffix(".inplace")][abs(a - b) <= slack] += 1
            if abs(a - b) > slack:
                wrong.append(f"{ranks} ranks: {case}: {cell}: counted {a}, sent {b}")
    kt.check(not wrong, "\n".join(wrong[:20]))
    print(f"{ranks} ranks, {', '.join(map(str, sizes))} bytes: {len(cases)} cases", flush=True)


def main():
    if subprocess.run(["mpicc.mpich", "-E", "-xc", "-"], input="#include <ucp/api/ucp.h>\n", text=True,
                      capture_output=True).returncode != 0:
        kt.skip("no headers of UCX")
    if "ch4:ucx" not in kt.run(["mpichversion"]).stdout:
        kt.skip("this MPICH doesn't talk through UCX")
    build()
    table = collections.defaultdict(collections.Counter)
    compare(5, "within,between,neighbours,making", (100, 5000), table)
    if sys.argv[1:] == ["full"]:
        compare(5, "within", (1, 700, 20000), table)
        for ranks, sizes in ((2, (20, 3000)), (3, (4, 300, 10000)), (4, (100, 5000)), (7, (100, 40000)), (8, (100, 20000)),
                             (9, (300, 13000))):
            compare(ranks, "within,between,neighbours,making", sizes, table)
    print("\n| collective | cells equal |\n|---|---|")
    for name, cells in sorted(table.items()):
        print(f"| {name} | {cells[True]} of {cells.total()} |")
    kt.check(sum(cells.total() for cells in table.values()) > 1000, "too little was compared")
    kt.finish()


main()
