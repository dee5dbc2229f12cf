#!/usr/bin/env python3
"""Reordering in the middle of a run with state that moves along: what it costs against what it saves,
where the data ends up, and the example."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

binary = kt.setting("KITH_BINARY")
programs = binary / "tests/mpi"


def costs_and_orders():
    """Moving against saving; orders of orders; also where the world itself was reordered."""
    kt.write_mapping("reverse.map", [7, 6, 5, 4, 3, 2, 1, 0])
    for ranks, settings in ((4, {}), (8, {"KITH_REORDER": "reverse.map"})):
        for part in ("cost", "orders"):
            if settings:
                settings["KITH_TRACE"] = f"turned-{part}"
            done = kt.mpirun(ranks, [programs / "checkpointing", part], preload=bool(settings),
                             settings=settings)
            kt.check(f"checkpoints on {ranks} ranks" in done.stdout, done.stdout + done.stderr)
            kt.check("order unchanged" not in done.stderr, done.stderr)
    print("reordering with state: costs, orders of orders, parts of the world")


def redistribution():
    """Contents, wrong arguments and memory: linked and preloaded, in the launcher's order and not."""
    program = programs / "redistribute"
    kt.write_mapping("order.map", [3, 1, 0, 2])
    for preload, settings in ((False, {}), (True, {"KITH_REORDER": "order.map"})):
        for part in ("contents", "arguments"):
            done = kt.mpirun(4, [program, part], preload=preload, settings=settings)
            kt.check(f"{part} done" in done.stdout, done.stdout + done.stderr)
            kt.check("order unchanged" not in done.stderr, done.stderr)
    for ranks in (2, 5):
        kt.mpirun(ranks, [program, "arguments"])
    done = kt.mpirun(3, [program, "memory"], preload=True, settings={"KITH_TRACE": "moved"})
    extra = [int(word) for word in done.stdout.split("extra ")[1].split()[:2]]
    # 64 MiB have moved, as a million elements and as one.
    kt.check(all(0 < kib < 8192 for kib in extra), f"memory beside the buffer: {extra} KiB")
    counted = kt.check_trace("moved.kith", 3)["totals"]["bytes"]
    kt.check(counted < 100_000, f"what Kith moved was counted as the program's: {counted} bytes")
    print(f"kith_redistribute: up to {max(extra)} KiB beside the buffer")


def large():
    """Counts beyond an int: 2 GiB on each of two ranks."""
    room = int(re.search(r"MemAvailable:\s+(\d+) kB", pathlib.Path("/proc/meminfo").read_text())[1])
    if room < 6 << 20:
        kt.skip(f"needs 6 GiB of memory, found {room >> 20}")
    done = kt.mpirun(2, [programs / "redistribute", "large"], timeout=900)
    kt.check("large done" in done.stdout, done.stdout + done.stderr)
    print("kith_redistribute: more than 2^31 elements")


def example():
    """Two pretended hosts of four, with much and with little of the run to come."""
    program = binary / "examples/checkpoint/checkpoint"

    def outcome(arguments, settings):
        lines = kt.mpirun(8, [program, *arguments], settings=settings).stdout.splitlines()
        return lines[:-1], lines[-1]

    two_hosts = {"KITH_TOPOLOGY": "tree:2x4"}
    told, expected = outcome([500, 20, 0], two_hosts)
    kt.check_equal(told, [], "what is said without a checkpoint")
    kt.check(expected.startswith("checksum "), expected)
    for at, moves in ((4, True), (19, False)):
        told, found = outcome([500, 20, at], two_hosts)
        kt.check_equal(found, expected, f"reordered before step {at}")
        kt.check(told[0].startswith(f"step {at}: {'' if moves else 'not '}reordered: "), told)
        words = told[1].split()
        # Four of eight ranks move 4000 bytes over 4 hops.
        kt.check_equal((words[1], words[4]), ("4", "64000,"), told[1])
    print("example: the same to the last bit, moved only where it pays")


with kt.work_folder():
    if sys.argv[1:] == ["large"]:
        large()
    else:
        costs_and_orders()
        redistribution()
        example()
