#!/usr/bin/env python3
"""A function table that is not what its version promises, without names to tell it by: the job runs,
collectives are modelled, and one line says so."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import kithtest as kt

RANKS = 3
program = kt.setting("KITH_BINARY") / "tests/mpi/collectives"
liar = kt.setting("KITH_BINARY") / "tests/mpi/message_layer/libwrong_table.so"


def traced(name, preload, asked=True, **settings):
    """Output, source that the trace names, bytes inside collectives, lines of Kith."""
    settings = {"KITH_TRACE": name, **({"KITH_COLLECTIVES": "exact"} if asked else {}), **settings}
    exports = [word for key, value in settings.items() for word in ("-x", f"{key}={value}")]
    libraries = ":".join(map(str, preload))
    done = kt.run(["mpirun", "-n", RANKS, *exports, "-x", f"LD_PRELOAD={libraries}", program],
                  timeout=60)
    meta = kt.check_trace(f"{name}.kith", RANKS)
    return (done.stdout, meta["sources"]["collectives"],
            kt.read_matrix(f"{name}.kith/classes/coll.bytes.mtx"),
            [line for line in done.stderr.splitlines() if line.startswith("kith:")])


with kt.work_folder():
    library = kt.setting("KITH_LIB")
    plain = kt.mpirun(RANKS, [program]).stdout
    output, source, exact, said = traced("true", [library])
    if source != "exact":
        kt.skip(f"no function table in this MPI library: {said}")
    output, source, nameless, said = traced("nameless", [liar, library])
    kt.check_equal((output, source, nameless, said), (plain, "exact", exact, []),
                   "the true table without names")
    _, _, modelled, _ = traced("model", [library], KITH_COLLECTIVES="model")
    for how in ("copy", "more", "less"):
        output, source, found, said = traced(how, [liar, library], WRONG_TABLE=how)
        kt.check_equal((output, source), (plain, "model"), f"{how}: output and source")
        kt.check_equal(found, modelled, f"{how}: bytes in collectives")
        kt.check(len(said) == 1 and "modelled" in said[0], f"{how}: {said}")
        # Not asked for: no line either.
        _, source, _, said = traced(f"{how}-silent", [liar, library], asked=False, WRONG_TABLE=how)
        kt.check_equal((source, said), ("model", []), f"{how}: not asked for")
print(f"{sum(exact.values())} bytes by the true table; three wrong ones were found out")
