#!/usr/bin/env python3
"""The halo examples under `kith run --reorder auto` on 4 hosts x 4 ranks, dealt to the hosts in
either way: from the second run on as few bytes leave the hosts as under the best tiling by blocks,
and what cannot be improved is left alone.

usage (inside a bed): auto_halo_test.py few|all
Bytes are those of the shapers' own counters; a program that only starts and ends is taken off.
"""
import itertools
import math
import pathlib
import re
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
from shapers import bytes_out


BUILD = kt.setting("KITH_BINARY")
HOSTS = {"node": [rank % 4 for rank in range(16)], "ppr:4:node": [rank // 4 for rank in range(16)]}
# Program, arguments, the grid that it makes of 16 ranks, bytes to a neighbour in each dimension,
# and whether the grid closes to a torus.
CASES = {
    "halo2d, rows talk": ("halo2d", (1024, 256, 80), (4, 4), (256, 1024), True),
    "halo2d, columns talk": ("halo2d", (256, 1024, 80), (4, 4), (1024, 256), True),
    "halo3d": ("halo3d", (48, 40), (4, 2, 2), (1, 1, 1), False),
}
FEW = [("halo2d, rows talk", "node"), ("halo2d, columns talk", "ppr:4:node")]
ALL = list(itertools.product(CASES, HOSTS))
TOLERANCE = 0.05


def blocks(extents, width):
    sizes = itertools.product(*([b for b in range(1, e + 1) if e % b == 0] for e in extents))
    return [size for size in sizes if math.prod(size) == width]


def block_of(place, extents, block):
    """Number of the block that a place of the grid is in."""
    number = 0
    for at, extent, size in zip(place, extents, block):
        number = number * (extent // size) + at // size
    return number


def cut(extents, weights, torus, block):
    total = 0
    for place in itertools.product(*map(range, extents)):
        for d, extent in enumerate(extents):
            for way in (-1, 1):
                to = place[d] + way
                if not torus and not 0 <= to < extent:
                    continue
                other = (*place[:d], to % extent, *place[d + 1:])
                total += weights[d] * (block_of(other, extents, block)
                                       != block_of(place, extents, block))
    return total


def write_best_tiling(path, case, dealt):
    _, _, extents, weights, torus = CASES[case]
    best = min(blocks(extents, 4), key=lambda block: cut(extents, weights, torus, block))
    free = {host: [slot for slot in range(16) if HOSTS[dealt][slot] == host] for host in range(4)}
    places = itertools.product(*map(range, extents))
    kt.write_mapping(path, [free[block_of(place, extents, best)].pop(0) for place in places])
    return best


def launch(dealt, options, program):
    """(result, bytes that left the hosts, seconds) of `kith run` on host h0 (options None: without)."""
    before, started = bytes_out(), time.monotonic()
    launcher = ["mpirun", "-n", 16, "--map-by", dealt, *program]
    command = launcher if options is None else [kt.setting("KITH"), "run", *options, "--", *launcher]
    done = kt.run(["onhost", "h0", *command], timeout=150, environment={"KITH_HOME": f"home by {dealt}"})
    return done, bytes_out() - before, time.monotonic() - started


def line_of(done):
    lines = re.findall(r"^kith: auto: (.*)$", done.stderr, re.M)
    kt.check_equal(len(lines), 1, done.stderr)
    return lines[0]


def check_case(case, dealt, rounds, idle):
    name, words, *_ = CASES[case]
    program = [BUILD / "examples/patterns" / name, *words]
    best = write_best_tiling("best.map", case, dealt)
    first, as_dealt, _ = launch(dealt, ["--reorder", "auto"], program)
    kt.check("first run; recorded as profile" in line_of(first), first.stderr)
    found = {"auto": [], "best tiling": []}
    for _ in range(rounds):
        done, sent, seconds = launch(dealt, ["--reorder", "auto"], program)
        kt.check_equal(done.stdout, first.stdout, f"{case}: results")
        found["auto"].append((sent - idle, seconds))
        _, sent, seconds = launch(dealt, ["--reorder", "best.map"], program)
        found["best tiling"].append((sent - idle, seconds))
    sent, wall = ({way: statistics.median(run[i] for run in runs) for way, runs in found.items()}
                  for i in (0, 1))
    print(f"{case}, dealt by {dealt}: {(as_dealt - idle) / 1e6:.2f} MB leave the hosts, then under "
          f"auto {sent['auto'] / 1e6:.2f} ({wall['auto']:.2f} s); best tiling {best} "
          f"{sent['best tiling'] / 1e6:.2f} ({wall['best tiling']:.2f} s)\n  {line_of(done)}")
    kt.check(sent["auto"] <= (1 + TOLERANCE) * sent["best tiling"],
             f"{case}, dealt by {dealt}: {sent}")


def print_seconds_left_alone(rounds):
    """What Kith costs where it can gain nothing: runs that take turns, printed and not checked."""
    program = [BUILD / "examples/patterns/fft_alltoall", 64, 20]
    launch("ppr:4:node", ["--reorder", "auto"], program)
    seconds = {"without Kith": [], "auto": []}
    for _ in range(rounds):
        seconds["without Kith"].append(launch("ppr:4:node", None, program)[2])
        seconds["auto"].append(launch("ppr:4:node", ["--reorder", "auto"], program)[2])
    medians = {way: statistics.median(runs) for way, runs in seconds.items()}
    print(f"fft, {rounds} runs each: {medians['without Kith']:.2f} s without Kith, "
          f"{medians['auto']:.2f} s under auto "
          f"({100 * (medians['auto'] / medians['without Kith'] - 1):+.1f}%)")


def check_left_alone(idle):
    program = [BUILD / "examples/patterns/fft_alltoall", 64, 4]
    _, plain, _ = launch("ppr:4:node", [], program)
    launch("ppr:4:node", ["--reorder", "auto"], program)
    done, sent, seconds = launch("ppr:4:node", ["--reorder", "auto"], program)
    print(f"fft: {(plain - idle) / 1e6:.2f} MB, under auto {(sent - idle) / 1e6:.2f} "
          f"({seconds:.2f} s)\n  {line_of(done)}")
    kt.check("order unchanged: " in line_of(done), done.stderr)
    kt.check(abs(sent / plain - 1) < TOLERANCE, f"fft: {sent} bytes instead of {plain}")


def main(extent):
    _, idle, _ = launch("node", ["--reorder", "auto"], [BUILD / "tests/apps/whereami"])
    for case, dealt in ALL if extent == "all" else FEW:
        check_case(case, dealt, 3 if extent == "all" else 1, idle)
    check_left_alone(idle)
    if extent == "all":
        print_seconds_left_alone(5)


if __name__ == "__main__":
    with kt.work_folder():
        main(sys.argv[1])
