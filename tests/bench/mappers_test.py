#!/usr/bin/env python3
"""Whether the tables of bench_mappers still work, on their smallest instances."""
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

BENCH = os.environ["KITH_BINARY"] + "/bin/bench_mappers"
SVG = "{http://www.w3.org/2000/svg}"


def bench(*words, status=0):
    run = subprocess.run([BENCH, *words], capture_output=True, text=True)
    assert run.returncode == status, (words, run.returncode, run.stderr)
    return run.stdout


def rows(text):
    """The lines of a table, each a {title: cell}; an instance is named in its first row."""
    lines = [[cell.strip() for cell in line.strip("|\n").split("|")]
             for line in text.splitlines() if line.startswith("|")]
    found = [dict(zip(lines[0], cells)) for cells in lines[2:]]
    for before, row in zip(found, found[1:]):
        row["instance"] = row.get("instance") or before.get("instance")
    return found


class Mappers(unittest.TestCase):
    def test_reference(self):
        found = rows(bench("--quick", "--algorithms", "kith", "--table", "reference",
                           "--efforts", "fast"))
        self.assertEqual({row["instance"] for row in found},
                         {"2D 5-point 32x32", "CG-like 64", "CG-like 256", "CG-like 1024",
                          "dense random 1000"})
        identity = [row for row in found if row["J reached"] in ("as quoted", "NOT QUOTED")]
        self.assertEqual([row["J"] for row in identity], ["103936"])
        self.assertEqual(identity[0]["J reached"], "as quoted")
        for who in ("scotch (this run)", "kith fast"):
            plane = [row for row in found if row["who"] == who][0]
            self.assertGreaterEqual(int(plane["J"]), 48640)
            self.assertLessEqual(int(plane["J"]), 103936)

    def test_own(self):
        found = rows(bench("--quick", "--table", "own", "--algorithms", "eagermap,scotch",
                           "--efforts", "fast"))
        self.assertGreaterEqual(len({row["instance"] for row in found}), 4)
        for row in found:
            if row["who"] == "kith fast" and row["of identity"]:
                self.assertLessEqual(float(row["of identity"]), 1)
        self.assertIn("kith fast", {row["who"] for row in found})

    def test_scaling(self):
        with tempfile.TemporaryDirectory() as folder:
            plot = folder + "/plot.svg"
            found = rows(bench("--quick", "--table", "scaling", "--efforts", "fast", "--threads",
                               "1", "--plot", plot))
            self.assertEqual([row["ranks"] for row in found], ["256", "1024"] * 3)
            svg = xml.etree.ElementTree.parse(plot).getroot()
        size = [float(svg.get("width")), float(svg.get("height"))]
        curves = [line for line in svg.iter(SVG + "polyline") if line.get("stroke-width") == "1.8"]
        self.assertGreaterEqual(len(curves), 2 * 3)  # time and memory of three patterns
        for line in svg.iter(SVG + "polyline"):
            for point in line.get("points").split():
                for at, most in zip(map(float, point.split(",")), size):
                    self.assertTrue(0 <= at <= most, point)
        self.assertIn("seconds", [text.text for text in svg.iter(SVG + "text")])

    def test_stencils(self):
        lines = bench("--algorithms", "compact,eagermap", "--ranks", "512").splitlines()
        self.assertEqual(len(lines), 1 + 2 * 2 * 2)  # machines, orders, mappers

    def test_links(self):
        found = rows(bench("--quick", "--table", "links", "--only", "torus"))
        self.assertEqual([row["who"] for row in found if row["who"]],
                         ["hop-bytes", "network-time", "annealed from hop-bytes"])
        busiest = [float(row["busiest link"]) for row in found if row["who"]]
        self.assertTrue(all(0 < one <= 1 for one in busiest))
        self.assertLess(busiest[1], busiest[0])

    def test_structures(self):
        words = ("--table", "structures", "--members", "1", "--most-ranks", "100", "--annealing",
                 "50", "--efforts", "fast", "--limit", "5")
        text = bench(*words)
        members, summary = text.strip().split("\n\n")
        found = rows(members)
        names = {row["instance"] for row in found}
        self.assertEqual([name[0] for name in sorted(names)], list("ABCDEFGIJK"))
        for family in "ABCDEFI":
            who = [row["who"] for row in found if row["instance"][0] == family]
            self.assertIn(who[0], ("planted", "best known"))
            self.assertEqual(who[1:], ["kith fast"])
        self.assertEqual(len(rows(summary)), len(names))
        for row in found:
            if row["above reference"]:
                self.assertGreaterEqual(float(row["above reference"].strip("%")), 0, row)

        def only(seed):
            lines = bench(*words, "--only", "B", "--seed", seed).split("\n\n")[0]
            return [row["J"] for row in rows(lines)]
        self.assertEqual(only("1"), [row["J"] for row in found if row["instance"][0] == "B"])
        self.assertNotEqual(only("1"), only("2"))

    def test_what_it_does_not_understand(self):
        for words in (["--table", "none"], ["--ranks", "many"], ["--efforts", "slow"], ["--what"],
                      ["--algorithms", "nobody"]):
            bench(*words, status=2)


if __name__ == "__main__":
    unittest.main()
