#!/usr/bin/env python3
"""Manual pages: all that the help says is in them, and formatters take them without a warning."""
import os
import pathlib
import re
import shutil
import subprocess

from help_test import UNLISTED, examples, subcommands
from kithcli import KithTest, main
from pseudo_terminal import on_terminal

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def formatted(page):
    """As it appears, in one line of words."""
    done = subprocess.run(["groff", "-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-rLL=2000n"],
                          input=page, text=True, capture_output=True, timeout=60)
    return " ".join(done.stdout.split())


class Man(KithTest):
    def setUp(self):
        super().setUp()
        self.names = [*subcommands(self.call("--help").stdout), *UNLISTED]

    def test_one_page_per_subcommand(self):
        self.call("man", "--all", "pages")
        found = sorted(str(path.relative_to("pages")) for path in pathlib.Path("pages").rglob("*.*"))
        self.assertEqual(found, sorted(["man1/kith.1", "man7/kith-environment.7",
                                        *(f"man1/kith-{name}.1" for name in self.names)]))
        for name in self.names:
            page = pathlib.Path(f"pages/man1/kith-{name}.1").read_text()
            self.assertEqual(page, self.call("man", name).stdout)
            self.assertEqual(page, self.call("man", f"kith-{name}").stdout)
        self.assertEqual(self.call("man").stdout, pathlib.Path("pages/man1/kith.1").read_text())

    def test_a_terminal_gets_a_page_to_read(self):
        os.mkdir("bin")
        reader = pathlib.Path("bin/man")
        for then, expected in (("exit 0", "read: .TH"), ("exit 1", "this is the page's source")):
            reader.write_text(f"#!/bin/sh\necho read: $(grep -o '^.TH')\n{then}\n")
            reader.chmod(0o755)
            shown = on_terminal("man", "map", streams=("stdout", "stderr"),
                                env={"PATH": f"{os.path.abspath('bin')}:{os.environ['PATH']}"})
            self.assertIn(expected, shown)
            self.assertEqual(".TH KITH" in shown, then == "exit 1")

    def test_all_of_the_help(self):
        if shutil.which("groff") is None:
            self.skipTest("no program 'groff' (tools/install-packages --with-tests)")
        for name in self.names:
            page = formatted(self.call("man", name).stdout)
            text = self.call(name, "--help").stdout
            options, rest = text.split("\nExamples:\n")
            for heading in re.findall(r"(?m)^  (-\S.*?)(?:  |$)", options):
                self.assertIn(heading, page, name)
            for line in examples(text):
                self.assertIn(" ".join(line.split()), page, name)
            # Explanations, notes and arguments: every word in its order.
            for block in re.split(r"\n\n|\n(?=  \S)", options.split("\n\nUsage:")[1]):
                for part in re.split(r"  +", " ".join(block.splitlines()[1:])):
                    words = " ".join(part.split())
                    if not words.endswith(":"):
                        self.assertIn(words, page, name)
        overview = formatted(self.call("man").stdout)
        for name in self.names:
            self.assertEqual(f"kith-{name}(1)" in overview, name not in UNLISTED, name)

    def test_formatters_find_nothing(self):
        checks = [["groff", "-man", "-Tutf8", "-ww", "-z"],
                  ["mandoc", "-T", "lint", "-W", "warning"]]
        able = [check for check in checks if shutil.which(check[0])]
        if not able:
            self.skipTest("neither groff nor mandoc (tools/install-packages --with-tests)")
        for name in ("kith", "environment", *self.names):
            page = self.call("man", name).stdout
            for check in able:
                done = subprocess.run(check, input=page, text=True, capture_output=True, timeout=60)
                found = [line for line in (done.stdout + done.stderr).splitlines()
                         if "missing date" not in line]  # a page of any day is the same
                self.assertEqual(found, [], (name, check))

    def test_every_setting(self):
        """What the sources read, what the page says and what the README lists."""
        page = self.call("man", "environment").stdout.replace("\\-", "-")
        said = re.findall(r"(?m)^\.TP\n\\fB(KITH_\w+)", page)
        unlisted = {"KITH_CHECK", "KITH_RUN_MARK", "KITH_RUN_NUMBER", "KITH_TOPOLOGIES"}  # not for users; a former name
        read = set()
        for file in ("lib/protocol/settings.cpp", "lib/profile/profile_key.cpp"):
            read |= set(re.findall(r'"(KITH_\w+)"', (SOURCE / file).read_text()))
        self.assertEqual(sorted(said), sorted(read - unlisted))
        documents = (SOURCE / "README.md").read_text() + \
            (SOURCE / "lib/profile/README.md").read_text()
        listed = set(re.findall(r"(?m)^\| .*`(KITH_\w+)=", documents))
        self.assertGreater(len(listed), 10)
        self.assertLessEqual(listed, set(said))

    def test_bad_input(self):
        self.refused("man", "mpa", says=["PAGE", "did you mean map?"])
        self.refused("man", "map", "--all", "x", says=["--all", "map"])
        pathlib.Path("file").touch()
        self.refused("man", "--all", "file", status=3, says="file")


if __name__ == "__main__":
    main()
