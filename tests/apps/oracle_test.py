#!/usr/bin/env python3
"""The matrix against Open MPI's own account of the wire, on real programs and the examples.

Each program runs under monitoring without Kith, under Kith with exact collectives and with the
model; results must be the same. Point-to-point messages are monitoring's rows E, those inside
collectives I, one-sided operations S (to the target) and R (from it). HPCC sends a different number
of messages each time (its tests measure for a given time): monitoring and Kith watch the same run.

Usage: oracle_test.py [NAME...]: only these programs.
"""
import collections
import json
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import hpcc_case
import kithtest as kt
import lammps_case

RANKS = 4
TOLERANCE = 0.01  # of the model, per class
patterns = kt.setting("KITH_BINARY") / "examples/patterns"
aid = kt.setting("KITH_BINARY") / "tests/apps/libmonitoring_aid.so"

# What to run; what to run under monitoring, which sees no persistent starts; what must not change;
# more options for the launcher, always and under monitoring.
Case = collections.namedtuple("Case", "command oracle result options watching",
                              defaults=(None, str, (), ()))


def pattern(name, *arguments, plain=None, options=(), watching=()):
    return Case([patterns / name, *arguments], [patterns / name, *plain] if plain else None,
                options=options, watching=watching)


# Monitoring's part for collectives dies of graphs (see monitoring_aid.c).
ON_GRAPHS = ("--mca", "coll", "^monitoring")
CASES = {
    "halo2d": pattern("halo2d", 48, 32, 20),
    "halo2d persistent": pattern("halo2d", 48, 32, 20, "persistent", plain=(48, 32, 20)),
    "halo3d": pattern("halo3d", 12, 20),
    "halo27": pattern("halo27", 2, 2, 1, 4, 6, 3),
    "halo3d persistent": pattern("halo3d", 12, 20, "persistent", plain=(12, 20)),
    "cg_transpose": pattern("cg_transpose", 120, 15),
    "fft_alltoall small": pattern("fft_alltoall", 16, 2),
    "fft_alltoall": pattern("fft_alltoall", 64, 2),
    "neighbour": pattern("neighbour", 100, 10, watching=ON_GRAPHS),
    "neighbour nonblocking": pattern("neighbour", 100, 10, "nonblocking", watching=ON_GRAPHS),
    "rma_halo": pattern("rma_halo", 1000, 3, "--account"),
    "rma_halo allocate": pattern("rma_halo", 1000, 3, "allocate", "--account",
                                 options=("--mca", "osc", "^rdma")),
    "rma_halo pt2pt": pattern("rma_halo", 1000, 3, "--account",
                              options=("--mca", "osc", "monitoring,pt2pt")),
    "halo2d_f": pattern("halo2d_f", 48, 32, 20),
    "cg_f": pattern("cg_f", 500, 40),
    "lammps": Case(lammps_case.command(px=2, py=2, pz=1, lx=6, ly=6, lz=6, n=60),
                   result=lammps_case.thermo),
}


def monitoring_options(prefix):
    return ["--mca", "pml", "ob1,monitoring", "-x", f"LD_PRELOAD={aid}",
            "--mca", "pml_monitoring_enable", "2", "--mca", "pml_monitoring_enable_output", "3", "--mca", "pml_monitoring_filename", prefix]


def nonzero(matrix):
    return {cell: weight for cell, weight in matrix.items() if weight}


def added(*matrices):
    total = collections.Counter()
    for matrix in matrices:
        total.update(matrix)
    return dict(total)


Oracle = collections.namedtuple("Oracle", "p2p coll messages rma")


def read_oracle(prefix):
    """What monitoring saw, by class, each {(source, destination): bytes}."""
    def rows(kind):
        if not any(re.search(rf"^{kind}\t", path.read_text(), re.M)
                   for path in pathlib.Path().glob(f"{prefix}.*.prof")):
            return {}, {}
        return kt.read_monitoring(prefix, kind)
    p2p, coll, puts, gets = (rows(kind) for kind in "EISR")
    got = {(target, origin): size for (origin, target), size in gets[0].items()}
    return Oracle(nonzero(p2p[0]), nonzero(coll[0]), nonzero(added(p2p[1], coll[1])),
                  nonzero(added(puts[0], got)))


def traced(case, name, collectives):
    """Runs `case` under Kith; returns its output and the trace."""
    trace = pathlib.Path(f"{name}.kith").absolute()
    done = kt.mpirun(RANKS, case.command, preload=True, options=case.options,
                     settings={"KITH_TRACE": trace, "KITH_COLLECTIVES": collectives})
    meta = kt.check_trace(trace, RANKS)
    if collectives == "exact":
        kt.check_equal(meta["sources"]["collectives"], "exact", f"{name}: source of collectives\n{done.stderr}")
    return done.stdout, trace


def part(trace, name):
    return kt.read_matrix(trace / "classes" / f"{name}.bytes.mtx")


def check_cells(found, expected, what):
    """Equal cell by cell, with the cells that are not."""
    wrong = [f"{i} -> {j}: {found.get((i, j), 0)} instead of {expected.get((i, j), 0)}"
             for i, j in sorted(found.keys() | expected.keys())
             if found.get((i, j), 0) != expected.get((i, j), 0)]
    kt.check(not wrong, f"{what}: " + ", ".join(wrong[:20]))


