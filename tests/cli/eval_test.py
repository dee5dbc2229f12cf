#!/usr/bin/env python3
"""kith eval."""
import pathlib

from kithcli import KithTest, main, tree_hops, write_mtx

CELLS = {(0, 1): 3, (1, 0): 4, (2, 3): 11, (0, 3): 2, (3, 3): 1000}


def hop_bytes(slot_of):
    return sum(w * tree_hops([2, 2], slot_of[i], slot_of[j]) for (i, j), w in CELLS.items())


class Eval(KithTest):
    def setUp(self):
        super().setUp()
        write_mtx("t.mtx", 4, CELLS)

    def mapping(self, slots, name="t.map"):
        pathlib.Path(name).write_text("".join(f"{r} {s}\n" for r, s in enumerate(slots)))

    def test_identity(self):
        found = self.json("eval", "t.mtx", "--topology", "tree:2x2")
        self.assertEqual(found["mapping"], [0, 1, 2, 3])
        self.assertEqual(found["metrics"], found["baseline"])
        self.assertEqual(found["metrics"]["hop_bytes"], hop_bytes([0, 1, 2, 3]))

    def test_a_mapping(self):
        self.mapping([3, 0, 2, 1])
        found = self.json("eval", "t.mtx", "--topology", "tree:2x2", "--mapping", "t.map")
        self.assertEqual(found["mapping"], [3, 0, 2, 1])
        self.assertEqual(found["metrics"]["hop_bytes"], hop_bytes([3, 0, 2, 1]))
        self.assertEqual(found["baseline"]["hop_bytes"], hop_bytes([0, 1, 2, 3]))
        text = self.call("eval", "t.mtx", "--topology", "tree:2x2", "--mapping", "t.map").stdout
        self.assertRegex(text, rf"hop_bytes +{hop_bytes(range(4))} +{hop_bytes([3, 0, 2, 1])}  bytes times ")
        self.assertLess(text.index("how far bytes travel"), text.index("hop_bytes"))
        self.assertRegex(text, r"network_time +\S+ us")  # never 6.4e-09 of nothing

    def test_what_map_writes_eval_confirms(self):
        said = self.json("map", "t.mtx", "--topology", "tree:2x2@5,1", "-o", "t.map")
        found = self.json("eval", "t.mtx", "--topology", "tree:2x2@5,1", "--mapping", "t.map")
        for part in ("mapping", "metrics", "baseline", "objective"):
            self.assertEqual(found[part], said[part])

    def test_two_ranks_on_a_slot(self):
        self.mapping([0, 0, 3, 3])
        found = self.json("eval", "t.mtx", "--topology", "tree:2x2", "--mapping", "t.map")
        self.assertEqual(found["metrics"]["hop_bytes"], hop_bytes([0, 0, 3, 3]))
        self.assertEqual(found["ranks_on_a_slot"], 2)
        self.assertIn("2 ranks share a slot",
                      self.call("eval", "t.mtx", "--topology", "tree:2x2", "--mapping",
                                "t.map").stdout)
        # Fewer slots than ranks need a mapping, and then are fine.
        self.mapping([0, 0, 1, 1])
        self.refused("eval", "t.mtx", "--topology", "tree:2", says="--topology")
        self.json("eval", "t.mtx", "--topology", "tree:2", "--mapping", "t.map")

    def test_link_loads(self):
        def busiest(spec):
            return self.json("eval", "t.mtx", "--topology", spec)["metrics"]["max_link_load"]

        # 0 -> 1: 3, 1 -> 0: 4, 2 -> 3: 11, 0 -> 3: 2. In the ring 0 -> 3 goes down, else up.
        self.assertEqual(busiest("torus:4"), 11)
        self.assertEqual(busiest("mesh:4"), 11 + 2)
        self.assertEqual(busiest("mesh:2x2"), 11 + 2)  # 0 -> 2 -> 3
        self.assertEqual(busiest("fattree:2,2"), 13)  # into slot 3
        self.assertEqual(busiest("torus:2/2"), 13)
        self.assertIsNone(busiest("dragonfly:2,2,1"))
        self.mapping([0, 1, 0, 1])
        found = self.json("eval", "t.mtx", "--topology", "mesh:2", "--mapping", "t.map")
        self.assertEqual(found["metrics"]["max_link_load"], 3 + 11 + 2)

    def test_what_stays_near(self):
        # 0 -> 1: 3, 1 -> 0: 4, 2 -> 3: 11, 0 -> 3: 2, on slots 0 1 | 2 3.
        found = self.json("eval", "t.mtx", "--topology", "hwloc:package:2 core:2 pu:1")["metrics"]
        self.assertEqual(found["numa_bytes"],
                         {"level": "package", "sum": 2, "average": 2, "max": 2, "min": 2})
        self.assertEqual(found["reduction_value"], 4)  # 2 from each package
        tree = self.json("eval", "t.mtx", "--topology", "tree:2x2")["metrics"]
        self.assertEqual(tree["average_link_load"], ((3 + 4 + 11) * 2 + 2 * 4) / 12)
        text = self.call("eval", "t.mtx", "--topology", "tree:2x2").stdout
        for name in ("average_link_load", "numa_bytes.average", "reduction_value"):
            self.assertIn(name, text)
        spread = self.json("eval", "t.mtx", "--topology", "torus:4")["metrics"]
        self.assertEqual(spread["numa_bytes"],
                         {"level": "node", "sum": 20, "average": 20 / 6, "max": 11, "min": 0})
        self.assertIsNone(spread["reduction_value"])
        self.assertIsNone(self.json("eval", "t.mtx", "--topology", "dragonfly:2,2,1")["metrics"]
                          ["average_link_load"])

    def test_mappings_that_do_not_fit(self):
        self.mapping([0, 1, 2])
        self.refused("eval", "t.mtx", "--topology", "tree:2x2", "--mapping", "t.map",
                     says=["t.map", "4 ranks", "3 ranks"])
        pathlib.Path("t.map").write_text("# comment\n3 1\n0 0\n2 4\n1 2\n")
        self.refused("eval", "t.mtx", "--topology", "tree:2x2", "--mapping", "t.map",
                     says=["t.map:4:", "slot 4"])
        self.refused("eval", "t.mtx", "--topology", "tree:2x4;slots=0-1,4-7", "--mapping", "t.map",
                     says=["t.map:5:", "slot 2"])

    def test_a_mapping_of_another_machine_is_said(self):
        self.call("map", "t.mtx", "--topology", "tree:4", "-o", "t.map")
        done = self.call("eval", "t.mtx", "--topology", "tree:2x2", "--mapping", "t.map")
        self.assertIn("warning: t.map was made for tree:4, this is tree:2x2", done.stderr)
        self.refused("eval", "t.mtx", "--topology", "tree:2x4;nodes=1", "--mapping", "t.map",
                     says=["(the mapping is for tree:4, this is tree:2x4;slots=4-7)"])
        self.assertIn("network_time: seconds are for cables of 10 Gbit/s, as none was", done.stderr)
        done = self.call("eval", "t.mtx", "--topology", "tree:1x4")
        self.assertIn("network_time: seconds are for 10000 MB/s of each core, as nothing was", done.stderr)


if __name__ == "__main__":
    main()
