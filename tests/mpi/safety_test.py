#!/usr/bin/env python3
"""Whatever goes wrong in Kith, the job runs on: same output, exit status 0, one line on stderr."""
import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 4
world = kt.setting("KITH_BINARY") / "tests/mpi/world"


def kith_lines(text):
    return [line for line in text.splitlines() if line.startswith("kith:")]


def harmless(name, settings, expected, lines=1, library=None, options=()):
    """Runs the job with `settings`: harmless, and `lines` lines, the first with all of `expected`."""
    exports = [word for key, value in settings.items() for word in ("-x", f"{key}={value}")]
    done = kt.run(["mpirun", "-n", RANKS, "-x", f"LD_PRELOAD={library or kt.setting('KITH_LIB')}",
                   *exports, *options, world])
    kt.check_equal(done.stdout, plain.stdout, f"{name}: output of the job")
    said = kith_lines(done.stderr)
    kt.check_equal(len(said), lines, f"{name}: lines on stderr ({said})")
    for words in expected:
        kt.check(any(words in line for line in said), f"{name}: no '{words}' in {said}")
    print(f"{name}: {said[0] if said else 'silent'}")


def write(name, text):
    pathlib.Path(name).write_text(text)
    return name


def bad_mappings():
    cases = {
        "mapping of another size": ("0 0\n1 1\n2 2\n", ("3 ranks", "4 ranks")),
        "two ranks on a slot": ("0 0\n1 0\n2 2\n3 3\n", ("ranks 0 and 1 on slot 0",)),
        "a slot that the job lacks": ("0 0\n1 1\n2 2\n3 4\n", ("rank 3 on slot 4",)),
        "a rank twice": ("0 0\n1 1\n1 2\n3 3\n", ("bad.map:3",)),
        "damaged": ("# kith mapping ranks=4 topology=job hosts=-\n0 0\n1 x\n", ("bad.map:3",)),
        "other hosts": ("# kith mapping ranks=4 topology=job hosts=0123456789abcdef\n"
                        "0 3\n1 2\n2 1\n3 0\n", ("other hosts",)),
        "empty": ("", ("order unchanged",)),
    }
    for name, (text, expected) in cases.items():
        harmless(name, {"KITH_REORDER": write("bad.map", text)}, expected)
    harmless("no such file", {"KITH_REORDER": "absent.map"}, ("absent.map",))
    os.mkdir("empty.kith")
    harmless("a trace that is none", {"KITH_REORDER": "empty.kith"}, ("empty.kith",))
    os.rmdir("empty.kith")


def other_traffic():
    banner = "%%MatrixMarket matrix coordinate integer general\n"
    harmless("traffic of another rank count",
             {"KITH_REORDER": write("five.mtx", banner + "5 5 1\n1 2 7\n")},
             ("5 ranks", "4 ranks"))
    harmless("cut traffic", {"KITH_REORDER": write("cut.mtx", banner + "4 4 2\n1 2 7\n")},
             ("cut.mtx",))
    write("good.mtx", banner + "4 4 2\n1 4 700\n2 3 600\n")
    harmless("unknown algorithm", {"KITH_REORDER": "good.mtx", "KITH_ALGORITHM": "magic"},
             ("KITH_ALGORITHM", "magic"))
    harmless("machine too small", {"KITH_REORDER": "good.mtx", "KITH_TOPOLOGY": "tree:2"},
             ("KITH_TOPOLOGY",))
    harmless("no machine", {"KITH_REORDER": "good.mtx", "KITH_TOPOLOGY": "tree:2x"},
             ("KITH_TOPOLOGY",))
    harmless("bad values", {"KITH_MIN_GAIN": "much", "KITH_VERBOSE": "9"},
             ("KITH_MIN_GAIN", "KITH_VERBOSE"), lines=2)
    harmless("nothing to gain", {"KITH_REORDER": "good.mtx", "KITH_MIN_GAIN": "100%",
                                 "KITH_TOPOLOGY": "tree:2x2"}, ("order unchanged",))


def no_engine():
    """libkith.so alone in a folder; then with an engine that crashes, hangs, or talks nonsense."""
    library, engine = kt.library_alone()
    kt.write_mapping("reverse.map", [3, 2, 1, 0])
    quiet = {"KITH_REORDER": "reverse.map"}
    # One line of the host's leader about its hardware, one of the root about the order.
    harmless("no engine", quiet, ("was not found", "order unchanged"), lines=2, library=library)
    for name, script, expected, budget in (
            ("engine crashes", "kill -SEGV $$", "without an answer", "60"),
            ("engine fails", "exit 3", "without an answer", "60"),
            ("engine talks nonsense", "echo hello", "not understood", "60"),
            ("engine hangs", "sleep 1000", "took longer", "0.5")):
        kt.write_engine(engine, script)
        harmless(name, {**quiet, "KITH_BUDGET": budget}, (expected,), lines=2, library=library)


