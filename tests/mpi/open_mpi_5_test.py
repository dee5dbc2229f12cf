#!/usr/bin/env python3
"""Kith builds with Open MPI 5.0 and misses none of its functions; a library that says it is one
is looked into nowhere.

The header is that of the installed Open MPI, with the functions that 5.0 has beyond it taken from
open_mpi_5.prototypes: late binding and wrappers are made from that and compiled.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

source = kt.setting("KITH_SOURCE")
sys.path[:0] = [str(source / "lib/preload/mpi"), str(source / "lib/preload/interpose")]
from call_table import read_tables, rule_for
from prototypes import read_header

MODERN = """
typedef struct ompi_instance_t* MPI_Session;
typedef void(MPI_Session_errhandler_function)(MPI_Session*, int*, ...);
typedef struct { int words[6]; } MPI_F08_status;
"""
HIDDEN = ["-DOMPI_OMIT_MPI1_COMPAT_DECLS=0", "-DOMPI_REMOVED_USE_STATIC_ASSERT=0",
          "-DOMPI_SKIP_MPICXX"]


def prototypes():
    path = pathlib.Path(__file__).resolve().parent / "open_mpi_5.prototypes"
    return {re.search(r"(MPIX?_\w+)\(", line).group(1): line
            for line in path.read_text().splitlines() if line[:1] != "#"}


def write_header(functions):
    """mpi.h in the current folder; nothing of the installed mpi-ext.h."""
    known = read_header(kt.setting("KITH_BINARY") / "generated/mpi/mpi_preprocessed.h").functions
    new = [line for name, line in functions.items()
           if name not in known or name.startswith("MPIX")]
    kt.check(len(new) > 50, f"5.0 has more new functions than {len(new)}")
    both = [*new, *(re.sub(r"\b(MPIX?_\w+)\(", r"P\1(", line, count=1) for line in new)]
    pathlib.Path("mpi.h").write_text(
        "#pragma GCC system_header\n#ifndef KITH_TEST_MPI_5\n#define KITH_TEST_MPI_5\n"
        "#include_next <mpi.h>\n#undef OMPI_MAJOR_VERSION\n#define OMPI_MAJOR_VERSION 5\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n" + MODERN + "\n".join(both)
        + "\n#ifdef __cplusplus\n}\n#endif\n#endif\n")
    pathlib.Path("mpi-ext.h").write_text("")


def installed_flags():
    words = kt.run(["mpicc", "--showme:compile"]).stdout
    return shlex.split(words)


def generate(functions):
    """late_mpi.h and the wrappers of that header, below generated/."""
    write_header(functions)
    for folder in ("mpi", "interpose"):
        pathlib.Path("generated", folder).mkdir(parents=True)
    kt.run(["cc", "-E", "-I.", *installed_flags(), *HIDDEN, source / "lib/preload/mpi/all_of_mpi.h", "-o",
            "5.h"])
    python = [sys.executable, "-B"]
    path = {"PYTHONPATH": str(source / "lib/preload/mpi")}
    kt.run([*python, source / "lib/preload/mpi/generate.py", "5.h", "generated/mpi"], path)
    kt.run([*python, source / "lib/preload/interpose/generate.py", "5.h", source / "lib/preload/interpose/calls",
            "generated/interpose"], path)


def nothing_is_missed(functions):
    rules = read_tables(source / "lib/preload/interpose/calls")
    kt.check_equal([name for name in functions if rule_for(name, rules) is None], [],
                   "functions of 5.0 that no line of lib/preload/interpose/calls names")
    listed = pathlib.Path("generated/interpose/intercepted.inc").read_text()
    intercepted = set(re.findall(r"KITH_INTERCEPTED\((\w+)\)", listed))
    header = read_header(pathlib.Path("5.h")).functions
    kept = {name for name in functions if rules.get(name) and rules[name].world == "keep"}
    wanted = {name for name in functions
              if any(p.by_value_communicator for p in header[name].parameters)} - kept
    moving = {name for name in functions
              if rule_for(name, rules).moves in ("p2p", "collective", "neighbour", "rma")}
    kt.check_equal(sorted((wanted | moving) - intercepted), [], "functions of 5.0 that we miss")
    by_model = [name for name in moving
                if name.endswith("_init") and rule_for(name, rules).moves == "collective"]
    kt.check(len(by_model) > 15 and all(rule_for(name, rules).record != "-" for name in by_model),
             f"persistent collectives: {by_model}")
    print(f"{len(functions)} functions of Open MPI 5.0, {len(moving)} move data, {len(wanted)} "
          "with a communicator: all intercepted")


def compiles():
    files = ["generated/interpose/wrappers.cpp", *sorted((source / "lib/preload/interpose").glob("*.cpp")),
             source / "lib/preload/mpi/late_binding.cpp", source / "lib/preload/record/pml/exact.cpp"]
    for file in files:
        kt.run(["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                "-Wno-deprecated-declarations", "-Wno-cast-function-type", "-I.", "-Igenerated",
                "-I", source / "lib", "-I", source / "lib/preload", "-I", source / "include", *installed_flags(), *HIDDEN,
                '-DKITH_VERSION="test"', file])
    print(f"{len(files)} sources compile")


def not_looked_into():
    """By its version alone: the structures of 5.0 are others. Collectives are modelled, which is
    said where exact counts were asked for; monitoring is not turned on behind the user's back."""
    world = kt.setting("KITH_BINARY") / "tests/mpi"
    tool = f"{kt.setting('KITH_LIB')}:{world / 'libversion_5.so'}"
    for wanted, lines in (("exact", 1), ("", 0)):
        command = ["mpirun", "-n", 2, "-x", f"LD_PRELOAD={tool}", "-x", "KITH_TRACE=five", "-x",
                   "KITH_FORCE=1", "-x", "KITH_REORDER=turn.map", "-x", "KITH_VERBOSE=0"]
        command += ["-x", f"KITH_COLLECTIVES={wanted}"] if wanted else []
        done = kt.run([*command, world / "reorder_safety", "ring"])
        said = [line for line in done.stderr.splitlines() if line.startswith("kith:")]
        kt.check(len(said) == lines and all("Open MPI v5.0" in line for line in said), f"{said}")
        meta = json.loads(pathlib.Path("five.kith/meta.json").read_text())
        kt.check_equal(meta["sources"]["collectives"], "model", "source of collectives")
        kt.check("Open MPI v5.0" in meta["mpi_library"], meta["mpi_library"])
        kt.check_equal(kt.placement("five.kith"), [1, 0], "ranks")
        kt.check("monitoring enabled" not in done.stdout, done.stdout)
    print("a library of version 5.0: modelled, reordered")


if "Open MPI" not in subprocess.run(["mpirun", "--version"], text=True, capture_output=True).stdout:
    kt.skip("the installed MPI library is not Open MPI")
if kt.is_open_mpi_5():
    kt.skip("the installed Open MPI is version 5 itself: all the other tests are about it")
with kt.work_folder():
    functions = prototypes()
    kt.check(len(functions) > 450, f"5.0 has more functions than {len(functions)}")
    generate(functions)
    nothing_is_missed(functions)
    compiles()
    kt.write_mapping("turn.map", [1, 0])
    not_looked_into()
