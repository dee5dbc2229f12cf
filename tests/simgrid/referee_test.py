#!/usr/bin/env python3
"""SimGrid is the referee: on 20 platforms x 10 timelines `kith predict` says the same seconds as
SimGrid does on the same links, with the same factors. Prints a table of the differences in percent.

Timelines of MPI programs are recorded here, where there is MPI; the others are of random programs."""
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from kithtest import check, mpirun, not_tried, finish, run, setting, skip, work_folder  # noqa: E402

MAKE = setting("KITH_BINARY") / "bin" / "made_trace"
PATTERNS = setting("KITH_BINARY") / "examples" / "patterns"
RANKS = 16
TARGET = 3  # percent
# Where messages that just meet, or just do not, decide, both may differ by more: see lib/simulate.
MOST_BEYOND, FARTHEST = 2, 6

RECORDED = {
    "halo2d": ("halo2d", 512, 256, 20),
    "halo3d": ("halo3d", 48, 20),
    "halo27": ("halo27", 4, 2, 2, 24, 5, 2),
    "cg_transpose": ("cg_transpose",),
    "fft_alltoall": ("fft_alltoall", 64, 4),
    "neighbour": ("neighbour",),
}
MADE = [f"random{seed}" for seed in range(1, 5)]
NETWORK = ["--link", "network=400,3"]
PLATFORMS = {
    "tree 4x4": ["tree:4x4"],
    "tree 16x1": ["tree:16x1"],
    "tree 8x2": ["tree:8x2", "--link", "level0=100,30"],
    "tree 2x4x2": ["tree:2x4x2", "--link", "level0=500,9", "--link", "level1=900,5"],
    "tree 4x2x2": ["tree:4x2x2", "--link", "level0=60,40", "--link", "level1=800,2"],
    "fat tree 4,4": ["fattree:4,2"],
    "fat tree tapered": ["fattree:4,2", "--link", "level0=120,12"],
    "fat tree 2^4": ["fattree:2,4"],
    "fat tree 2^4 slow": ["fattree:2,4", "--link", "level3=50,20"],
    "torus 4x4": ["torus:4x4"],
    "torus 4x4 slow": ["torus:4x4", "--link", "network=50,3"],
    "torus 8x2": ["torus:8x2", *NETWORK],
    "torus 2x2x4": ["torus:2x2x4", *NETWORK],
    "torus 4x4x4": ["torus:4x4x4", *NETWORK],
    "torus 2x4/2": ["torus:2x4/2", *NETWORK],
    "mesh 4x4": ["mesh:4x4", *NETWORK],
    "dragonfly 4,4,1": ["dragonfly:4,4,1", *NETWORK],
    "dragonfly 5,2,2": ["dragonfly:5,2,2", "--link", "network=100,1"],
    "unequal hosts": ["hosts:unequal1"],
    "unequal, slow": ["hosts:unequal2", "--link", "network=80,10"],
}


def record():
    """The names of the timelines, in the present folder."""
    names = []
    for name in MADE:
        run([MAKE, f"{name}.kith", RANKS, name.removeprefix("random")])
        names.append(name)
    if not (PATTERNS / "halo2d").exists() or not shutil.which("mpirun"):
        not_tried("no MPI: only random programs")
        return names
    for name, (program, *arguments) in RECORDED.items():
        mpirun(RANKS, [PATTERNS / program, *arguments], preload=True,
               settings={"KITH_TRACE": f"{name}.kith"})
        names.append(name)
    return names


def seconds(name, options, engine):
    # Random programs compute so long that nothing else would show.
    compute = ["--what-if", "compute=0.01x"] if name in MADE else []
    done = run([setting("KITH"), "predict", f"{name}.kith", "--topology", *options, *compute,
                "--algorithms", "topolb", "--engine", engine, "--progress", "always", "--sharing",
                "fair", "--overhead", "0,0", "--json"])
    return [order["seconds"] for order in json.loads(done.stdout)["orders"]]


def main():
    if not shutil.which("smpirun"):
        skip("no SimGrid (tools/install-packages --with-full-tests)")
    names = record()
    for name, slots in (("unequal1", (8, 4, 2, 2)), ("unequal2", (2, 6, 8))):
        pathlib.Path(name).write_text(
            "".join(f"{host} slots={n}\n" for host, n in zip("abcd", slots)))
    print("percent by which kith differs from SimGrid, of two orders the one that differs more")
    print(f"{'':18}" + "".join(f"{name:>13}" for name in names))
    worst = dict.fromkeys(names, 0.0)
    beyond = []
    for platform, options in PLATFORMS.items():
        line = f"{platform:18}"
        for name in names:
            ours = seconds(name, options, "kith")
            theirs = seconds(name, options, "simgrid")
            apart = max((100 * (a / b - 1) for a, b in zip(ours, theirs)), key=abs)
            worst[name] = max(worst[name], abs(apart))
            if abs(apart) > TARGET:
                beyond.append(f"{name} on {platform}: {apart:.2f}%")
            line += f"{apart:13.2f}"
        print(line, flush=True)
    print(f"{'worst':18}" + "".join(f"{worst[name]:13.2f}" for name in names))
    print(f"more than {TARGET}% apart: {beyond}")
    check(len(beyond) <= MOST_BEYOND, f"more than {TARGET}% apart: {beyond}")
    check(max(worst.values()) <= FARTHEST, f"more than {FARTHEST}% apart: {beyond}")


with work_folder():
    main()
    finish()
print("ok")
