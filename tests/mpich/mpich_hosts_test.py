#!/usr/bin/env python3
"""MPICH's ranks on two hosts, and a launcher that takes no notes: Hydra starts two parts of itself here,
which MPICH takes for hosts.

usage: mpich_hosts_test.py      (through ctest)
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("mpicc.mpich", "mpiexec.hydra")
source, library = kt.setting("KITH_SOURCE"), kt.setting("KITH_LIB")
RANKS = 4
HOSTS = ["-launcher", "fork", "-hosts", "one:2,two:2"]


def compiled(name, path, *flags):
    made = pathlib.Path(name).absolute()
    kt.run(["mpicc.mpich", "-O1", "-w", "-o", made, source / path, *flags])
    return made


def launch(program, preload, **settings):
    exports = [word for name, value in settings.items() for word in ("-genv", name, value)]
    return kt.run(["mpiexec.hydra", *HOSTS, *exports, "-n", RANKS, "-env", "LD_PRELOAD", preload, program],
                  timeout=60)


def said(done):
    return [line for line in done.stderr.splitlines() if line.startswith("kith:")]


def write_matrix(path, pairs):
    entries = "".join(f"{i + 1} {j + 1} 1000000\n" for i, j in pairs)
    pathlib.Path(path).write_text("%%MatrixMarket matrix coordinate integer general\n"
                                  f"{RANKS} {RANKS} {len(pairs)}\n{entries}")


def local_indices(program):
    """Who keeps its local index goes to slots of its own parity only."""
    write_matrix("even.mtx", [(0, 2), (2, 0), (1, 3), (3, 1)])  # partners of one local index: never together
    write_matrix("odd.mtx", [(0, 3), (1, 2)])
    machine = {"KITH_TOPOLOGY": "tree:2x2"}
    hosts = f"{library}:{compiled('small_hosts.so', 'tests/mpi/programs/small_hosts.c', '-shared', '-fPIC')}"
    kept = launch(program, hosts, **machine, KITH_REORDER="even.mtx", KITH_KEEP_LOCAL="1")
    kt.check("order unchanged" in said(kept)[0] and "local index" in said(kept)[0], kept.stderr)
    seen = launch(program, hosts, **machine, KITH_REORDER="even.mtx", CUDA_VISIBLE_DEVICES="0,1")
    kt.check("order unchanged" in said(seen)[0], f"where devices are visible: {seen.stderr}")
    free = launch(program, hosts, **machine, KITH_REORDER="even.mtx", KITH_TRACE="free")
    kt.check("ranks reordered" in said(free)[0], free.stderr)
    launch(program, hosts, **machine, KITH_REORDER="odd.mtx", KITH_KEEP_LOCAL="1", KITH_TRACE="odd")
    kt.check_equal(kt.placement("odd.kith"), [0, 3, 2, 1], "partners of two local indices")
    print("local indices are kept on MPICH's hosts")


def refused_notes(program):
    """The same results, and a line; nobody waits for ever."""
    plain = kt.run(["mpiexec.hydra", *HOSTS, "-n", RANKS, program]).stdout
    deaf = compiled("no_notes.so", "tests/mpich/programs/no_notes.c", "-shared", "-fPIC")
    for settings, deaf_ranks in (({}, range(RANKS)), ({"NO_NOTES_OF": "2"}, [2]), ({"NO_NOTES_OF": "0"}, [0])):
        done = launch(program, f"{library}:{deaf}", KITH_TRACE="refused", KITH_REORDER="odd.mtx", **settings)
        kt.check_equal(done.stdout, plain, f"{settings}: output")
        kt.check(said(done) and all("off for this run: rank" in line for line in said(done)), done.stderr)
        own = [line for line in said(done) if "could not let the others know" in line]
        kt.check_equal(len(own), len(deaf_ranks), f"{settings}: {done.stderr}")
    print("a launcher that takes no notes: the program runs on without Kith")


with kt.work_folder():
    local_indices(compiled("reads_input", "tests/mpi/programs/reads_input.c"))
    refused_notes(compiled("collectives", "tests/mpi/programs/collectives.c"))
kt.finish()
