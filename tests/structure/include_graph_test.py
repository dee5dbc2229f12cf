#!/usr/bin/env python3
"""The modules of lib include only what the order of design allows, and MPI stays below its line.

Run without arguments: checks this tree, then that violations planted in a copy of it are found.
"""
import pathlib
import re
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What each module and each part of libkith.so may include: as its CMakeLists.txt declares it, which
# is also what the compiler finds.
DECLARATION = re.compile(r"kith_(?P<kind>module|shared_module|part)\((?P<name>\w+)\s+"
                         r"(?:DEPENDS (?P<depends>[\w ]+)\s+)?(?:LIBRARIES [^\n]+\s+)?SOURCES")


def declared():
    """{module: those that it may include}, and the names of the parts of libkith.so."""
    may_include, parts = {}, []
    for file in sorted((ROOT / "lib").rglob("CMakeLists.txt")):
        for found in DECLARATION.finditer(file.read_text()):
            depends = (found["depends"] or "").split()
            if found["kind"] == "part":
                parts.append(found["name"])
                # of io the part that needs no library
                depends = ["io/format" if name == "io" else name for name in depends]
            may_include[found["name"]] = tuple(depends)
    return may_include, tuple(parts)


MAY_INCLUDE, PARTS = declared()
ENGINE = ("core", "protocol", "timeline", "graph", "machine", "objective", "mapping", "io")
MAY_INCLUDE["bindings"] = ()  # libkith.so from other languages: no C or C++ of their own
MAY_INCLUDE["accesses"] = ("core", "sharing")  # in programs that were compiled for it
MAY_INCLUDE["tools"] = ENGINE + ("threads", "report", "profile", "simulate", "kith-engine")
MAY_INCLUDE["kith-probe"] = ENGINE  # the MPI program behind `kith probe`
BELOW_MPI_LINE = PARTS
MAY_USE_MPI = BELOW_MPI_LINE + ("kith-probe",)
# What lives in every process of a job, or is linked into what does, brings no library along.
WITHOUT_LIBRARIES = ("core", "protocol", "sharing", "timeline", "graph") + BELOW_MPI_LINE
LIBRARIES = re.compile(r"(fmt|nlohmann|CLI|hwloc|boost|yaml-cpp)/|(hwloc|scotch|ptscotch|metis|png)\.h")
# The public headers, by the module that implements them.
HEADER_OF = {
    "error.hpp": "core", "detail/types.hpp": "core",
    # plain data, on both sides of the MPI line
    "detail/job.hpp": "core",
    "traffic.hpp": "graph", "detail/generate.hpp": "graph", "detail/coordinates.hpp": "graph",
    "detail/structure.hpp": "graph",
    "machine.hpp": "machine", "detail/tree_machine.hpp": "machine",
    "detail/network_machine.hpp": "machine",
    "detail/graph_network.hpp": "machine",
    "detail/allocation.hpp": "machine",
    "detail/export.hpp": "machine",
    "mapping.hpp": "machine",
    "detail/goal.hpp": "objective", "detail/lower_bound.hpp": "objective",
    "objective.hpp": "objective",
    "mapper.hpp": "mapping", "detail/reorder.hpp": "mapping",
    "detail/choice.hpp": "mapping",
    "io.hpp": "io",
    "kith.h": "api", "version.h": "api", "reordered.hpp": "api",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = (".c", ".cpp", ".h", ".hpp", ".in", ".inc")


def allowed(module, path):
    """May `module` include "path", which is relative to lib?"""
    return any(path.startswith(other + "/") or path.startswith(other + ".")
               for other in MAY_INCLUDE[module])


def complaint(module, quote, name, file):
    """Why `file` of `module` may not include `name`; None when it may."""
    if name in ("mpi.h", "mpi-ext.h", "kith/kith.h", "kith/reordered.hpp") and module not in MAY_USE_MPI:
        return f"above the MPI line, but includes {name}"
    if LIBRARIES.match(name) and module in WITHOUT_LIBRARIES:
        return f"has to do without libraries, but includes {name}"
    if name.startswith("kith/"):
        header = name.removeprefix("kith/")
        if header not in HEADER_OF:
            return f"includes {name}, which include_graph_test.py assigns to no module"
        owner = HEADER_OF[header]
        if owner != module and not allowed(module, f"{owner}/"):
            return f"module {module} includes {name} of module {owner}"
        return None
    if quote == '"' and not (file.parent / name).is_file():
        other = name.split("/")[0]
        if other in MAY_INCLUDE and other != module and not allowed(module, name):
            return f"module {module} includes {name}"
    if quote == '"' and ".." in name:
        return f"includes {name}: paths are relative to lib"
    return None


def modules(root):
    """(module, file) of all sources below lib, tools and include/kith."""
    for folder in [*sorted((root / "lib").iterdir()), *sorted((root / "lib/preload").iterdir())]:
        if folder.is_dir() and folder.name != "preload":
            yield from ((folder.name, file) for file in sorted(folder.rglob("*")))
    for file in sorted((root / "tools").rglob("*")):
        yield "kith-probe" if root / "tools" / "kith-probe" in file.parents else "tools", file
    public = root / "include/kith"
    for header in sorted(public.rglob("*.h*")):
        name = str(header.relative_to(public))
        yield HEADER_OF.get(name, f"none (header {name})"), header


def violations(root):
    """["FILE:LINE: why", ...] of the tree at `root`."""
    found = []
    for module, file in modules(root):
        if file.suffix not in SOURCES or not file.is_file():
            continue
        if module not in MAY_INCLUDE:
            found.append(f"{file.relative_to(root)}:1: module {module} has no line in "
                         "include_graph_test.py")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            include = INCLUDE.match(line)
            why = include and complaint(module, include[1], include[2], file)
            if why:
                found.append(f"{file.relative_to(root)}:{number}: {why}")
    return found


# (file to plant it in, text): each must be found.
PLANTED = [
    ("lib/core/error.cpp", "#include <mpi.h>"),
    ("lib/core/error.cpp", '  #  include "mpi.h"'),
    ("lib/io/planted.cpp", '#include "kith/kith.h"'),
    ("lib/io/planted.cpp", '#include "kith/reordered.hpp"'),
    ("lib/core/planted.cpp", '#include "graph/planted.hpp"'),
    ("lib/core/planted.cpp", '#include "kith/machine.hpp"'),
    ("lib/graph/deep/er/planted.hpp", '#include "machine/grouping.hpp"'),
    ("lib/machine/planted.hpp", '#include "graph/planted.hpp"'),
    ("lib/mapping/refine/planted.cpp", '#include "io/planted.hpp"'),
    ("lib/objective/planted.cpp", '#include "kith/mapper.hpp"'),
    ("lib/io/planted.cpp", '#include "record/record.hpp"'),
    ("lib/preload/record/planted.cpp", '#include "comm/planted.hpp"'),
    ("lib/preload/api/planted.cpp", '#include "interpose/planted.hpp"'),
    ("lib/preload/order/planted.cpp", '#include "mapping/planted.hpp"'),
    ("lib/preload/record/planted.cpp", "#include <fmt/format.h>"),
    ("lib/core/planted.hpp", "#include <nlohmann/json.hpp>"),
    ("lib/graph/planted.cpp", '#include "../machine/grouping.hpp"'),
    ("lib/novelty/planted.cpp", "#include <vector>"),
    ("include/kith/planted.hpp", "#include <vector>"),
    ("include/kith/traffic.hpp", '#include "kith/machine.hpp"'),
    ("tools/planted.cpp", '#include "order/planted.hpp"'),
    ("tools/kith-probe/planted.cpp", '#include "order/planted.hpp"'),
    ("tools/kith/planted.cpp", '#include "kith-probe/conductor.hpp"'),
    ("tools/kith/planted.cpp", "#include <mpi.h>"),
]


def self_check():
    """Plants each violation in a copy of the tree; returns those that were missed."""
    missed = []
    for place, text in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            for part in ("lib", "tools", "include"):
                shutil.copytree(ROOT / part, copy / part)
            target = copy / place
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("a") as file:
                file.write(f"\n{text}\n")
            if not any(line.startswith(f"{place}:") for line in violations(copy)):
                missed.append(f"{place}: {text}")
    return missed


problems = violations(ROOT)
print("\n".join(problems) or "no violation in the tree")
missed = self_check()
print("\n".join(f"missed: {line}" for line in missed) or f"{len(PLANTED)} planted ones found")
sys.exit(1 if problems or missed else 0)
