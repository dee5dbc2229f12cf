#!/usr/bin/env python3
"""The other MPI library: the libkith.so that Open MPI's programs use gives the same results of
MPICH's programs and counts the same bytes (handles are numbers there, no message layer can be looked
into, the launcher is another one); worlds in another order hold together, with MPI 4's sessions, too.

The programs are built with mpicc.mpich; libkith.so hands over to libkith-mpich.so beside it.

usage: mpich_test.py [all]      (through ctest; all: every area of conformance, every pattern, all parts
                                of the interface)
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("mpicc.mpich", "mpiexec.hydra")
source, binary = kt.setting("KITH_SOURCE"), kt.setting("KITH_BINARY")
folder = binary / "tests/mpich"
library = kt.setting("KITH_LIB")
RANKS = 4
EVERYTHING = sys.argv[1:] == ["all"]
PATTERNS = {"halo2d": [], "rma_halo": [], "cg_transpose": []}
if EVERYTHING:
    PATTERNS |= {"halo3d": [], "halo27": [], "fft_alltoall": [], "neighbour": []}
PROGRAMS = {"sends": ["plain"], "collectives": []}
OTHERS = ("topologies", "sessions", "reorder_safety", "large_counts")
LINKED = {"reorder": [], "redistribute": ["contents"]}
if EVERYTHING:
    LINKED |= {"reorder_graph": [], "checkpointing": ["cost", "orders"], "redistribute": ["contents", "arguments"]}


def build_all():
    own = source / "tests/mpi/programs"
    sources = [source / f"examples/patterns/{name}.c" for name in PATTERNS]
    sources += [source / "tests/apps/programs/sends.c", own / "collectives.c"]
    for file in [*sources, *(own / f"{name}.c" for name in OTHERS)]:
        compile_program(file.stem, [file])
    for name in LINKED:
        compile_program(name, [own / f"{name}.c"], "-I", source / "include", "-L", library.parent,
                        "-lkith", f"-Wl,-rpath,{library.parent}")
    if EVERYTHING:
        compile_program("conformance", sorted((source / "tests/conformance/programs").glob("*.c")))


def compile_program(name, files, *flags):
    kt.run(["mpicc.mpich", "-O1", "-w", "-o", folder / name, *files, *flags, "-lm", "-lpthread"])


def hydra(program, ranks=RANKS, **settings):
    options = ["-genv", "LD_PRELOAD", library] if settings else []
    for name, value in settings.items():
        options += ["-genv", name, value]
    return kt.run(["mpiexec.hydra", "-n", ranks, *options, *program])


def open_mpi_program(name):
    for place in ("examples/patterns", "tests/apps", "tests/mpi"):
        if (binary / place / name).is_file():
            return binary / place / name
    return kt.fail(f"{name} is not built")


def compare(name, arguments):
    """The same program under both libraries: same output, same bytes of every class that does not
    depend on the library's algorithms; and with the ranks reversed."""
    program = [folder / name, *arguments]
    plain = hydra(program).stdout
    traced = hydra(program, KITH_TRACE=f"{name}.kith")
    kt.check_equal(traced.stdout, plain, f"{name}: output")
    turned = hydra(program, KITH_TRACE=f"{name}-turned.kith", KITH_REORDER="reverse.map")
    kt.check_equal(turned.stdout, plain, f"{name}, reversed: output")
    kt.check_equal(kt.placement(f"{name}-turned.kith"), list(reversed(range(RANKS))),
                   f"{name}, reversed: ranks")
    kt.mpirun(RANKS, [open_mpi_program(name), *arguments], preload=True,
              settings={"KITH_TRACE": f"{name}-open.kith"})
    totals = {}
    for trace in (f"{name}.kith", f"{name}-turned.kith", f"{name}-open.kith"):
        meta = kt.check_trace(trace, RANKS)
        totals[trace] = meta["totals"]
        for part in ("p2p", "rma"):
            kt.check_equal(kt.read_matrix(f"{trace}/classes/{part}.bytes.mtx"),
                           kt.read_matrix(f"{name}-open.kith/classes/{part}.bytes.mtx"),
                           f"{trace}: {part}")
    meta = json.loads(pathlib.Path(f"{name}.kith/meta.json").read_text())
    kt.check_equal(meta["sources"]["collectives"], "model", f"{name}: source of collectives")
    kt.check_equal(totals[f"{name}.kith"]["neighbour_bytes"],
                   totals[f"{name}-open.kith"]["neighbour_bytes"], f"{name}: neighbourhood bytes")
    print(f"{name}: {totals[f'{name}.kith']['bytes']} bytes, under Open MPI "
          f"{totals[f'{name}-open.kith']['bytes']}")