def check_exact(name, trace, oracle, tags_tell=True):
    """`tags_tell`: no collective uses persistent sends, which monitoring takes for the program's."""
    both = added(oracle.p2p, oracle.coll)
    check_cells(added(part(trace, "p2p"), part(trace, "coll")), both, f"{name}, exact, bytes")
    if tags_tell:
        check_cells(part(trace, "p2p"), oracle.p2p, f"{name}, exact, point-to-point bytes")
    check_cells(kt.read_matrix(trace / "messages.mtx"), oracle.messages, f"{name}, exact, messages")


def model_agreement(name, trace, oracle):
    """The model's total is within a hundredth; returns what to print."""
    check_cells(part(trace, "p2p"), oracle.p2p, f"{name}, model, point-to-point bytes")
    model, truth = part(trace, "coll"), oracle.coll
    modelled, expected = sum(model.values()), sum(truth.values())
    off, (i, j) = max((abs(model.get(cell, 0) - truth.get(cell, 0)), cell)
                      for cell in model.keys() | truth.keys())
    said = f"model: {modelled} of {expected} B in collectives, worst cell {i} -> {j} by {off} B"
    kt.check(abs(modelled - expected) <= TOLERANCE * expected, f"{name}, {said}")
    return said


def account(text):
    """What rma_halo says it moved."""
    rows = re.findall(r"^rma (\d+) (\d+) (\d+)$", text, re.M)
    kt.check(rows, f"no account:\n{text}")
    return {(int(i), int(j)): int(size) for i, j, size in rows}


def check_one_sided(name, text, oracle, traces):
    """One-sided bytes are what the program says, and what monitoring says, and nowhere twice."""
    expected = account(text)
    check_cells(oracle.rma, expected, f"{name}: monitoring against the program's own account")
    for trace in traces:
        check_cells(part(trace, "rma"), expected, f"{name}, {trace.stem}: one-sided bytes")
        check_cells(part(trace, "p2p"), {}, f"{name}, {trace.stem}: point-to-point bytes")
    return f"{sum(expected.values())} B moved in {len(expected)} directions as the program counts"


def compare(name, case):
    watched = kt.mpirun(RANKS, case.oracle or case.command,
                        options=[*monitoring_options("oracle"), *case.options, *case.watching])
    oracle = read_oracle("oracle")
    outputs, traces = zip(*(traced(case, way, way) for way in ("exact", "model")))
    for way, output in zip(("exact", "model"), outputs):
        kt.check_equal(case.result(output), case.result(watched.stdout), f"{name}, {way}: result")
    if name.startswith("rma"):
        if "pt2pt" not in name:  # which sends the data itself as messages, with headers
            check_cells(part(traces[0], "coll"), added(oracle.p2p, oracle.coll),
                        f"{name}, exact, bytes of synchronisation")
        print(f"{name}: {check_one_sided(name, watched.stdout, oracle, traces)}", flush=True)
        return
    kt.check(oracle.p2p or oracle.coll, f"{name}: monitoring saw nothing")
    check_exact(name, traces[0], oracle)
    print(f"{name}: {sum(oracle.p2p.values())} B and {sum(oracle.coll.values())} B in collectives "
          f"exact in {len(added(oracle.p2p, oracle.coll))} cells; "
          f"{model_agreement(name, traces[1], oracle)}", flush=True)


def hpcc(collectives):
    """Both in the same run; the aid leaves out what Kith sends at the beginning and the end."""
    hpcc_case.prepare()
    options = [f"{word}:{kt.setting('KITH_LIB')}" if word.startswith("LD_PRELOAD") else word
               for word in monitoring_options("unused")]
    trace = pathlib.Path(f"{collectives}.kith")
    done = kt.run(["mpirun", "-n", RANKS, *options, "-x", f"KITH_TRACE={trace}", "-x",
                   f"KITH_COLLECTIVES={collectives}", "-x", f"KITH_TEST_ORACLE=of-{collectives}",
                   "hpcc"], timeout=250)
    hpcc_case.verdicts()
    meta = kt.check_trace(trace, RANKS)
    kt.check_equal(meta["sources"]["collectives"], collectives,
                   f"hpcc: source of collectives\n{done.stderr}")
    oracle = read_oracle(f"of-{collectives}")
    both = added(oracle.p2p, oracle.coll)
    found = added(part(trace, "p2p"), part(trace, "coll"))
    if collectives == "exact":
        check_exact("hpcc", trace, oracle, tags_tell=False)
    off = abs(sum(found.values()) - sum(both.values()))
    worst = max(abs(found.get(cell, 0) - size) / size for cell, size in both.items())
    kt.check(off <= TOLERANCE * sum(both.values()), f"hpcc, {collectives}: {off} B off")
    print(f"hpcc, {collectives}: {sum(found.values())} of {sum(both.values())} B, worst cell off by "
          f"{100 * worst:.3f}%", flush=True)


if __name__ == "__main__":
    kt.need_programs("mpirun")
    if kt.is_open_mpi_5():
        kt.skip("collectives are counted exactly, and modelled as the library sends them, with "
                "Open MPI 4.1 only")
    chosen = sys.argv[1:] or [*CASES, "hpcc"]
    for name in chosen:
        with kt.work_folder():
            if name == "hpcc" and shutil.which("hpcc"):
                hpcc("exact")
                hpcc("model")
            elif name != "hpcc" and shutil.which(str(CASES[name].command[0])):
                compare(name, CASES[name])
            else:
                kt.not_tried(f"{name} is not installed")
    kt.finish()
