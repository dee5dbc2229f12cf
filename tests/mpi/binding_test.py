#!/usr/bin/env python3
"""KITH_BIND, kith run --bind and kith_bind(): threads are where the policy says, on a host that is made up
(fake_cpus.c notes where threads want to run), by libgomp and libomp, in C, Fortran and Python."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

build = kt.setting("KITH_BINARY")
PROGRAMS = build / "tests/mpi"
LIBRARY = kt.setting("KITH_LIB")
# Two packages of two cores with two processing units each.
HOST = {"HWLOC_SYNTHETIC": "package:2 core:2 pu:2", "FAKE_CPUS": "8"}
EXAMPLE = kt.setting("KITH_SOURCE") / "tests/corpus/cases/choicemap-thesis-8.mtx"


def preloaded(*more):
    return ":".join(map(str, (PROGRAMS / "libfake_cpus.so", LIBRARY, *more)))


def run(program, *words, libraries=(), status=0, **settings):
    """(its lines, what Kith said)"""
    environment = {**os.environ, **HOST, "LD_PRELOAD": preloaded(*libraries), **settings}
    done = subprocess.run([PROGRAMS / program, *map(str, words)], text=True, capture_output=True, timeout=100,
                          env={name: value for name, value in environment.items() if value is not None})
    kt.check_equal(done.returncode, status, f"{program} {words}: {done.stderr}")
    return done.stdout.splitlines(), [line for line in done.stderr.splitlines() if line.startswith("kith: ")]


def teams(*words, **settings):
    return run("open_mp_places", *words, **settings)[0]


def policies():
    for bind, expected in (("compact", "0 1 2 3 4 5 6 7"), ("scatter", "0 4 2 6 1 5 3 7"),
                           ("compact:fine", "0 1 2 3 4 5 6 7"),
                           ("compact:core", "0-1 0-1 2-3 2-3 4-5 4-5 6-7 6-7")):
        lines, said = run("open_mp_places", "team", 8, KITH_BIND=bind, OMP_NUM_THREADS="8")
        kt.check_equal(lines, [f"team 8: {expected}"], bind)
        kt.check(len(said) == 1 and f"bound by {bind.split(':')[0]}" in said[0], said)
        print(said[0])
    kt.check_equal(teams("team", 4, KITH_BIND="balanced", OMP_NUM_THREADS="4"), ["team 4: 0 2 4 6"], "balanced")
    kt.check_equal(teams("team", 2, KITH_BIND=None), ["team 2: 0-7 0-7"], "not asked")
    kt.check_equal(run("open_mp_places", "team", 2, KITH_BIND="compact", KITH_VERBOSE="0")[1], [], "quiet")


def by_a_matrix():
    """The worked example of chapter 4 of the thesis, through kith_bind()."""
    slots = {int(line.split()[0]): line.split()[1] for line in
             kt.run([kt.setting("KITH"), "map", EXAMPLE, "--topology", "tree:2x2x2", "--algorithm",
                     "choicemap"]).stdout.splitlines() if not line.startswith("#")}
    expected = "team 8: " + " ".join(slots[thread] for thread in range(8))
    lines = teams("bind", "choicemap", "fine", "team", 8, OMP_NUM_THREADS="8", KITH_BIND_MATRIX=str(EXAMPLE))
    kt.check_equal(lines, ["bind choicemap: 0", expected], "the worked example")
    kt.check_equal(teams("team", 8, OMP_NUM_THREADS="8", KITH_BIND="choicemap", KITH_BIND_MATRIX=str(EXAMPLE)),
                   [expected], "by the environment")
    pathlib.Path("order.map").write_text("0 7\n1 0\n2 3\n3 4\n")
    kt.check_equal(teams("team", 4, KITH_BIND="order.map"), ["team 4: 7 0 3 4"], "a mapping")
    print(f"chapter 4: {expected}")


def teams_that_change():
    """Threads keep their places when teams shrink and grow; nested teams come behind; children are free."""
    lines = teams("team", 4, "team", 2, "rest", "team", 6, "child", "team", 4, KITH_BIND="compact", OMP_NUM_THREADS="8")
    kt.check_equal(lines, ["team 4: 0 1 2 3", "team 2: 0 1", "team 6: 0 1 2 3 4 5", "child: 0-7",
                           "team 4: 0 1 2 3"], "teams")
    nested = teams("nested", 3, KITH_BIND="compact", OMP_NUM_THREADS="8")[0].split()[2:]
    kt.check_equal((nested[0], nested[3]), ("0", "1"), "the outer team")
    kt.check_equal(sorted(nested), ["0", "1", "2", "3", "4", "5"], "nested teams")
    kt.check_equal(run("thread_places", KITH_BIND="compact")[0], ["1 2 3 4 1 1"], "threads of pthread_create")
    kt.check_equal(run("thread_places", KITH_BIND=None)[0], ["-1 -1 -1 -1 -1 -1"], "not asked")


def libomp():
    """The same program with LLVM's library."""
    library = kt.find_libomp()
    if library is None:
        return kt.not_tried("libomp is not installed")
    for words in (["team", 8], ["bind", "scatter", "fine", "team", 8]):
        bind = None if "bind" in words else "scatter"
        lines = teams(*words, libraries=(library,), KITH_BIND=bind, OMP_NUM_THREADS="8")
        kt.check_equal(lines[-1], "team 8: 0 4 2 6 1 5 3 7", f"libomp, {words}")
    print(f"with {library} as with libgomp")