def traces():
    os.mkdir("old.kith")
    write("old.kith/meta.json", "{}")
    harmless("an existing trace", {"KITH_TRACE": "old"}, ("old.kith exists", "--force"))
    kt.check_equal(os.listdir("old.kith"), ["meta.json"], "the existing trace is as it was")
    harmless("an existing trace, replaced", {"KITH_TRACE": "old.kith", "KITH_FORCE": "1"}, (),
             lines=0)
    kt.check_trace("old.kith", RANKS)
    os.mkdir("precious.kith")
    write("precious.kith/thesis.txt", "years of work")
    harmless("not a trace", {"KITH_TRACE": "precious", "KITH_FORCE": "1"}, ("is not a trace",))
    kt.check_equal(os.listdir("precious.kith"), ["thesis.txt"], "other people's folders")
    harmless("no such folder", {"KITH_TRACE": "absent/t"}, ("absent",))
    if os.path.exists("/dev/full"):
        # /proc takes no new directories: the parent exists, but writing fails at the end.
        harmless("an unwritable folder", {"KITH_TRACE": "/proc/self/t"}, ("no trace",))


def another_tool_in_front():
    """A tool before us in the chain that does not chain: calls would bypass the reordered world."""
    write("tool.c", "#include <mpi.h>\n"
          "int MPI_Comm_rank(MPI_Comm c, int* r) { return PMPI_Comm_rank(c, r); }\n")
    kt.run(["mpicc", "-shared", "-fPIC", "tool.c", "-o", "libtool.so"])
    kt.write_mapping("reverse.map", [3, 2, 1, 0])
    both = f"{pathlib.Path('libtool.so').absolute()}:{kt.setting('KITH_LIB')}"
    harmless("a tool in front", {"KITH_REORDER": "reverse.map"},
             ("in front of Kith for MPI_Comm_rank",), library=both)


def several_programs():
    """mpirun a : b, under Kith both, and only one of them: no rank may wait for one without Kith."""
    def lines(first, second):
        preload = ["-x", f"LD_PRELOAD={kt.setting('KITH_LIB')}", "-x", "KITH_TRACE=two"]
        done = kt.run(["mpirun", "-n", 2, *(preload if first else []), world, ":",
                       "-n", 2, *(preload if second else []), world])
        kt.check_equal(done.stdout, plain.stdout, "output of two programs")
        return kith_lines(done.stderr)

    kt.check_equal(lines(True, True), [], "both under Kith")
    kt.check_trace("two.kith", RANKS)
    shutil.rmtree("two.kith")
    for first, second in ((True, False), (False, True)):
        said = lines(first, second)
        kt.check(len(said) == 1 and "ranks" in said[0] and "do not run under Kith" in said[0], f"{said}")
        kt.check(not os.path.exists("two.kith"), "a trace of half a job")
    print(f"one of two programs: {said[0]}")


def hostile_programs():
    """Programs that pull the ground from under Kith: none may die, hang or be told more than a line."""
    program = kt.setting("KITH_BINARY") / "tests/mpi/hostile"
    for mode, lines in (("deleted-folder", 1), ("file-size", 1), ("no-environment", 0),
                        ("attributes", 0), ("many-phases", 0), ("too-early", 4 * RANKS),
                        ("too-late", 4 * RANKS)):
        done = kt.mpirun(RANKS, [program, mode], preload=True,
                         settings={"KITH_TRACE": mode, "KITH_VERBOSE": "0"})
        kt.check("ended well" in done.stdout, f"{mode}: {done.stdout}{done.stderr}")
        said = kith_lines(done.stderr)
        kt.check(len(said) == lines, f"{mode}: {said}")
        left = sorted(path.name for path in pathlib.Path().glob(f"{mode}*"))
        # Where writing failed the rows were kept all along.
        expected = {"deleted-folder": [], "file-size": [f"{mode}.kith.partial"]}
        kt.check_equal(left, expected.get(mode, [f"{mode}.kith"]), f"{mode}: files")
        if mode == "many-phases":
            phases = json.loads(pathlib.Path("many-phases.kith/meta.json").read_text())["phases"]
            kt.check_equal([phase["name"] for phase in phases], ["again", "after again", "level 1"],
                           "phases by name, then by MPI_Pcontrol")
        if mode.startswith("too-"):
            moment = {"too-early": "before MPI_Init", "too-late": "after MPI_Finalize"}[mode]
            kt.check(all(f": called {moment}; nothing was done" in line for line in said), f"{said}")
        print(f"{mode}: {said[0] if said else 'silent'}")


def under_valgrind():
    if not shutil.which("valgrind"):
        kt.not_tried("valgrind is not installed")
        return
    done = kt.mpirun(2, ["valgrind", "-q", "--error-exitcode=0", "--log-file=/dev/null", world],
                     preload=True, settings={"KITH_TRACE": "vg"}, timeout=250)
    kt.check("holds together" in done.stdout, f"under valgrind: {done.stdout}{done.stderr}")
    kt.check_trace("vg.kith", 2)
    print("valgrind: runs")


with kt.work_folder():
    plain = kt.mpirun(RANKS, [world])
    bad_mappings()
    other_traffic()
    no_engine()
    traces()
    another_tool_in_front()
    if kt.starts_several_programs():
        several_programs()
    else:
        kt.not_tried("mpirun A : B does not work here")
    hostile_programs()
    under_valgrind()
kt.finish()
