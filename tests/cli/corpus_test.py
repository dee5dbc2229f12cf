#!/usr/bin/env python3
"""The machines of tests/corpus: kith topo draws each as its golden picture says.

--update writes the goldens of what is there to be drawn.
"""
import os
import subprocess
import sys

from kithcli import CORPUS, KITH, KithTest, main

UPDATE = "--update" in sys.argv


def machines():
    """[(name, SPEC), ...] of the manifest."""
    lines = (CORPUS / "manifest").read_text().splitlines()
    return [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]


def golden(name):
    return CORPUS / "golden" / f"{name}.txt"


class Corpus(KithTest):
    def picture(self, spec):
        os.chdir(CORPUS)
        return self.call("topo", spec).stdout

    @staticmethod
    def can_read(spec):
        """topology.yaml needs yaml-cpp, which a build may lack: exit status 3."""
        return not spec.endswith(".yaml") or subprocess.run(
            [KITH, "topo", spec], cwd=CORPUS, capture_output=True).returncode != 3

    def test_pictures_are_the_golden_ones(self):
        self.maxDiff = None
        drawn = 0
        for name, spec in machines():
            if not self.can_read(spec):
                continue
            with self.subTest(name):
                found = self.picture(spec)
                if UPDATE:
                    golden(name).write_text(found)
                self.assertEqual(found, golden(name).read_text())
                drawn += 1
        self.assertGreaterEqual(drawn, len(machines()) - 1)

    def test_there_are_as_many_goldens_as_machines(self):
        names = [name for name, _ in machines()]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual({path.stem for path in (CORPUS / "golden").iterdir()}, set(names))

    def test_pictures_fit_a_terminal(self):
        for name, _ in machines():
            for line in golden(name).read_text().splitlines():
                self.assertLessEqual(len(line), 80, f"{name}: {line}")
                self.assertTrue(line.isascii(), f"{name}: {line}")

    def test_every_real_machine_loads(self):
        files = sorted((CORPUS / "hwloc").glob("*.xml"))
        self.assertGreaterEqual(len(files), 32)
        for path in files:
            with self.subTest(path.name):
                cores = self.json("topo", f"hwloc:{path}")
                threads = self.json("topo", f"hwloc:{path}", "--granularity", "pu")
                self.assertEqual(threads["slots"], cores["pus"])
                self.assertGreaterEqual(cores["pus"], cores["slots"])


if __name__ == "__main__":
    main(argv=[word for word in sys.argv if word != "--update"])
