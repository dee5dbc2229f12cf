#!/usr/bin/env python3
"""A job that is to be reordered, and everything that can go wrong meanwhile: the program gives the
same output, in the launcher's order where none can be had, with a line that says why; no hang.

Usage: reorder_safety_test.py [all]: more places at which memory ends, more endings.
"""
import os
import pathlib
import shutil
import stat
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
from engine_messages import VERSION, message, reorder_answer

RANKS = 3
ALL = "all" in sys.argv[1:]
programs = kt.setting("KITH_BINARY") / "tests/mpi"
program = programs / "reorder_safety"
REORDERED = "ranks reordered"
UNCHANGED = "order unchanged"


def kith_lines(text):
    return [line for line in text.splitlines() if line.startswith("kith:")]


def launched(command, settings, library=None, ranks=RANKS):
    """The words that start `command` under Kith."""
    exports = [word for key, value in settings.items() for word in ("-x", f"{key}={value}")]
    preload = f"LD_PRELOAD={library or kt.setting('KITH_LIB')}"
    return ["mpirun", "-n", ranks, "-x", preload, *exports, *command]


def harmless(name, settings, expected, lines=1, library=None, command=None, ranks=RANKS):
    """The ring closes as without Kith; `lines` lines on stderr, all of `expected` among them."""
    done = kt.run(launched(command or [program, "ring"], settings, library, ranks))
    kt.check_equal(done.stdout, plain[ranks], f"{name}: output of the job")
    said = kith_lines(done.stderr)
    kt.check_equal(len(said), lines, f"{name}: lines on stderr ({said})")
    for words in expected:
        kt.check(any(words in line for line in said), f"{name}: no '{words}' in {said}")
    print(f"{name}: {said[-1] if said else 'silent'}")


def odd_files():
    """Where a mapping or a trace is expected: things that cannot be read, or never end."""
    pathlib.Path("noise.map").write_bytes(bytes(range(256)) * 40)
    harmless("noise", {"KITH_REORDER": "noise.map"}, (UNCHANGED,))
    header = "# kith mapping ranks=4000000000 topology=job hosts=-\n"
    pathlib.Path("huge.map").write_text(f"{header}0 0\n")
    harmless("a header that promises too much", {"KITH_REORDER": "huge.map"}, (UNCHANGED,))
    pathlib.Path("huge.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n"
                                        "3 3 9000000000000000000\n1 2 5\n")
    harmless("a matrix that promises too much", {"KITH_REORDER": "huge.mtx"}, (UNCHANGED,))
    os.mkfifo("pipe.map")
    harmless("a pipe that nobody writes to", {"KITH_REORDER": "pipe.map", "KITH_BUDGET": "5"},
             (UNCHANGED, "took longer"))
    for device in ("/dev/zero", "/proc/self/mem"):  # the first never ends, the other gives an error
        harmless(device, {"KITH_REORDER": device, "KITH_BUDGET": "5"}, (UNCHANGED,))
    shutil.copy("reverse.map", "secret.map")
    os.chmod("secret.map", 0)
    if not os.access("secret.map", os.R_OK):
        harmless("a mapping of somebody else's", {"KITH_REORDER": "secret.map"},
                 (UNCHANGED, "secret.map"))


