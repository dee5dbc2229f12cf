#!/usr/bin/env python3
"""Completion, as bash and zsh do it: the shells' own functions with kith's scripts."""
import os
import pathlib
import pty
import shutil
import subprocess
import time

from help_test import UNLISTED, subcommands
from kithcli import KITH, KithTest, main, write_mtx
from profiles_test import HEADER

BASH = r"""
source ./script
COMP_LINE=$1 COMP_POINT=${#1}
# Words as bash breaks them for completion.
mapfile -t COMP_WORDS < <(python3 split.py "$1")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_kith
printf '%s\n' "${COMPREPLY[@]}"
"""
# Bash's rule for unquoted words: blanks separate, runs of : and = are words of their own.
SPLIT = r"""
import re, sys
line = sys.argv[1]
words = re.findall(r"[:=]+|[^\s:=]+", line)
if line.endswith(" "):
    words.append("")
print("\n".join(words))
"""


class Completion(KithTest):
    def setUp(self):
        super().setUp()
        pathlib.Path("bin").mkdir()
        pathlib.Path("bin/kith").symlink_to(KITH)
        os.environ["PATH"] = f"{os.path.realpath('bin')}:{os.environ['PATH']}"
        pathlib.Path("traces").mkdir()
        write_mtx("traces/app.mtx", 2, {(0, 1): 7})
        write_mtx("traces/other one.mtx", 2, {(0, 1): 7})
        pathlib.Path("split.py").write_text(SPLIT)

    def offers(self, *words):
        """What `kith complete` says to the words: candidates, and what the shell is to add."""
        lines = self.call("complete", "--", *words).stdout.splitlines()
        return ([line[1:].split("\t")[0] for line in lines if line.startswith("=")],
                [line for line in lines if not line.startswith("=")])

    def test_subcommands(self):
        names = subcommands(self.call("--help").stdout)
        self.assertEqual(self.offers(""), ([*names, "--help", "--version"], []))
        self.assertEqual(self.offers("co"), (["compare", "convert", "completion"], []))
        self.assertEqual(self.offers("x"), ([], []))
        for unlisted in ("engi", "stu"):
            self.assertEqual(self.offers(unlisted), ([], []))

    def test_every_option_and_its_values(self):
        for name in (*subcommands(self.call("--help").stdout), *UNLISTED):
            text = self.call(name, "--help").stdout.split("\nExamples:")[0]
            headings = [line.split("  ")[1] for line in text.splitlines()
                        if line.startswith("  -")]
            known = [word.rstrip(",") for heading in headings for word in heading.split()
                     if word.startswith("-")]
            candidates, _ = self.offers(name, "-")
            self.assertEqual(sorted(set(candidates) - {"--"}), sorted(known), name)
            for heading in headings:
                *names, value = heading.split()
                literal = [word for word in value.split("|") if word.islower() and
                           not word[0].isdigit() and not word.startswith("-")]
                if names and literal and "." not in value:
                    option = names[-1].rstrip(",")
                    self.assertLessEqual(set(literal), set(self.offers(name, option, "")[0]))
                    joined = [f"{option}={word}" for word in literal]
                    if option.startswith("--"):
                        self.assertLessEqual(set(joined), set(self.offers(name, f"{option}=")[0]))

    def test_arguments(self):
        self.assertEqual(self.offers("info", ""), ([], ["files:"]))
        self.assertEqual(self.offers("gen", "st"), (["stencil2d", "stencil3d"], []))
        self.assertEqual(self.offers("gen", "--seed", "1", "rm"), (["rmat"], []))
        self.assertIn("topolb", self.offers("study", "t")[0])
        self.assertEqual(self.offers("profiles", ""), (["list", "show", "rm"], []))
        self.assertEqual(self.offers("info", "a.mtx", "--"),
                         (["--picture", "--color", "--json", "--places", "--help"], []))
        self.assertEqual(self.offers("info", "a.mtx", "")[1], [])

    def test_profiles_by_name(self):
        store = pathlib.Path("home/profiles")
        store.mkdir(parents=True)
        for name in ("app-4-11111111", "lmp-4-33333333"):
            (store / f"{name}.mtx").write_text(HEADER.format(name=name, check="0" * 16))
        os.environ["KITH_HOME"] = "home"
        self.assertEqual(self.offers("profiles", "show", "a")[0], ["app-4-11111111"])
        self.assertEqual(self.offers("profiles", "rm", "app-4-11111111", "")[0],
                         ["app-4-11111111", "lmp-4-33333333"])

    def test_machines_and_algorithms(self):
        kinds, files = self.offers("map", "t.mtx", "--topology", "")
        for kind in ("tree:", "torus:", "hwloc:", "this", "job"):
            self.assertIn(kind, kinds)
        self.assertEqual(files, [])
        self.assertEqual(self.offers("map", "--topology", "hwloc:tra"), ([], ["files:hwloc:"]))
        self.assertEqual(self.offers("map", "--topology=hwloc:t"),
                         ([], ["files:--topology=hwloc:"]))
        self.assertEqual(self.offers("map", "--topology", "tree:4"), ([], []))
        self.assertIn("torus:", self.offers("topo", "t")[0])
        names = [entry["name"] for entry in self.json("algorithms")]
        self.assertEqual(self.offers("map", "--algorithm", "")[0], names)
        self.assertEqual(self.offers("map", "--algorithm", "scotch")[0], ["scotch", "scotch+refine"])
        self.assertEqual(self.offers("compare", "--algorithms", "kith,sca")[0], ["kith,scatter"])
        self.assertIn("threshold=", self.offers("map", "--set", "th")[0])

    def test_what_was_given_before(self):
        offered = self.offers("map", "--work", "5", "--seed=3", "--fix", "0=1", "--")[0]
        for gone in ("--work", "--time-limit", "--seed"):
            self.assertNotIn(gone, offered)
        for left in ("--fix", "--threads"):
            self.assertIn(left, offered)

    def test_behind_the_end_of_options(self):
        self.assertEqual(self.offers("run", "--trace", "t", "--", "mpi"), ([], ["command"]))
        self.assertIn("--", self.offers("run", "-")[0])
        self.assertEqual(self.offers("info", "--", "--js"), ([], ["files:"]))

    def bash(self, line):
        pathlib.Path("script").write_text(self.call("completion", "bash").stdout)
        done = subprocess.run(["bash", "--norc", "-c", BASH, "bash", line], text=True,
                              capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        return done.stdout.splitlines()

    def test_bash(self):
        for line, wanted in (("kith al", ["allocate", "algorithms"]),
                             ("kith map traces/a", ["traces/app.mtx"]),
                             ("kith map t.mtx --eff", ["--effort"]),
                             ("kith map t.mtx --effort ", ["fast", "balanced", "best"]),
                             ("kith map t.mtx --effort=ba", ["balanced"]),
                             ("kith map t.mtx --effort=", ["fast", "balanced", "best"]),
                             ("kith map t.mtx --topology tor", ["torus:"]),
                             ("kith map t.mtx --topology matrix:traces/a", ["traces/app.mtx"]),
                             ("kith map t.mtx --topology=matrix:traces/a", ["traces/app.mtx"]),
                             ("kith info traces/o", ["traces/other one.mtx"]),
                             ("kith topo tree:4", [""]),
                             ("kith run -- kith", ["kith"]),
                             ("kith run -- kith traces/a", ["traces/app.mtx"])):
            self.assertEqual(self.bash(line), wanted, line)

    def test_bash_at_the_keyboard(self):
        """A real bash with a real terminal: what Tab writes."""
        self.call("completion", "bash", "-o", "script")
        self.at_the_keyboard(["bash", "--norc", "--noprofile", "-i"], "source ./script")

    def test_zsh_at_the_keyboard(self):
        if shutil.which("zsh") is None:
            self.skipTest("no program 'zsh' (tools/install-packages --with-tests)")
        self.call("completion", "zsh", "-o", "script")
        self.at_the_keyboard(["zsh", "-f", "-i"],
                             "autoload -U compinit; compinit -u -D; source ./script")

    def at_the_keyboard(self, shell, setting_up):
        ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "PS1": "$ ", "HOME": os.getcwd(), "LC_ALL": "C",
                       "EDITOR": ""}
        process = subprocess.Popen(shell, stdin=theirs, stdout=theirs, stderr=theirs,
                                   env=environment, start_new_session=True)
        os.close(theirs)
        try:
            keys = Keyboard(ours)
            keys.type(setting_up + "; echo re''ady\n")
            keys.wait_for("ready")
            for begin, wanted in (
                    ("map traces/ap\t--eff\tfast", ("map", "traces/app.mtx", "--effort", "fast")),
                    ("gen rm\t--sca\t4", ("gen", "rmat", "--scale", "4")),
                    ("topo tor\t4x4", ("topo", "torus:4x4")),
                    ("map --topology=matrix:traces/ap\t",
                     ("map", "--topology=matrix:traces/app.mtx")),
                    ("info traces/oth\t", ("info", "traces/other one.mtx"))):
                # Instead of kith itself, something that shows the words, put before them.
                keys.text = ""
                keys.type(f"kith {begin}\x01printf '<%s>' \x05; echo d''one\n")
                keys.wait_for("done")
                self.assertIn("".join(f"<{word}>" for word in ("kith", *wanted)), keys.text, begin)
            keys.type("exit\n")
            process.wait(timeout=60)
        finally:
            if process.poll() is None:
                process.kill()
            os.close(ours)


class Keyboard:
    """What is typed into a terminal, and what it shows."""

    def __init__(self, terminal):
        self.terminal = terminal
        self.text = ""

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def wait_for(self, words):
        deadline = time.monotonic() + 60
        while words not in self.text:
            assert time.monotonic() < deadline, self.text
            self.text += os.read(self.terminal, 1 << 16).decode(errors="replace")


if __name__ == "__main__":
    main()
