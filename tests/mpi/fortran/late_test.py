#!/usr/bin/env python3
"""A library in Fortran that is loaded privately: after the program's MPI_Init, or before its own; by
a program that is linked with MPI, that is not, and by Python beside mpi4py.
"""
import subprocess

import fortran
import kithtest as kt

PYTHON = "/usr/bin/python3"
SCRIPT = "import sys, ctypes, mpi4py.MPI; ctypes.CDLL(sys.argv[1]).late_guest(0)"

fortran.need_compiler()
kt.need_programs("mpirun")
folder = kt.setting("KITH_BINARY") / "tests/mpi/fortran"
hosts = {"C": [folder / "late_host"], "without MPI": [folder / "late_host_bare"]}
if subprocess.run([PYTHON, "-c", "import mpi4py"], stderr=subprocess.DEVNULL).returncode == 0:
    hosts["Python"] = [PYTHON, "-c", SCRIPT]

ranks = 4
# rank r sends 1000 + r integers to its right
expected = {(r, (r + 1) % ranks): 4 * (1000 + r) for r in range(ranks)}
for binding in fortran.BINDINGS:
    for host, command in hosts.items():
        with kt.work_folder():
            lines, traces = kt.three_ways(
                "late", ranks, [*command, folder / binding / "late_guest.so"],
                fortran.sorted_lines, settings={"KITH_COLLECTIVES": "off"})
            kt.check_equal(lines[0], "rank 0 of 4 received  10 1003 3", f"{binding}, {host}")
            for trace in traces:
                kt.check_equal(kt.read_matrix(trace / "bytes.mtx"), expected,
                               f"{binding}, {host}, {trace.name}: bytes")
    print(f"{binding}: seen when loaded by {', '.join(hosts)}")
