"""The ways in which each test of a public suite runs: without Kith, traced, and in other orders."""
import os
import pathlib
import random
import re

import kithtest as kt
from debian_source import unpacked

PLAIN = "without Kith"
TRACE = pathlib.Path("suite")  # in the work folder


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


def exported(way, ranks):
    """The words with which mpirun hands on the settings of one way."""
    if way == PLAIN:
        return []
    settings = [f"LD_PRELOAD={kt.setting('KITH_LIB')}", "KITH_VERBOSE=0"]
    if way == "traced":
        settings += [f"KITH_TRACE={TRACE.absolute()}", "KITH_FORCE=1"]
    else:
        mapping = pathlib.Path(f"{way}-{ranks}.map").absolute()
        kt.write_mapping(mapping, order_of(way, ranks))
        settings += [f"KITH_REORDER={mapping}"]
    return [word for setting in settings for word in ("-x", setting)]


def unpacked_source(package):
    """The suite's source: that of KITH_SUITE_SOURCE, else that of the Debian package."""
    given = os.environ.get("KITH_SUITE_SOURCE")
    if given:
        return pathlib.Path(given).absolute()
    folder = kt.setting("KITH_BINARY") / "tests/suites"
    folder.mkdir(parents=True, exist_ok=True)
    return unpacked(package, folder)
