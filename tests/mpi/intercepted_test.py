#!/usr/bin/env python3
"""Every function of the installed MPI is classified in lib/preload/interpose/calls, and every one that takes a
communicator is one of ours or kept on purpose. The generator reads the functions from mpi.h; what the
library exports says whether it found all of them."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

sys.path.insert(0, str(kt.setting("KITH_SOURCE") / "lib/preload/mpi"))
sys.path.insert(0, str(kt.setting("KITH_SOURCE") / "lib/preload/interpose"))
from call_table import read_tables, rule_for
from prototypes import read_header



def defined_in(library):
    """The functions that a library defines for others."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], text=True, check=True,
                           capture_output=True).stdout.splitlines()
    return {words[-1].split("@")[0] for words in map(str.split, lines) if words[-2] in "TWi"}


def mpi_library():
    """The file that programs of the build are linked with: the one that defines MPI_Send."""
    linked = kt.run(["ldd", kt.setting("KITH_BINARY") / "tests/mpi/world"]).stdout
    for line in linked.splitlines():
        path = line.split("=>")[-1].split("(")[0].strip()
        if pathlib.Path(path).is_file() and "MPI_Send" in defined_in(path):
            return path
    return kt.fail(f"no library defines MPI_Send:\n{linked}")


def is_for_c(name):
    """MPI_WTIME_F90, MPI_COMM_DUP_FN and the like are Fortran's, or no calls."""
    return name.startswith(("MPI_", "MPIX_")) and name != name.upper()


header = read_header(kt.setting("KITH_BINARY") / "generated/mpi/mpi_preprocessed.h")
exported = defined_in(kt.setting("KITH_LIB"))
kept = {"MPI_Abort", "MPI_Comm_c2f"}
rules = read_tables(kt.setting("KITH_SOURCE") / "lib/preload/interpose/calls")
for name in kept:
    kt.check_equal(rules[name].world, "keep", f"{name} in lib/preload/interpose/calls")

functions = [name for name in header.functions if not name.startswith("PMPI")]
offered = set(filter(is_for_c, defined_in(mpi_library())))
kt.check(len(offered) > 380, f"the MPI library has more functions than {len(offered)}")
kt.check_equal(sorted(offered - set(functions)), [],
               "functions of the library that the generator does not find in mpi.h")
kt.check_equal(sorted(set(functions) - offered), [], "functions of mpi.h that the library lacks")
kt.check_equal([name for name in functions if rule_for(name, rules) is None], [],
               "functions that no line of lib/preload/interpose/calls names")
kt.check(rule_for("MPI_Isend_to_the_moon", rules) is None, "a new function stands out")
moving = {name for name in functions
          if rule_for(name, rules).moves in ("p2p", "collective", "neighbour", "rma")}

wanted = {name for name, function in header.functions.items() if not name.startswith("PMPI")
          and any(p.by_value_communicator for p in function.parameters)} - kept
kt.check(len(wanted) > 140, f"mpi.h has more functions with a communicator than {len(wanted)}")
kt.check_equal(sorted(wanted - exported), [], "functions that would miss the reordered world")
kt.check_equal(sorted(kept & exported), [], "functions that must see the library's own world")
kt.check_equal(sorted(moving - exported), [], "functions that move data unseen")
print(f"{len(functions)} functions classified, all that {mpi_library()} offers; "
      f"{len(moving)} move data; {len(wanted)} with a communicator, all intercepted")
