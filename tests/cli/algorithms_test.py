#!/usr/bin/env python3
"""kith algorithms."""
import pathlib

from kithcli import KithTest, main, write_mtx

INPUTS = {"loads": "loads.txt", "coordinates": "4", "sparse-factor": "0.5"}


class Algorithms(KithTest):
    def setUp(self):
        super().setUp()
        write_mtx("t.mtx", 4, {(0, 3): 5, (1, 2): 6})
        pathlib.Path("loads.txt").write_text("1\n1\n1\n1\n")

    def map_words(self, name, inputs):
        """Maps onto a tree with the inputs given."""
        words = ["map", "t.mtx", "--topology", "tree:2x2", "--algorithm", name]
        for one in inputs:
            words += ["--" + one, INPUTS[one]]
        return words

    def test_the_list(self):
        listed = self.json("algorithms")
        names = [entry["name"] for entry in listed]
        for name in ("identity", "random", "eagermap", "scotch", "auto"):
            self.assertIn(name, names)
        text = self.call("algorithms").stdout
        for entry in listed:
            self.assertEqual(set(entry), {"name", "summary", "source", "uses", "settings"})
            self.assertTrue(entry["summary"] and entry["source"])
            self.assertIn(entry["summary"], text)
            for setting in entry["settings"]:
                self.assertIn(f"--set {setting['name']}={setting['usual']}", text)
                self.call(*self.map_words(entry["name"], entry["uses"]),
                          "--set", f"{setting['name']}={setting['usual']}")

    def test_inputs_are_taken_where_listed_and_refused_elsewhere(self):
        users = {one: set() for one in INPUTS}
        for entry in self.json("algorithms"):
            for one in INPUTS:
                # What an algorithm needs besides must be there; so the others it uses, too.
                words = self.map_words(entry["name"], {one, *entry["uses"]})
                if one in entry["uses"]:
                    users[one].add(entry["name"])
                    self.call(*words)
                else:
                    self.refused(*words, says=[f"--{one}: expected", f'"{entry["name"]}"'])
        self.assertEqual(users, {
            "loads": {"eagermap-load"},
            "coordinates": {"geom", "gsearch", "gsearch-rank", "gsearch-best", "kith", "auto"},
            "sparse-factor": {"treematch", "scotch"}})
        text = self.call("algorithms").stdout
        for one in INPUTS:
            self.assertEqual(text.count(f"uses --{one}\n"), len(users[one]))

    def test_each_can_be_named_with_and_without_refinement(self):
        for entry in self.json("algorithms"):
            for name in (entry["name"], entry["name"] + "+refine"):
                found = self.json(*self.map_words(name, entry["uses"]))
                self.assertEqual(sorted(found["mapping"]), [0, 1, 2, 3])


if __name__ == "__main__":
    main()
