#!/usr/bin/env python3
"""Makes the interposition code from the installed mpi.h and calls/*.table.

Usage: generate.py PREPROCESSED_MPI_H CALLS_FOLDER OUTPUT_DIR   (PYTHONPATH: lib/preload/mpi)

Written to OUTPUT_DIR:
  wrappers.cpp     one exported MPI_X per function that is swapped, guarded or recorded
  intercepted.inc  KITH_INTERCEPTED(name) for each function that libkith.so defines
"""

import re
import sys
from pathlib import Path

from call_table import Rule, read_tables, rule_for
from prototypes import Function, fail, read_header, write


# They take next to no time: timing would be most of it.
UNTIMED = ("none", "post")


def may_synchronise(function: Function, rule: Rule) -> bool:
    """Blocking collectives: the standard lets them wait for everybody, so we may as well."""
    starts_only = function.name.startswith("MPI_I") or function.name.endswith("_init")
    return rule.moves == "collective" and not starts_only


def receive_names(function: Function) -> tuple[str, str, str] | None:
    """The parameters of a receive or probe that name what it matches, and its status."""
    names = [p.name for p in function.parameters]
    tag = "recvtag" if "recvtag" in names else "tag"
    found = "source" in names and tag in names and "status" in names
    return ("source", tag, "status") if found else None


def wants_status(function: Function, rule: Rule) -> bool:
    return rule.record != "-" and receive_names(function) is not None


def wrapper(function: Function, rule: Rule) -> str:
    name = function.name
    arguments = ", ".join(p.name for p in function.parameters)
    lines = [f"KITH_EXPORT {function.result} {name}("
             f"{', '.join(p.declaration for p in function.parameters)}) {{",
             f'  static constinit NextFunction<decltype(&{name})> next{{"{name}"}};',
             f"  const {'CallScope' if rule.moves in UNTIMED else 'TimedCall'} call(CallKind::{rule.moves});"]
    if rule.world == "swap":
        lines += [f"  {p.name} = seen_world({p.name});" for p in function.parameters
                  if p.by_value_communicator]
    if may_synchronise(function, rule):
        lines.append("  if (call.outermost()) before_collective(comm);")
    if wants_status(function, rule):
        # A receive from any source says only in its status what it matched.
        source, tag, status = receive_names(function)
        lines += ["  MPI_Status own_status;",
                  f"  if (call.outermost() && {status} == MPI_STATUS_IGNORE && "
                  f"kith::record::needs_status({source}, {tag})) {status} = &own_status;"]
    after = [] if rule.record == "-" else [
        f"    kith::record::{named(statement.strip(), function)};"
        for statement in rule.record.split(";")]
    if after:
        lines += [f"  const int code = next.get()({arguments});",
                  "  if (call.outermost() && code == MPI_SUCCESS) {", *after, "  }",
                  "  return code;"]
    else:
        lines.append(f"  return next.get()({arguments});")
    return "\n".join(lines + ["}", ""])


def named(statement: str, function: Function) -> str:
    """Libraries differ in what they call some parameters: `$5` is the fifth, `$last` the last."""
    def name(match: re.Match[str]) -> str:
        place = match[1]
        return function.parameters[-1 if place == "last" else int(place) - 1].name
    return re.sub(r"\$(last|\d+)", name, statement)


def needs_wrapper(function: Function, rule: Rule) -> bool:
    if rule.world == "hand" or rule.record != "-" or rule.moves != "none":
        return True
    return rule.world == "swap" and any(p.by_value_communicator for p in function.parameters)


def main() -> None:
    if len(sys.argv) != 4:
        fail("expected PREPROCESSED_MPI_H CALLS_FOLDER OUTPUT_DIR")
    functions = read_header(Path(sys.argv[1])).functions
    rules = read_tables(Path(sys.argv[2]))
    out = Path(sys.argv[3])

    wrappers, intercepted = [], []
    for name, function in sorted(functions.items()):
        if name.startswith("PMPI"):
            continue
        # What no line names is at least swapped; the test mpi.intercepted asks for a line.
        rule = rule_for(name, rules) or Rule("none", "swap", "-")
        if not needs_wrapper(function, rule):
            continue
        intercepted.append(name)
        if rule.world != "hand":
            wrappers.append(wrapper(function, rule))

    write(out / "wrappers.cpp", '#include "interpose/wrapper.hpp"\n#include "record/record.hpp"\n\n'
          "using namespace kith::interpose;\nusing kith::record::Op;\nusing kith::record::nonblocking;\n"
          "using kith::record::persistent;\n\nextern \"C\" {\n\n"
          + "\n".join(wrappers) + "\n}  // extern \"C\"\n")
    write(out / "intercepted.inc", "".join(f"KITH_INTERCEPTED({n})\n" for n in intercepted))


if __name__ == "__main__":
    main()
