"""Reads calls/*.table: what each function of mpi.h moves and how it is wrapped (calls/README.md)."""

import fnmatch
from pathlib import Path
from typing import NamedTuple

from prototypes import fail

MOVES = ("p2p", "post", "poll", "wait", "collective", "neighbour", "rma", "file", "setup", "window",
         "none")


class Rule(NamedTuple):
    moves: str
    world: str
    record: str


def read_tables(folder: Path) -> dict[str, Rule]:
    rules: dict[str, Rule] = {}
    for path in sorted(folder.glob("*.table")):
        read_table(path, rules)
    return rules


def read_table(path: Path, rules: dict[str, Rule]) -> None:
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        words = line.split(None, 3)
        valid = len(words) >= 3 and words[1] in MOVES and words[2] in ("swap", "keep", "hand")
        valid = valid and (len(words) == 4) == (words[2] != "hand")
        if not valid:
            fail(f"{path}:{number}: expected 'FUNCTION MOVES swap|keep RECORD' or "
                 f"'FUNCTION MOVES hand', found '{line}'")
        if words[0] in rules:
            fail(f"{path}:{number}: {words[0]} is listed twice")
        rules[words[0]] = Rule(words[1], words[2], words[3] if len(words) == 4 else "-")


def rule_for(name: str, rules: dict[str, Rule]) -> Rule | None:
    """The line of that name, else that of the function that it is a variant of, else that of the longest
    pattern that fits, else nothing."""
    if name in rules:
        return rules[name]
    if name.startswith("MPI_") and name.endswith("_init") and "MPIX" + name[3:] in rules:
        return rules["MPIX" + name[3:]]  # persistent collectives before and in MPI 4
    if name.endswith("_c") and (base := rule_for(name[:-2], rules)):
        return base  # large counts
    fitting = [pattern for pattern in rules if fnmatch.fnmatchcase(name, pattern)]
    return rules[max(fitting, key=len)] if fitting else None
