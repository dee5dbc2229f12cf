"""The LAMMPS input of the examples: its command line and what its output says of the physics."""
import re

import kithtest as kt

# On 16 ranks: a cube whose best blocks are 2x2x1, and a slab whose best hosts are squares of 2x2.
CLUSTER_CASES = {
    "cube": {"px": 2, "py": 4, "pz": 2, "lx": 20, "ly": 10, "lz": 20},
    "slab": {"px": 4, "py": 4, "pz": 1, "lx": 10, "ly": 40, "lz": 10},
}


def source():
    """The input file."""
    return kt.setting("KITH_SOURCE") / "examples/lammps/in.lj"


def command(from_stdin=False, **variables):
    """lmp on the input with the given variables, without a log file."""
    words = ["lmp", "-log", "none", *([] if from_stdin else ["-in", source()])]
    for name, value in variables.items():
        words += ["-var", name, str(value)]
    return words


def thermo(text):
    """The lines of the thermodynamics table, header included, blanks evened out."""
    table = re.search(r"^ *Step.*?(?=^Loop time)", text, re.MULTILINE | re.DOTALL)
    kt.check(table, f"no thermodynamics in LAMMPS's output:\n{text}")
    return [" ".join(line.split()) for line in table.group().splitlines()]
