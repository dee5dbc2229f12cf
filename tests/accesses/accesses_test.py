#!/usr/bin/env python3
"""libkith_accesses.so: what threads share, of programs that share as is known; in the trace of a job, too."""
import math
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

FOLDER = kt.setting("KITH_BINARY") / "tests/accesses"
ROUNDS = 500


def width_of(threads):
    width = max(w for w in range(1, threads + 1) if w * w <= threads)
    return next(w for w in range(width, 0, -1) if threads % w == 0)


def is_neighbour(i, j, threads):
    width = width_of(threads)
    return abs(i % width - j % width) + abs(i // width - j // width) == 1


GIVES = {
    "ring": lambda i, j, n: j == (i + 1) % n,
    "pairs": lambda i, j, n: j == i ^ 1,
    "producer": lambda i, j, n: i == 0,
    "butterfly": lambda i, j, n: (i ^ j).bit_count() == 1,
    "all-to-all": lambda i, j, n: True,
    "private": lambda i, j, n: False,
    "blocks": is_neighbour,
    "workers": lambda i, j, n: i == 0 or j == 0,
}


def expected(kernel, threads, rounds=ROUNDS):
    """What i wrote j reads in each round; j's line is written by i again in each round but the first."""
    gives = GIVES[kernel]
    cells = {}
    for i in range(threads):
        for j in range(threads):
            if i == j or not gives(i, j, threads):
                continue
            cells[i, j] = cells.get((i, j), 0) + rounds
            cells[j, i] = cells.get((j, i), 0) + rounds - 1
    return cells


def cosine(a, b):
    product = sum(weight * b.get(cell, 0) for cell, weight in a.items())
    return product / math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))


def run(program, *words, **settings):
    done = subprocess.run([str(word) for word in (FOLDER / program, *words)], text=True, capture_output=True,
                          timeout=200, env={**os.environ, **settings})
    kt.check_equal(done.returncode, 0, f"{program} {words}: {done.stderr}")
    return done


def matches(found, kernel, threads, what):
    """Beside what the kernel shares, threads read a few variables of their team."""
    known = expected(kernel, threads)
    if not known:
        kt.check(sum(found.values()) < 20 * threads * threads, f"{what}: private threads share {found}")
        return 1
    alike = cosine(known, found)
    kt.check(alike > 0.99, f"{what}: cosine {alike}")
    for cell, weight in known.items():
        kt.check(weight <= found.get(cell, 0) <= weight + 30, f"{what}: {cell}: {found.get(cell)} of {weight}")
    return alike


def kernels():
    least = 1
    for threads in (4, 16):
        for kernel in GIVES:
            file = f"{kernel}-{threads}.mtx"
            output = run("kernels", kernel, threads, ROUNDS, KITH_ACCESSES=file).stdout
            kt.check_equal(output, run("kernels_plain", kernel, threads, ROUNDS).stdout, "the result")
            found = kt.read_matrix(file) if os.path.exists(file) else {}
            least = min(least, matches(found, kernel, threads, f"{kernel}, {threads} threads"))
    print(f"{len(GIVES)} kernels with 4 and 16 threads: least cosine {least:.4f}")
    kt.check_equal(list(pathlib.Path().glob("*.tmp-*")), [], "unfinished files")


def other_libraries():
    if (FOLDER / "ring_fortran").exists():
        run("ring_fortran", KITH_ACCESSES="fortran.mtx")
        found = kt.read_matrix("fortran.mtx")
        for i in range(4):
            kt.check(found.get((i, (i + 1) % 4), 0) >= 999, f"Fortran: {found}")
    if shutil.which("clang") and kt.find_libomp() and clang_has_openmp():
        clang()
    library = kt.find_libomp()
    if library is None:
        return kt.not_tried("libomp is not installed")
    run("kernels", "ring", 8, ROUNDS, KITH_ACCESSES="libomp.mtx", LD_PRELOAD=library)
    print(f"libomp: cosine {matches(kt.read_matrix('libomp.mtx'), 'ring', 8, 'libomp'):.4f}")


def clang_has_openmp():
    pathlib.Path("omp.c").write_text("#include <omp.h>\n")
    done = subprocess.run(["clang", "-fopenmp", "-fsyntax-only", "omp.c"], capture_output=True)
    if done.returncode != 0:
        kt.not_tried("clang: no omp.h (libomp-dev)")
    return done.returncode == 0


def clang():
    """Another compiler, which calls other functions."""
    source = kt.setting("KITH_SOURCE") / "tests/accesses/programs/sharing_kernels.c"
    library = kt.setting("KITH_BINARY") / "lib"
    kt.run(["clang", "-O2", f"-I{kt.setting('KITH_SOURCE')}/tests", "-fopenmp", "-fsanitize=thread", "-c", source, "-o", "clang.o"])
    kt.run(["clang", "-fopenmp", "clang.o", f"-L{library}", f"-Wl,-rpath,{library}", "-lkith_accesses", "-o",
            "clang_kernels"])
    done = subprocess.run(["./clang_kernels", "workers", "8", str(ROUNDS)], capture_output=True, timeout=200,
                          env={**os.environ, "KITH_ACCESSES": "clang.mtx"})
    kt.check_equal(done.returncode, 0, done.stderr)
    print(f"clang: cosine {matches(kt.read_matrix('clang.mtx'), 'workers', 8, 'clang'):.4f}")


