#!/usr/bin/env python3
"""lib/preload/interpose/SUPPORT.md has every function of the installed mpi.h in one area, and for every area
programs that call what knows communicators. Then: what is taken out of it is missed."""
import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

source = kt.setting("KITH_SOURCE")
sys.path.insert(0, str(source / "lib/preload/mpi"))
from prototypes import read_header

FOLDERS = [source / f"tests/{place}/programs" for place in ("conformance", "mpi", "mpi/fortran")]


def expanded(pattern):
    """"MPI_{A,B}_*" is MPI_A_* and MPI_B_*."""
    parts = [part[1:-1].split(",") if part.startswith("{") else [part]
             for part in re.split(r"(\{[^}]*\})", pattern)]
    return ["".join(choice) for choice in itertools.product(*parts)]


def read_areas(text):
    """{area: names and patterns} of the lists, {area: its row} of the table."""
    lists = text.split("## Functions by area")[1]
    names = {area: [name for pattern in re.findall(r"`(MPI\S*)`", body)
                    for name in expanded(pattern)]
             for area, body in re.findall(r"^- \*\*(.+?)\*\*:(.*?)(?=^- |\Z)", lists, re.M | re.S)}
    table = text.split("## By area")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| ")]
    return names, {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows[1:]}


def listed_name(name, listed):
    """Under which name a variant is listed."""
    if name.endswith("_c") and not name.endswith(("f2c", "f082c")):
        name = name[:-2]
    older = "MPIX" + name[3:]  # persistent collectives before and in MPI 4
    return older if older in listed else name


def areas_of(name, areas):
    """Those that list it, by name or else by the longest pattern."""
    exact = [area for area, names in areas.items() for entry in names if entry == name]
    if exact:
        return exact
    fitting = [(len(entry), area) for area, names in areas.items() for entry in names
               if entry.endswith("*") and name.startswith(entry[:-1])]
    return [area for length, area in fitting if length == max(fitting)[0]]


def calls_of(programs):
    """All that they name; persistent collectives go by a macro."""
    text = "".join(path.read_text() for path in programs if path.suffix == ".c")
    text += " ".join(f"MPIX_{name}_init" for name in re.findall(r"PERSISTENT\((\w+)\)", text))
    return set(re.findall(r"\bMPIX?_\w+", text))


def program_paths(cell, complain, area):
    paths = []
    for name in re.findall(r"`(\S+)`", cell):
        found = [folder / name for folder in FOLDERS if (folder / name).is_file()]
        if not found:
            complain(f"{area}: there is no program {name}")
        paths += found
    return paths


def problems_of(text, functions):
    found = []
    areas, rows = read_areas(text)
    for area in set(areas) ^ set(rows):
        found.append(f"{area}: in the table or in the lists, not in both")
    present = {area: [] for area in areas}
    listed = {entry for names in areas.values() for entry in names}
    for name, function in functions.items():
        as_listed = listed_name(name, listed)
        mine = areas_of(as_listed, areas)
        if len(mine) != 1:
            found.append(f"{name}: in {len(mine)} areas {mine}")
            continue
        knows_communicators = any(re.search(r"\bMPI_Comm\b", parameter.declaration)
                                  for parameter in function.parameters)
        present[mine[0]].append((as_listed, knows_communicators))
    for area, members in present.items():
        row = rows.get(area, ["", "", ""])
        programs = program_paths(row[-1], found.append, area)
        if members and not any(path.suffix == ".c" for path in programs):
            found.append(f"{area}: no program")
            continue
        called = calls_of(programs)
        for name, knows_communicators in members:
            if knows_communicators and name not in areas[area]:
                found.append(f"{name}: knows communicators, but is not listed by name")
            if knows_communicators and name not in called and not row[0].startswith("left alone"):
                found.append(f"{name}: knows communicators, but is not called by {row[-1]}")
    return found


if kt.is_open_mpi_5():
    kt.skip("SUPPORT.md lists the functions of Open MPI 4.1; its tests run here all the same")
text = (source / "lib/preload/interpose/SUPPORT.md").read_text()
header = read_header(kt.setting("KITH_BINARY") / "generated/mpi/mpi_preprocessed.h")
functions = {name: f for name, f in header.functions.items() if not name.startswith("PMPI")}
kt.check(len(functions) > 380, f"mpi.h has more functions than {len(functions)}")
kt.check_equal(problems_of(text, functions), [], "lib/preload/interpose/SUPPORT.md")

new = {**functions, "MPI_Comm_to_the_moon": functions["MPI_Comm_dup"]}
kt.check_equal(problems_of(text, new), ["MPI_Comm_to_the_moon: in 0 areas []"], "a new function")
for what, old, less in (("a function", "Ssend,", ""), ("a program", "`groups.c`, `calls.F90`", ""),
                        ("twice", "`MPI_Comm_compare`", "`MPI_Comm_compare` `MPI_Bcast`"),
                        ("an area", "- **comparison**: `MPI_Comm_compare`\n", ""),
                        ("not called", "`comparison.c`", "`groups.c`"),
                        ("not by name", "`MPI_File_open` ", ""),
                        ("no such program", "`files.c`", "`filos.c`")):
    kt.check(text.count(old) == 1, f"SUPPORT.md has '{old}' once")
    kt.check(problems_of(text.replace(old, less), functions), f"{what} is not missed")
print(f"{len(functions)} functions in {len(read_areas(text)[0])} areas")
