"""The ways in which each test of a public suite runs: without Kith, traced, and in other orders, under
the MPI library that KITH_SUITE_MPI names (openmpi or mpich)."""
import os
import pathlib
import random
import re

import kithtest as kt
from debian_source import unpacked

PLAIN = "without Kith"
TRACE = pathlib.Path("suite")  # in the work folder
MPI = os.environ.get("KITH_SUITE_MPI", "openmpi")
kt.check(MPI in ("openmpi", "mpich"), f"KITH_SUITE_MPI: expected openmpi or mpich, found {MPI}")
LAUNCHER = {"openmpi": "mpirun", "mpich": "mpiexec.hydra"}[MPI]


def chosen(usual="reversed"):
    """The ways that KITH_SUITE_WAYS names, by commas: reversed, traced, random1, random2, ..."""
    ways = os.environ.get("KITH_SUITE_WAYS", usual).split(",")
    for way in ways:
        kt.check(re.fullmatch(r"reversed|traced|random\d+", way),
                 f"KITH_SUITE_WAYS: expected reversed, traced or random1, random2, ..., found {way}")
    return ways


def order_of(way, ranks):
    """The order of the ranks: the same for each test of as many ranks."""
    order = list(reversed(range(ranks)))
    if way != "reversed":
        generator = random.Random(f"{way} {ranks}")
        generator.shuffle(order)
        while ranks > 1 and order == sorted(order):  # no rank would move
            generator.shuffle(order)
    return order


def settings_of(way, ranks):
    """What the environment of one way has."""
    # MPICH's ranks never sleep: here several share a processor.
    settings = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1"} if MPI == "mpich" else {}
    if way == PLAIN:
        return settings
    settings |= {"LD_PRELOAD": kt.setting("KITH_LIB"), "KITH_VERBOSE": "0"}
    if way == "traced":
        return settings | {"KITH_TRACE": TRACE.absolute(), "KITH_FORCE": "1"}
    mapping = pathlib.Path(f"{way}-{ranks}.map").absolute()
    kt.write_mapping(mapping, order_of(way, ranks))
    return settings | {"KITH_REORDER": mapping}


def launched(way, ranks):
    """The words that start a job of so many ranks, up to its program."""
    words = [LAUNCHER, "-n", str(ranks)]
    for name, value in settings_of(way, ranks).items():
        words += ["-genv", name, str(value)] if MPI == "mpich" else ["-x", f"{name}={value}"]
    return words


def compiler(language):
    """mpicc, mpifort: of the library that is asked for."""
    return f"{language}.{MPI}"


def unpacked_source(package):
    """The suite's source: that of KITH_SUITE_SOURCE, else that of the Debian package."""
    given = os.environ.get("KITH_SUITE_SOURCE")
    if given:
        return pathlib.Path(given).absolute()
    folder = kt.setting("KITH_BINARY") / "tests/suites" / MPI  # programs are left beside their sources
    folder.mkdir(parents=True, exist_ok=True)
    return unpacked(package, folder)