def damaged_traces():
    """A trace of which a part is cut off or missing, and one of another rank count."""
    kt.run(launched([program, "ring"], {"KITH_TRACE": "good", "KITH_VERBOSE": "0"}))
    harmless("a trace of another rank count", {"KITH_REORDER": "good.kith"},
             (UNCHANGED, "3 ranks", "2 ranks"), ranks=2)

    def damage(file, change):
        shutil.copytree("good.kith", "bad.kith")
        change(pathlib.Path("bad.kith") / file)
        harmless(f"{file}, {change.__name__}", {"KITH_REORDER": "bad.kith"}, (UNCHANGED,))
        shutil.rmtree("bad.kith")

    def cut(path):
        path.write_bytes(path.read_bytes()[:path.stat().st_size * 2 // 3])

    def emptied(path):
        path.write_bytes(b"")

    def missing(path):
        path.unlink()

    for file, change in (("bytes.mtx", cut), ("bytes.mtx", missing), ("meta.json", cut),
                         ("meta.json", emptied)):
        damage(file, change)


def engines():
    """In the place of kith-engine: what never ends, what ends too early, what answers something else."""
    library, engine = kt.library_alone()
    words = pathlib.Path("words").absolute()

    def answering(name, script, expected, lines=2, **settings):
        kt.write_engine(engine, script)
        harmless(name, {"KITH_REORDER": "reverse.map", **settings}, expected, lines, library)

    def saying(name, message, expected, **settings):
        words.write_bytes(message)
        answering(name, f"cat {words}", expected, **settings)

    saying("an answer in the right words", reorder_answer([2, 1, 0]), ("reordered: so",))
    saying("an order with a rank twice", reorder_answer([2, 1, 1]), ("not a permutation",))
    saying("an order of fewer ranks", reorder_answer([1, 0]), ("not a permutation",))
    saying("an order of more ranks", reorder_answer([3, 2, 1, 0]), ("not a permutation",))
    saying("half an answer", reorder_answer([2, 1, 0])[:40], ("not understood", "ends early"))
    saying("half a header", reorder_answer([2, 1, 0])[:10], ("not understood", "ends early"))
    saying("an answer of another version", message(6, b"", version=VERSION + 1),
           ("not understood", f"version {VERSION + 1} of the protocol, not {VERSION}"))
    saying("an answer with a list that is too long", message(6, bytes(3) + b"\xff" * 60),
           ("not understood", "cut short"))
    answering("an answer in other words", "yes", ("not understood",))
    words.write_bytes(message(6, b"", size=1 << 60))
    answering("an answer without end", f"cat {words}; exec yes", ("has no end",))
    words.write_bytes(message(6, b"", size=1000))
    answering("an answer in drops", f"cat {words}; while printf x; do sleep 0.2; done",
              ("took longer",), KITH_BUDGET="1")
    answering("an engine without memory", f"ulimit -v 8000; exec {kt.engine()}", (UNCHANGED,))
    answering("an engine without files", f"ulimit -n 3; exec {kt.engine()}", (UNCHANGED,))
    return library, engine


def killed_while_waiting(library, engine):
    """A rank dies while all wait for the order: the job ends as it would have, at once."""
    kt.write_engine(engine, "exec sleep 1000")  # longer than kt.run waits
    settings = {"KITH_REORDER": "reverse.map", "KITH_BUDGET": "500"}
    kt.run(launched([program, "dies", 3], settings, library), status=142)
    print("a rank killed during the decision: the job ends")


def without_memory():
    """libkith.so gets no more memory on one rank; MPI and the program do. The small things that
    giving up takes must be at hand: one rank that ends its part early leaves the others waiting."""
    both = f"{kt.setting('KITH_LIB')}:{programs / 'libpoor_memory.so'}"
    places = {0: (1, 3, 6, 12, 25, 50, 100, 130) if ALL else (1, 50),
              1: (1, 2, 4, 8, 14) if ALL else (1, 8)}
    for rank, allocations in places.items():
        for first in allocations:
            for trace in ({}, {"KITH_TRACE": "poor", "KITH_FORCE": "1"}):
                poor = {"POOR_RANK": rank, "POOR_FROM": first, "KITH_REORDER": "reverse.map"}
                done = kt.run(launched([program, "ring"], {**poor, **trace}, both))
                kt.check_equal(done.stdout, plain[RANKS], f"no memory on rank {rank} from {first}")
                said = kith_lines(done.stderr)
                kt.check(1 <= len(said) <= 4, f"no memory on rank {rank} from {first}: {said}")
                print(f"no memory on rank {rank} from {first}: {said[-1]}")


def without_large_memory():
    """At the end of a run, one rank has small memory left but none for what it recorded: all ranks do
    without the trace."""
    both = f"{kt.setting('KITH_LIB')}:{programs / 'libpoor_memory.so'}"
    for rank in (0, 1):
        poor = {"POOR_RANK": rank, "POOR_FROM": 10**9, "POOR_OVER": 20000, "KITH_TRACE": "large",
                "KITH_PARTIAL": "0"}
        done = kt.run(launched([program, "phases", 900], poor, both), timeout=60)
        kt.check_equal(done.stdout, plain[RANKS], f"no large memory on rank {rank}")
        said = kith_lines(done.stderr)
        kt.check(any("no trace was written: not enough memory" in line for line in said),
                 f"no large memory on rank {rank}: {said}")
        kt.check(not list(pathlib.Path().glob("large*")), "a trace, or what is left of one")
        print(f"no large memory on rank {rank}: {said[-1]}")


def without_memory_for_a_profile():
    """At the end of a run under KITH_REORDER=auto, one rank gets no more memory: the root cannot start the
    engine and says so, another rank's short row fits into Kith's spare memory."""
    both = f"{kt.setting('KITH_LIB')}:{programs / 'libpoor_memory.so'}"
    for rank in (0, 1):
        poor = {"POOR_RANK": rank, "POOR_FROM": 10**9, "KITH_REORDER": "auto",
                "KITH_HOME": str(pathlib.Path("home").absolute())}
        done = kt.run(launched([program, "phases", 0], poor, both), timeout=60)
        kt.check_equal(done.stdout, plain[RANKS], f"no memory for a profile on rank {rank}")
        said = kith_lines(done.stderr)
        expected = ("the run is not recorded: the engine could not be started", "too few")[rank]
        kt.check(any(expected in line for line in said),
                 f"no memory for a profile on rank {rank}: {said}")
        print(f"no memory for a profile on rank {rank}: {said[-1]}")


def full_disk():
    """The trace beside finds no room; the order is not touched by that."""
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        kt.not_tried("full disk: no private mounts here")
        return
    done = kt.run(["unshare", "-rm", "sh", "-c",
                   "mkdir small && mount -t tmpfs -o size=8k tmpfs small && exec \"$@\"", "sh",
                   *launched([program, "ring"], {"KITH_REORDER": "reverse.map",
                                                 "KITH_TRACE": "small/t"})])
    kt.check_equal(done.stdout, plain[RANKS], "full disk: output")
    said = kith_lines(done.stderr)
    kt.check(any(REORDERED in line for line in said), f"full disk: no order: {said}")
    kt.check(any("No space left" in line for line in said), f"full disk: not said: {said}")
    kt.check(len(said) <= 3, f"full disk: {said}")
    print(f"full disk: {said}")


def thread_levels():
    for level in range(4):
        command = [program, "level", level]
        without = kt.mpirun(2, command).stdout
        done = kt.run(launched(command, {"KITH_REORDER": "reverse2.map"}, ranks=2))
        kt.check_equal(done.stdout, without, f"thread level {level}")
        kt.check(REORDERED in done.stderr, done.stderr)
        print(f"thread level {level}: {without.splitlines()[0]}")


def endings():
    """Aborted, killed, or left without MPI_Finalize in another order: the same status as ever, and
    what each rank has sent is kept under the rank that it had."""
    sent = {(r, (r + 1) % RANKS): 3 * (100 + r) for r in range(RANKS)}
    for way in ("abort", "exit", "term", "kill") if ALL else ("abort", "exit"):
        command = [programs / "endings", way]
        without = subprocess.run(list(map(str, ["mpirun", "-n", RANKS, *command])), text=True,
                                 capture_output=True, timeout=100,
                                 env={**os.environ, **kt.LAUNCH_ENVIRONMENT})
        done = kt.run(launched(command, {"KITH_REORDER": "shift.map", "KITH_TRACE": way,
                                         "KITH_COLLECTIVES": "off"}), status=without.returncode)
        kt.check_equal(done.stdout, without.stdout, f"{way}: output")
        kt.check(REORDERED in done.stderr, done.stderr)
        kt.run([kt.setting("KITH"), "convert", f"{way}.kith.partial", f"{way}.mtx"])
        kt.check_equal(kt.read_matrix(f"{way}.mtx"), sent, f"{way}: bytes")
        print(f"{way}: status {without.returncode}, rows kept under the new ranks")
    # An order by what is left is one by the beginning of a run, which is said.
    done = kt.run(launched([program, "ring"], {"KITH_REORDER": "abort.kith.partial"}))
    kt.check("the recorded run ended early" in done.stderr, done.stderr)
    # So is that it was another program's.
    kt.check(f"abort.kith.partial was recorded of endings, this is {program.name}" in done.stderr,
             done.stderr)


with kt.work_folder():
    plain = {ranks: kt.mpirun(ranks, [program, "ring"]).stdout for ranks in (2, RANKS)}
    kt.write_mapping("reverse.map", list(reversed(range(RANKS))))
    kt.write_mapping("reverse2.map", [1, 0])
    kt.write_mapping("shift.map", [(rank + 1) % RANKS for rank in range(RANKS)])
    odd_files()
    damaged_traces()
    killed_while_waiting(*engines())
    without_memory()
    without_large_memory()
    without_memory_for_a_profile()
    full_disk()
    thread_levels()
    endings()
kt.finish()
