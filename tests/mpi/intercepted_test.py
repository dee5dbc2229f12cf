#!/usr/bin/env python3
"""Every function of the installed mpi.h that takes a communicator is one of ours, or listed as kept."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

sys.path.insert(0, str(kt.setting("KITH_SOURCE") / "lib/mpi"))
from prototypes import read_header

header = read_header(kt.setting("KITH_BINARY") / "generated/mpi/mpi_preprocessed.h")
exported = {line.split()[-1] for line in subprocess.run(
    ["nm", "-D", "--defined-only", kt.setting("KITH_LIB")], text=True, check=True,
    capture_output=True).stdout.splitlines()}
kept = {"MPI_Abort", "MPI_Comm_c2f"}
table = (kt.setting("KITH_SOURCE") / "lib/interpose/calls.table").read_text()
for name in kept:
    kt.check(re.search(rf"^{name}\s+keep\s", table, re.M), f"{name} is kept, says calls.table")

wanted = {name for name, function in header.functions.items() if not name.startswith("PMPI")
          and any(p.by_value_communicator for p in function.parameters)} - kept
kt.check(len(wanted) > 140, f"mpi.h has more functions with a communicator than {len(wanted)}")
kt.check_equal(sorted(wanted - exported), [], "functions that would miss the reordered world")
kt.check_equal(sorted(kept & exported), [], "functions that must see the library's own world")
print(f"{len(wanted)} functions with a communicator, all intercepted")
