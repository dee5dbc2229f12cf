#!/usr/bin/env python3
"""Writes the prototypes of functions.table as a C header, MPI_X and PMPI_X.

Usage: generate.py FUNCTIONS_TABLE OUTPUT
"""

import re
import sys
from pathlib import Path

NARROW = {"COUNT": "int", "PLACE": "int", "WIDTH": "MPI_Aint"}
WIDE = {"COUNT": "MPI_Count", "PLACE": "MPI_Aint", "WIDTH": "MPI_Count"}
REQUEST, INFO = "Request* request", "Info info"
FORMS = ("I", "init", "start", "c")


def prototype(result: str, name: str, parameters: list[str], widths: dict[str, str]) -> str:
    def type_name(match: re.Match[str]) -> str:
        return widths.get(match[0], "MPI_" + match[0])
    arguments = [re.sub(r"\b[A-Z]\w*", type_name, parameter) for parameter in parameters]
    if result[0].isupper():
        result = "MPI_" + result
    text = f"{result} {{}}MPI_{name}({', '.join(arguments) or 'void'});"
    return f"{text.format('')}\n{text.format('P')}"


def forms_of(name: str, forms: list[str], parameters: list[str]) -> list[str]:
    named = {name: parameters}
    if "I" in forms:
        named["I" + name[0].lower() + name[1:]] = [*parameters, REQUEST]
    if "init" in forms:
        named[name + "_init"] = [*parameters, INFO, REQUEST]
    if "start" in forms:
        named[name + "_init"] = [*parameters, REQUEST]
    lines = [prototype("int", form, words, NARROW) for form, words in named.items()]
    if "c" in forms:
        lines += [prototype("int", form + "_c", words, WIDE) for form, words in named.items()]
    return lines


def read(path: Path) -> tuple[list[str], list[str]]:
    """Prototypes that every library has, and those that MPI 3 removed."""
    lines, removed = [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        head, colon, rest = line.partition(":")
        words = head.split()
        parameters = [word.strip() for word in rest.split(",") if word.strip()]
        if len(words) == 2 and words[0] == "removed":
            removed.append(prototype("int", words[1], parameters, NARROW))
        elif len(words) == 2 and words[1] not in FORMS:
            lines.append(prototype(words[0], words[1], parameters, NARROW))
        elif colon and words and all(form in FORMS for form in words[1:]):
            lines += forms_of(words[0], words[1:], parameters)
        else:
            sys.exit(f"{path}:{number}: expected 'NAME FORMS: PARAMETERS' or 'TYPE NAME: PARAMETERS', "
                     f"found '{line}'")
    return lines, removed


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("generate.py: expected FUNCTIONS_TABLE OUTPUT")
    lines, removed = read(Path(sys.argv[1]))
    Path(sys.argv[2]).write_text("\n".join(
        ["/* Generated from functions.table; do not edit. */", *lines,
         "#ifdef KITH_WITH_REMOVED_FUNCTIONS", *removed, "#endif"]) + "\n")


if __name__ == "__main__":
    main()
