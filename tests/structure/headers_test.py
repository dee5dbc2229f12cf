#!/usr/bin/env python3
"""Each header of include and lib compiles alone, the C headers by a C compiler as well.

A header that a source of lib includes before all others is proved by the build; the rest is compiled
here. KITH_CXX, KITH_CC: the compilers; KITH_INCLUDES, KITH_MPI_INCLUDES, KITH_DEFINITIONS: what
they are given, separated by colons; the second is empty where Kith is built without MPI, and what
needs mpi.h is left out. KITH_STAMP: a file of the build tree; headers that have not changed since
are not compiled again.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

from source_tree import INCLUDE, ROOT, Tree

STAMP = pathlib.Path(os.environ["KITH_STAMP"])
OWN = [ROOT / "include", ROOT / "lib"]


def folders(variable):
    """Without those that are given otherwise; /usr/include has its place behind those of C++."""
    known = {"", "/usr/include", *map(str, OWN)}
    return list(dict.fromkeys(name for name in os.environ[variable].split(":") if name not in known))


INCLUDES, MPI_INCLUDES = folders("KITH_INCLUDES"), folders("KITH_MPI_INCLUDES")
NEEDS_MPI = {"mpi.h", "mpi-ext.h", "mpi/late_mpi.h"}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
CXX = [os.environ["KITH_CXX"], "-x", "c++", "-std=c++20"]
C = [os.environ["KITH_CC"], "-x", "c", "-std=c11"]
DEFINITIONS = [f"-D{text}" for text in os.environ["KITH_DEFINITIONS"].split(":") if text]


def digest(tree, path, command):
    """Of all that the result depends on, but headers that are not ours."""
    text = [" ".join(command), *(tree.text(own) for own in sorted(tree.own_and_other(path)[0]))]
    return hashlib.sha256("\0".join(text).encode()).hexdigest()


def proved_by_the_build(tree):
    """The headers that a source includes first."""
    found = set()
    for path in tree.paths:
        first = INCLUDE.search(tree.text(path))
        if path.suffix == ".cpp" and path.parts[0] == "lib" and first:
            found.add(tree.resolve(path, first[2]))
    return found


def commands(tree):
    """{name: (path, command)} of all compiles."""
    versions = {words[0]: subprocess.run([words[0], "--version"], capture_output=True, text=True,
                                         check=True).stdout for words in (CXX, C)}
    found = {}
    proved = proved_by_the_build(tree)
    for path in tree.paths:
        if path in proved or path.parts[0] not in ("include", "lib") or path.suffix not in (".h", ".hpp"):
            continue
        _, others = tree.own_and_other(path)
        if "mpi_functions.h" in others:  # it is generated: mpi.interfaces compiles these
            continue
        if others & NEEDS_MPI and not MPI_INCLUDES:
            continue
        for name, words in (("C++", CXX), ("C", C)) if path.suffix == ".h" else (("C++", CXX),):
            system = [word for folder in INCLUDES + MPI_INCLUDES for word in ("-isystem", folder)]
            command = [*words, "-fsyntax-only", *WARNINGS, *DEFINITIONS, *(f"-I{own}" for own in OWN),
                       *system, "-"]
            found[f"{path} in {name}"] = (path, command, versions[words[0]])
    return found


def compile_alone(path, command):
    """Included twice: that takes a guard. C wants something behind macros."""
    text = f'#include "{ROOT / path}"\n' * 2 + "extern int something;\n"
    return subprocess.run(command, input=text, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


tree = Tree(ROOT)
known = json.loads(STAMP.read_text()) if STAMP.exists() else {}
todo, digests = {}, {}
for name, (path, command, version) in commands(tree).items():
    digests[name] = digest(tree, path, [*command, version])
    if known.get(name) != digests[name]:
        todo[name] = (path, command)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = dict(zip(todo, pool.map(lambda job: compile_alone(*job), todo.values())))
failed = {name: done.stdout for name, done in results.items() if done.returncode != 0}
STAMP.write_text(json.dumps({name: digests[name] for name in digests if name not in failed}))
print(f"{len(digests)} compiles, {len(todo)} of them made now")
for name, text in failed.items():
    print(f"FAILED: {name}\n{text}")
if not digests:
    sys.exit("FAILED: no header found")
sys.exit(1 if failed else 0)
