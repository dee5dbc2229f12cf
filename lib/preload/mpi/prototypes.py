"""Reads the prototypes of an installed, preprocessed mpi.h."""

import re
import sys
from pathlib import Path
from typing import NamedTuple


class Parameter(NamedTuple):
    declaration: str
    name: str
    by_value_communicator: bool


class Function(NamedTuple):
    result: str
    name: str
    parameters: list[Parameter]


# Parameters that a header names otherwise than the standard does.
STANDARD_NAMES = {"old_comm": "comm_old"}


def fail(message: str) -> None:
    sys.exit(f"{Path(sys.argv[0]).name}: {message}")


def strip_attributes(text: str) -> str:
    """Removes __attribute__((...)) with balanced parentheses."""
    out, position = [], 0
    for match in re.finditer(r"__attribute__\s*", text):
        if match.start() < position:
            continue
        out.append(text[position:match.start()])
        depth, position = 0, match.end()
        while True:
            depth += {"(": 1, ")": -1}.get(text[position], 0)
            position += 1
            if depth == 0:
                break
    out.append(text[position:])
    return "".join(out)


def parse_parameter(text: str, position: int) -> Parameter:
    text = text.strip()
    if text == "...":
        return Parameter(text, "", False)
    match = re.fullmatch(r"(.*?[\s*])(\w+)((?:\s*\[[^\]]*\])*)", text, re.S)
    builtin = {"int", "char", "void", "double", "long"}
    if match and match.group(2) not in builtin and not match.group(2).startswith("MPI_"):
        before, name, after = match.groups()
    else:  # a prototype without parameter names
        before, name, after = text + " ", f"argument{position}", ""
    name = STANDARD_NAMES.get(name, name)
    by_value = before.strip() == "MPI_Comm" and not after.strip()
    return Parameter(f"{before}{name}{after}", name, by_value)


def parse_functions(text: str) -> dict[str, Function]:
    pattern = re.compile(r"(?:extern\s+)?([A-Za-z_][\w\s]*?[\s*]+)(P?MPIX?_\w+)\s*"
                         r"\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)\s*;")
    functions = {}
    for result, name, arguments in pattern.findall(text):
        result = result.replace("extern", "").strip()
        if result.startswith("typedef"):
            continue
        parts = [] if arguments.strip() in ("", "void") else arguments.split(",")
        if "(" in arguments:
            continue  # a function-pointer parameter: no such MPI function is wrapped
        functions[name] = Function(result, name,
                                   [parse_parameter(p, i) for i, p in enumerate(parts)])
    return functions


def parse_objects(text: str) -> list[str]:
    """Data symbols: behind predefined handles (Open MPI), or markers of an argument (MPICH)."""
    pattern = re.compile(r"extern\s+(?:struct\s+\w+\s+|int\s*\*\s*const\s+)(\w+)\s*;")
    return sorted(set(pattern.findall(text)))


class Header(NamedTuple):
    functions: dict[str, Function]
    objects: list[str]


def read_header(path: Path) -> Header:
    text = re.sub(r"^\s*#.*$", "", path.read_text(), flags=re.M)
    text = strip_attributes(text)
    functions = parse_functions(text)
    if len(functions) < 300 or "MPI_Send" not in functions:
        fail(f"{path}: expected the prototypes of MPI, found {len(functions)} functions")
    return Header(functions, parse_objects(text))


def write(path: Path, text: str) -> None:
    path.write_text("// Generated from mpi.h; do not edit.\n" + text)
