#!/usr/bin/env python3
"""Applications with a Scotch of their own, with symbols like ours, and with all of ours."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("mpirun", "mpicc", "nm")
guests = kt.setting("KITH_BINARY") / "tests/apps"
programs = pathlib.Path(__file__).resolve().parent / "programs"


def build_namesake(folder):
    """The program `whereami`, with every internal function of libkith.so defined once more as an
    exported one that ends the process."""
    table = kt.run(["nm", kt.setting("KITH_LIB")]).stdout
    names = sorted(set(re.findall(r"^\w+ t (_Z\w*4kith\w*)$", table, re.MULTILINE)))
    kt.check(len(names) > 20, f"libkith.so has no internal symbols to imitate, found {names}")
    text = "".join(f".globl {name}\n.type {name}, @function\n{name}: ud2\n" for name in names)
    (folder / "namesakes.s").write_text(
        text + '.section .note.GNU-stack,"",@progbits\n')
    kt.run(["mpicc", "-rdynamic", "-o", folder / "namesake", programs / "whereami.c",
            folder / "namesakes.s"])
    return folder / "namesake", len(names)


with kt.work_folder() as folder:
    parts, _ = kt.three_ways("scotch", 4, [guests / "scotch_guest"], str)
    kt.check_equal(len(parts.splitlines()), 4 * 12, "lines of the partitions")
    kt.check(len(set(parts.split())) >= 4, f"no partition:\n{parts}")
    print("scotch_guest: the same partitions in all three ways")

    kt.three_ways("clashing", 4, [guests / "clashing_symbols"], str)
    print("clashing_symbols: unharmed")

    namesake, count = build_namesake(folder)
    kt.three_ways("namesake", 4, [namesake],
                  lambda text: [line.split()[0] for line in text.splitlines()])
    print(f"namesake: unharmed with {count} functions named like ours")