def large_counts():
    """MPI 4's calls with large counts (Bcast_c) are recorded as those with ints are."""
    output, told = {}, {}
    for counts in ("int", "large"):
        done = hydra([folder / "large_counts", counts], KITH_TRACE=f"{counts}.kith")
        output[counts] = sorted(done.stdout.splitlines())
        totals = kt.check_trace(f"{counts}.kith", RANKS)["totals"]
        info = json.loads(kt.run([kt.setting("KITH"), "info", f"{counts}.kith", "--json"]).stdout)
        kt.check_equal(info["timeline"]["exact"], True, f"{counts}: the timeline has all messages")
        told[counts] = [kt.read_matrix(f"{counts}.kith/{name}.mtx") for name in
                        ("bytes", "messages")]
        told[counts] += [totals, info["timeline"]["operations"]]
    kt.check_equal(output["large"], output["int"], "results")
    kt.check_equal(told["large"], told["int"], "what was sent")
    print(f"large counts: {sum(told['large'][0].values())} bytes, as with ints")


def topologies():
    """With reorder=1: two rows of four on two hosts of four become two squares of four."""
    program, machine = [folder / "topologies", 4, "move", 2, 4], "tree:2x4"
    done = hydra(program, ranks=8, KITH_TOPOLOGY=machine, KITH_REORDER="interleaved.map",
                 KITH_REORDER_TOPOLOGIES="on")
    for kind in ("cart", "graph", "adjacent"):
        kt.check(f"{kind} cut 4\n" in done.stdout, done.stdout + done.stderr)
    hydra([*program[:2], "still", *program[3:]], ranks=8, KITH_TOPOLOGY=machine,
          KITH_REORDER_TOPOLOGIES="off")
    print("topologies: reordered, or not")


def checked():
    """kith run --check under Hydra."""
    found = json.loads(kt.run([kt.setting("KITH"), "run", "--check", "--json", "--reorder",
                               "reverse.map", "--", "mpiexec.hydra", "-n", RANKS, folder / "sends",
                               "plain"]).stdout)
    kt.check_equal((found["well"], found["order"]), (True, "applied"), "kith run --check")
    kt.check_equal([place["launcher_rank"] for place in found["places"]],
                   list(reversed(range(RANKS))), "kith run --check: who would be where")


def worlds():
    """The world in other orders, for threads of every level; a mapping that is damaged."""
    for level in range(4) if EVERYTHING else (0, 3):
        program = ["reorder_safety", "level", level]
        words = [folder / program[0], *program[1:]]
        plain = hydra(words).stdout
        for order in ("reverse.map", "shift.map"):
            done = hydra(words, KITH_REORDER=order)
            kt.check("ranks reordered" in done.stderr, f"{program}: {done.stderr}")
            kt.check_equal(done.stdout, plain, f"{' '.join(map(str, program))}, {order}")
    pathlib.Path("bad.map").write_text("0 0\n1 x\n")
    done = hydra([folder / "reorder_safety", "ring"], KITH_REORDER="bad.map")
    kt.check("order unchanged" in done.stderr and "bad.map:2" in done.stderr, done.stderr)
    print("thread levels: the same in every order")


