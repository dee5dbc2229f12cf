#!/usr/bin/env python3
"""Where exact counts of collectives come from, and where they are not claimed."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 3
binary = kt.setting("KITH_BINARY")
collectives = binary / "tests/mpi/collectives"
windows = binary / "examples/patterns/rma_halo"


def trace(name, program=collectives, options=(), **settings):
    """Runs under Kith; returns the source that the trace names, the bytes inside collectives, and
    what Kith said."""
    done = kt.mpirun(RANKS, [program], preload=True, options=options,
                     settings={"KITH_TRACE": name, **settings})
    meta = json.loads(pathlib.Path(f"{name}.kith/meta.json").read_text())
    said = [line for line in done.stderr.splitlines() if line.startswith("kith:")]
    return (meta["sources"]["collectives"],
            kt.read_matrix(f"{name}.kith/classes/coll.bytes.mtx"), said)


if kt.is_open_mpi_5():
    kt.skip("collectives are counted exactly with Open MPI 4.1 only")
with kt.work_folder():
    source, exact, said = trace("default")
    kt.check_equal((source, said), ("exact", []), "the default with Open MPI 4.1")
    kt.check(sum(exact.values()) > 0, "something was counted")
    source, again, _ = trace("monitoring", KITH_EXACT_SOURCE="monitoring")
    kt.check_equal((source, again), ("exact", exact), "by the monitoring component's function")

    # Without the component there is no second source, and the model serves.
    source, modelled, said = trace("absent", options=["--mca", "pml", "ob1"],
                                   KITH_EXACT_SOURCE="monitoring", KITH_COLLECTIVES="exact")
    kt.check_equal(source, "model", "source where the component is absent")
    kt.check_equal(len(said), 1, "lines about that")
    kt.check("not in use" in said[0], f"the reason: {said[0]}")

    source, plain_model, said = trace("model", KITH_COLLECTIVES="model")
    kt.check_equal((source, said), ("model", []), "the model when asked for")
    kt.check_equal(modelled, plain_model, "the model where the component is absent")

    # Shared-memory collectives send no messages: nothing exact is to be had there.
    sm = ["--mca", "coll_sm_priority", "90"]
    source, mixed, _ = trace("sm", options=sm)
    kt.check_equal(source, "mixed", "source with collectives in shared memory")
    kt.check_equal(mixed, plain_model, "the model serves where messages are not sent")

    # One-sided data that goes as messages is counted once, as one-sided.
    reference = None
    for component in ("rdma", "pt2pt"):
        name = f"osc-{component}"
        trace(name, program=windows, options=["--mca", "osc", component, "--mca", "btl", "self,vader"])
        moved = kt.read_matrix(f"{name}.kith/classes/rma.bytes.mtx")
        kt.check_equal(kt.read_matrix(f"{name}.kith/classes/p2p.bytes.mtx"), {}, f"{name}: p2p")
        inside = sum(kt.read_matrix(f"{name}.kith/classes/coll.bytes.mtx").values())
        kt.check(0 < inside < sum(moved.values()) / 20, f"{name}: {inside} bytes in collectives")
        kt.check_equal(moved, reference or moved, f"{name}: one-sided bytes")
        reference = moved
print(f"{sum(exact.values())} bytes exact, {sum(plain_model.values())} by the model")
