#!/usr/bin/env python3
"""Whether families whose answer lies in their structure are still seen through, on members that
nobody has seen: the seed is the day's date, or the argument.

Usage: structures_test.py [SEED]
"""
import datetime
import os
import subprocess
import sys

BENCH = os.environ["KITH_BINARY"] + "/bin/bench_mappers"
MEMBERS = "10"
# Percent above what is planted, at the median of the members.
MOST = {"A": 2, "B": 2, "C": 10, "D": 2, "E": 2, "F": 10, "I": 2}


def medians(seed):
    """{(family, effort): percent} by the summary, the last table."""
    text = subprocess.run([BENCH, "--table", "structures", "--only", "".join(MOST), "--members", MEMBERS,
                           "--seed", seed, "--annealing", "1", "--efforts", "fast,balanced"],
                          capture_output=True, text=True, check=True).stdout
    print(text)
    lines = [[cell.strip() for cell in line.strip("|").split("|")]
             for line in text.strip().split("\n\n")[-1].splitlines() if line.startswith("|")]
    titles, found, family = lines[0], {}, None
    for cells in lines[2:]:
        row = dict(zip(titles, cells))
        family = row["family"] or family
        if row["who"].startswith("kith "):
            found[family[0], row["who"].removeprefix("kith ")] = float(row["median above"].strip("%"))
    return found


seed = sys.argv[1] if len(sys.argv) > 1 else datetime.date.today().strftime("%Y%m%d")
found = medians(seed)
missing = [(family, effort) for family in MOST for effort in ("fast", "balanced")
           if (family, effort) not in found]
above = {key: percent for key, percent in found.items() if percent > MOST[key[0]]}
if missing or above:
    sys.exit(f"seed {seed}: above what is planted, at the median, in percent: {above}; missing: {missing}")
