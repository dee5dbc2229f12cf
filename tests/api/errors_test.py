#!/usr/bin/env python3
"""Wrong arguments give the same error in every language, on all ranks, and make no communicator."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
import languages

EXPECTED = {
    "reorder null": "COMM", "reorder inter": "COMM", "reorder infinite": "ARG",
    "graph null": "COMM", "graph inter": "COMM", "graph rank": "RANK", "graph lists": "ARG",
    "graph weight": "ARG",
    "checkpoint null": "COMM", "checkpoint inter": "COMM", "checkpoint half": "COMM",
    "checkpoint empty": "ARG", "checkpoint empty on one": "ARG",
    "bind policy": "ARG", "bind granularity": "ARG", "bind matrix": "ARG",
    "redistribute null": "COMM", "redistribute to null": "COMM", "redistribute inter": "COMM",
    "redistribute half": "COMM", "redistribute count": "COUNT",
    "decision null": "COMM", "decision self": "COMM",
}


def check_errors(language, output):
    expected = {case: f"MPI_ERR_{name}" for case, name in EXPECTED.items()}
    expected["made none"] = "MPI_SUCCESS"
    if language == "python":  # without MPI's errors: see mpi.binding
        expected = {case: code for case, code in expected.items() if not case.startswith("bind")}
    else:
        expected["bind"] = "MPI_SUCCESS"
    found = dict(line.rsplit(" ", 1) for line in output.splitlines())
    kt.check_equal(found, expected, f"{language}: errors")


folder = kt.setting("KITH_BINARY") / "tests/api"
with kt.work_folder():
    tried = [name for name in ("c", "mpi", "f08") if (folder / name / "errors").exists()]
    for name in tried:
        check_errors(name, kt.mpirun(4, [folder / name / "errors"]).stdout)
    if languages.has_python("mpi4py"):
        tried.append("python")
        script = pathlib.Path(__file__).resolve().parent / "programs/errors.py"
        done = kt.mpirun(4, [languages.PYTHON, script], settings=languages.python_settings())
        check_errors("python", done.stdout)
    # Behind the MPI library, Kith sees no MPI_Init: told once, whatever is asked.
    program = kt.setting("KITH_BINARY") / "examples/api/c/reorder"
    library = re.search(r"=> (\S+/libmpi\.so\S*)", kt.run(["ldd", program]).stdout)
    kt.check(library, "the program's MPI library")
    done = kt.mpirun(4, [program], settings={"LD_PRELOAD": library[1]})
    kt.check_equal(done.stderr.count("before the MPI library on the link line?"), 1, done.stderr)
    # Settings that nothing can be done with: told once, and the order stays.
    for setting, value in (("KITH_TOPOLOGY", "tree:2xx"), ("KITH_TOPOLOGY", "tree:1x2"),
                           ("KITH_ALGORITHM", "nosuch")):
        done = kt.mpirun(4, [program], settings={setting: value})
        kt.check_equal(done.stderr.count(setting), 1, f"{setting}={value}: {done.stderr}")
        kt.check("order unchanged: " in done.stderr, f"{setting}={value}: {done.stderr}")
    print("errors in each of:", ", ".join(tried))
