#!/usr/bin/env python3
"""What threads share, sampled in programs as they are: against every access of the same programs, in jobs and
without MPI; and that programs which do awkward things behave as without.

usage: sampling_test.py [all]      (through ctest; all: every kernel)
"""
import math
import os
import pathlib
import platform
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

FOLDER = kt.setting("KITH_BINARY") / "tests/sharing"
EVERYTHING = sys.argv[1:] == ["all"]
KERNELS = ("ring", "pairs", "producer", "butterfly", "all-to-all", "private", "blocks", "workers")


def cosine(a, b):
    product = sum(weight * b.get(cell, 0) for cell, weight in a.items())
    return product / math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))


def run(words, status=0, **settings):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, timeout=250,
                          env={**os.environ, **{name: str(value) for name, value in settings.items()}})
    kt.check(status is None or done.returncode == status, f"{words}: {done.returncode} {done.stderr}")
    return done


def sampled(name, *words, **settings):
    """What was said, and the matrix, where there is one."""
    done = run(words, LD_PRELOAD=kt.setting("KITH_LIB"), KITH_THREADS=1, KITH_TRACE=name, **settings)
    file = pathlib.Path(f"{name}.mtx")
    return done, kt.read_matrix(file) if file.exists() else None


def looked_at(kernel):
    """The matrix of a kernel, and how many samples it is made of: as many as tell it well, however often this
    machine finds the threads computing."""
    rounds = 50000
    while True:
        done, found = sampled(kernel, FOLDER / "sharing_blocks", kernel, 4, rounds, 4096, KITH_FORCE=1)
        kt.check_equal(done.stderr, f"kith: what the threads share: {os.path.abspath(kernel)}.mtx\n", "said")
        head = pathlib.Path(f"{kernel}.mtx").read_text().splitlines()[1]
        told = re.search(r"a line of \d+ bytes after .*; (\d+) samples$", head)
        kt.check(told, head)
        if int(told[1]) >= 450 or rounds > 500000:
            return found, int(told[1])
        rounds *= 2


def kernels():
    """Several seconds of computing each."""
    least = 1
    for kernel in KERNELS if EVERYTHING else ("ring", "private"):
        exact = f"{kernel}-exact.mtx"
        run([FOLDER / "sharing_blocks_exact", kernel, 4, 30, 4096], KITH_ACCESSES=exact)
        found, samples = looked_at(kernel)
        if kernel == "private":
            kt.check(sum(found.values()) < 10, f"private threads share {found}")
            continue
        alike = cosine(kt.read_matrix(exact), found)
        print(f"{kernel}: cosine {alike:.3f}, {samples} samples")
        kt.check(alike > 0.9, f"{kernel}: cosine {alike}: {found}")
        least = min(least, alike)
    kt.run([kt.setting("KITH"), "map", "ring.mtx", "--topology", "tree:2x2", "-o", "ring.map"])
    print(f"4 threads: least cosine {least:.3f}")


def jobs():
    kith = kt.setting("KITH")
    done = kt.run([kith, "run", "--trace", "job", "--threads", "--", "mpirun", "-n", 2, FOLDER / "sharing_blocks_mpi",
                   "pairs", 4, 60000, 2048])
    kt.check_equal(done.stderr, "kith: recorded: job.kith; next: kith info job.kith\n", "said")
    kt.check_equal(sorted(os.listdir("job.kith/threads")), ["0.mtx", "1.mtx"], "matrices")
    both = [kt.read_matrix(f"job.kith/threads/{rank}.mtx") for rank in (0, 1)]
    paired = sum(w for found in both for (i, j), w in found.items() if j == i ^ 1)
    kt.check(paired > 0.8 * sum(sum(found.values()) for found in both) > 3, f"{both}")
    kt.check("what their threads share" in kt.run([kith, "info", "job"]).stdout, "kith info")
    kt.check_equal([str(f) for f in pathlib.Path().glob("job*.mtx")], [], "files of a job beside its trace")
    # Without mpirun, Open MPI starts a daemon of its own, which is not looked at.
    done = kt.run([kith, "run", "--trace", "alone", "--threads", "--", FOLDER / "sharing_blocks_mpi", "pairs", 2,
                   40000, 2048])
    kt.check_equal(done.stderr, "kith: recorded: alone.kith; next: kith info alone.kith\n",
                   "said of a program that was started alone")
    # A job of more ranks than the trace has: who stays unbound is told, and the first rank is bound.
    done = kt.run([kith, "run", "--bind", "compact", "--bind-matrix", "alone", "--", "mpirun", "-n", 2,
                   FOLDER / "sharing_blocks_mpi", "pairs", 2, 10, 10])
    kt.check_equal("threads of rank 1 and those behind it are not bound: " in done.stderr, False, "no matrix needed")
    done = kt.run([kith, "run", "--bind", "eagermap", "--bind-matrix", "alone", "--", "mpirun", "-n", 2,
                   FOLDER / "sharing_blocks_mpi", "pairs", 2, 10, 10])
    kt.check("threads of rank 1 and those behind it are not bound: " in done.stderr, done.stderr)
    kt.check("of rank 0\n" in done.stderr, done.stderr)
    kt.check_equal("too little was seen" in done.stderr, False, "of threads that share much")
    kt.check_equal(os.listdir("alone.kith/threads"), ["0.mtx"], "its matrix")
    # Of threads that share nothing neither is claimed to be known what they share.
    nothing = "%%MatrixMarket matrix coordinate integer general\n% how often thread j touched memory after thread i; "
    pathlib.Path("alone.kith/threads/0.mtx").write_text(nothing + "90 samples\n2 2 0\n")
    info = kt.run([kith, "info", "alone"]).stdout
    kt.check("(2 threads at most, 90 samples of a rank at most): next to nothing\n" in info, info)
    pathlib.Path("alone.kith/threads/0.mtx").write_text(nothing + "9 samples\n2 2 0\n")
    info = kt.run([kith, "info", "alone"]).stdout
    kt.check("too few to tell, 40 for each pair of threads are needed" in info, info)
    done = kt.run([kith, "run", "--bind", "eagermap", "--bind-matrix", "alone", "--",
                   FOLDER / "sharing_blocks_mpi", "pairs", 2, 10, 10])
    kt.check("(by a matrix in which no two threads share anything)" in done.stderr, done.stderr)
    kt.check("alone.kith: the threads of its ranks share next to nothing, or too little was seen of them (kith info "
             in done.stderr, done.stderr)
    done = kt.run([kith, "run", "--bind", "compact", "--bind-matrix", "alone", "--",
                   FOLDER / "sharing_blocks_mpi", "pairs", 2, 10, 10])
    kt.check_equal("too little was seen" in done.stderr, False, "a policy that takes no matrix")


