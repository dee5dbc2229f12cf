"""What the tests of the program `kith` share: running it in a folder of the test's own."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

KITH = os.path.abspath(os.environ["KITH"])  # tests change the folder
SKIPPED = 77  # as tests/support/kithtest.py has it
CORPUS = pathlib.Path(__file__).resolve().parents[1] / "corpus"


class main(unittest.TestProgram):
    """unittest.main; where a test was skipped and none failed, the exit status says so to ctest."""

    def runTests(self):
        self.exit = False
        super().runTests()
        sys.exit(1 if not self.result.wasSuccessful() else SKIPPED if self.result.skipped else 0)


class KithTest(unittest.TestCase):
    """Each test runs in an empty folder."""

    def setUp(self):
        self.before = os.getcwd()
        self.folder = tempfile.TemporaryDirectory(prefix="kithcli-")
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir(self.before)
        self.folder.cleanup()

    def call(self, *words, env=None, status=0, **options):
        """Runs kith; checks the exit status; returns the result with text stdout and stderr."""
        done = subprocess.run([KITH, *map(str, words)], text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=100,
                              env={**os.environ, **(env or {})}, **options)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        return done

    def json(self, *words, **options):
        return json.loads(self.call(*words, "--json", **options).stdout)

    def refused(self, *words, says, status=2, env=None):
        """kith refuses: one line on stderr with all of `says`, nothing on stdout, no file made or
        changed."""
        before = snapshot()
        done = self.call(*words, status=status, env=env)
        self.assertEqual(done.stdout, "", words)
        self.assertEqual(done.stderr.count("\n"), 1, f"{words}: {done.stderr}")
        self.assertTrue(done.stderr.startswith("kith: "), done.stderr)
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, done.stderr, words)
        self.assertEqual(snapshot(), before, words)
        return done.stderr


def snapshot():
    """Every file below the current folder with its content."""
    return {str(path): path.read_bytes() if path.is_file() else None
            for path in sorted(pathlib.Path().rglob("*"))}


def write_mtx(path, ranks, entries, symmetry="general"):
    """entries: {(source, destination): weight}, counting from 0."""
    lines = [f"%%MatrixMarket matrix coordinate integer {symmetry}",
             f"{ranks} {ranks} {len(entries)}"]
    lines += [f"{i + 1} {j + 1} {w}" for (i, j), w in entries.items()]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def read_mtx(path):
    """(ranks, {(i, j): weight}) as the file stands; symmetric entries once."""
    lines = [line for line in pathlib.Path(path).read_text().splitlines()
             if not line.startswith("%")]
    rows, columns, count = map(int, lines[0].split())
    assert rows == columns and count == len(lines) - 1, lines[0]
    cells = {}
    for line in lines[1:]:
        i, j, weight = map(int, line.split())
        assert (i - 1, j - 1) not in cells, line
        cells[i - 1, j - 1] = weight
    return rows, cells


def tree_hops(arities, a, b):
    """Twice the levels up to the common ancestor, from the definition."""
    levels = 0
    for arity in reversed(arities):
        if a == b:
            break
        a, b, levels = a // arity, b // arity, levels + 1
    return 2 * levels


def read_mapping(text):
    """[slot of rank 0, ...] of a mapping file's text."""
    pairs = sorted(tuple(map(int, line.split())) for line in text.splitlines()
                   if not line.startswith("#"))
    assert [rank for rank, _ in pairs] == list(range(len(pairs)))
    return [slot for _, slot in pairs]
