#!/usr/bin/env python3
"""The machines of tests/corpus: kith topo draws each as its golden picture says.

--update writes the goldens of what is there to be drawn.
"""
import os
import pathlib
import subprocess
import sys
import unittest

from kithcli import KITH, SHARED, KithTest

CORPUS = pathlib.Path(__file__).resolve().parents[1] / "corpus"
FOLDERS = {"here": CORPUS, "shared": SHARED / "corpus"}
UPDATE = "--update" in sys.argv


def machines():
    """[(name, folder, SPEC), ...] of the manifest."""
    lines = (CORPUS / "manifest").read_text().splitlines()
    words = [line.split(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return [(name, FOLDERS[where], spec) for name, where, spec in words]


def golden(name):
    return CORPUS / "golden" / f"{name}.txt"


class Corpus(KithTest):
    def picture(self, folder, spec):
        os.chdir(folder)
        return self.call("topo", spec).stdout

    @staticmethod
    def can_read(folder, spec):
        """topology.yaml needs yaml-cpp, which a build may lack: exit status 3."""
        return not spec.endswith(".yaml") or subprocess.run(
            [KITH, "topo", spec], cwd=folder, capture_output=True).returncode != 3

    def test_pictures_are_the_golden_ones(self):
        self.maxDiff = None
        drawn = 0
        for name, folder, spec in machines():
            if not folder.is_dir() or not self.can_read(folder, spec):
                continue
            with self.subTest(name):
                found = self.picture(folder, spec)
                if UPDATE:
                    golden(name).write_text(found)
                self.assertEqual(found, golden(name).read_text())
                drawn += 1
        self.assertGreaterEqual(drawn, 9)

    def test_there_are_as_many_goldens_as_machines(self):
        names = [name for name, _, _ in machines()]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual({path.stem for path in (CORPUS / "golden").iterdir()}, set(names))

    def test_pictures_fit_a_terminal(self):
        for name, _, _ in machines():
            for line in golden(name).read_text().splitlines():
                self.assertLessEqual(len(line), 80, f"{name}: {line}")
                self.assertTrue(line.isascii(), f"{name}: {line}")

    def test_every_real_machine_loads(self):
        files = sorted((SHARED / "corpus" / "hwloc").glob("*.xml"))
        if not files:
            self.skipTest("no shared/corpus/hwloc beside the project")
        self.assertGreaterEqual(len(files), 32)
        for path in files:
            with self.subTest(path.name):
                cores = self.json("topo", f"hwloc:{path}")
                threads = self.json("topo", f"hwloc:{path}", "--granularity", "pu")
                self.assertEqual(threads["slots"], cores["pus"])
                self.assertGreaterEqual(cores["pus"], cores["slots"])


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--update"])
