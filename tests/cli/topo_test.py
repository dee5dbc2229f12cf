#!/usr/bin/env python3
"""kith topo."""
import itertools
import json
import pathlib
import subprocess
import sys

from kithcli import KITH, KithTest, main


def grid_facts(extents, rings):
    """(links, average hops of two nodes, most hops) by breadth-first search."""
    places = list(itertools.product(*map(range, extents)))

    def neighbours(place):
        for d, extent in enumerate(extents):
            for step in (-1, 1):
                at = place[d] + step
                if rings or 0 <= at < extent:
                    yield place[:d] + (at % extent,) + place[d + 1:]

    links = {frozenset((a, b)) for a in places for b in neighbours(a) if a != b}
    hops = []
    for start in places:
        far = {start: 0}
        border = [start]
        while border:
            border = [b for a in border for b in neighbours(a)
                      if b not in far and not far.update({b: far[a] + 1})]
        hops += [far[place] for place in places if place != start]
    return len(links), sum(hops) / len(hops), max(hops)


class Topo(KithTest):
    def test_costs_that_fall_upwards_are_told(self):
        for cost, is_told in ((20, True), (800, False)):
            pathlib.Path("up.net").write_text(f"level network cost={cost}\nlevel switch cost=800\n"
                                              "a s0\nb s1\n")
            done = self.call("topo", "hosts:up.net")
            self.assertEqual("up.net:2: warning: level switch costs 800 ps a byte and level network "
                             "above it 20: " in done.stderr, is_told, done.stderr)

    def test_a_network_that_is_not_the_outermost_level_is_told(self):
        for levels, is_told in ((("switch", "network"), True), (("network", "switch"), False), (("top", "leaf"), False)):
            pathlib.Path("up.net").write_text("".join(f"level {one} bandwidth=10\n" for one in levels) + "a s0\nb s1\n")
            said = self.call("topo", "hosts:up.net").stderr
            self.assertEqual("up.net:2: warning: level network stands behind level switch, and levels count by their "
                             "places: the first is the one that all hosts meet at" in said, is_told, said)

    def test_this_host_needs_no_plugins_of_hwloc(self):
        """They load the libraries of displays and devices, at the start of each job."""
        done = self.call("topo", "this", env={"LD_DEBUG": "files"})
        self.assertIn("libhwloc", done.stderr)
        for library in ("hwloc_", "libxml2", "libOpenCL", "libX11"):
            self.assertNotIn(library, done.stderr.replace("hwloc_plugins", ""), library)

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
        self.assertIn("tree: 15 slots on 3 nodes, 5 each\n", text)
        self.assertRegex(text, r"\nlevel0 +1 +4\n")
        self.assertRegex(text, r"\n`- 3 x level1 \(a node\) +3 +2\n")
        self.assertRegex(text, r"\n   `- 5 x slot +15\n")

    def test_which_slots_may_be_used(self):
        text = self.call("topo", "tree:3x5;slots=0-6").stdout
        self.assertIn("\n7 of 15 slots may be used: 0-6\n", text)
        self.assertIn("\nof the nodes 1 whole, 1 in part, 1 not at all\n", text)
        self.assertRegex(text, r"\n  node0 +#####\n  node1 +##\.\.\.\n  node2 +\.\.\.\.\.\n")
        self.assertNotIn("may be used", self.call("topo", "tree:3x5").stdout)
        self.assertEqual(self.json("topo", "tree:3x5;slots=0-6")["allowed"], 7)

    def test_distances_in_grids_are_those_that_a_search_finds(self):
        for spec, extents, rings in (("torus:4x6", (4, 6), True), ("mesh:3x4", (3, 4), False),
                                     ("torus:2x3x5", (2, 3, 5), True), ("torus:7", (7,), True),
                                     ("mesh:2x1x3", (2, 1, 3), False), ("hypercube:4", (2,) * 4, True)):
            links, average, most = grid_facts(extents, rings)
            self.assertIn(f"\n{links} link{'' if links == 1 else 's'}; two nodes are {average:.2f} hops "
                          f"apart on average, {most} at most\n", self.call("topo", spec).stdout)

    def test_a_grid_is_drawn_with_its_ways_around(self):
        self.assertIn("     |   |   |\n   - 0 - 1 - 2 -\n     |   |   |\n   - 3 - 4 - 5 -\n"
                      "     |   |   |\n   - 6 - 7 - 8 -\n     |   |   |\n",
                      self.call("topo", "torus:3x3").stdout)
        # Two neighbours have one link, not two; a mesh has no way around.
        self.assertTrue(self.call("topo", "torus:2x3").stdout.endswith(
            ":\n   - 0 - 1 - 2 -\n     |   |   |\n   - 3 - 4 - 5 -\n"))
        self.assertIn(":\n     0 - 1 - 2\n     |   |   |\n     3 - . - .\n",
                      self.call("topo", "mesh:2x3;slots=0-3").stdout)

    def test_tables_are_drawn(self):
        text = self.call("topo", "scotch:deco 0 3 5 0 1 3 1 1 4 2 1 5 1 7 9").stdout
        self.assertIn("\nhops\n   0 1 2\n0  . 1 7\n1  1 . 9\n2  7 9 .\n", text)
        self.assertIn("two nodes are 5.67 hops apart on average, 1 to 9\n", text)

    def test_costs_of_networks_are_drawn(self):
        pathlib.Path("d.txt").write_text("0 0.5 1.2\n0.5 0 0.6\n1.2 0.6 0\n")
        text = self.call("topo", "matrix:d.txt").stdout
        self.assertIn("\nthe cost between two nodes is 0.766667 on average, 0.5 to 1.2\n", text)
        self.assertIn("\ncost\n       0   1   2\n  0    . 0.5 1.2\n  1  0.5   . 0.6\n"
                      "  2  1.2 0.6   .\n", text)
        found = self.json("topo", "matrix:d.txt")
        self.assertEqual([found[key] for key in ("costs", "least_cost", "most_cost")],
                         [True, 0.5, 1.2])
        self.assertAlmostEqual(found["average_cost"], 2.3 / 3)
        self.assertIs(self.json("topo", "tree:2x2@9,1")["costs"], True)
        pathlib.Path("hops.txt").write_text("0 5 12\n5 0 6\n12 6 0\n")
        self.assertNotIn("costs", self.json("topo", "matrix:hops.txt"))
        self.assertNotIn("cost", self.call("topo", "matrix:hops.txt").stdout)

    def test_hops_of_dragonflies_are_those_that_there_are(self):
        for spec, says in (("1,1,4", "2 on one router"), ("1,3,1", "3 in one group"),
                           ("5,1,1", "3 between groups"),
                           ("5,1,3", "2 on one router, 3 between groups"),
                           ("2,2,1", "3 in one group, 3 to 5 between groups"),
                           ("9,4,2", "2 on one router, 3 in one group, 3 to 5 between groups"),
                           ("513,64,8", "2 on one router, 3 in one group, 3 to 5 between groups")):
            self.assertIn(f"\nhops: {says}\n", self.call("topo", f"dragonfly:{spec}").stdout)
        self.assertNotIn("hops:", self.call("topo", "dragonfly:1,1,1").stdout)

    def test_a_trace_is_named_without_its_ending(self):
        machine = {"format": 1, "hosts": [{"name": host, "hardware": 0} for host in "ab"],
                   "hardware": [{"digest": "", "file": None}],
                   "ranks": [{"rank": r, "launcher_rank": r, "host": r // 2, "cpus": ""}
                             for r in range(4)]}
        for folder in ("t.kith", "u.kith.partial"):
            pathlib.Path(folder).mkdir()
            pathlib.Path(folder, "machine.json").write_text(json.dumps(machine))
        whole = self.json("topo", "t.kith")
        self.assertEqual((whole["kind"], whole["nodes"]), ("job", 2))
        for name in ("t", "./t", "t.kith/", "u", "u.kith"):
            self.assertEqual(self.json("topo", name), whole)
        self.assertEqual(self.json("topo", "t;slots=0-2")["allowed"], 3)
        self.refused("topo", "v", says=["SPEC", '"v"'])
        self.refused("topo", "v.kith", says=["SPEC: expected a trace", "v.kith, which does not exist"])

    def test_a_topology_through_a_pipe(self):
        text = "- topology: x\n  block:\n    blocks: [{block: b, nodes: 'a[0-3]'}]\n"
        found = subprocess.run([KITH, "topo", "slurm:/dev/stdin", "--json"], input=text, text=True,
                               check=True, capture_output=True).stdout
        self.assertEqual(json.loads(found)["nodes"], 4)

    def test_formats_of_others_are_read_back(self):
        for spec in ("tree:3x2x4@9,3,1", "tree:(8,8,4)", "tree:4x4;slots=0-5,9"):
            for name in ("scotch", "hwloc", "simgrid"):
                file = f"./m.{'tgt' if name == 'scotch' else 'xml'}"
                self.assertEqual(self.call("topo", spec, "--format", name, "-o", file).stdout, "")
                found, before = self.json("topo", f"{name}:{file}"), self.json("topo", spec)
                usable = [m.get("allowed", m["slots"]) for m in (found, before)]
                self.assertEqual(usable[0], usable[1], (spec, name))
                if name != "scotch" and "slots" not in spec.split(":")[1]:
                    self.assertEqual({**found, "kind": 0}, {**before, "kind": 0}, spec)
                self.assertEqual(self.call("topo", spec, "--format", name).stdout,
                                 pathlib.Path(file).read_text())

    def test_a_format_that_cannot_say_it_is_refused(self):
        self.refused("topo", "torus:4x4", "--format", "hwloc", "-o", "m.xml",
                     says=["--format hwloc: expected a tree", "torus:4x4"])
        self.refused("topo", "torus:64x64/2x8", "--format", "scotch", says="--format scotch")
        self.refused("topo", "tree:4", "--format", "swloc", says=["--format", "did you mean"])
        self.refused("topo", "two.net", says=["(did you mean hosts:two.net?)"])
        self.refused("topo", "tree:4", "--format", "hwloc", "--json", says="both")

    def test_a_spec_may_be_longer_than_a_file_name(self):
        spec = "tree:(" + ",".join(["2"] * 200) + ")"
        self.assertEqual(self.json("topo", spec)["slots"], 400)
        self.refused("topo", "x" * 300, says="SPEC")

    def test_long_specs_are_not_echoed_in_full(self):
        for spec in ("tree:(" + ",".join(["2"] * 30000) + ")", "hwloc:" + "core:2 " * 9000,
                     "nonsense" * 9000, "scotch:tleaf " + "1 " * 30000):
            done = subprocess.run([KITH, "topo", spec], text=True, capture_output=True)
            self.assertLess(len(done.stdout + done.stderr), 4000, spec[:20])
            self.assertNotEqual(done.stdout + done.stderr, "")

    def test_pictures_of_odd_machines_fit_a_terminal(self):
        for spec in ("torus:" + "x".join(["2"] * 31), "mesh:" + "x".join(["2"] * 12),
                     "fattree:2,30", "tree:" + "x".join(["2"] * 30)):
            for line in self.call("topo", spec).stdout.splitlines():
                self.assertLessEqual(len(line), 80, spec)
        self.assertIn("the nodes at 0, 0, 0, 0, *, *;", self.call("topo", "torus:2x2x2x2x2x2").stdout)
        self.assertIn("the nodes at 0, 0, 0, 0, ..., 0, *, *;",
                      self.call("topo", "torus:2x2x2x2x2x2x2x2").stdout)

    def test_two_slots_do_not_meet_below_one(self):
        text = self.call("topo", "tree:(3,1)@7,2").stdout
        self.assertRegex(text, r"\n\+- 1 x level1 \(a node\) of 3 slots +1 +2 +2\n")
        self.assertRegex(text, r"\n`- 1 x level1 \(a node\) of 1 slot +1\n")

    def test_links_of_fat_trees(self):
        self.assertIn("\nlinks between layers, top down: 1024, 2048, 4096\ntaper: 2\n",
                      self.call("topo", "fattree:16,3,2/2x8").stdout)
        self.assertIn("\nlinks between layers, top down: 12, 18, 27\ntaper: 1.5\n",
                      self.call("topo", "fattree:3,3,1.5").stdout)
        self.assertNotIn("taper", self.call("topo", "fattree:27,1").stdout)

    def damaged_xml(self, *changes):
        """hwloc's XML of 2 groups of 2 cores, with something else in it."""
        text = self.call("topo", "tree:2x2", "--format", "hwloc").stdout
        for before, after in changes:
            self.assertIn(before, text)
            text = text.replace(before, after, 1)
        pathlib.Path("m.xml").write_text(text)
        return "hwloc:./m.xml"

    def test_damaged_xml_is_one_line(self):
        for changes in ([('allowed_cpuset="0x0000000f"', 'allowed_cpuset="0x0"')],
                        [('allowed_nodeset="0x00000001"', 'allowed_nodeset="0x0"')]):
            self.refused("topo", self.damaged_xml(*changes), says=["m.xml", "hwloc refuses"])

    def test_names_of_levels_are_printable(self):
        spec = self.damaged_xml(('subtype="level1"', 'subtype="a&#10;b' + "x" * 90 + '"'),
                                ('subtype="level1"', 'subtype="a&#10;b' + "x" * 90 + '"'))
        text = self.call("topo", spec).stdout
        self.assertRegex(text, r"\n`- 2 x a bx{18}\.\.\. +2 +2\n")

    def test_bodies_and_files_that_are_empty(self):
        pathlib.Path("empty").touch()
        for prefix in ("scotch", "matrix", "hosts", "slurm", "simgrid"):
            self.refused("topo", f"{prefix}:", says=f'SPEC: expected {prefix}:')
            self.refused("topo", f"{prefix}:./empty", says="empty")
        self.refused("topo", "scotch:./empty", says="empty:1: ")

    def test_devices_without_an_end(self):
        for prefix in ("hwloc", "simgrid", "scotch"):
            self.refused("topo", f"{prefix}:/dev/zero", says="/dev/zero")
        self.refused("topo", "hwloc:/dev/zero", says="at most 16777216 bytes")

    def test_networks(self):
        found = self.json("topo", "fattree:4,3,2/2x8")
        self.assertEqual((found["kind"], found["nodes"], found["slots"]), ("fattree", 64, 1024))
        # Links of 1, 2 and 4 above two of 1 in the nodes, up and down.
        self.assertEqual([level["cost"] for level in found["levels"]], [18, 10, 6, 4, 2])
        self.assertEqual(self.json("topo", "dragonfly:9,4,2,absolute/3"), {
            "kind": "dragonfly", "slots": 216, "pus": 216, "nodes": 72,
            "levels": [{"name": "level0", "count": 72, "cost": 2}], "dims": [],
            "groups": 9, "routers": 4, "arrangement": "absolute"})
        self.assertEqual(self.json("topo", "dragonfly:9,4,2")["arrangement"], "palmtree")
        self.assertEqual(self.json("topo", "torus:3x4/2x5")["levels"],
                         [{"name": "level0", "count": 12, "cost": 4},
                          {"name": "level1", "count": 24, "cost": 2}])
        found = self.json("topo", "tree:(2*(8,8),(4,4))@10,5,1")
        self.assertEqual((found["slots"], found["nodes"]), (40, 3))
        self.assertEqual([level["count"] for level in found["levels"]], [1, 3, 6])
        pathlib.Path("d.txt").write_text("0 1.5 2\n1.5 0 3\n2 3 0\n")
        found = self.json("topo", "matrix:d.txt")
        self.assertEqual((found["kind"], found["slots"], found["nodes"]), ("matrix", 3, 3))

    def test_large_machines_take_little_time_and_memory(self):
        # Each in a process of its own, whose children's peak is that of its kith.
        measure = ("import json, resource, subprocess, sys\n"
                   "text = subprocess.check_output(sys.argv[1:])\n"
                   "usage = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
                   "print(json.dumps([json.loads(text)['slots'], "
                   "usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]))")
        for spec, slots in (("torus:64x64x64/64", 1 << 24), ("mesh:256x256x256", 1 << 24),
                            ("hypercube:24", 1 << 24), ("fattree:64,4", 1 << 24),
                            ("fattree:60,3,2/77", 60**3 * 77), ("tree:250x260x270", 17550000),
                            ("dragonfly:513,64,8/64", 513 * 64 * 8 * 64)):
            done = subprocess.run([sys.executable, "-c", measure, KITH, "topo", spec, "--json"],
                                  text=True, capture_output=True, timeout=100, check=True)
            found, processor, megabytes = json.loads(done.stdout)
            self.assertEqual(found, slots, spec)
            self.assertLess(processor, 5, spec)  # 0.01 on an idle machine
            self.assertLess(megabytes, 100, spec)

    def test_a_machine_with_too_many_slots_for_a_table(self):
        found = self.json("topo", "tree:4096x4096x200")
        self.call("topo", "tree:4096x4096x200")
        self.assertEqual(found["slots"], 4096 * 4096 * 200)


if __name__ == "__main__":
    main()
