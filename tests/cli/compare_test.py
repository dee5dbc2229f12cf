#!/usr/bin/env python3
"""kith compare."""
import unittest

from kithcli import SHARED, KithTest


class Compare(KithTest):
    def test_a_stencil_in_three_dimensions(self):
        self.call("gen", "stencil3d", "--extents", "8x8x8", "--points", "27", "-o", "s.mtx")
        rows = self.json("compare", "s.mtx", "--topology", "tree:8x4x16")
        names = [row["algorithm"] for row in rows]
        listed = [entry["name"] for entry in self.json("algorithms")]
        self.assertCountEqual(names, listed + ["eagermap+refine", "scotch+refine"])
        values = [row["metrics"]["hop_bytes"] for row in rows]
        self.assertEqual(values, sorted(values))
        for row in rows:
            self.assertNotIn("mapping", row)
            self.assertEqual((row["ranks"], row["slots"]), (512, 512))
            self.assertEqual(row["baseline"], rows[0]["baseline"])
            self.assertAlmostEqual(row["ratio"], row["metrics"]["hop_bytes"] /
                                   row["baseline"]["hop_bytes"])
        by_name = {row["algorithm"]: row for row in rows}
        self.assertEqual(by_name["identity"]["ratio"], 1)
        self.assertLess(by_name["eagermap"]["ratio"], 1)
        self.assertLessEqual(by_name["eagermap+refine"]["ratio"], by_name["eagermap"]["ratio"])
        self.assertLessEqual(by_name["auto"]["ratio"], by_name["eagermap+refine"]["ratio"])
        # Each row is what `kith map` says of this algorithm.
        for name in ("eagermap", "scotch+refine"):
            found = self.json("map", "s.mtx", "--topology", "tree:8x4x16", "--algorithm", name)
            self.assertEqual(found["metrics"], by_name[name]["metrics"])

    def test_a_chosen_few_and_the_seed(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "-o", "s.mtx")
        asked = ("compare", "s.mtx", "--topology", "tree:8x8@100,1", "--algorithms",
                 "identity,random,random+refine")
        rows = self.json(*asked, "--seed", "3")
        self.assertEqual({row["algorithm"] for row in rows},
                         {"identity", "random", "random+refine"})
        self.assertEqual({row["objective"] for row in rows}, {"sum-com"})
        other = {row["algorithm"]: row for row in self.json(*asked, "--seed", "4")}
        worst = next(row for row in rows if row["algorithm"] == "random")
        self.assertNotEqual(worst["metrics"], other["random"]["metrics"])
        text = self.call(*asked).stdout.splitlines()
        self.assertEqual(len(text), 2 + 3)
        self.assertIn("sum-com", text[1])

    def test_what_one_algorithm_cannot_do_is_a_row(self):
        # The tree of the slots in use is lopsided: the paper's algorithm needs a symmetric one.
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        asked = ("compare", "s.mtx", "--topology", "tree:4x8;slots=0-7,8-12,16-18",
                 "--algorithms", "identity,scotch,eagermap")
        rows = {row["algorithm"]: row for row in self.json(*asked)}
        self.assertEqual(set(rows), {"identity", "scotch", "eagermap"})
        self.assertIsNotNone(rows["scotch"]["metrics"])
        if "problem" in rows["eagermap"]:
            self.assertIsNone(rows["eagermap"]["metrics"])
            self.assertEqual(list(rows)[-1], "eagermap")
            self.assertIn(rows["eagermap"]["problem"], self.call(*asked).stdout)

    def test_more_ranks_than_slots(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        self.refused("compare", "s.mtx", "--topology", "tree:2x2", says=["--topology", "16"])

    def test_a_recorded_trace(self):
        traces = sorted((SHARED / "cases" / "recorded").rglob("*.mtx"))
        if not traces:
            self.skipTest("the shared cases are not here")
        found = self.json("info", traces[0])
        rows = self.json("compare", traces[0], "--topology", f"tree:{found['ranks']}x2")
        self.assertGreater(len(rows), 5)


if __name__ == "__main__":
    unittest.main()
