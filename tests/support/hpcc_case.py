"""HPCC (Debian's own) on small cases: its input, and what it verified."""
import pathlib
import re

import kithtest as kt

COMMAND = ["hpcc"]
VERDICTS = re.compile(r"Found \d+ errors|tests completed and (?:passed|failed)|Success="
                      r"|\|\|Ax-b\|\|.*(?:PASSED|FAILED)|PTRANS_residual=|Errors="
                      r"|with error|Validates")


def prepare(n=192, rows=2, columns=2):
    """Writes hpccinf.txt: a matrix of order n on rows x columns ranks."""
    text = pathlib.Path(__file__).with_name("hpccinf.txt").read_text()
    for name, value in (("Ns", n), ("Ps", rows), ("Qs", columns)):
        text, found = re.subn(rf"^\d+( +{name})$", rf"{value}\1", text, flags=re.MULTILINE)
        kt.check_equal(found, 1, f"hpccinf.txt: lines of {name}")
    pathlib.Path("hpccinf.txt").write_text(text)


def verdicts(kept=VERDICTS):
    """The lines of its result file that `kept` finds, what it verified; the file is then removed."""
    result = pathlib.Path("hpccoutf.txt")
    kt.check(result.is_file(), "HPCC wrote no hpccoutf.txt")
    text = result.read_text()
    result.unlink()
    kt.check("Success=1" in text, f"HPCC reports no success:\n{text}")
    kt.check("FAILED" not in text, f"HPCC reports a failure:\n{text}")
    return [line.strip() for line in text.splitlines() if kept.search(line)]