def jobs():
    """The trace of a job has a matrix for each rank; kith info, kith map and KITH_BIND_MATRIX go by it."""
    kith = kt.setting("KITH")
    done = kt.run([kith, "run", "--trace", "job", "--threads", "--", "mpirun", "-n", 2, FOLDER / "kernels_mpi",
                   "butterfly", 8, ROUNDS])
    kt.check_equal(done.stderr, "kith: recorded: job.kith; next: kith info job.kith\n", "said")
    kt.check_equal(sorted(os.listdir("job.kith/threads")), ["0.mtx", "1.mtx"], "files")
    for rank in (0, 1):
        matches(kt.read_matrix(f"job.kith/threads/{rank}.mtx"), "butterfly", 8, f"rank {rank}")
    info = kt.run([kith, "info", "job"]).stdout
    kt.check("of 2 ranks it is known what their threads share (8 threads at most)" in info, info)
    # By it the threads are mapped and bound: on a host of four cores those of a butterfly have neighbours.
    host = ["--topology", "hwloc:package:2 core:2 pu:2", "--granularity", "pu"]
    kt.run([kith, "map", "job", "--threads-of", 1, *host, "--algorithm", "kith", "-o", "threads.map"])
    slots = [int(line.split()[1]) for line in pathlib.Path("threads.map").read_text().splitlines()
             if not line.startswith("#")]
    kt.check_equal(sorted(slots), list(range(8)), "a mapping of threads")
    own = kt.run([kith, "map", "job", "--threads-of", 1, "--oversubscribe"]).stdout
    kt.check("hwloc:" in own, f"the host of the rank: {own}")
    for words, says in ((["--threads-of", 2], "threads/2.mtx"), (["--threads-of", "x"], "--threads-of")):
        kt.check(says in kt.run([kith, "map", "job", *words], status=2).stderr, says)
    done = kt.run([kith, "run", "--bind", "choicemap", "--bind-matrix", "job", "--", "mpirun", "-n", 2,
                   FOLDER / "kernels_mpi", "butterfly", 8, 10])
    kt.check("threads bound by choicemap" in done.stderr, done.stderr)
    both_levels(kith)
    # Without the library: one line.
    done = kt.run([kith, "run", "--trace", "none", "--threads", "--", "mpirun", "-n", 2,
                   kt.setting("KITH_BINARY") / "tests/mpi/world"])
    kt.check_equal(done.stderr.count("kith: KITH_THREADS: no rank knows"), 1, done.stderr)
    kt.check(not os.path.exists("none.kith/threads"), "an empty folder")
    # Not asked: not written.
    kt.run([kith, "run", "--trace", "plain", "--", "mpirun", "-n", 2, FOLDER / "kernels_mpi", "ring", 4, 10])
    kt.check(not os.path.exists("plain.kith/threads"), "threads that nobody asked for")


def both_levels(kith):
    """Ranks go to hosts and their threads to cores: a rankfile, and a script in front of the program."""
    for words in (["--format", "rankfile", "-o", "both.rankfile"], ["-o", "both.map"]):
        done = kt.run([kith, "map", "job", "--threads-of", "all", "--oversubscribe", *words])
        script = pathlib.Path(f"{words[-1]}.threads")
        kt.check(f"put {script} in front of the program" in done.stderr, done.stderr)
        places = [line for line in script.read_text().splitlines() if "OMP_PLACES='" in line]
        kt.check_equal([line.split(")")[0].strip() for line in sorted(places)], ["0", "1"], "ranks")
        kt.check(all(line.count("{") >= 8 for line in places), places)
    done = kt.run(["mpirun", "-n", 2, "./both.rankfile.threads", "sh", "-c", "echo $OMP_PROC_BIND $OMP_PLACES"])
    kt.check_equal([line.split()[0] for line in done.stdout.splitlines()], ["true", "true"], "the script")
    for words, says in ((["--threads-of", "all"], "-o"),
                        (["--threads-of", "all", "-o", "x", "--topology", "tree:2"], "without --topology")):
        kt.check(says in kt.run([kith, "map", "job", *words], status=2).stderr, says)


def trouble():
    done = run("kernels", "ring", 4, 10, KITH_ACCESSES="absent/file.mtx")
    kt.check("kith: cannot write" in done.stderr and "absent/file.mtx: No such file" in done.stderr, done.stderr)
    run("kernels", "ring", 4, 10, KITH_ACCESSES="/dev/stdout")
    kt.check(pathlib.Path("/dev/stdout").is_symlink(), "a link of the system was replaced")


with kt.work_folder():
    kernels()
    other_libraries()
    trouble()
    if (FOLDER / "kernels_mpi").exists():
        jobs()
kt.finish()