def missing_ranks():
    """Some ranks run without Kith: nobody waits for them, one line names them. Two parts of Hydra, as on
    two hosts, have to tell each other."""
    program = folder / "collectives"
    plain = hydra([program]).stdout
    asked = ["-genv", "KITH_TRACE", "mixed", "-genv", "KITH_REORDER", "reverse.map"]
    preload = ["-env", "LD_PRELOAD", library]

    def drops(*ranks):
        cases = "|".join(map(str, ranks))
        return ["sh", "-c", f'case $PMI_RANK in {cases}) unset LD_PRELOAD;; esac; exec "$0"', program]
    hosts = ["-launcher", "fork", "-hosts", "one:2,two:2"]
    jobs = {"ranks 2-3 of 4": [*asked, "-n", 2, *preload, program, ":", "-n", 2, program],
            "ranks 0-1 of 4": [*asked, "-n", 2, program, ":", "-n", 2, *preload, program],
            "ranks 1, 3 of 4": [*asked, "-n", 4, *preload, *drops(1, 3)],
            "rank 0 of 4": [*asked, "-n", 4, *preload, *drops(0)],
            "rank 3 of 4": [*hosts, *asked, "-n", 4, *preload, *drops(3)]}
    for missing, words in jobs.items():
        done = kt.run(["mpiexec.hydra", *words], timeout=30)
        kt.check_equal(done.stdout, plain, f"{missing} without Kith: output")
        said = [line for line in done.stderr.splitlines() if line.startswith("kith:")]
        kt.check(len(said) == 1 and f"off for this run: {missing} do" in said[0], f"{missing}: {said}")
    kt.check(not pathlib.Path("mixed.kith").exists(), "a trace of some ranks")
    done = kt.run(["mpiexec.hydra", *hosts, *asked, "-n", 4, *preload, program])
    kt.check("ranks reordered" in done.stderr, f"all there: {done.stderr}")
    found = kt.run([kt.setting("KITH"), "run", "--check", "--json", "--", "mpiexec.hydra", "-n", RANKS,
                    *drops(2)], status=3)
    kt.check_equal(json.loads(found.stdout)["missing"], [2], f"kith run --check: {found.stdout}{found.stderr}")
    print("ranks without Kith: named, and nobody waits for them")


