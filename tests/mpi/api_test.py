#!/usr/bin/env python3
"""kith.h: reordering in the middle of a run, checkpoints, linked and preloaded."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

programs = kt.setting("KITH_BINARY") / "tests/mpi"


def shifted(ranks, by, size):
    return {(r, (r + by) % ranks): size for r in range(ranks)}


def reordering():
    for ranks in (4, 8, 12):
        for preload in (False, True):
            done = kt.mpirun(ranks, [programs / "reorder"], preload=preload)
            kt.check(f"reordered on {ranks} ranks" in done.stdout, done.stdout + done.stderr)
            kt.check("reason: " in done.stdout, done.stdout)
    print("kith_reorder: 4, 8, 12 ranks, linked and preloaded")


def declared():
    for ranks, preload, settings in ((4, False, {}), (8, True, {"KITH_TRACE": "declared"})):
        done = kt.mpirun(ranks, [programs / "reorder_graph"], preload=preload, settings=settings)
        kt.check(f"declared pairs on {ranks} ranks" in done.stdout, done.stdout + done.stderr)
    print("kith_reorder_graph: weights of any unit, refused alike on all ranks")


def phases():
    ranks = 5
    kt.run(["mpirun", "-n", ranks, "-x", "KITH_TRACE=p", programs / "phases"])
    meta = json.loads(pathlib.Path("p.kith/meta.json").read_text())
    names = [phase["name"] for phase in meta["phases"]]
    kt.check_equal(names, ['near "1"', "far", "end"], "names of phases")
    matrices = [kt.read_matrix(pathlib.Path("p.kith") / phase["file"]) for phase in meta["phases"]]
    kt.check_equal(matrices[0], shifted(ranks, 1, 110), "equal names accumulate")
    kt.check_equal(matrices[1], shifted(ranks, 2, 1000), "the second phase")
    kt.check_equal(matrices[2], shifted(ranks, 1, 1), "what came after the last checkpoint")
    whole = {**shifted(ranks, 1, 111), **shifted(ranks, 2, 1000)}
    kt.check_equal(kt.read_matrix("p.kith/bytes.mtx"), whole, "the whole run")
    print("kith_checkpoint: three phases, equal names added")


with kt.work_folder():
    reordering()
    declared()
    phases()
