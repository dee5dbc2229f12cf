#!/usr/bin/env python3
"""Kith beside others: PMPI tools before and behind it, EZTrace, gdb, valgrind, programs that fork,
and programs that start or meet other jobs.

Usage: coexistence_test.py [PART...]: only these parts.
"""
import json
import os
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

RANKS, STEPS = 2, 5
binary = kt.setting("KITH_BINARY")
programs = binary / "tests/mpi"
library = kt.setting("KITH_LIB")
halo = [binary / "examples/patterns/halo2d", 8, 6, STEPS]
REVERSED = [1, 0]


def preloaded(program, *libraries, ranks=RANKS, status=0, before=(), timeout=100, **settings):
    """Runs a program under the libraries in this order. Collectives are modelled: in the message
    layer, Kith would see what other tools send with PMPI functions too."""
    settings.setdefault("KITH_COLLECTIVES", "model")
    exports = [word for name, value in settings.items() for word in ("-x", f"{name}={value}")]
    preload = ["-x", "LD_PRELOAD=" + ":".join(map(str, libraries))] if libraries else []
    return kt.run(["mpirun", "-n", ranks, *preload, *exports, *before, *program], status=status,
                  timeout=timeout)


def matrix(trace, name="bytes"):
    return kt.read_matrix(pathlib.Path(trace) / f"{name}.mtx")


def kith_lines(done):
    return [line for line in done.stderr.splitlines() if line.startswith("kith:")]


def tool_lines(done):
    return [line for line in done.stderr.splitlines() if line.startswith("tool:")]


def tools():
    """A tool that chains and one that does not, before and behind Kith, in both orders of ranks."""
    kt.write_mapping("reverse.map", REVERSED)
    plain = preloaded(halo)
    preloaded(halo, library, KITH_TRACE="alone")
    for tool in ("chaining", "blunt"):
        shim = programs / f"lib{tool}_tool.so"
        alone = preloaded(halo, shim)
        seen = f"tool: 1 starts {4 * STEPS} sends 1 reductions"
        kt.check_equal(tool_lines(alone), [seen] * RANKS, f"the {tool} tool alone")
        for place, libraries in (("before", (shim, library)), ("behind", (library, shim))):
            what = f"a {tool} tool {place} Kith"
            trace = f"{tool}-{place}"
            done = preloaded(halo, *libraries, KITH_TRACE=trace)
            kt.check_equal(done.stdout, plain.stdout, f"{what}: output")
            kt.check_equal(tool_lines(done), [seen] * RANKS, f"{what}: what it saw")
            turned = preloaded(halo, *libraries, KITH_TRACE=f"{trace}-reversed",
                               KITH_REORDER="reverse.map")
            kt.check_equal(turned.stdout, plain.stdout, f"{what}, reversed: output")
            kt.check_equal(tool_lines(turned), [seen] * RANKS, f"{what}, reversed: what it saw")
            if (tool, place) == ("blunt", "before"):
                # Its MPI_Init goes past Kith, which never begins.
                kt.check_equal(list(pathlib.Path().glob(f"{trace}*")), [], f"{what}: files")
                for run in (done, turned):
                    kt.check_equal(len(kith_lines(run)), 1, f"{what}: lines on stderr")
                    kt.check("nothing was recorded" in kith_lines(run)[0], f"{what}: {run.stderr}")
                continue
            kt.check_equal(kith_lines(done), [], f"{what}: lines on stderr")
            kt.check_equal(matrix(f"{trace}.kith"), matrix("alone.kith"), f"{what}: bytes")
            order = kt.placement(f"{trace}-reversed.kith")
            if place == "behind":
                kt.check_equal(order, REVERSED, f"{what}: order")
            else:
                # Whether it chains cannot be known: the order stays, and one line says so.
                kt.check_equal(order, [0, 1], f"{what}: order")
                said = kith_lines(turned)
                kt.check(len(said) == 1 and "in front of Kith" in said[0], f"{what}: {said}")
    print("tools: both kinds before and behind Kith, in both orders of ranks")