def unknown_ranks():
    """Where nothing can be asked, who waits says so."""
    words = ["mpiexec.hydra", "-genv", "KITH_TRACE", "unknown", "-genv", "MPICH_ASYNC_PROGRESS", "1", "-n", "3",
             "-env", "LD_PRELOAD", library, folder / "collectives", ":", "-n", "1", folder / "collectives"]
    job = subprocess.Popen(list(map(str, words)), text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        line = job.stderr.readline()
        kt.check("kith: rank 0 still waits for all ranks to join" in line, line)
    finally:
        job.terminate()
        job.wait(timeout=20)
    print("ranks that cannot be asked: waited for, and it is said")


def conformance():
    """What the standard promises, area by area, where MPICH keeps it without Kith."""
    areas = {path.stem for path in (source / "tests/conformance/programs").glob("*.c")}
    areas.discard("windows")  # Debian's MPICH loses puts between fences by itself
    same = 0
    for area in sorted(areas):
        words = ["mpiexec.hydra", "-n", str(RANKS), str(folder / "conformance"), area]
        plain = subprocess.run(words, text=True, capture_output=True, timeout=100)
        if plain.returncode != 0 or plain.stdout.count("\n") < 2:
            print(f"{area}: not with MPICH alone")
            continue
        done = hydra([folder / "conformance", area], KITH_REORDER="reverse.map")
        kt.check("ranks reordered" in done.stderr, f"{area}: {done.stderr}")
        kt.check_equal(done.stdout, plain.stdout, f"{area}, reversed")
        same += 1
    kt.check(same > 12, f"only {same} areas of conformance can be tried")
    print(f"{same} areas of conformance: the same, reversed")


def sessions():
    for mode, said in (("after", "ranks reordered"), ("before", "opened an MPI session before"),
                       ("only", "has no world")):
        alone = subprocess.run(["mpiexec.hydra", "-n", str(RANKS), folder / "sessions", mode], text=True,
                               capture_output=True, timeout=60)
        if alone.returncode != 0:  # 4.2.1 crashes in MPI_Finalize where a session was opened first
            kt.not_tried(f"sessions {mode}: not with this MPICH alone")
            continue
        done = hydra([folder / "sessions", mode], KITH_REORDER="shift.map")
        kt.check_equal(done.stdout, f"a ring of {RANKS}\n", f"sessions {mode}")
        lines = [line for line in done.stderr.splitlines() if line.startswith("kith:")]
        kt.check(len(lines) == 1 and said in lines[0], f"sessions {mode}: {lines}")
    print("sessions: in the world's order, or the world in theirs")


def api():
    """kith.h: orders from what was sent and from what is declared, data that moves along."""
    for name, parts in LINKED.items():
        for part in parts or [""]:
            done = kt.run(["mpiexec.hydra", "-n", RANKS, folder / name, *part.split()])
            kt.check(f"on {RANKS} ranks" in done.stdout or f"{part} done" in done.stdout,
                     f"{name} {part}: {done.stdout}{done.stderr}")
    print("kith.h: as with Open MPI")


def fortran():
    """`use kith`, with the handles of both modules."""
    if shutil.which("mpifort.mpich") is None:
        kt.not_tried("use kith: no mpifort.mpich")
        return
    for binding, flags in (("mpi", []), ("f08", ["-DUSE_F08"])):
        program = folder / f"moves_{binding}"
        kt.run(["mpifort.mpich", "-w", "-fallow-argument-mismatch", *flags, "-J", folder, "-o",
                program, source / "lib/bindings/fortran/kith.f90", source / "tests/api/programs/moves.F90",
                "-L", library.parent, "-lkith", f"-Wl,-rpath,{library.parent}"])
        done = kt.run(["mpiexec.hydra", "-n", RANKS, program])
        kt.check_equal(done.stdout, f"moves on {RANKS} ranks\n", f"use kith, {binding}")
    print("use kith: as with Open MPI")


def alone():
    """Without libkith-mpich.so beside it: one line names both libraries, the program runs as if Kith
    were not there."""
    pathlib.Path("alone").mkdir()
    only = shutil.copy(library, "alone/libkith.so")
    for settings in ({}, {"KITH_TRACE": "foreign", "KITH_REORDER": "reverse.map"}, {"LD_BIND_NOW": "1"}):
        for name, words in {"sends": ["plain"], "collectives": [], "cg_transpose": []}.items():
            done = launch("MPICH", os.path.abspath(only), [folder / name, *words], settings)
            plain = launch("MPICH", None, [folder / name, *words], {})
            kt.check_equal(done.stdout, plain.stdout, f"alone: {name}")
            said = [line for line in done.stderr.splitlines() if line.startswith("kith:")]
            kt.check(len(said) == 1 and "built for Open MPI " in said[0] and "runs under MPICH " in said[0],
                     f"alone: {said}")
    kt.check(not pathlib.Path("foreign.kith").exists(), "a trace of a program of another library")
    pathlib.Path("alone/libkith-mpich.so").write_text("no library\n")
    done = launch("MPICH", os.path.abspath(only), [folder / "sends", "plain"], {})
    kt.check("alone/libkith-mpich.so: " in done.stderr and "cannot be used" in done.stderr, done.stderr)
    print("without its other half: one line, and out of the way")


def threads():
    """KITH_BIND and KITH_THREADS, which begin before MPI_Init."""
    compile_program("blocks", [source / "tests/sharing/programs/sharing_blocks.c"], "-fopenmp", "-DUSE_MPI", "-I", source / "tests")
    done = hydra([folder / "blocks", "pairs", 4, 100, 256], ranks=1, KITH_BIND="compact")
    kt.check("threads bound by compact" in done.stderr, done.stderr)
    done = hydra([folder / "blocks", "pairs", 4, 60000, 2048], ranks=2, KITH_THREADS="1", KITH_TRACE="threads")
    kt.check_equal((done.stderr, sorted(os.listdir("threads.kith/threads"))), ("", ["0.mtx", "1.mtx"]), "threads")
    late_binding()
    print("threads: bound and looked at")


def late_binding():
    """Threads were bound before the library was loaded: its own, and the trace, have all CPUs again."""
    words = ["/usr/bin/python3", "-c", "import ctypes, threading\n"
             "def run():\n  one = threading.Thread(target=int); one.start(); one.join()\n"
             "run(); ctypes.CDLL('libmpich.so.12', mode=ctypes.RTLD_GLOBAL); mpi = ctypes.CDLL(None)\n"
             "mpi.MPI_Init(None, None); run(); mpi.MPI_Barrier(0x44000000); mpi.MPI_Finalize(); print('done')"]
    for settings in ({"KITH_BIND": "compact"}, {"KITH_THREADS": "1"}):
        name = f"late-{next(iter(settings))}"
        done = hydra(words, ranks=1, KITH_TRACE=name, **settings)
        kt.check_equal(done.stdout, "done\n", f"{settings}: {done.stderr}")
        kt.check("SIGURG" not in done.stderr, done.stderr)
        ranks = json.loads(pathlib.Path(f"{name}.kith/machine.json").read_text())["ranks"]
        kt.check_equal(cpus_of(ranks[0]["cpus"]), sorted(os.sched_getaffinity(0)), f"{settings}: CPUs of the rank")


def cpus_of(text):
    parts = [[int(end) for end in part.split("-")] for part in text.split(",")]
    return [cpu for part in parts for cpu in range(part[0], part[-1] + 1)]


def launch(kind, preload, words, settings):
    """By the launcher of that kind of library."""
    settings = {**settings, **({"LD_PRELOAD": preload} if preload else {})}
    if kind == "Open MPI":
        exports = [word for name, value in settings.items() for word in ("-x", f"{name}={value}")]
        return kt.run(["mpirun", "-n", RANKS, *exports, *words])
    exports = [word for name, value in settings.items() for word in ("-genv", name, value)]
    return kt.run(["mpiexec.hydra", "-n", RANKS, *exports, *words])


def classified():
    """MPICH's mpi.h is one of MPI 4: its functions are in lib/preload/interpose/calls as well."""
    sys.path[:0] = [str(source / "lib/preload/mpi"), str(source / "lib/preload/interpose")]
    from call_table import read_tables, rule_for
    from prototypes import read_header
    rules = read_tables(source / "lib/preload/interpose/calls")
    functions = read_header(binary / "generated_mpich/mpi/mpi_preprocessed.h").functions
    kt.check("MPI_Isendrecv_c" in functions, "this mpi.h is older than expected")
    kt.check_equal([name for name in functions if not name.startswith("PMPI")
                    and rule_for(name, rules) is None], [], "functions that no line names")


if not library.with_name("libkith-mpich.so").exists():
    kt.not_tried("MPICH: this build is for one MPI library alone (-DKITH_OTHER_MPI=mpicc.mpich)")
    kt.finish()
    sys.exit(0)
folder.mkdir(parents=True, exist_ok=True)
build_all()
classified()
with kt.work_folder():
    kt.write_mapping("reverse.map", list(reversed(range(RANKS))))
    kt.write_mapping("interleaved.map", [0, 4, 1, 5, 2, 6, 3, 7])
    kt.write_mapping("shift.map", [(rank + 1) % RANKS for rank in range(RANKS)])
    topologies()
    large_counts()
    checked()
    worlds()
    if EVERYTHING:
        conformance()
        unknown_ranks()
    sessions()
    missing_ranks()
    api()
    fortran()
    alone()
    threads()
    for name, arguments in {**PATTERNS, **PROGRAMS}.items():
        if EVERYTHING or name in ("halo2d", "rma_halo"):
            compare(name, arguments)
kt.finish()
