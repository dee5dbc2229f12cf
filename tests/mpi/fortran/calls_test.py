#!/usr/bin/env python3
"""All but plain messages, from Fortran through each binding: with the ranks in order and reversed, a
program finds what it finds without Kith.
"""
import fortran
import kithtest as kt

fortran.need_compiler()
kt.need_programs("mpirun")

for ranks, binding in ((4, "mpifh"), (4, "mpi"), (4, "f08"), (3, "mpifh"), (2, "f08")):
    with kt.work_folder():
        answers, _ = kt.three_ways("calls", ranks, [fortran.program("calls", binding)],
                                   fortran.sorted_lines)
        kt.check("callbacks were told of the world on 0: 1" in answers,
                 f"{binding}: the callbacks did not run: {answers}")
        print(f"{binding}, {ranks} ranks: {len(answers)} answers as without Kith")
