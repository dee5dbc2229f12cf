#!/usr/bin/env python3
"""tools/install-packages where it cannot install: it names the packages and exits with 3."""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "install-packages"
# What the script runs beside apt-get and dpkg-query.
PLAIN = ("bash", "sed", "sort", "tr", "fold", "comm", "id", "mktemp", "rm", "tail", "env", "cat")


def run(folder, *options):
    done = subprocess.run([SCRIPT, *options], env={"PATH": str(folder)}, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def fake(folder, name, body):
    (folder / name).write_text(f"#!/bin/bash\n{body}\n")
    (folder / name).chmod(0o755)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for program in PLAIN:
        found = [pathlib.Path(place) / program for place in ("/usr/bin", "/bin")
                 if (pathlib.Path(place) / program).exists()]
        (folder / program).symlink_to(found[0])

    code, out, err = run(folder, "--with-tests")
    check(code == 3 and "no Debian" in err and "libscotch-dev" in err and "hpcc" in err,
          f"without apt-get: {code} {out} {err}")
    check(run(folder, "--nonsense")[0] == 2, "an unknown option is no exit 2")

    # A Debian that has all but two packages, and whose user is nobody.
    fake(folder, "apt-get", f'echo "$@" >> {folder}/calls; exit 100')
    fake(folder, "dpkg-query", 'for p in "${@:4}"; do case $p in cmake|hpcc) ;; '
                               '*) echo "installed $p" ;; esac; done')
    code, out, err = run(folder, "--list", "--with-tests")
    check((code, out.split()) == (0, ["cmake", "hpcc"]), f"--list: {code} {out} {err}")
    code, out, err = run(folder, "--list")
    check((code, out.split()) == (0, ["cmake"]), f"--list without tests: {code} {out} {err}")
    check(not (folder / "calls").exists(), "--list calls apt-get")
    fake(folder, "sudo", 'echo "a password is required" >&2; exit 1')
    (folder / "id").unlink()
    fake(folder, "id", "echo 1000")
    code, out, err = run(folder)
    check(code == 3 and "cmake" in err and not (folder / "calls").exists(),
          f"without sudo: {code} {out} {err}")

    # sudo works, but apt-get does not: lists refreshed, tried again, and said so.
    fake(folder, "sudo", 'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"')
    (folder / "true").symlink_to("/bin/true")
    code, out, err = run(folder)
    check(code == 3 and "cmake" in err, f"with a broken apt-get: {code} {out} {err}")
    check("update" in (folder / "calls").read_text(), "the package lists were not refreshed")

    # Everything there: says so.
    fake(folder, "dpkg-query", 'for p in "${@:4}"; do echo "installed $p"; done')
    code, out, err = run(folder, "--with-tests", "--with-examples")
    check((code, out) == (0, "Packages: nothing to install.\n"), f"complete: {code} {out} {err}")
print("ok")
