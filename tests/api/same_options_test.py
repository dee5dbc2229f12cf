#!/usr/bin/env python3
"""The options, the report and the reasons of C, Fortran and Python: same names, order and defaults."""
import inspect
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import kithtest as kt

sys.path.insert(0, str(ROOT / "lib/bindings/python"))
from kith import _reordering

C = re.sub(r"/\*.*?\*/", "", (ROOT / "include/kith/kith.h").read_text(), flags=re.DOTALL)
FORTRAN = (ROOT / "lib/bindings/fortran/kith.f90").read_text()
# What stands for "not said" in each language.
UNSET = {"NULL": None, "-1.0": None, "-1": None, "0.0": 0, "0": 0, "": None, ".false.": 0}


def in_c(struct):
    """The fields behind `size`."""
    body = re.search(rf"typedef struct {struct} {{(.*?)}}", C, re.DOTALL)[1]
    return re.findall(r"(\w+)(?:\[\d+\])?;", body)[1:]


def in_fortran(struct):
    """{field: default}, in order."""
    body = re.search(rf"type :: {struct}\n(.*?)end type", FORTRAN, re.DOTALL)[1]
    return dict(re.findall(r":: (\w+)(?: = ([^\s!]+))?", body))


def in_python():
    return {name: parameter.default
            for name, parameter in inspect.signature(_reordering._options).parameters.items()}


def defaults(values):
    return [UNSET.get(str(value), value) for value in values]


names = in_c("kith_options")
kt.check(len(names) == 7, f"options of kith.h: {names}")
kt.check_equal(list(in_fortran("kith_options")), names, "options of Fortran")
kt.check_equal(list(in_python()), names, "options of Python")
init = re.search(r"#define KITH_OPTIONS_INIT {(.*?)}", C)[1].split(", ")[1:]
kt.check_equal(defaults(in_fortran("kith_options").values()), defaults(init), "defaults of Fortran")
kt.check_equal(defaults(in_python().values()), defaults(init), "defaults of Python")

names = in_c("kith_report")
kt.check_equal(list(in_fortran("kith_report")), names, "report of Fortran")
kt.check_equal(list(_reordering.Decision.__dataclass_fields__), names, "report of Python")

reasons = {name.lower(): int(number) for name, number in re.findall(r"(KITH_REASON_\w+) = (\d+)", C)}
kt.check(len(reasons) == 6, f"reasons of kith.h: {reasons}")
kt.check_equal({name: int(number) for name, number in
                re.findall(r"(kith_reason_\w+) = (\d+)", FORTRAN)}, reasons, "reasons of Fortran")
kt.check_equal({f"kith_reason_{one.name.lower()}": one.value for one in _reordering.Reason}, reasons,
               "reasons of Python")
print("C, Fortran and Python have the same options, report and reasons")