def eztrace():
    """EZTrace's library for Open MPI on either side: both write their trace. Behind it Kith also
    sees what EZTrace itself sends."""
    tool = "libeztrace-openmpi.so"
    if shutil.which("eztrace") is None:
        kt.not_tried("eztrace is not installed")
        return
    plain = preloaded(halo)
    preloaded(halo, library, KITH_TRACE="alone")
    for place, libraries in (("before", (tool, library)), ("behind", (library, tool))):
        what, trace = f"EZTrace {place} Kith", f"ez-{place}"
        done = preloaded(halo, *libraries, KITH_TRACE=trace, EZTRACE_TRACE_DIR=f"{trace}-own")
        output = [line for line in done.stdout.splitlines() if not line.startswith("dir: ")]
        kt.check_equal(output, plain.stdout.splitlines(), f"{what}: output")
        found, alone = matrix(f"{trace}.kith"), matrix("alone.kith")
        kt.check(found == alone if place == "behind" else
                 all(found.get(cell, 0) >= weight for cell, weight in alone.items()),
                 f"{what}: bytes {found} instead of {alone}")
        own = [path for path in pathlib.Path().glob("**/*.otf2")]
        kt.check(own, f"{what}: it wrote no trace: {sorted(os.listdir())}")
        for path in {path.parent for path in own}:
            shutil.rmtree(path)
    print("eztrace: on either side")


def gdb():
    if shutil.which("gdb") is None:
        kt.not_tried("gdb is not installed")
        return
    plain = preloaded(halo)
    debugger = ["gdb", "-nx", "-batch", "-ex", "run", "-ex", "quit $_exitcode", "--args"]
    done = preloaded([*debugger, *halo], library, KITH_TRACE="debugged")
    kt.check(plain.stdout.strip() in done.stdout, f"gdb: output\n{done.stdout}{done.stderr}")
    # One sentence of each gdb: what they print in parts gets mixed.
    kt.check_equal(done.stdout.count("exited normally"), RANKS, f"gdb: ends\n{done.stdout}")
    preloaded(halo, library, KITH_TRACE="alone")
    kt.check_equal(matrix("debugged.kith"), matrix("alone.kith"), "gdb: bytes")
    print("gdb: runs to its end")


def errors_of_kith(log):
    """Errors in a log of valgrind whose innermost frame outside libc and valgrind is Kith's."""
    found = []
    for error in xml.etree.ElementTree.parse(log).getroot().iter("error"):
        for frame in error.find("stack").iter("frame"):
            name = pathlib.Path(frame.findtext("obj", "")).name
            if not re.match(r"libc[.-]|vgpreload|ld-linux", name):
                if name.startswith("libkith"):
                    found.append(f"{error.findtext('kind')} in {frame.findtext('fn')}")
                break
    return found


def valgrind():
    if shutil.which("valgrind") is None:
        kt.not_tried("valgrind is not installed")
        return
    tool = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=definite", "--xml=yes",
            "--xml-file=vg.%p.xml", "--child-silent-after-fork=yes"]
    preloaded([*tool, *halo], library, KITH_TRACE="vg", timeout=250)
    logs = sorted(pathlib.Path().glob("vg.*.xml"))  # of the ranks, and of Kith's own child
    kt.check(len(logs) >= RANKS, f"valgrind: logs {logs}")
    errors = [error for log in logs for error in errors_of_kith(log)]
    kt.check_equal(errors, [], "valgrind: errors in libkith.so")
    preloaded(halo, library, KITH_TRACE="alone")
    kt.check_equal(matrix("vg.kith"), matrix("alone.kith"), "valgrind: bytes")
    print("valgrind: no error in libkith.so")


