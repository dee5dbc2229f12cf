#!/usr/bin/env python3
"""HPCC (Debian's own) on a small case: its verifications pass and agree in all three ways."""
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

kt.need_programs("hpcc", "mpirun")
VERDICTS = re.compile(r"Found \d+ errors|tests completed and (?:passed|failed)|Success="
                      r"|\|\|Ax-b\|\|.*(?:PASSED|FAILED)|PTRANS_residual=|Errors="
                      r"|with error|Validates")


def verdicts(_):
    """What HPCC verified, from its result file, which is then removed."""
    result = pathlib.Path("hpccoutf.txt")
    kt.check(result.is_file(), "HPCC wrote no hpccoutf.txt")
    text = result.read_text()
    result.unlink()
    kt.check("Success=1" in text, f"HPCC reports no success:\n{text}")
    kt.check("FAILED" not in text, f"HPCC reports a failure:\n{text}")
    return [line.strip() for line in text.splitlines() if VERDICTS.search(line)]


with kt.work_folder():
    shutil.copy(pathlib.Path(__file__).with_name("hpccinf.txt"), "hpccinf.txt")
    found, _ = kt.three_ways("hpcc", 4, ["hpcc"], verdicts, timeout=90)
    kt.check(len(found) >= 10, f"HPCC verified too little: {found}")
print("\n".join(found))
