#!/usr/bin/env python3
"""kith algorithms."""
import pathlib
import unittest

from kithcli import KithTest, write_mtx


class Algorithms(KithTest):
    def test_the_list(self):
        write_mtx("t.mtx", 4, {(0, 3): 5, (1, 2): 6})
        pathlib.Path("loads.txt").write_text("1\n1\n1\n1\n")
        listed = self.json("algorithms")
        names = [entry["name"] for entry in listed]
        for name in ("identity", "random", "eagermap", "scotch", "auto"):
            self.assertIn(name, names)
        text = self.call("algorithms").stdout
        for entry in listed:
            self.assertEqual(set(entry), {"name", "summary", "source", "settings"})
            self.assertTrue(entry["summary"] and entry["source"])
            self.assertIn(entry["summary"], text)
            for setting in entry["settings"]:
                self.assertIn(f"--set {setting['name']}={setting['usual']}", text)
                self.call("map", "t.mtx", "--topology", "tree:4", "--algorithm", entry["name"],
                          "--coordinates", "4", "--loads", "loads.txt",
                          "--set", f"{setting['name']}={setting['usual']}")

    def test_each_can_be_named_with_and_without_refinement(self):
        write_mtx("t.mtx", 4, {(0, 3): 5, (1, 2): 6})
        pathlib.Path("loads.txt").write_text("1\n1\n1\n1\n")
        for entry in self.json("algorithms"):
            for name in (entry["name"], entry["name"] + "+refine"):
                found = self.json("map", "t.mtx", "--topology", "tree:2x2", "--algorithm", name,
                                  "--coordinates", "4", "--loads", "loads.txt")
                self.assertEqual(sorted(found["mapping"]), [0, 1, 2, 3])


if __name__ == "__main__":
    unittest.main()
