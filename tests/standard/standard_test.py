#!/usr/bin/env python3
"""The standard's binary interface (libmpi_abi of MPI 5): programs that know nothing but its mpi.h give the
same results with Kith, traced and in another order, and the same bytes are counted as of programs
that were made for Open MPI. Their libmpi_abi translates to the Open MPI library here (translate.py).

usage: standard_test.py [all]      (through ctest; all: every area of conformance, every program)
"""
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

source, binary, library = kt.setting("KITH_SOURCE"), kt.setting("KITH_BINARY"), kt.setting("KITH_LIB")
folder = binary / "tests/standard"
RANKS = 4
EVERYTHING = sys.argv[1:] == ["all"]
PATTERNS = ["halo2d", "cg_transpose", "neighbour", "rma_halo", "halo3d", "halo27", "fft_alltoall"]
LINKED = {"reorder": [""], "reorder_graph": [""], "checkpointing": ["cost", "orders"],
          "redistribute": ["contents", "arguments"]}
SHORT_AREAS = {"point_to_point", "collectives", "communicators", "windows", "end_by_abort"}
# Where Open MPI's own header gives the program more, it prints more: the name of the failed function.
OPEN_MPI_ONLY = re.compile(r", last in '\w*'")


def build_all():
    areas = sorted((source / "tests/conformance/programs").glob("*.c"))
    areas = [file for file in areas if file.name != "tools.c"]  # MPI_T is not translated
    own = source / "tests/standard/programs"
    compile_program("conformance", [*areas, own / "no_tools.c"], "-include", own / "older.h")
    for name in PATTERNS:
        compile_program(name, [source / f"examples/patterns/{name}.c"])
    for name in ("topologies", "reorder_safety"):
        compile_program(name, [source / f"tests/mpi/programs/{name}.c"])
    for name in LINKED:
        compile_program(name, [source / f"tests/mpi/programs/{name}.c"], "-I", source / "include",
                        "-L", library.parent, "-lkith", f"-Wl,-rpath,{library.parent}")


def compile_program(name, files, *flags, place=folder):
    kt.run(["cc", "-O1", "-w", "-I", source / "tests/standard/include", "-I",
            source / "lib/preload/mpi/interfaces", "-I", binary / "generated/tests_standard",
            "-o", folder / name, *files, *flags, "-L", place, "-lmpi_abi", f"-Wl,-rpath,{place}", "-lm",
            "-lpthread"])


def said(done):
    return [line for line in done.stderr.splitlines() if line.startswith("kith:")]


def compare_bytes(first, second, what, same_text):
    """Of every class, collectives by the model of the library's algorithms; programs gather what they
    print."""
    for part in ("p2p", "rma", "coll")[:3 if same_text else 2]:
        matrices = [pathlib.Path(f"{trace}/classes/{part}.bytes.mtx") for trace in (first, second)]
        kt.check_equal(*(path.exists() and kt.read_matrix(path) for path in matrices), f"{what}: {part}")
    totals = [json.loads(pathlib.Path(f"{trace}/meta.json").read_text())["totals"]
              for trace in (first, second)]
    if same_text:
        kt.check_equal(*totals, f"{what}: totals")
    return totals[0]["bytes"]


def native_program(name):
    places = [binary / place / name for place in ("examples/patterns", "tests/conformance", "tests/mpi")]
    return next(path for path in places if path.is_file())


def alike(name, words=(), status=0):
    """The same output alone, traced and reversed, and the same bytes as of Open MPI's program."""
    program = [folder / name, *words]
    what = " ".join([name, *words])
    trace = "-".join([name, *words])  # of its own: what a killed job leaves may come late

    def ran(**settings):
        exports = [word for key, value in settings.items() for word in ("-x", f"{key}={value}")]
        return kt.run(["mpirun", "-n", RANKS, *exports, *program], status=status)
    plain = ran()
    kt.check(plain.stdout.count("\n") > 0, f"{what} prints nothing")
    traced = ran(LD_PRELOAD=library, KITH_TRACE=f"{trace}.kith")
    kt.check_equal(traced.stdout, plain.stdout, f"{what}, traced")
    turned = ran(LD_PRELOAD=library, KITH_REORDER="reverse.map")
    kt.check_equal(turned.stdout, plain.stdout, f"{what}, reversed")
    kt.check(any("ranks reordered" in line for line in said(turned)), f"{what}, reversed: {turned.stderr}")
    if status == 0:
        native = kt.mpirun(RANKS, [native_program(name), *words], preload=True,
                           settings={"KITH_TRACE": f"{trace}-native.kith", "KITH_COLLECTIVES": "model"})
        if name == "conformance":  # this tests the translation
            kt.check_equal(plain.stdout, OPEN_MPI_ONLY.sub(", last in ''", native.stdout), f"{what}: Open MPI's")
        sent = compare_bytes(f"{trace}.kith", f"{trace}-native.kith", what, plain.stdout == native.stdout)
        print(f"{what}: {sent} bytes, as by Open MPI's own interface")


def conformance():
    for file in sorted((source / "tests/conformance/programs").glob("*.c")):
        area = file.stem
        if area in ("conformance", "tools", "endings") or not (EVERYTHING or area in SHORT_AREAS):
            continue
        alike("conformance", [area])
    alike("conformance", ["finalize"])
    alike("conformance", ["end_by_abort"], status=7)  # what it ends with


def api():
    """kith.h, linked: the program and libkith.so agree on the standard's handles."""
    for name, parts in LINKED.items():
        for part in parts:
            done = kt.run(["mpirun", "-n", RANKS, folder / name, *part.split()])
            kt.check(f"on {RANKS} ranks" in done.stdout or f"{part} done" in done.stdout,
                     f"{name} {part}: {done.stdout}{done.stderr}")
    print("kith.h: as with Open MPI")


