#!/usr/bin/env python3
"""An include of a module that is not declared does not compile: tried with the include folders that
CMake gives the modules. Files with compile options of their own exist: CMake would not complain."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What each may include, and what not.
INCLUDES = {
    "graph": (("core/rng.hpp", "graph/grid_detection/connected_graph.hpp"), ("machine/sources.hpp", "mpi/world.hpp")),
    "objective": (("core/rng.hpp",), ("mapping/registry.hpp", "io/trace_files.hpp")),
    "record": (("core/row_block.hpp", "mpi/slots.hpp"), ("comm/private_comm.hpp", "order/order.hpp")),
    "trace": (("comm/private_comm.hpp",), ("order/order.hpp", "mapping/registry.hpp")),
}
ROOT = pathlib.Path(__file__).resolve().parents[2]


def missing():
    """A name that is nowhere proves nothing."""
    names = {name for pair in INCLUDES.values() for part in pair for name in part}
    return [f"{name} does not exist: name another header here" for name in sorted(names)
            if not any((ROOT / folder / name).is_file() for folder in ("lib", "lib/preload"))]


def missing_sources():
    """A file that was renamed would lose its options (OpenMP, say) without a word."""
    lists = [path for folder in ("lib", "tools", "tests") for path in (ROOT / folder).rglob("CMakeLists.txt")]
    named = [(path, name) for path in lists
             for group in re.findall(r"set_source_files_properties\((.*?)\bPROPERTIES", path.read_text(), re.S)
             for name in group.split() if name.endswith((".cpp", ".c")) and "$" not in name]
    return [f"{path.relative_to(ROOT)}: {name} does not exist" for path, name in named
            if not (path.parent / name).is_file()] or ([] if named else ["no file has options: look again"])


def compiles(folders, name, scratch):
    source = scratch / "planted.cpp"
    source.write_text(f'#if !__has_include("{name}")\n#error "not found"\n#endif\n')
    return subprocess.run([os.environ["KITH_CXX"], "-std=c++20", "-fsyntax-only",
                           *(f"-I{folder}" for folder in folders), source],
                          capture_output=True, check=False).returncode == 0


wrong = missing() + missing_sources()
with tempfile.TemporaryDirectory() as scratch:
    for module, (allowed, forbidden) in INCLUDES.items():
        folders = os.environ[f"KITH_INCLUDES_{module}"].split(":")
        for name in allowed:
            if not compiles(folders, name, pathlib.Path(scratch)):
                wrong.append(f"{module} does not find {name}, on which it may depend")
        for name in forbidden:
            if compiles(folders, name, pathlib.Path(scratch)):
                wrong.append(f"{module} finds {name}, on which it must not depend")
print(*(wrong or ["each module finds what it declares, and nothing else"]), sep="\n")
sys.exit(1 if wrong else 0)
