#!/usr/bin/env python3
"""Ranks dealt out to 4 hosts in turn: the host leaders' rows meet in one trace, in rank order.

usage (inside a bed): trace_test.py
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS = 10
programs = kt.setting("KITH_BINARY") / "tests/mpi"


def shifted(by, size):
    return {(r, (r + by) % RANKS): size for r in range(RANKS)}


def launch(options, program):
    return kt.run(["onhost", "h0", kt.setting("KITH"), "run", *options, "--", "mpirun", "-n", RANKS,
                   "--map-by", "node", programs / program])


def whole_trace():
    kt.write_mapping("reverse.map", [RANKS - 1 - rank for rank in range(RANKS)])
    for name, extra in (("dealt", []), ("reversed", ["--reorder", "reverse.map"])):
        launch(["--trace", name, *extra], "phases")
        trace = pathlib.Path(f"{name}.kith")
        meta = kt.check_trace(trace, RANKS)
        kt.check_equal(len(meta["hosts"]), 4, "hosts")
        kt.check_equal(kt.read_matrix(trace / "bytes.mtx"),
                       {**shifted(1, 111), **shifted(2, 1000)}, f"{name}: bytes")
        kt.check_equal(kt.read_matrix(trace / "phases/0002.bytes.mtx"), shifted(2, 1000),
                       f"{name}: the second phase")
        rows = [line.split() for line in (trace / "bytes.mtx").read_text().splitlines()[3:]]
        kt.check_equal(rows, sorted(rows, key=lambda row: (int(row[0]), int(row[1]))),
                       f"{name}: order of the entries")
        kt.check_equal(json.loads((trace / "meta.json").read_text())["totals"]["bytes"],
                       1111 * RANKS, f"{name}: total")
    print(f"{RANKS} ranks on 4 hosts: one trace")


with kt.work_folder():
    whole_trace()