def topologies():
    """With reorder=1: two rows of four on two hosts of four become two squares of four."""
    done = kt.mpirun(8, [folder / "topologies", 4, "move", 2, 4], preload=True, settings={
        "KITH_TOPOLOGY": "tree:2x4", "KITH_REORDER": "interleaved.map", "KITH_REORDER_TOPOLOGIES": "on"})
    for kind in ("cart", "graph", "adjacent"):
        kt.check(f"{kind} cut 4\n" in done.stdout, done.stdout + done.stderr)
    print("topologies: reordered")


def levels():
    for level in range(4) if EVERYTHING else (0, 3):
        plain = kt.mpirun(RANKS, [folder / "reorder_safety", "level", level])
        done = kt.mpirun(RANKS, [folder / "reorder_safety", "level", level], preload=True,
                         settings={"KITH_REORDER": "reverse.map"})
        kt.check_equal(done.stdout, plain.stdout, f"thread level {level}")
    print("thread levels: the same in both orders")


def kith_run():
    """A traced run, an order from it, and a job in that order: by the command line."""
    kith = kt.setting("KITH")
    kt.run([kith, "run", "--trace", "halo", "--", "mpirun", "-n", 8, folder / "halo2d"])
    kt.run([kith, "map", "halo.kith", "--topology", "tree:2x4", "-o", "halo.map"])
    done = kt.run([kith, "run", "--reorder", "halo.map", "--", "mpirun", "-n", 8, folder / "halo2d"])
    kt.check(any("rank" in line for line in said(done)), done.stderr)
    found = json.loads(kt.run([kith, "run", "--check", "--json", "--reorder", "reverse.map", "--", "mpirun",
                               "-n", RANKS, folder / "halo2d"]).stdout)
    kt.check_equal((found["well"], found["order"]), (True, "applied"), "kith run --check")
    kt.check("libmpi_abi" in kt.run([kith, "--version"]).stdout, "kith --version names the interface")
    print("kith run: traced, mapped, reordered, checked")


def split_in_two():
    """The PMPI functions in a library of their own, libpmpi_abi, as MPICH has them."""
    place = pathlib.Path("split").absolute()
    place.mkdir()
    whole = folder / "libmpi_abi.so"
    names = set(re.findall(r" PMPI_(\w+)", kt.run(["nm", "-D", "--defined-only", whole]).stdout))
    kt.check(len(names) > 300, f"only {len(names)} functions")
    # The names MPI_X of the whole library stay unused: the ones in front of it come first.
    lines = [f".globl MPI_{name}\n.type MPI_{name},@function\nMPI_{name}: jmp PMPI_{name}@PLT" for name in sorted(names)]
    pathlib.Path("front.S").write_text("\n".join(lines) + '\n.section .note.GNU-stack,"",@progbits\n')
    objects = sorted((folder / "CMakeFiles/mpi_abi.dir").glob("*.o"))
    kt.run(["c++", "-shared", "-Wl,-soname,libpmpi_abi.so.0", "-o", place / "libpmpi_abi.so.0", *objects, "-ldl"])
    kt.run(["cc", "-shared", "-fPIC", "-Wl,-soname,libmpi_abi.so.0", "-o", place / "libmpi_abi.so",
            "front.S", "-L", place, "-l:libpmpi_abi.so.0", f"-Wl,-rpath,{place}"])
    shutil.copy(place / "libmpi_abi.so", place / "libmpi_abi.so.0")
    compile_program("split_halo2d", [source / "examples/patterns/halo2d.c"], "-Wl,--as-needed", place=place)
    plain = kt.mpirun(RANKS, [folder / "split_halo2d"])
    done = kt.mpirun(RANKS, [folder / "split_halo2d"], preload=True,
                     settings={"KITH_REORDER": "reverse.map", "KITH_TRACE": "split.kith"})
    kt.check_equal(done.stdout, plain.stdout, "PMPI apart")
    kt.check(any("ranks reordered" in line for line in said(done)), done.stderr)
    kt.check(kt.check_trace("split.kith", RANKS)["totals"]["p2p_bytes"] > 0, "nothing was counted")
    print("PMPI functions in a library of their own: traced and reordered")


def alone():
    """Without libkith-standard.so beside it: one line, the program runs on."""
    pathlib.Path("alone").mkdir()
    only = os.path.abspath(shutil.copy(library, "alone/libkith.so"))
    plain = kt.mpirun(RANKS, [folder / "halo2d"])
    for settings in ({}, {"KITH_TRACE": "alone.kith", "KITH_REORDER": "reverse.map"}):
        done = kt.mpirun(RANKS, [folder / "halo2d"], settings={"LD_PRELOAD": only, **settings})
        kt.check_equal(done.stdout, plain.stdout, "alone")
        kt.check(len(said(done)) == 1 and "libmpi_abi" in done.stderr, f"alone: {done.stderr}")
    kt.check(not pathlib.Path("alone.kith").exists(), "a trace that nobody could make")
    print("without its part for this interface: one line, and out of the way")


build_all()
with kt.work_folder():
    kt.write_mapping("reverse.map", list(reversed(range(RANKS))))
    kt.write_mapping("interleaved.map", [0, 4, 1, 5, 2, 6, 3, 7])
    conformance()
    for pattern in PATTERNS if EVERYTHING else PATTERNS[:2]:
        alike(pattern)
    api()
    topologies()
    levels()
    kith_run()
    split_in_two()
    alone()
kt.finish()
