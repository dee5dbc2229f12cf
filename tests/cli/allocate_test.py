#!/usr/bin/env python3
"""kith allocate."""

from kithcli import KithTest, main


class Allocate(KithTest):
    def test_the_slots_are_those_of_a_machine_spec(self):
        said = self.call("allocate", "mesh:24x24x16/16", "--nodes", "64", "--busy", "70%", "-o",
                         "job.slots").stderr
        self.assertIn("64 of 2765 free nodes", said)
        spec = "mesh:24x24x16/16;slots=job.slots"
        self.assertIn("1024 of 147456 slots may be used", self.call("topo", spec).stdout)
        self.call("gen", "stencil3d", "--extents", "16x8x8", "-o", "stencil.mtx")
        found = self.json("map", "stencil.mtx", "--topology", spec)
        allocated = self.json("allocate", "mesh:24x24x16/16", "--nodes", "64", "--busy", "0.7")
        nodes = {slot // 16 for slot in found["mapping"]}
        self.assertEqual(nodes, set(allocated["nodes"]))

    def test_json(self):
        found = self.json("allocate", "mesh:8x8", "--nodes", "12", "--policy", "contiguous")
        self.assertEqual(found, {
            "spec": "mesh:8x8", "slots": "0-3,8-11,16-19", "slot_count": 12,
            "nodes": [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19], "pieces": 2, "span": 20,
            "free_nodes": 64, "other_jobs": 0, "average_hops": found["average_hops"]})
        self.assertAlmostEqual(found["average_hops"], 7 / 3)

    def test_bad_input(self):
        for words, part in (
                (("mesh:8x8", "--nodes", "65"), "--nodes: expected 1 to 64 nodes"),
                (("mesh:8x8", "--nodes", "0"), "--nodes"),
                (("mesh:8x8", "--nodes", "1", "--busy", "1"), "--busy: expected a share"),
                (("mesh:8x8", "--nodes", "1", "--busy", "nan"), "--busy: expected a share"),
                (("mesh:8x8", "--nodes", "1", "--policy", "rnadom"), "random"),
                (("mesh:8x8", "--nodes", "13", "--policy", "contiguous"), "a free box"),
                (("mesh:8x8", "--nodes", "4", "--pieces", "2"), "--pieces: expected --policy random"),
                (("hypercube:31", "--nodes", "4"), "at most 134217728 nodes"),
                (("nonsense", "--nodes", "1"), "SPEC")):
            self.refused("allocate", *words, says=part)


if __name__ == "__main__":
    main()
