#!/usr/bin/env python3
"""What works under each MPI library of this machine, in each language, with the one libkith.so: a table
whose cells are "yes" or the reason why not. The same small program in C, with the three bindings of
Fortran, and in Python (programs/steps.*).

usage: matrix_test.py        (through ctest)
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

for other in ("support", "suites"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / other))
import kithtest as kt
from debian_source import unpacked
from mpi4py_build import mpi4py_for_mpich

source, binary, library, kith = (kt.setting(name) for name in
                                 ("KITH_SOURCE", "KITH_BINARY", "KITH_LIB", "KITH"))
programs = source / "tests/systems/programs"
RANKS = 4
LANGUAGES = ["C", "mpif.h", "use mpi", "mpi_f08", "mpi4py"]
COLUMNS = ["traced", "reversed", "API", "auto", "Cart_create", "killed job", "missing rank"]
# Bytes of steps.*: 250 ints times the sender's number, from 1.
SENT = {(rank, (rank + 1) % RANKS): 1000 * (rank + 1) for rank in range(RANKS)}


class Family:
    """An MPI library: how its programs are compiled and started."""

    def __init__(self, name, compiler, fortran, rank_variable, flags=()):
        self.name, self.compiler, self.fortran = name, compiler, fortran
        self.rank_variable, self.flags = rank_variable, list(flags)
        self.is_hydra = rank_variable == "PMI_RANK"
        self.mpi4py = None  # the folder of its own one, where Debian's is for another library

    def command(self, words, settings):
        if self.mpi4py:
            found = [settings.get("PYTHONPATH"), str(self.mpi4py)]
            settings = {**settings, "PYTHONPATH": ":".join(filter(None, found))}
        if self.is_hydra:
            exports = [word for key, value in settings.items() for word in ("-genv", key, value)]
            return ["mpiexec.hydra", "-n", RANKS, *exports, *words]
        exports = [word for key, value in settings.items() for word in ("-x", f"{key}={value}")]
        return ["mpirun", "-n", RANKS, *exports, *words]

    def run(self, words, settings=None, kith=True, status=0):
        preload = {"LD_PRELOAD": library} if kith else {}
        return kt.run(self.command(words, {**preload, **(settings or {})}), timeout=60, status=status)


def families():
    found = []
    if shutil.which("mpicc.openmpi") and shutil.which("mpirun"):
        text = kt.run(["mpirun", "--version"]).stdout.splitlines()[0].split()[-1]
        found.append(Family(f"Open MPI {text}", "mpicc.openmpi", "mpifort.openmpi", "OMPI_COMM_WORLD_RANK"))
    if shutil.which("mpicc.mpich") and library.with_name("libkith-mpich.so").exists():
        text = kt.run(["mpichversion"]).stdout.splitlines()[0].split()[-1]
        found.append(Family(f"MPICH {text}", "mpicc.mpich", "mpifort.mpich", "PMI_RANK"))
    translated = binary / "tests/standard"
    if (translated / "libmpi_abi.so").exists():
        flags = ["-I", source / "tests/standard/include", "-I", source / "lib/preload/mpi/interfaces", "-I",
                 binary / "generated/tests_standard", "-L", translated, f"-Wl,-rpath,{translated}", "-lmpi_abi"]
        found.append(Family("MPI 5's interface", "cc", None, "OMPI_COMM_WORLD_RANK", flags))
    return found


def no_program(family, language):
    """Why there is none, or nothing."""
    if language == "C":
        return ""
    if family.name.startswith("MPI 5"):
        return "no Fortran in the interface" if language != "mpi4py" else "no mpi4py for it here"
    if language == "mpi4py":
        return no_mpi4py(family)
    return "" if shutil.which(family.fortran) else f"no {family.fortran} here"


def no_mpi4py(family):
    """As no_program; one is built where Debian's is for the other library."""
    if subprocess.run(["/usr/bin/python3", "-c", "import mpi4py"], capture_output=True).returncode != 0:
        return "no mpi4py here"
    linked = kt.run(["/usr/bin/python3", "-c", "from mpi4py import MPI; print(MPI.Get_library_version())"]).stdout
    if linked.startswith(family.name.split()[0]):
        return ""
    try:
        family.mpi4py = mpi4py_for_mpich(lambda: unpacked("mpi4py", binary / "tests/suites/mpich"))
    except SystemExit:
        return "Debian's is for the other library, and no other could be built"
    return ""


def compiled(family, language):
    """The words that start it."""
    if language == "mpi4py":
        return ["/usr/bin/python3", programs / "steps.py"]
    program = pathlib.Path(f"{family.name}-{language}".replace(" ", "_").replace("'", "")).absolute()
    if language == "C":
        kt.run([family.compiler, "-O1", "-w", "-o", program, programs / "steps.c", *family.flags])
        return [program]
    macro = {"mpif.h": "MPIFH", "use mpi": "MPI", "mpi_f08": "F08"}[language]
    kt.run([family.fortran, "-w", "-fallow-argument-mismatch", f"-DBINDING_{macro}", "-I",
            source / "tests/mpi/fortran/programs", "-o", program, programs / "steps.F90"])
    return [program]