def on_this_host():
    """The system's own word: OpenMP libraries may set the CPUs of their threads behind Kith's back, and
    programs that a bound thread starts are not bound."""
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        return kt.not_tried("this machine has one processor")
    here = {"HWLOC_SYNTHETIC": None, "FAKE_CPUS": None, "KITH_BIND": "compact", "OMP_NUM_THREADS": "2"}
    own = ({}, {"OMP_PROC_BIND": "true"}, {"OMP_PLACES": "cores"})  # these two libgomp would do, too
    for library, settings in ((None, own), (kt.find_libomp(), own[:1])):
        for more in settings:
            preload = ":".join(str(one) for one in (library, LIBRARY) if one)
            lines = teams("team", 2, "system", "child", "team", 2,
                          **here, **more, LD_PRELOAD=preload)
            places = lines[0].split()[2:]
            kt.check(len(set(places)) == 2 and set(places) <= set(map(str, cpus)), f"{library} {more}: {lines}")
            kt.check_equal(lines[1:], [f"system: {len(cpus)}", f"child: {lines[2].split()[1]}",
                                       lines[0]], f"{library} {more}")
            kt.check(len(lines[2].split()[1]) > 1, f"a child is bound: {lines}")


def by_call():
    lines = teams("team", 4, "bind", "scatter", "core", "team", 4, "bind", "compact", "fine", "team", 4,
                  OMP_NUM_THREADS="4")
    kt.check_equal(lines, ["team 4: 0-7 0-7 0-7 0-7", "bind scatter: 0", "team 4: 0-1 4-5 2-3 6-7",
                           "bind compact: 0", "team 4: 0 1 2 3"], "calls")
    # What it refuses.
    for policy in ("compcat", "choicemap", "absent.map"):
        lines, said = run("open_mp_places", "bind", policy, "fine", "team", 2)
        kt.check(lines[0] != f"bind {policy}: 0" and lines[1] == "team 2: 0-7 0-7", lines)
        kt.check(len(said) == 1 and "threads are not bound: " in said[0], said)
        kt.check("KITH_BIND:" not in said[0], f"a setting is blamed for an argument: {said}")
        print(said[0])


def trouble():
    """One line, and the program runs on as without Kith."""
    for bind in ("compcat", "compact:both", ":core", "choicemap", "eagermap:core"):
        lines, said = run("open_mp_places", "team", 2, KITH_BIND=bind)
        kt.check_equal(lines, ["team 2: 0-7 0-7"], bind)
        kt.check(len(said) == 1 and said[0].startswith("kith: threads are not bound: "), f"{bind}: {said}")
    library, place = kt.library_alone()
    kt.write_engine(place, "exit 1")
    os.environ["NO_ENGINE"] = "1"
    environment = {**os.environ, **HOST, "KITH_BIND": "compact",
                   "LD_PRELOAD": f"{PROGRAMS / 'libfake_cpus.so'}:{library}"}
    done = subprocess.run([PROGRAMS / "open_mp_places", "team", "2"], text=True, capture_output=True,
                          timeout=100, env=environment)
    kt.check_equal((done.returncode, done.stdout), (0, "team 2: 0-7 0-7\n"), "an engine that ends")
    kt.check("threads are not bound: the engine" in done.stderr, done.stderr)


