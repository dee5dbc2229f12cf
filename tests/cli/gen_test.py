#!/usr/bin/env python3
"""kith gen."""
import itertools
import pathlib
import signal
import subprocess
import time

from kithcli import KITH, KithTest, main, read_mtx


def grid(extents, weights, periodic):
    """{(higher rank, lower rank): weight} of the neighbours in a grid, from the definition:
    weights[k] for a neighbour that differs on k + 1 axes, None for no neighbour."""
    cells = {}
    index = lambda at: sum(x * s for x, s in zip(at, strides))
    strides = [1]
    for extent in reversed(extents[1:]):
        strides.insert(0, strides[0] * extent)
    for at in itertools.product(*map(range, extents)):
        for step in itertools.product((-1, 0, 1), repeat=len(extents)):
            axes = sum(map(abs, step))
            if axes == 0 or weights[axes - 1] is None:
                continue
            to = [x + s for x, s in zip(at, step)]
            if periodic:
                to = [x % extent for x, extent in zip(to, extents)]
            if not all(0 <= x < extent for x, extent in zip(to, extents)):
                continue
            a, b = index(at), index(to)
            if a != b:
                cells[max(a, b), min(a, b)] = weights[axes - 1]
    return cells


class Gen(KithTest):
    def generate(self, *words):
        self.call("gen", *words, "-o", "g.mtx")
        first = pathlib.Path("g.mtx").read_text().splitlines()[0]
        self.assertEqual(first, "%%MatrixMarket matrix coordinate integer symmetric")
        ranks, cells = read_mtx("g.mtx")
        for row, column in cells:
            self.assertGreater(row, column)  # each pair once, below the diagonal
            self.assertLess(row, ranks)
        return ranks, cells

    def test_stencils(self):
        for pattern, extents, points, given, weights in (
                ("stencil2d", (3, 5), 5, None, (1, None)),
                ("stencil2d", (3, 5), 9, None, (10, 1)),
                ("stencil2d", (4, 6), 9, "7,3", (7, 3)),
                ("stencil2d", (4, 1), 9, "2", (2, 2)),
                ("stencil3d", (3, 4, 5), 7, None, (1, None, None)),
                ("stencil3d", (3, 4, 5), 7, "9", (9, None, None)),
                ("stencil3d", (3, 4, 5), 27, None, (100, 10, 1)),
                ("stencil3d", (5, 3, 4), 27, "30,20,10", (30, 20, 10))):
            for periodic in (False, True):
                if periodic and min(extents) < 3:
                    continue  # two ways to one neighbour: the unit tests say what holds then
                words = [pattern, "--extents", "x".join(map(str, extents)), "--points", points]
                words += ["--weights", given] if given else []
                words += ["--periodic"] if periodic else []
                ranks, cells = self.generate(*words)
                expected = 1
                for extent in extents:
                    expected *= extent
                self.assertEqual(ranks, expected)
                self.assertEqual(cells, grid(extents, weights, periodic), words)

    def test_default_points(self):
        self.assertEqual(self.generate("stencil2d", "--extents", "4x4"),
                         self.generate("stencil2d", "--extents", "4x4", "--points", "5"))
        self.assertEqual(self.generate("stencil3d", "--extents", "3x3x3"),
                         self.generate("stencil3d", "--extents", "3x3x3", "--points", "7"))

    def test_all_to_all(self):
        ranks, cells = self.generate("alltoall", "--ranks", "7", "--weight", "12")
        self.assertEqual(cells, {(i, j): 12 for i in range(ranks) for j in range(i)})

    def test_cg(self):
        ranks, cells = self.generate("cg", "--ranks", "64")
        side = 8
        expected = {}
        for row in range(side):
            for column in range(side):
                here = row * side + column
                partners = [row * side + (column ^ 1 << k) for k in range(3)]
                for there in (*partners, column * side + row):
                    if here != there:
                        expected[max(here, there), min(here, there)] = 1000
        self.assertEqual(set(cells), set(expected))
        self.assertEqual(cells, expected)

    def test_leanmd(self):
        ranks, cells = self.generate("leanmd", "--further", "18", "--atoms", "5")
        self.assertEqual(ranks, 3240 + 18)
        self.assertEqual(set(cells.values()), {120})
        # A cell with its own pair object, and each pair of cells with theirs.
        self.assertEqual(len(cells), 216 * (1 + 13 * 2))
        self.assertEqual(self.generate("leanmd", "--extents", "3x3x4")[0], 36 * 15)
        self.refused("gen", "leanmd", "--extents", "2x3x3", "-o", "g.mtx", says="at least 3")

    def test_lu(self):
        ranks, cells = self.generate("lu", "--ranks", "8", "--weight", "3")
        self.assertEqual(cells, {(1, 0): 6, (2, 1): 6, (3, 2): 6, (5, 4): 6, (6, 5): 6, (7, 6): 6,
                                 (4, 0): 3, (5, 1): 3, (6, 2): 3, (7, 3): 3})
        self.refused("gen", "lu", "--ranks", "12", "-o", "x.mtx", says="a power of two")

    def test_noise_and_sparsify(self):
        plain = self.generate("stencil2d", "--extents", "8x8", "--weight", "1000")[1]
        words = ["stencil2d", "--extents", "8x8", "--weight", "1000", "--noise"]
        level = ["--noise-level", "0.5"]
        for model in ("gaussian-multiplicative", "uniform-multiplicative"):
            noisy = self.generate(*words, model, *level)[1]
            self.assertLessEqual(set(noisy), set(plain))
            self.assertNotEqual(noisy, plain)
            self.assertEqual(self.generate(*words, model, *level, "--noise-seed", "1")[1], noisy)
            self.assertNotEqual(self.generate(*words, model, *level, "--noise-seed", "2")[1], noisy)
        for model in ("gaussian-additive", "uniform-additive"):
            noisy = self.generate(*words, model, "--noise-level", "30")[1]
            self.assertGreater(len(noisy), 800)  # of 2016 pairs
            kept = self.generate(*words, model, "--noise-level", "30", "--sparsify", "0.5")[1]
            self.assertEqual(set(kept), set(plain))
        self.refused("gen", *words, "uniform-additive", "-o", "x.mtx", says="--noise-level")
        self.refused("gen", *words[:-1], *level, "-o", "x.mtx", says="--noise with it")
        self.refused("gen", *words, "loud", *level, "-o", "x.mtx", says="gaussian-additive")
        for factor in ("-0.1", "1.1", "much"):
            self.refused("gen", *words[:-1], f"--sparsify={factor}", "-o", "x.mtx",
                         says="--sparsify: expected a number from 0 to 1")

    def test_seeds(self):
        for words in (["geometric", "--ranks", "100"], ["mesh", "--ranks", "100"],
                      ["dense", "--ranks", "20"], ["rmat", "--scale", "6", "--draws", "300"]):
            first = self.generate(*words, "--seed", "1")
            self.assertEqual(self.generate(*words), first)
            self.assertNotEqual(self.generate(*words, "--seed", "2"), first)
        self.assertEqual(self.generate("rmat", "--scale", "6")[0], 64)

    def test_permuted(self):
        ranks, plain = self.generate("stencil2d", "--extents", "6x7")
        _, once = self.generate("stencil2d", "--extents", "6x7", "--permute", "3")
        self.assertEqual(self.generate("stencil2d", "--extents", "6x7", "--permute", "3"),
                         (ranks, once))
        self.assertNotEqual(set(once), set(plain))
        degrees = lambda cells: sorted(sum(r in pair for pair in cells) for r in range(ranks))
        self.assertEqual(degrees(once), degrees(plain))

    def test_other_formats(self):
        self.call("gen", "stencil2d", "--extents", "5x5", "--points", "9", "-o", "g.mtx")
        expected = self.json("info", "g.mtx")
        for ending, format_name in (("csv", None), ("txt", None), ("data", "dense"),
                                    ("graph", None), ("grf", None)):
            words = ["--format", format_name] if format_name else []
            self.call("gen", "stencil2d", "--extents", "5x5", "--points", "9", *words, "-o",
                      f"g.{ending}")
            found = self.json("info", f"g.{ending}")
            for fact in ("ranks", "pairs", "bytes", "degree", "heaviest"):
                self.assertEqual(found[fact], expected[fact], (ending, fact))

    def test_options_that_would_be_without_effect(self):
        self.refused("gen", "alltoall", "--ranks", "4", "--seed", "3", "-o", "g.mtx",
                     says=["--seed", "alltoall"])
        self.refused("gen", "stencil2d", "--extents", "4x4", "--ranks", "16", "-o", "g.mtx",
                     says="--ranks")
        self.refused("gen", "geometric", "--ranks", "16", "--periodic", "-o", "g.mtx",
                     says="--periodic")

    def test_nothing_is_left_of_a_file_that_cannot_be_written(self):
        self.refused("gen", "alltoall", "--ranks", "4", "-o", "nowhere/g.mtx", status=3,
                     says=["nowhere/g.mtx", "No such file or directory"])

    def test_nothing_is_left_after_an_interruption(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            running = subprocess.Popen([KITH, "gen", "stencil2d", "--extents", "6000x6000",
                                        "-o", "g.mtx"], stderr=subprocess.PIPE)
            while not list(pathlib.Path().glob("g.mtx.tmp-*")):
                self.assertIsNone(running.poll())
                time.sleep(0.01)
            running.send_signal(number)
            self.assertEqual(running.wait(timeout=60), -number)
            running.stderr.close()
            self.assertEqual(list(pathlib.Path().iterdir()), [])

    def test_links_without_a_target(self):
        pathlib.Path("link.mtx").symlink_to("real.mtx")
        self.call("gen", "alltoall", "--ranks", "4", "-o", "link.mtx")
        self.assertTrue(pathlib.Path("link.mtx").is_symlink())
        self.assertEqual(read_mtx("real.mtx")[0], 4)
        pathlib.Path("a.mtx").symlink_to("b.mtx")
        pathlib.Path("b.mtx").symlink_to("a.mtx")
        self.refused("gen", "alltoall", "--ranks", "4", "-o", "a.mtx", status=3, says="a.mtx")

    def test_the_help_says_what_a_pair_s_weight_is(self):
        help_text = self.call("gen", "--help").stdout
        self.assertIn("Each direction of a pair gets the given weight", help_text)


if __name__ == "__main__":
    main()
