#!/usr/bin/env python3
"""`-` stands for standard input and output; files that may not be read are called that."""
import os
import pathlib
import subprocess
import unittest

from kithcli import KITH, KithTest, main

NOBODY = 65534


def fed(text, *words):
    return subprocess.run([KITH, *words], input=text, text=True, capture_output=True, timeout=100)


class StandardStreams(KithTest):
    def test_a_matrix_through_pipes(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        written = self.call("gen", "stencil2d", "--extents", "4x4", "-o", "-").stdout
        self.assertEqual(written, pathlib.Path("s.mtx").read_text())
        self.assertFalse(pathlib.Path("-").exists())
        words = ("--topology", "tree:4x4", "--json")
        for command in (("eval",), ("info",), ("map", "--algorithm", "eagermap")):
            topology = () if command == ("info",) else words[:2]
            of_file = self.call(*command, "s.mtx", *topology)
            piped = fed(written, *command, "-", *topology)
            self.assertEqual(piped.returncode, 0, piped.stderr)
            self.assertEqual(piped.stdout.replace("-\n", "s.mtx\n", 1) if command == ("info",)
                             else piped.stdout, of_file.stdout)
        csv = self.call("convert", "s.mtx", "s.csv") and pathlib.Path("s.csv").read_text()
        self.assertEqual(fed(written, "convert", "-", "-", "--to", "csv").stdout, csv)
        self.call("convert", "s.csv", "c.mtx")
        self.assertEqual(fed(csv, "convert", "-", "-").stdout, pathlib.Path("c.mtx").read_text())

    def test_errors_name_standard_input(self):
        done = fed("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 x 3\n", "info", "-")
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("kith: standard input:3: expected "), done.stderr)
        done = fed("", "info", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard input", done.stderr)

    def test_a_mapping_through_a_pipe(self):
        self.call("gen", "stencil2d", "--extents", "2x4", "-o", "s.mtx")
        words = ("s.mtx", "--topology", "tree:2x4")
        order = self.call("map", *words, "--algorithm", "random", "-o", "-").stdout
        pathlib.Path("r.map").write_text(order)
        for command, option in (("eval", "--mapping"), ("map", "--from")):
            of_file = self.call(command, *words, option, "r.map").stdout
            done = fed(order, command, *words, option, "-")
            self.assertEqual((done.stdout, done.returncode), (of_file, 0), done.stderr)
        done = fed("".join(f"{i} {i if i < 7 else 9}\n" for i in range(8)), "eval", *words, "--mapping", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("kith: standard input:8: expected a slot below 8, ", done.stderr)

    def test_times_have_units(self):
        self.call("gen", "geometric", "--ranks", "64", "-o", "g.mtx")
        words = ("map", "g.mtx", "--topology", "tree:8x8", "--time-limit")
        for time in ("2", "1.5s", "900ms", "500000us", "1min", "1h"):
            self.call(*words, time)
        self.assertEqual(self.json(*words, "1us")["stopped"], "time")
        for time in ("0ms", "-1s", "ms", "5 days", "1sms"):
            self.refused(*words, time, says=["--time-limit", "50ms", time])


@unittest.skipUnless(os.geteuid() == 0, "files are closed to somebody else")
class Permissions(KithTest):
    def test_what_may_not_be_read_is_not_missing(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        pathlib.Path("t.kith").mkdir()
        os.rename("s.mtx", "t.kith/bytes.mtx")
        pathlib.Path("t.kith/meta.json").write_text("{}")
        os.chmod(".", 0o777)
        os.chmod("t.kith", 0o700)
        try:
            able = subprocess.run([KITH, "--version"], user=NOBODY, capture_output=True)
        except PermissionError:
            able = None
        if able is None or able.returncode != 0:
            self.skipTest("nobody cannot run kith here")
        for name in ("t.kith", "t", "t.kith/bytes.mtx"):
            said = self.call("info", name, status=2, user=NOBODY).stderr
            self.assertIn("Permission denied", said)
            self.assertNotIn("nothing of this name", said)
        os.chmod("t.kith", 0o755)
        said = self.call("run", "--trace", "t", "--force", "--", "mpirun", "true", status=3,
                         user=NOBODY).stderr
        self.assertIn("t.kith: Permission denied", said)
        self.assertEqual(os.listdir(), ["t.kith"])


if __name__ == "__main__":
    main()
