#!/usr/bin/env python3
"""kith topo."""
import time
import unittest

from kithcli import KithTest


class Topo(KithTest):
    def test_a_tree(self):
        self.assertEqual(self.json("topo", "tree:64x2x8"), {
            "kind": "tree", "slots": 1024, "pus": 1024, "nodes": 64,
            "levels": [{"name": "level0", "count": 1, "cost": 6},
                       {"name": "level1", "count": 64, "cost": 4},
                       {"name": "level2", "count": 128, "cost": 2}],
            "dims": []})

    def test_costs(self):
        found = self.json("topo", "tree:4x2@12.5,1")
        self.assertEqual([level["cost"] for level in found["levels"]], [12.5, 1])
        self.assertIn("12.5", self.call("topo", "tree:4x2@12.5,1").stdout)

    def test_this_machine_is_the_default(self):
        found = self.json("topo")
        self.assertEqual(found, self.json("topo", "this"))
        self.assertEqual(found["nodes"], 1)
        self.assertGreaterEqual(found["pus"], found["slots"])
        self.assertGreaterEqual(found["slots"], 1)
        pus = self.json("topo", "this", "--granularity", "pu")
        self.assertEqual(pus["slots"], pus["pus"])

    def test_the_text_names_the_levels(self):
        text = self.call("topo", "tree:3x5;slots=0-6").stdout
        self.assertIn("slots 15 (7 may be used)", text)
        self.assertRegex(text, r"level0 +1 +3 +4 +4\n")
        self.assertRegex(text, r"level1 +3 +5 +2 +2\n")

    def test_large_machines_are_quick(self):
        begin = time.monotonic()
        found = self.json("topo", "tree:4096x4096x200")
        self.call("topo", "tree:4096x4096x200")
        self.assertEqual(found["slots"], 4096 * 4096 * 200)
        self.assertLess(time.monotonic() - begin, 10)


if __name__ == "__main__":
    unittest.main()