def traced(family, words, plain):
    done = family.run(words, {"KITH_TRACE": "traced.kith", "KITH_COLLECTIVES": "model"})
    sent = kt.read_matrix("traced.kith/classes/p2p.bytes.mtx")
    return done.stdout == plain and sent == SENT


def turned(family, words, plain):
    done = family.run(words, {"KITH_REORDER": "reverse.map"})
    return done.stdout == plain and "ranks reordered" in done.stderr


def automatic(family, words, plain):
    """With the trace of the run before; no order is better on one host, and that is said."""
    done = family.run(words, {"KITH_REORDER": "auto", "KITH_TOPOLOGY": "tree:2x2"})
    return done.stdout == plain and "kith:" in done.stderr


def grid(family, words, plain):
    done = family.run(words, {"KITH_REORDER_TOPOLOGIES": "on", "KITH_TOPOLOGY": "tree:2x2", "KITH_VERBOSE": "2"})
    return done.stdout == plain and "off for this run" not in done.stderr


def killed(family, words, plain):
    """What was sent until then is in a partial trace."""
    command = family.command([*words, "wait"], {"LD_PRELOAD": library, "KITH_TRACE": "killed"})
    job = subprocess.Popen(list(map(str, command)), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env={**os.environ, **JOB})
    try:
        said = job.stdout.readline()
        time.sleep(2.5)
        subprocess.run(["pkill", "-KILL", "-f", " ".join(map(str, [*words, "wait"]))], check=False)
    finally:
        job.terminate()
        job.wait(timeout=30)
    for _ in range(50):
        if pathlib.Path("killed.kith.partial/meta.json").exists():
            break
        time.sleep(0.1)
    found = kt.run([kith, "info", "killed.kith.partial", "--json"])
    return said == plain and json.loads(found.stdout)["ranks"] == RANKS


def missing(family, words, plain):
    script = f'case ${family.rank_variable} in 2) unset LD_PRELOAD;; esac; exec "$@"'
    done = family.run(["sh", "-c", script, "sh", *words], {"KITH_TRACE": "missing"})
    return done.stdout == plain and "rank 2 of 4 does not run under Kith" in done.stderr


def api(family, language):
    """kith.h, the module kith, the package kith: the programs of tests/mpi and tests/api."""
    linked = ["-I", source / "include", "-L", library.parent, "-lkith", f"-Wl,-rpath,{library.parent}"]
    if language == "C":
        kt.run([family.compiler, "-O1", "-w", "-o", "reorder", source / "tests/mpi/programs/reorder.c", *linked,
                *family.flags])
        return f"on {RANKS} ranks" in family.run(["./reorder"], kith=False).stdout
    if language == "mpi4py":
        path = {"PYTHONPATH": f"{source / 'lib/bindings/python'}:{binary / 'lib/bindings/python'}"}
        return "moves" in family.run(["/usr/bin/python3", source / "tests/api/programs/moves.py"], path).stdout
    flags = ["-DUSE_F08"] if language == "mpi_f08" else []
    kt.run([family.fortran, "-w", "-fallow-argument-mismatch", *flags, "-o", "moves",
            source / "lib/bindings/fortran/kith.f90", source / "tests/api/programs/moves.F90", *linked])
    return family.run(["./moves"], kith=False).stdout == f"moves on {RANKS} ranks\n"


def cell(ask, *arguments):
    try:
        return "yes" if ask(*arguments) else "NO"
    except (AssertionError, SystemExit, OSError, ValueError) as error:
        print(f"{ask.__name__}: {error}", file=sys.stderr)
        return "NO"


def row(family, language):
    reason = no_program(family, language)
    if reason:
        return [reason] * len(COLUMNS)
    words = compiled(family, language)
    plain = family.run(words, kith=False).stdout
    asked = [cell(ask, family, words, plain) for ask in (traced, turned)]
    asked.append(cell(api, family, language))
    return asked + [cell(ask, family, words, plain) for ask in (automatic, grid, killed, missing)]


JOB = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
rows = []
before = hashlib.sha256(library.read_bytes()).hexdigest()
with kt.work_folder():
    kt.write_mapping("reverse.map", list(reversed(range(RANKS))))
    for one in families():
        for language in LANGUAGES:
            place = pathlib.Path(f"{one.name}-{language}".replace(" ", "_").replace("'", ""))
            place.mkdir()
            (place / "reverse.map").write_text(pathlib.Path("reverse.map").read_text())
            os.chdir(place)
            rows.append([one.name, language, *row(one, language)])
            os.chdir("..")
print(f"| library | language | {' | '.join(COLUMNS)} |\n|{'---|' * (2 + len(COLUMNS))}")
for line in rows:
    print(f"| {' | '.join(line)} |")
kt.check_equal(hashlib.sha256(library.read_bytes()).hexdigest(), before, "libkith.so")
print(f"all with one libkith.so, sha256 {before}")
kt.check(len(rows) >= len(LANGUAGES), "no MPI library")
kt.check(not any("NO" in line for line in rows), "cells that say NO")
kt.finish()
