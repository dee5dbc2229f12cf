#!/usr/bin/env python3
"""The README's commands, as they stand there: those of its blocks of shell commands, then those of
its table "Find your command", in a folder with a program ./app. And its C code compiles.

./app is a script that starts an example whatever its arguments are, as a user's would.
"""
import json
import os
import pathlib
import re
import shlex
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from documents import blocks, section, table_rows  # noqa: E402
from kithtest import (LAUNCH_ENVIRONMENT, check, check_equal, check_trace,  # noqa: E402
                      need_programs, run, setting, work_folder)

README = setting("KITH_SOURCE") / "README.md"
BINARY = setting("KITH_BINARY")
PROGRAM = f"""#!/bin/sh
exec {BINARY}/examples/patterns/halo2d 256 64 20
"""


def follow(commands, environment):
    """Runs lines of shell commands, each of which has to succeed; returns what they printed."""
    done = run(["bash", "-euo", "pipefail", "-c", commands], environment, timeout=300)
    return done.stdout + done.stderr


def table_commands():
    """The commands of "Find your command" that are whole: a word of `kith` and its arguments."""
    spans = [span for row in table_rows(README, "Find your command")
             for span in re.findall(r"`(kith [^`]+)`", row[1])]
    return [span for span in spans if len(shlex.split(span)) > 2]


def check_two_commands():
    """What the first section names is there and can be started."""
    named = re.findall(r"(?m)^(t\S+/\S+) +#", section(README, "Two commands"))
    check(named == ["tools/quickstart", "tests/run"], f"the two commands are {named}")
    for name in named:
        check(os.access(README.parent / name, os.X_OK), f"{name} cannot be started")


def check_c_code(environment):
    """The C lines, in a function that has the names which they take from the program."""
    for block in blocks(README):
        if block.language == "c":
            include, _, body = block.text.partition("\n")
            pathlib.Path("readme.c").write_text(
                f"{include}\nvoid f(MPI_Comm comm, double *field, int cells) {{\n"
                f"  MPI_Comm better;\n{body}}}\n")
            run(["mpicc", "-Wall", "-Werror", "-c", "-I", README.parent / "include", "readme.c"],
                environment)


def check_picture():
    """The picture at the top is what its commands make (but for its looks), and the shares below it
    are those that `kith eval` tells."""
    shown, anew = (re.findall(r"\d+\.?\d*", " ".join(re.findall(r"<text[^>]*>([^<]*)<",
                                                                 path.read_text())))
                   for path in (README.parent / ".github/traffic.svg", pathlib.Path("mesh.svg")))
    check_equal(shown, anew, "numbers of the README's picture, against the picture made anew")
    run([setting("KITH"), "map", "mesh.mtx", "--topology", "tree:8x16", "--objective", "network-time",
         "--effort", "fast", "--fix", "0=0", "-o", "mesh.map"])
    for words in ([], ["--mapping", "mesh.map"]):
        row = json.loads(run([setting("KITH"), "eval", "mesh.mtx", "--topology", "tree:8x16",
                              "--json", *words]).stdout)
        by_level = row.get("metrics", row)["level_bytes"]
        share = f"{by_level[0] / sum(by_level):.0%}"
        check(share in README.read_text().split("##")[0], f"{share} of the bytes cross, it is not "
                                                          "what the README says of its picture")


need_programs("mpirun", "mpicc")
with work_folder() as folder:
    home = folder / "home"
    environment = {**LAUNCH_ENVIRONMENT, "HOME": str(home), "XDG_STATE_HOME": str(home / "state"),
                   "PATH": f"{setting('KITH').parent}:{os.environ['PATH']}"}
    (folder / "app").write_text(PROGRAM)
    (folder / "app").chmod(0o755)
    check_two_commands()
    check_c_code(environment)

    said = ""
    for block in blocks(README):
        if block.language == "sh":
            said += follow(block.text, environment)
    meta = check_trace("first.kith", 16)
    # On one host, whose cores may all be alike, the order may well stay.
    check(meta["ranks"] == 16 and re.search(r"(ranks reordered: as|order unchanged:) job.map", said),
          said)

    check_picture()
    commands = table_commands()
    check(len(commands) > 6, f"only {commands}")
    (folder / "first.kith").rename("of-the-blocks.kith")
    first_of_all = [c for c in commands if "--trace" in c]
    for command in first_of_all + [c for c in commands if c not in first_of_all]:
        said += follow(command, environment)
    check(pathlib.Path("first.html").read_text().startswith("<!"), "no page")
    check(pathlib.Path("job.rankfile").read_text().startswith("rank 0="), "no rankfile")
print(f"{len(commands)} commands of the table, and the blocks")
