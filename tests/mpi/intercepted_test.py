#!/usr/bin/env python3
"""Every function of the installed mpi.h is classified in lib/interpose/calls, and every one that takes
a communicator is one of ours or kept on purpose."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

sys.path.insert(0, str(kt.setting("KITH_SOURCE") / "lib/mpi"))
sys.path.insert(0, str(kt.setting("KITH_SOURCE") / "lib/interpose"))
from call_table import read_tables, rule_for
from prototypes import read_header

header = read_header(kt.setting("KITH_BINARY") / "generated/mpi/mpi_preprocessed.h")
exported = {line.split()[-1] for line in subprocess.run(
    ["nm", "-D", "--defined-only", kt.setting("KITH_LIB")], text=True, check=True,
    capture_output=True).stdout.splitlines()}
kept = {"MPI_Abort", "MPI_Comm_c2f"}
rules = read_tables(kt.setting("KITH_SOURCE") / "lib/interpose/calls")
for name in kept:
    kt.check_equal(rules[name].world, "keep", f"{name} in lib/interpose/calls")

functions = [name for name in header.functions if not name.startswith("PMPI")]
kt.check(len(functions) > 380, f"mpi.h has more functions than {len(functions)}")
kt.check_equal([name for name in functions if rule_for(name, rules) is None], [],
               "functions that no line of lib/interpose/calls names")
kt.check(rule_for("MPI_Isend_to_the_moon", rules) is None, "a new function stands out")
moving = {name for name in functions
          if rule_for(name, rules).moves in ("p2p", "collective", "neighbour", "rma")}

wanted = {name for name, function in header.functions.items() if not name.startswith("PMPI")
          and any(p.by_value_communicator for p in function.parameters)} - kept
kt.check(len(wanted) > 140, f"mpi.h has more functions with a communicator than {len(wanted)}")
kt.check_equal(sorted(wanted - exported), [], "functions that would miss the reordered world")
kt.check_equal(sorted(kept & exported), [], "functions that must see the library's own world")
kt.check_equal(sorted(moving - exported), [], "functions that move data unseen")
print(f"{len(functions)} functions classified, {len(moving)} move data; {len(wanted)} functions with a communicator, all intercepted")
