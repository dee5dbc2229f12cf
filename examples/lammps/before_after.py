#!/usr/bin/env python3
"""The main job on a real program: trace LAMMPS as it is, map it, run it again in the better order,
and show both on a page.

A slab of 16 ranks in a 4 x 4 grid, long in y: started rank by rank on 4 hosts of 4 cores, most of
what the ranks exchange crosses between hosts. All ranks run on this machine, so the hosts are
imagined (--topology tree:4x4) and what is shown is bytes, not time.

usage: before_after.py [--kith PROGRAM] [--work FOLDER] [--steps N]
Exit status 1 where the two runs differ in their physics or no byte is saved.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

TOPOLOGY = "tree:4x4"
RANKS = 16
SLAB = {"px": 4, "py": 4, "pz": 1, "lx": 10, "ly": 40, "lz": 10}


def say(text):
    print(text, flush=True)


def call(command, show=True, capture=True):
    """Runs a command, shown as one would type it; returns its stdout, unless that is printed."""
    command = [str(word) for word in command]
    if show:
        say("  $ " + shlex.join([pathlib.Path(command[0]).name, *command[1:]]))
    done = subprocess.run(command, stdout=subprocess.PIPE if capture else None,
                          stdin=subprocess.DEVNULL, text=True)
    if done.returncode != 0:
        print(done.stdout or "", end="")
        sys.exit(f"before_after: exit status {done.returncode} of: {shlex.join(command)}")
    return done.stdout


def launch(steps):
    """The user's own command line; only the number of ranks exceeds this machine's cores."""
    here = pathlib.Path(__file__).resolve().parent
    words = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(RANKS)]
    if os.geteuid() == 0:
        words.insert(1, "--allow-run-as-root")
    words += ["lmp", "-log", "none", "-in", str(here / "in.lj")]
    for name, value in {**SLAB, "n": steps}.items():
        words += ["-var", name, str(value)]
    return words


def physics(output):
    """LAMMPS's table of temperature, energies and pressure."""
    table = re.search(r"^ *Step.*?(?=^Loop time)", output, re.MULTILINE | re.DOTALL)
    if not table:
        sys.exit(f"before_after: LAMMPS printed no thermodynamics:\n{output}")
    return [" ".join(line.split()) for line in table.group().splitlines()]


def write_placement(trace, path):
    """Where each rank of the recorded run really was: the j-th process of the launcher sits on slot
    j of the imagined machine."""
    ranks = json.loads((pathlib.Path(trace) / "machine.json").read_text())["ranks"]
    lines = [f"{process['rank']} {process['launcher_rank']}\n" for process in ranks]
    pathlib.Path(path).write_text("".join(lines))
    return path


def evaluate(kith, trace, mapping):
    """(bytes between hosts, hop-bytes) of a trace under a mapping."""
    row = json.loads(call([kith, "eval", trace, "--topology", TOPOLOGY, "--mapping", mapping,
                           "--json"], show=False))
    row = row.get("metrics", row)
    return row["level_bytes"][0], row["hop_bytes"]


def table(before, predicted, after):
    say(f"\n  {'':22}{'before':>14}{'predicted':>14}{'measured after':>16}{'saved':>9}")
    for name, *values in zip(("bytes between hosts", "hop-bytes"), before, predicted, after):
        saved = 1 - values[2] / values[0]
        say(f"  {name:22}{values[0]:14,}{values[1]:14,}{values[2]:16,}{saved:9.1%}")


def seconds(kith):
    command = [kith, "predict", "slab.kith", "--topology", TOPOLOGY, "--mapping", "slab.map",
               "--link", "level0=118,30"]
    processors = len(os.sched_getaffinity(0))
    if processors >= RANKS:
        say("\n5. And in seconds, if the four hosts were joined by Ethernet of 1 Gbit/s:")
        call(command, capture=False)
        return
    say(f"\n5. No seconds here: {RANKS} ranks shared {processors} processors, and waited for those. On "
        f"{RANKS} or more, kith predict\n   says what both orders would take, with hosts joined by "
        "Ethernet of 1 Gbit/s for example.")


def main():
    parser = argparse.ArgumentParser(description="Trace, map and reorder a LAMMPS run.")
    parser.add_argument("--kith", default=shutil.which("kith"), help="the program kith")
    parser.add_argument("--work", default="lammps-before-after", help="folder for the results")
    parser.add_argument("--steps", type=int, default=300, help="time steps of the simulation")
    options = parser.parse_args()
    if not options.kith:
        parser.error("no program kith in PATH; give --kith")
    kith = pathlib.Path(options.kith).resolve()
    work = pathlib.Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    os.chdir(work)

    say(f"1. Run LAMMPS as it is on {RANKS} ranks, and record who sends how much to whom.")
    first = physics(call([kith, "run", "--trace", "slab", "--force", "--", *launch(options.steps)]))
    say("\n2. Find a better order for 4 hosts of 4 cores.")
    call([kith, "compare", "slab.kith", "--topology", TOPOLOGY], capture=False)
    call([kith, "map", "slab.kith", "--topology", TOPOLOGY, "-o", "slab.map"])
    say("\n3. Run the same program again, in that order.")
    second = physics(call([kith, "run", "--trace", "slab-reordered", "--force", "--reorder",
                           "slab.map", "--", *launch(options.steps)]))

    before = evaluate(kith, "slab.kith", write_placement("slab.kith", "before.map"))
    predicted = evaluate(kith, "slab.kith", "slab.map")
    after = evaluate(kith, "slab-reordered.kith",
                     write_placement("slab-reordered.kith", "after.map"))
    table(before, predicted, after)

    say("\n  The physics, as printed by the first run and by the reordered one:")
    for left, right in zip(first, second):
        say(f"    {left:44} | {right}")
    if first != second:
        sys.exit("before_after: the two runs differ in their physics")
    if after[0] >= before[0]:
        sys.exit("before_after: the new order saves nothing between hosts")
    say(f"\n  The same physics. Results are in {pathlib.Path.cwd()}.")
    say("\n4. See both orders side by side: open slab.html there in any browser.")
    call([kith, "report", "slab.kith", "--topology", TOPOLOGY, "-o", "slab.html"])
    seconds(kith)
    say(f"\nThe page to open in a browser: {pathlib.Path.cwd() / 'slab.html'}")


if __name__ == "__main__":
    main()