def jobs():
    """Ranks of one host that are not bound share it; a rank that is bound stays in its share."""
    def job(*words, options=(), **settings):
        exported = [part for name, value in {**HOST, "LD_PRELOAD": preloaded(), **settings}.items()
                    for part in ("-x", f"{name}={value}")]
        done = kt.run(["mpirun", "-n", 2, *options, *exported, PROGRAMS / "open_mp_places", *words])
        return sorted(done.stdout.splitlines()), [line for line in done.stderr.splitlines()
                                                   if line.startswith("kith: ")]
    for words in (["mpi", "team", 4], ["team", 4, "mpi"], ["team", 2, "mpi", "team", 4]):
        lines, said = job(*words, KITH_BIND="compact", OMP_NUM_THREADS="4")
        kt.check_equal([line for line in lines if line.startswith("team 4")],
                       ["team 4: 0 1 2 3", "team 4: 4 5 6 7"], f"ranks that share a host: {words}")
        kt.check_equal(len(said), 1, said)
    said = job("mpi", KITH_BIND="compact", OMP_NUM_THREADS="4")[1]
    kt.check_equal(said, ["kith: no threads are bound: the program has created none until MPI_Finalize"],
                   "a program without threads")
    kt.check_equal(job("mpi", KITH_BIND="compact", KITH_VERBOSE="0")[1], [], "quiet without threads")
    # A trace knows where the ranks were before.
    job("mpi", "team", 2, KITH_BIND="compact", KITH_TRACE="bound")
    text = pathlib.Path("bound.kith/machine.json").read_text()
    kt.check('"0-7"' in text, text)


def by_kith_run():
    kith = kt.setting("KITH")
    environment = {**HOST, "LD_PRELOAD": str(PROGRAMS / "libfake_cpus.so"), "OMP_NUM_THREADS": "4"}
    pathlib.Path("order.map").write_text("0 7\n1 0\n2 3\n3 4\n")
    program = PROGRAMS / "open_mp_places"
    for bind, expected in (("scatter:core", "0-1 4-5 2-3 6-7"), ("order.map", "7 0 3 4")):
        for command in ([program], ["mpirun", "-n", 1, program]):
            done = kt.run([kith, "run", "--bind", bind, "--", *command, "team", 4], environment=environment)
            kt.check_equal(done.stdout, f"team 4: {expected}\n", f"{bind} {command}")
    done = kt.run([kith, "run", "--bind", "choicemap", "--bind-matrix", EXAMPLE, "--", program, "team", 8],
                  environment={**environment, "OMP_NUM_THREADS": "8"})
    kt.check("team 8: " in done.stdout and "bound by choicemap" in done.stderr, done.stderr)
    for words, says in ((["--bind", "compcat"], "did you mean compact?"), (["--bind", "kith"], "--bind-matrix"),
                        (["--bind", "compact:both"], "POLICY:core"), (["--bind", "absent.map"], "absent.map")):
        done = kt.run([kith, "run", *words, "--", program, "team", 2], status=2)
        kt.check(says in done.stderr, done.stderr)
    done = kt.run([kith, "run", "--bind", "compact", "--trace", "t", "--", program, "team", 2])
    kt.check("no launcher" in done.stderr and "nothing was recorded" in done.stderr, done.stderr)


def python():
    code = ("import os, kith; kith.bind('scatter'); print(sorted(os.sched_getaffinity(0)))\n"
            "try: kith.bind('compcat')\nexcept ValueError as error: print(error)\n"
            "try: kith.bind('compact', 'both')\nexcept ValueError as error: print(error)\n")
    environment = {**HOST, "LD_PRELOAD": preloaded(), "KITH_LIBRARY": str(LIBRARY),
                   "PYTHONPATH": str(kt.setting("KITH_SOURCE") / "lib/bindings/python")}
    lines = kt.run([sys.executable, "-c", code], environment=environment).stdout.splitlines()
    kt.check_equal(lines[0], "[0]", "Python")
    kt.check("compcat" in lines[1] and "fine or core" in lines[2], lines)


with kt.work_folder():
    policies()
    by_a_matrix()
    teams_that_change()
    libomp()
    on_this_host()
    by_call()
    trouble()
    jobs()
    by_kith_run()
    python()
print("threads are where the policy says")
kt.finish()
