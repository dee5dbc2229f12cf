#!/usr/bin/env python3
"""kith study topolb: what must hold of the figures of the paper on TopoLB."""

from kithcli import KithTest, main


class StudyTopoLb(KithTest):
    def setUp(self):
        super().setUp()
        found = self.json("study", "topolb")
        self.assertEqual(found["study"], "topolb")
        self.rows = {row["what"]: row for row in found["rows"]}

    def ours(self, what):
        return float(self.rows[what]["ours"].rstrip("%"))

    def paper(self, what):
        return float(self.rows[what]["paper"].removesuffix(" (formula)"))

    def test_meshes_on_tori_that_contain_them(self):
        for name in ("mesh:8x8 on torus:8x8", "mesh:16x16 on torus:16x16",
                     "mesh:32x32 on torus:32x32", "mesh:8x8 on torus:4x4x4"):
            self.assertEqual(self.rows[name + ", topolb"]["ours"], "1.0000")

    def test_random_placement_is_as_far_as_the_formula_says(self):
        rows = [what for what in self.rows if what.endswith((", random", "random, hops per byte"))
                and self.rows[what]["paper"] != "-"]
        self.assertGreaterEqual(len(rows), 8)
        for what in rows:
            self.assertTrue(self.rows[what]["paper"].endswith(" (formula)"), what)
            near = 0.1 if "3x6" in what else 0.04  # a few groups are no large number
            self.assertAlmostEqual(self.ours(what) / self.paper(what), 1, delta=near, msg=what)

    def test_topocentlb_is_not_ahead_with_the_lowest_of_equal_slots(self):
        for what in self.rows:
            if what.endswith("(lowest) against topolb"):
                self.assertGreaterEqual(self.ours(what), 0, what)

    def test_topocentlb_is_near_with_the_highest_of_equal_slots(self):
        behind = {what: self.ours(what) for what in self.rows
                  if what.endswith("(highest) against topolb")}
        flat = [found for what, found in behind.items() if self.rows[what]["paper"] == "behind"]
        deep = [found for what, found in behind.items()
                if self.rows[what]["paper"] == "about +10%"]
        self.assertEqual(flat, [0, 0, 0])
        self.assertEqual(len(deep), 3)
        self.assertAlmostEqual(sum(deep) / 3, 10, delta=2)

    def test_leanmd(self):
        for torus in ("torus:16x32", "torus:8x8x8"):  # as the note says
            self.assertAlmostEqual(self.ours(torus + ", neighbours of a group"), 12, delta=0.5)
        for torus in ("torus:16x32", "torus:8x8x8"):
            self.assertLess(self.ours(torus + ", topolb against random"), -34)
            self.assertLess(self.ours(torus + ", topocentlb against random"), -30)
            self.assertLess(self.ours(torus + ", refined against topolb"), -2)
            self.assertLess(self.ours(torus + ", refined against random"), -40)


if __name__ == "__main__":
    main()
