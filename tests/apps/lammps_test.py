#!/usr/bin/env python3
"""LAMMPS (Debian's own): the same physics without Kith, traced, and with its ranks reversed."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import lammps_case

kt.need_programs("lmp", "mpirun")
program = lammps_case.command(px=2, py=2, pz=1, lx=6, ly=6, lz=6, n=60)
with kt.work_folder():
    thermo, traces = kt.three_ways("lammps", 4, program, lammps_case.thermo)
    kt.check(len(thermo) >= 2, f"LAMMPS printed no thermodynamics: {thermo}")
    # The traffic is the program's, whatever process runs a rank: both traces show the same.
    for part in ("bytes.mtx", "messages.mtx", "classes/p2p.bytes.mtx"):
        kt.check_equal(kt.read_matrix(traces[1] / part), kt.read_matrix(traces[0] / part),
                       f"{part} of the reversed run")
    kt.check(kt.read_matrix(traces[0] / "classes/p2p.bytes.mtx"), "no point-to-point traffic")
    # Neighbours across x and y, nobody on the diagonal: the halo exchange goes by dimension.
    halo = kt.read_matrix(traces[0] / "classes/p2p.bytes.mtx")
    large = {cell for cell, weight in halo.items() if weight > max(halo.values()) // 10}
    kt.check_equal(large, {(i, j) for i in range(4) for j in range(4) if bin(i ^ j).count("1") <= 1
                           and i != j}, "pairs that exchange atoms")
print("\n".join(thermo))