def keys_left(log):
    """How many keys of attributes that libkith.so made were never freed, of a log of valgrind."""
    count = 0
    for error in xml.etree.ElementTree.parse(log).getroot().iter("error"):
        frames = [(frame.findtext("fn", ""), pathlib.Path(frame.findtext("obj", "")).name)
                  for frame in error.find("stack").iter("frame")]
        makers = [i for i, (function, _) in enumerate(frames)
                  if re.match(r"P?MPI_\w*create_keyval", function)]
        if any("hash_table" in function for function, _ in frames):
            continue  # the library's own list of keys has grown
        # Who asked for it: MPI_Init makes keys of the library's own, and is called through libkith.so.
        count += bool(makers) and frames[makers[0] + 1][1].startswith("libkith")
    return count


def keys_of_attributes():
    """A reordered world and communicators in another order: what Kith keeps with them is given back."""
    if shutil.which("valgrind") is None:
        print("keys: valgrind is not installed")
        return
    kt.write_mapping("reverse.map", REVERSED)
    tool = ["valgrind", "-q", "--leak-check=full", "--show-leak-kinds=all", "--xml=yes",
            "--xml-file=keys.%p.xml", "--child-silent-after-fork=yes"]
    done = preloaded([*tool, programs / "topology_rounds", "cart", 2, 1], library, timeout=250,
                     KITH_REORDER="reverse.map")
    kt.check("ranks reordered" in done.stderr, done.stderr)
    logs = sorted(pathlib.Path().glob("keys.*.xml"))
    kt.check(len(logs) >= RANKS, f"valgrind: logs {logs}")
    kt.check_equal([keys_left(log) for log in logs], [0] * len(logs), "keys that were never freed")
    print("keys of attributes: all freed")


def forks():
    """A child that does no MPI writes no trace, whatever way it ends, and counts nothing."""
    for way in ("exit", "_exit", "exec"):
        done = preloaded([programs / "forks", way], library, KITH_TRACE=way)
        kt.check_equal(kith_lines(done), [], f"forks, {way}: lines on stderr")
        kt.check_equal(sorted(path.name for path in pathlib.Path().glob(f"{way}*")),
                       [f"{way}.kith"], f"forks, {way}: files")
        kt.check_trace(f"{way}.kith", RANKS)
        kt.check_equal(matrix(f"{way}.kith"), {(0, 1): 111, (1, 0): 111}, f"forks, {way}: bytes")
    print("forks: three ways")


def other_jobs():
    """What stays inside is recorded, what goes to other jobs is counted apart."""
    inside = {"spawn": {(0, 1): 1000, (1, 0): 1000}, "merge": {(0, 1): 1010, (1, 0): 1000},
              "connect": {(0, 1): 10, (1, 0): 1034}}
    abroad = {"spawn": 20, "merge": 30, "connect": 0}
    for way in inside:
        for collectives in ("off", "model", "exact"):
            trace = pathlib.Path(f"{way}-{collectives}.kith")
            done = preloaded([programs / "dynamic", way], library, KITH_TRACE=trace,
                             KITH_COLLECTIVES=collectives)
            kt.check_equal(done.stdout, "met\n", f"dynamic, {way}: output")
            meta = kt.check_trace(trace, RANKS)
            kt.check_equal(kt.read_matrix(trace / "classes/p2p.bytes.mtx"), inside[way],
                           f"dynamic, {way}, {collectives}: bytes inside")
            # Collectives with other jobs go abroad, too.
            found = meta["totals"]["foreign_bytes"]
            kt.check(found == abroad[way] if collectives == "off" else found >= abroad[way],
                     f"dynamic, {way}, {collectives}: {found} bytes to other jobs")
    print("dynamic: spawn, merge, connect")


PARTS = {"tools": tools, "eztrace": eztrace, "gdb": gdb, "valgrind": valgrind, "keys": keys_of_attributes,
         "forks": forks, "other_jobs": other_jobs}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        with kt.work_folder():
            PARTS[name]()
    kt.finish()
