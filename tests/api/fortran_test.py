#!/usr/bin/env python3
"""`use kith` with the handles of both modules of MPI: what is Fortran's own."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

ERR_COMM = 5  # Open MPI's MPI_ERR_COMM

folder = kt.setting("KITH_BINARY") / "tests/api"
if not (folder / "f08/moves").exists():
    kt.skip("no Fortran compiler with a module mpi_f08")
with kt.work_folder():
    kt.write_mapping("order.map", [3, 1, 0, 2])
    for binding in ("mpi", "f08"):
        for settings in ({}, {"KITH_REORDER": "order.map"}):
            done = kt.mpirun(4, [folder / binding / "moves", "handles"], settings=settings)
            kt.check_equal(done.stdout, "moves on 4 ranks\n", f"{binding}, {settings}")
            kt.check("order unchanged" not in done.stderr, done.stderr)
        # Without ierror an error is MPI's to handle: by default it ends the program, with the error as
        # its status (what Open MPI prints gets lost at times).
        done = kt.run(["mpirun", "-n", 2, folder / binding / "errors", "fatal"], status=None)
        kt.check_equal(done.returncode, ERR_COMM, f"{binding}: {done.stdout}{done.stderr}")
    print("use kith: buffers, options, reports, errors without ierror")