def without_mpi():
    kith = kt.setting("KITH")
    words = ["run", "--trace", "plain", "--threads", "--"]
    program = [FOLDER / "sharing_blocks", "pairs", 2, 20000, 2048]
    alone = kt.run(program).stdout
    done = kt.run([kith, *words, *program])
    kt.check_equal(done.stdout, alone, "the result")
    kt.check("kith: what the threads share: " in done.stderr, done.stderr)
    content = pathlib.Path("plain.mtx").read_text()
    done, _ = sampled("plain", *program)
    kt.check("plain.mtx exists; KITH_FORCE=1 replaces it" in done.stderr, done.stderr)
    kt.check_equal(done.stdout, alone, "a second run, which is not sampled")
    done = kt.run([kith, *words, *program], status=2)  # told before anything starts
    kt.check("expected a new name, or --force to replace, found " in done.stderr, done.stderr)
    kt.check_equal((done.stdout, pathlib.Path("plain.mtx").read_text()), ("", content), "neither run replaces it")
    kt.run([kith, "run", "--force", *words[1:], *program])
    done = kt.run([kith, "run", "--trace", "one", "--threads", "--", FOLDER / "sharing_blocks", "pairs", 1, 10, 10])
    kt.check("no matrix was written: fewer than two threads" in done.stderr, done.stderr)
    done, found = sampled("absent/folder", *program)
    kt.check("not sampled: cannot write" in done.stderr and "absent/folder.mtx: No such file" in done.stderr,
             f"told before it runs: {done.stderr}")
    done = kt.run([kith, "run", "--trace", "several", "--threads", "--", "mpirun", "-n", 2, *program])
    kt.check_equal(done.stderr.count("kith: what the threads share: "), 1, done.stderr)
    kt.check(pathlib.Path("several.0.mtx").exists() and pathlib.Path("several.1.mtx").exists(), "a file of each rank")
    # A script with other commands: the program is meant.
    script = f"date; ls > /dev/null; {' '.join(map(str, program))}; true"
    done = kt.run([kith, "run", "--trace", "script", "--threads", "--", "bash", "-c", script])
    kt.check_equal(done.stderr, f"kith: what the threads share: {os.path.abspath('script')}.mtx\n", "of a script")
    # With a binding, too.
    done = kt.run([kith, "run", "--bind", "compact", "--trace", "bound", "--threads", "--", *program])
    kt.check("threads bound by compact" in done.stderr and pathlib.Path("bound.mtx").exists(), done.stderr)


def awkward():
    """The same lines as without, and no call fails that did not."""
    plain = run([FOLDER / "awkward", "own"]).stdout
    kt.check("calls: 0 failed of many" in plain and "SIGURG: default, 0, 1" in plain, plain)
    done, found = sampled("awkward", FOLDER / "awkward")
    kt.check_equal(done.stdout, "".join(plain.splitlines(True)[:-1]), "what it prints")
    kt.check_equal(done.stderr.count("kith: "), 1, done.stderr)
    kt.check(found.get((1, 2), 0) + found.get((2, 1), 0) > 5, f"two threads share a line: {found}")
    done, found = sampled("owner", FOLDER / "awkward", "own")
    kt.check_equal(done.stdout, plain, "a program that uses the signal")
    kt.check_equal(done.stderr.count("kith: KITH_THREADS: the program uses SIGURG"), 1, done.stderr)


if platform.machine() != "x86_64":
    kt.not_tried("instructions of another processor")
else:
    with kt.work_folder():
        awkward()
        without_mpi()
        kernels()
        if (FOLDER / "sharing_blocks_mpi").exists():
            jobs()
kt.finish()
