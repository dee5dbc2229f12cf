#!/usr/bin/env python3
"""Makes the interposition code from the installed mpi.h and calls.table.

Usage: generate.py PREPROCESSED_MPI_H CALLS_TABLE OUTPUT_DIR   (PYTHONPATH: lib/mpi)

Written to OUTPUT_DIR:
  wrappers.cpp     one exported MPI_X per function that is swapped, guarded or recorded
  intercepted.inc  KITH_INTERCEPTED(name) for each function that libkith.so defines
"""

import fnmatch
import sys
from pathlib import Path
from typing import NamedTuple

from prototypes import Function, fail, read_header, write


class Rule(NamedTuple):
    world: str
    record: str


def read_table(path: Path) -> dict[str, Rule]:
    rules = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        words = line.split(None, 2)
        valid = len(words) >= 2 and words[1] in ("swap", "keep", "hand")
        valid = valid and (len(words) == 3) == (words[1] != "hand")
        if not valid:
            fail(f"{path}:{number}: expected 'FUNCTION swap|keep RECORD' or 'FUNCTION hand', "
                 f"found '{line}'")
        if words[0] in rules:
            fail(f"{path}:{number}: {words[0]} is listed twice")
        rules[words[0]] = Rule(words[1], words[2] if len(words) == 3 else "-")
    return rules


def wrapper(function: Function, rule: Rule) -> str:
    name = function.name
    arguments = ", ".join(p.name for p in function.parameters)
    lines = [f"KITH_EXPORT {function.result} {name}("
             f"{', '.join(p.declaration for p in function.parameters)}) {{",
             f'  static NextFunction<decltype(&{name})> next{{"{name}"}};',
             "  const CallDepth depth;"]
    if rule.world == "swap":
        lines += [f"  {p.name} = seen_world({p.name});" for p in function.parameters
                  if p.by_value_communicator]
    if rule.record == "-":
        lines.append(f"  return next.get()({arguments});")
    else:
        lines += [f"  const int code = next.get()({arguments});",
                  "  if (depth.outermost() && code == MPI_SUCCESS) {",
                  f"    kith::record::{rule.record};",
                  "  }",
                  "  return code;"]
    return "\n".join(lines + ["}", ""])


def rule_for(function: Function, rules: dict[str, Rule]) -> Rule | None:
    if function.name in rules:
        return rules[function.name]
    for pattern, rule in rules.items():
        if fnmatch.fnmatchcase(function.name, pattern):
            return rule
    if any(p.by_value_communicator for p in function.parameters):
        return Rule("swap", "-")
    return None


def main() -> None:
    if len(sys.argv) != 4:
        fail("expected PREPROCESSED_MPI_H CALLS_TABLE OUTPUT_DIR")
    functions = read_header(Path(sys.argv[1])).functions
    rules = read_table(Path(sys.argv[2]))
    out = Path(sys.argv[3])

    wrappers, intercepted = [], []
    for name, function in sorted(functions.items()):
        rule = None if name.startswith("PMPI") else rule_for(function, rules)
        if rule is None or rule == Rule("keep", "-"):
            continue
        intercepted.append(name)
        if rule.world != "hand":
            wrappers.append(wrapper(function, rule))

    write(out / "wrappers.cpp", '#include "interpose/wrapper.hpp"\n#include "record/record.hpp"\n\n'
          "using namespace kith::interpose;\n\nextern \"C\" {\n\n"
          + "\n".join(wrappers) + "\n}  // extern \"C\"\n")
    write(out / "intercepted.inc", "".join(f"KITH_INTERCEPTED({n})\n" for n in intercepted))


if __name__ == "__main__":
    main()
