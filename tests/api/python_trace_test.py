#!/usr/bin/env python3
"""kith.read_trace: the matrices of a trace in SciPy, without MPI; files that are not what they
should be are one clear error."""
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import languages
from languages import PYTHON

if not languages.has_python("numpy", "scipy"):
    kt.skip("no SciPy (tools/install-packages --with-tests)")

LOOK = """
import json, sys
import kith
trace = kith.Trace(sys.argv[1])
def cells(m):
    m = m.tocoo()
    return [[int(i), int(j), int(w)] for i, j, w in zip(m.row, m.col, m.data)]
print(json.dumps({
    "ranks": trace.ranks, "program": trace.meta["program"],
    "hosts": len({p["host"] for p in trace.machine["ranks"]}) if trace.machine else 0,
    "bytes": cells(trace.bytes), "messages": cells(trace.messages),
    "classes": {name: cells(m) for name, m in trace.classes.items()},
    "phases": [[p.name, cells(p.bytes)] for p in trace.phases]}))
assert "mpi4py" not in sys.modules
"""
TELL = """
import sys
import kith
try:
    trace = kith.read_trace(sys.argv[1])
    trace.bytes, trace.messages, trace.classes, [p.bytes for p in trace.phases]
    print("no error")
except kith.KithError as error:
    print(error)
"""


def python(program, *arguments, prelude=""):
    settings = {name: str(value) for name, value in languages.python_settings(True).items()}
    return kt.run([PYTHON, "-c", prelude + program, *arguments], settings).stdout


def cells_of(path):
    return sorted([i, j, w] for (i, j), w in kt.read_matrix(path).items())


def contents():
    program = kt.setting("KITH_BINARY") / "tests/mpi/phases"
    kt.run(["mpirun", "-n", 5, "-x", "KITH_TRACE=p", program])
    trace = pathlib.Path("p.kith")
    meta = json.loads((trace / "meta.json").read_text())
    for name in ("p.kith", "p"):
        found = json.loads(python(LOOK, name))
        kt.check_equal((found["ranks"], found["program"]), (5, meta["program"]), name)
        kt.check(found["hosts"] == 1, f"{found['hosts']} hosts")
        for part, file in (("bytes", "bytes.mtx"), ("messages", "messages.mtx")):
            kt.check_equal(sorted(found[part]), cells_of(trace / file), part)
        for part, cells in found["classes"].items():
            kt.check_equal(sorted(cells), cells_of(trace / f"classes/{part}.bytes.mtx"), part)
        phases = [[phase["name"], cells_of(trace / phase["file"])] for phase in meta["phases"]]
        kt.check_equal([[name, sorted(cells)] for name, cells in found["phases"]], phases, "phases")
    example = kt.setting("KITH_SOURCE") / "examples/api/python/read_trace.py"
    lines = kt.run([PYTHON, example, "p.kith"],
                   {"PYTHONPATH": str(languages.python_settings()["PYTHONPATH"])}).stdout
    kt.check(f"on 5 ranks, {meta['totals']['bytes']} bytes" in lines, lines)
    kt.check("phase 'near \"1\"': 550 bytes" in lines, lines)
    (trace / "machine.json").unlink()
    kt.check_equal(json.loads(python(LOOK, "p.kith"))["hosts"], 0, "without machine.json")


def without_libraries():
    told = python(TELL, "p.kith", prelude="import sys; sys.modules['scipy.sparse'] = None\n")
    kt.check("install scipy" in told, told)
    read = "import sys; sys.modules['numpy'] = None\nimport kith\nprint(kith.read_trace('p').ranks)"
    kt.check_equal(python(read), "5\n", "meta.json without NumPy")


def check_broken(file, text, expected):
    shutil.rmtree("broken.kith", ignore_errors=True)
    shutil.copytree("p.kith", "broken.kith")
    place = pathlib.Path("broken.kith") / file
    if text is None:
        place.unlink()
    else:
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    told = python(TELL, "broken.kith")
    kt.check(expected in told and told.count("\n") == 1, f"{file}, {text!r:.60}: {told}")


def broken():
    head = "%%MatrixMarket matrix coordinate integer general\n"
    for text, expected in (
            (None, "No such file"), ("", ":1: expected '%%MatrixMarket"),
            ("%%MatrixMarket matrix array real general\n5 5\n", ":1: expected '%%MatrixMarket"),
            (head, "expected a size line, found the end"),
            (head + "% a comment\n5 5\n", ":3: expected rows, columns and entries"),
            (head + "6 6 0\n", ":2: expected 5 x 5 entries, found 6 x 6"),
            (head + "5 5 99999999999999\n1 2 3\n", "as many entries as the file has"),
            (head + "5 5 -1\n", "as many entries as the file has"),
            (head + "5 5 2\n1 2 3\n", "expected 2 entries of three numbers, found 3 numbers"),
            (head + "5 5 1\n1 2 3\n1 3 3\n", "expected 1 entries of three numbers, found 6 "),
            (head + "5 5 1\n1 2 x\n", "found other text"),
            (head + "5 5 1\n1 2 1.5\n", "found other text"),
            (head + "5 5 1\n1 6 3\n", "expected ranks from 1 to 5, found the entry 1 6 3"),
            (head + "5 5 1\n0 1 3\n", "found the entry 0 1 3"),
            (head + "5 5 1\n1 2 -3\n", "found the entry 1 2 -3"),
            (head + "5 5 1\n1 2 99999999999999999999\n", "values below 9223372036854775807")):
        check_broken("bytes.mtx", text, expected)
    check_broken("bytes.mtx", head + "5 5 1\n%s\n" % ("1 2 3" + " " * 2000), "no error")
    meta = json.loads(pathlib.Path("p.kith/meta.json").read_text())
    outside = [{"name": "x", "file": "../p.kith/bytes.mtx"}]
    absolute = [{"name": "x", "file": str(pathlib.Path("p.kith/bytes.mtx").absolute())}]
    for text, expected in (
            ("{", "expected JSON"), (b"\xff\xfe{", "expected JSON"),
            ("[" * 100000, "expected JSON"),
            ("[]", "expected the number of ranks"), ('{"ranks": 4000000000}', "found 4000000000"),
            ('{"ranks": true}', "found True"),
            (json.dumps({**meta, "phases": outside}), "expected a file inside the trace"),
            (json.dumps({**meta, "phases": absolute}), "expected a file inside the trace"),
            (json.dumps({**meta, "phases": [1]}), "expected name and file of each phase"),
            (json.dumps({**meta, "phases": {}}), "expected a list of phases")):
        check_broken("meta.json", text, expected)
    check_broken("machine.json", "nonsense", "machine.json: expected JSON")
    kt.check("expected a trace, found no meta.json" in python(TELL, "nothing"), "no trace")
    for name in ("half", "half.kith", "half.kith.partial"):
        pathlib.Path("half.kith.partial").mkdir(exist_ok=True)
        kt.check("half.kith.partial: a partial trace" in python(TELL, name), name)


with kt.work_folder():
    contents()
    without_libraries()
    broken()
print("traces in SciPy: contents, without SciPy, broken files")
