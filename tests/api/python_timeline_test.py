#!/usr/bin/env python3
"""kith.read(NAME).timeline(rank): the records are those of the trace, and damage is one error."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import languages
from languages import PYTHON

if not languages.has_python("numpy"):
    kt.skip("no NumPy (tools/install-packages --with-tests)")

RANKS = 6
LOOK = """
import json, sys
import kith
trace = kith.read(sys.argv[1])
found = []
for rank in range(trace.ranks):
    for r in trace.timeline(rank):
        found.append([rank, kith.OPERATIONS[r["op"]], int(r["peer"]), int(r["bytes"]),
                      float(r["begin"]), float(r["computing"]), float(r["asleep"]), float(r["inside"])])
print(json.dumps(found))
"""
TELL = """
import sys
import kith
try:
    kith.read(sys.argv[1]).timeline(int(sys.argv[2]))
    print("no error")
except kith.KithError as error:
    print(error)
"""


def python(program, *arguments):
    return kt.run([PYTHON, "-c", program, *arguments],
                  {name: str(value) for name, value in languages.python_settings(True).items()}).stdout


def names():
    source = (kt.setting("KITH_SOURCE") / "lib/timeline/operation_names.cpp").read_text()
    known = re.findall(r'^    "(.*)",$', source, re.M)
    kt.check_equal(json.loads(python("import kith, json; print(json.dumps(kith.OPERATIONS))")), known,
                   "kith.OPERATIONS")


def as_perfetto_shows_it():
    kt.run([kt.setting("KITH"), "convert", "t.kith", "t.json", "--to", "perfetto"])
    slices = [event for event in json.loads(pathlib.Path("t.json").read_text())["traceEvents"]
              if event["ph"] == "X" and event["cat"] not in ("computing", "asleep")]
    found = json.loads(python(LOOK, "t.kith"))
    kt.check_equal(len(found), len(slices), "operations")
    for (rank, name, peer, size, begin, computing, asleep, inside), shown in zip(found, slices):
        kt.check_equal((rank, name, size), (shown["pid"], shown["name"], shown["args"].get("bytes", 0)), "")
        if "peer" in shown["args"]:
            kt.check_equal(peer, shown["args"]["peer"], "peer")
        init = 0.001 * rank  # as the sample says
        kt.check(abs((begin + init) * 1e6 - shown["ts"]) < 0.01, f"{name}: {begin}, {shown}")
        kt.check(abs(inside * 1e6 - shown["dur"]) < 0.01, f"{name}: {inside}, {shown}")
        kt.check(computing >= 0 and asleep >= 0, name)
    kt.check(sum(asleep for *_, asleep, _ in found) > 0.19 * RANKS, "nobody was seen asleep")


def damage():
    host = pathlib.Path("t.kith/timeline/host-000000.timeline")
    whole = host.read_bytes()
    for at in range(3, len(whole), 61):
        host.write_bytes(whole[:at])
        kt.check("host-000000.timeline: byte" in python(TELL, "t", "0"), f"the first {at} bytes")
    for at in range(10, 400, 13):
        host.write_bytes(whole[:at] + bytes([whole[at] ^ 8]) + whole[at + 1:])
        told = python(TELL, "t", "0")
        kt.check(told.count("\n") == 1 and "Traceback" not in told, told)
    host.write_bytes(whole)
    kt.check("rank 6 left no timeline" in python(TELL, "t", "6"), "rank 6")
    for path in host.parent.iterdir():
        path.unlink()
    kt.check("expected a timeline, found none" in python(TELL, "t", "0"), "no timeline")


with kt.work_folder():
    kt.run([kt.setting("KITH_BINARY") / "bin" / "made_trace", "t.kith", RANKS, 3, 0, 1, 3, 0.1])
    names()
    as_perfetto_shows_it()
    damage()
print("ok")
