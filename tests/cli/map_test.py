#!/usr/bin/env python3
"""kith map."""
import json
import pathlib
import random
import re
import resource
import subprocess

from kithcli import CORPUS, KITH, KithTest, main, read_mapping, read_mtx, tree_hops, write_mtx

METRICS = {"hop_bytes", "hops_per_byte", "sum_com", "max_com", "mapping_quality", "level_bytes",
           "max_link_load", "network_time", "busiest_host", "average_link_load", "numa_bytes", "reduction_value"}


def reference_metrics(cells, slot_of, arities, costs=None):
    """The metrics of a mapping onto a tree, from their definitions."""
    pair = {}
    for (i, j), weight in cells.items():
        if i != j:
            pair[min(i, j), max(i, j)] = pair.get((min(i, j), max(i, j)), 0) + weight
    costs = costs or [2 * (len(arities) - level) for level in range(len(arities))]
    found = {"hop_bytes": 0, "sum_com": 0, "max_com": 0, "mapping_quality": 0.0,
             "level_bytes": [0] * len(arities)}
    for (i, j), weight in pair.items():
        hops = tree_hops(arities, slot_of[i], slot_of[j])
        level = len(arities) - hops // 2
        cost = costs[level] if hops else 0
        found["hop_bytes"] += weight * hops
        found["sum_com"] += weight * cost
        found["max_com"] = max(found["max_com"], weight * cost)
        found["mapping_quality"] += weight / (cost or costs[-1])
        if hops:
            found["level_bytes"][level] += weight
    found["hops_per_byte"] = found["hop_bytes"] / sum(pair.values()) if pair else 0
    return found


class Map(KithTest):
    def check_metrics(self, found, expected):
        for name, value in expected.items():
            if isinstance(value, float):
                self.assertAlmostEqual(found[name], value, delta=1e-9 * abs(value), msg=name)
            else:
                self.assertEqual(found[name], value, name)

    def test_figure_3_of_eagermap(self):
        case = CORPUS / "cases/eagermap-figure3-16.mtx"
        found = self.json("map", case, "--topology", "tree:2x2x2", "--oversubscribe",
                          "--algorithm", "eagermap")
        self.assertEqual(found["mapping"], [task // 2 for task in range(16)])
        self.assertEqual((found["ranks"], found["slots"]), (16, 8))

    def test_the_json_document(self):
        cells = {(0, 3): 10, (3, 0): 5, (1, 2): 7, (2, 2): 100}
        write_mtx("small.mtx", 4, cells)
        found = self.json("map", "small.mtx", "--topology", "tree:2x2@7,2.5", "--algorithm",
                          "eagermap")
        self.assertEqual(set(found), {"algorithm", "ranks", "slots", "mapping", "metrics",
                                      "baseline", "bound", "bound_reason", "gap", "optimal",
                                      "seconds", "stopped", "objective", "made_by",
                                      "explanation"})
        self.assertFalse(found["optimal"])
        self.assertEqual(set(found["metrics"]), METRICS)
        self.assertEqual(set(found["baseline"]), METRICS)
        self.assertEqual(found["algorithm"], "eagermap")
        self.assertEqual(found["made_by"], "eagermap")
        self.assertEqual(found["stopped"], "done")
        self.assertEqual(found["objective"], "sum-com")
        self.assertLess(0, found["bound"])
        self.assertLessEqual(found["bound"], found["metrics"]["sum_com"])
        self.assertIn("heaviest partners", found["bound_reason"])
        self.check_metrics(found["metrics"],
                           reference_metrics(cells, found["mapping"], [2, 2], [7, 2.5]))
        self.check_metrics(found["baseline"], reference_metrics(cells, range(4), [2, 2], [7, 2.5]))

    def test_how_far_from_the_optimum_at_most(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "--permute", "3", "-o", "grid.mtx")
        words = ("map", "grid.mtx", "--topology", "tree:4x16@10,1", "--algorithm")
        self.assertIn("optimal: equals the lower bound", self.call(*words, "kith").stderr)
        found = self.json(*words, "random")
        self.assertEqual(found["bound_reason"],
                         "isoperimetric, 2D 5-point stencil 8x8, non-periodic")
        factor = found["metrics"]["sum_com"] / found["bound"]
        self.assertAlmostEqual(found["gap"], factor - 1)
        self.assertGreater(factor, 1.1)
        said = self.call(*words, "random").stderr
        self.assertIn("how far this order is above the optimum is not known\n", said)
        self.assertNotIn("% above", said)

    def test_hosts_of_one_slot_are_told_where_there_are_too_few(self):
        pathlib.Path("few.net").write_text("n[0-3] sw0\n")
        write_mtx("five.mtx", 5, {(0, 4): 7})
        self.refused("map", "five.mtx", "--topology", "hosts:few.net",
                     says=["a host is one slot (;tree=2x16 behind the machine"])

    def test_slots_that_may_not_be_used_are_told(self):
        write_mtx("pair.mtx", 2, {(0, 1): 7})
        for machine, slots in (("tree:4x4", "16 slots"), ("tree:4x4;slots=4-11", "8 of 16 slots")):
            for command in ("map", "eval"):
                done = self.call(command, "pair.mtx", "--topology", machine)
                self.assertIn(f"2 ranks on tree:4x4 ({slots})", done.stdout + done.stderr)

    def test_exhaustive_search_is_a_proof(self):
        write_mtx("star.mtx", 8, {(0, other): other for other in range(1, 8)})
        asked = ("map", "star.mtx", "--topology", "tree:2x2x2")
        found = self.json(*asked)
        self.assertEqual(found["bound"], found["metrics"]["hop_bytes"])
        self.assertEqual((found["bound_reason"], found["gap"]), ("exhaustive search", 0))
        self.assertTrue(found["optimal"])
        said = self.call(*asked).stderr
        self.assertIn("optimal: proven by exhaustive search", said)
        self.assertNotIn("above the optimum", said)
        self.assertNotIn("no grid", said)
        self.call("gen", "stencil2d", "--extents", "2x2", "-o", "square.mtx")
        said = self.call("map", "square.mtx", "--topology", "tree:4").stderr
        self.assertIn("the present order stays: no order can be better", said)

    def test_fixed_ranks_that_rule_identity_out(self):
        write_mtx("pairs.mtx", 4, {(0, 1): 9, (2, 3): 9})
        asked = ("map", "pairs.mtx", "--topology", "tree:2x2", "--fix")
        said = self.call(*asked, "0=0", "--fix", "1=3").stderr
        self.assertIn("warning: worse than identity, which the fixed ranks rule out:", said)
        self.assertIn("the present order with the fixed ranks in place stays: ", said)
        self.assertNotIn("identity is worse than identity", said)
        said = self.call(*asked, "0=0").stderr
        self.assertIn("the present order stays: ", said)
        self.assertNotIn("worse than identity", said)

    def test_metrics_of_random_matrices(self):
        numbers = random.Random(5)
        for arities in ([4, 2, 3], [24], [2, 3, 2, 2]):
            cells = {(numbers.randrange(24), numbers.randrange(24)): numbers.randrange(1, 10**12)
                     for _ in range(80)}
            write_mtx("random.mtx", 24, cells)
            spec = "tree:" + "x".join(map(str, arities))
            for algorithm in ("random", "eagermap", "scotch", "eagermap+refine"):
                found = self.json("map", "random.mtx", "--topology", spec, "--algorithm", algorithm)
                self.assertEqual(sorted(found["mapping"]), list(range(24)))
                self.check_metrics(found["metrics"],
                                   reference_metrics(cells, found["mapping"], arities))
                self.check_metrics(found["baseline"],
                                   reference_metrics(cells, range(24), arities))

    def test_mapping_to_stdout_and_to_a_file_are_the_same(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        text = self.call("map", "s.mtx", "--topology", "tree:4x4").stdout
        self.call("map", "s.mtx", "--topology", "tree:4x4", "-o", "s.map")
        self.assertEqual(pathlib.Path("s.map").read_text(), text)
        self.assertEqual(text.splitlines()[0],
                         "# kith mapping ranks=16 topology=tree:4x4 hosts=-")
        found = self.json("map", "s.mtx", "--topology", "tree:4x4")
        self.assertEqual(read_mapping(text), found["mapping"])
        self.assertLess(found["metrics"]["hop_bytes"], found["baseline"]["hop_bytes"])

    def test_a_grid_near_its_bound_is_searched_on_a_part_of_a_torus(self):
        self.call("gen", "stencil3d", "--extents", "8x4x4", "--permute", "1", "-o", "s.mtx")
        for effort in ("fast", "balanced", "best"):
            found = self.json("map", "s.mtx", "--topology", "torus:4x4x4/8;slots=256-383",
                              "--effort", effort)
            self.assertEqual(found["metrics"]["hop_bytes"], 1440, effort)  # no order is below that

    def test_says_what_a_job_does_otherwise(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        by_time = "A job on several hosts minimises network-time"
        shared = "kith run --reorder takes a mapping with a slot for each rank only"
        def told(topology, *words):
            return self.call("map", "s.mtx", "--topology", topology, *words).stderr
        self.assertIn(by_time, told("tree:4x4"))
        self.assertNotIn(by_time, told("tree:1x16"))
        self.assertNotIn(by_time, told("tree:4x4", "--objective", "network-time"))
        self.assertNotIn(shared, told("tree:4x4", "-o", "s.map"))
        self.assertIn(shared, told("tree:4x2", "--oversubscribe", "-o", "s.map"))

    def test_json_format(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        asked = ("map", "s.mtx", "--topology", "tree:4x4", "--algorithm", "eagermap")
        self.assertEqual(self.call(*asked, "--format", "json", "-o", "s.json").stdout, "")
        document = json.loads(pathlib.Path("s.json").read_text())
        printed = json.loads(self.call(*asked, "--format", "json").stdout)
        both = self.json(*asked, "-o", "s.map")
        self.assertEqual(document["mapping"], printed["mapping"])
        self.assertEqual(document["mapping"], both["mapping"])
        self.assertEqual(read_mapping(pathlib.Path("s.map").read_text()), both["mapping"])

    def test_an_existing_output_is_replaced_only_by_a_whole_one(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        pathlib.Path("s.map").write_text("mine\n")
        self.refused("map", "s.mtx", "--topology", "tree:2x2", "-o", "s.map", says="--topology")
        self.call("map", "s.mtx", "--topology", "tree:4x4", "-o", "s.map")
        self.assertTrue(pathlib.Path("s.map").read_text().startswith("# kith mapping"))

    def test_fewer_ranks_than_slots(self):
        write_mtx("small.mtx", 3, {(0, 1): 5, (1, 2): 5})
        for algorithm in ("identity", "random", "eagermap", "scotch", "auto"):
            found = self.json("map", "small.mtx", "--topology", "tree:4x4", "--algorithm",
                              algorithm)
            self.assertEqual(len(set(found["mapping"])), 3)
            self.assertLess(max(found["mapping"]), 16)

    def test_more_ranks_than_slots(self):
        self.call("gen", "stencil2d", "--extents", "5x2", "-o", "s.mtx")
        self.refused("map", "s.mtx", "--topology", "tree:2x2", says=["--topology", "10", "4 slots"])
        self.refused("map", "s.mtx", "--topology", "tree:2x2", "--per-slot", "2",
                     says=["10", "4 slots"])
        for algorithm in ("identity", "random", "eagermap", "scotch", "auto", "scotch+refine"):
            asked = ("map", "s.mtx", "--topology", "tree:2x2", "--algorithm", algorithm)
            spread = self.json(*asked, "--oversubscribe")["mapping"]
            self.assertLessEqual(max(spread.count(slot) for slot in range(4)), 3, algorithm)
            packed = self.json(*asked, "--per-slot", "5")["mapping"]
            self.assertLessEqual(max(packed.count(slot) for slot in range(4)), 5, algorithm)
        self.assertEqual(self.json("map", "s.mtx", "--topology", "tree:2x2", "--oversubscribe",
                                   "--algorithm", "identity")["mapping"],
                         [0, 0, 0, 1, 1, 1, 2, 2, 3, 3])

    def test_fix_and_forbid(self):
        self.call("gen", "stencil2d", "--extents", "3x4", "-o", "s.mtx")
        for algorithm in ("random", "scotch+refine", "auto"):
            found = self.json("map", "s.mtx", "--topology", "tree:4x4", "--forbid", "0,4-5",
                              "--fix", "0=15", "--fix", "11=1", "--algorithm", algorithm)
            self.assertEqual(found["mapping"][0], 15)
            self.assertEqual(found["mapping"][11], 1)
            self.assertFalse({0, 4, 5} & set(found["mapping"]))
            self.assertEqual(found["slots"], 16)
        # The trace may follow --fix: it takes one value.
        self.call("map", "--fix", "0=3", "s.mtx", "--topology", "tree:4x4")

    def test_forbidden_slots_are_left_out_of_identity(self):
        write_mtx("pair.mtx", 2, {(0, 1): 3})
        found = self.json("map", "pair.mtx", "--topology", "tree:2x2", "--forbid", "0-1",
                          "--algorithm", "identity")
        self.assertEqual(found["mapping"], [2, 3])
        pathlib.Path("bad-slots").write_text("# broken\n0\n1\n")
        self.assertEqual(self.json("map", "pair.mtx", "--topology", "tree:2x2", "--forbid",
                                   "bad-slots", "--algorithm", "identity")["mapping"], [2, 3])

    def test_seed_threads_and_work(self):
        self.call("gen", "geometric", "--ranks", "64", "-o", "g.mtx")
        asked = ("map", "g.mtx", "--topology", "tree:8x8", "--algorithm")
        first = self.json(*asked, "random", "--seed", "7")["mapping"]
        self.assertEqual(self.json(*asked, "random", "--seed", "7", "--threads", "4")["mapping"],
                         first)
        self.assertNotEqual(self.json(*asked, "random", "--seed", "8")["mapping"], first)
        cut = self.json(*asked, "random+refine", "--work", "10")
        whole = self.json(*asked, "random+refine")
        self.assertEqual(cut["stopped"], "work")
        self.assertEqual(whole["stopped"], "done")
        self.assertLess(whole["metrics"]["hop_bytes"], cut["metrics"]["hop_bytes"])

    def test_objective(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        asked = ("map", "s.mtx", "--algorithm", "eagermap", "--topology")
        self.assertEqual(self.json(*asked, "tree:4x4")["objective"], "hop-bytes")
        self.assertEqual(self.json(*asked, "tree:4x4@9,1")["objective"], "sum-com")
        self.assertEqual(self.json(*asked, "tree:4x4@9,1", "--objective", "hop-bytes")["objective"],
                         "hop-bytes")

    def test_what_is_assumed_of_links_is_told(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        pathlib.Path("net").write_text("".join(f"n{i} leaf{i // 2}\n" for i in range(4)))
        asked = ("map", "s.mtx", "--algorithm", "eagermap", "--objective", "network-time", "--topology")
        widths = "a link between switches is taken for half as many cables as hosts below it have"
        self.assertIn(widths, self.call(*asked, "hosts:net;tree=4").stderr)
        self.assertNotIn(widths, self.call(*asked, "tree:4x4").stderr)
        self.assertNotIn(widths, self.call(*asked, "fattree:2,2/4").stderr)

    def test_objectives_that_are_no_sums(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        for name, metric in (("max-com", "max_com"), ("link-load", "max_link_load")):
            asked = ("s.mtx", "--topology", "tree:2x8", "--objective", name)
            found = self.json("map", *asked, "--algorithm", "random")
            self.assertEqual(found["objective"], name)
            done = self.call("map", *asked, "--algorithm", "random", "-o", "r.map")
            self.assertIn(f"{name} {found['metrics'][metric]}, present order "
                          f"{found['baseline'][metric]} (x ", done.stderr)
            rows = self.json("compare", *asked, "--algorithms", "random,identity,geom")
            values = [row["metrics"][metric] for row in rows]
            self.assertEqual(values, sorted(values))
            for row in rows:
                self.assertAlmostEqual(row["ratio"],
                                       row["metrics"][metric] / row["baseline"][metric])
            text = self.call("eval", *asked, "--mapping", "r.map").stdout
            ratio = found["metrics"][metric] / found["baseline"][metric]
            self.assertIn(f"{name}: {ratio:.4f} of the present order", text)

    def test_kith_lowers_the_chosen_objective(self):
        self.call("gen", "geometric", "--ranks", "64", "-o", "g.mtx")
        asked = ("map", "g.mtx", "--topology", "torus:4x4x4", "--effort", "fast", "--algorithm")
        by_hops = self.json(*asked, "kith")["metrics"]["max_link_load"]
        for algorithm in ("kith", "identity+refine"):
            found = self.json(*asked, algorithm, "--objective", "link-load")
            self.assertLess(found["metrics"]["max_link_load"], by_hops)

    def test_a_mix_of_objectives(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        asked = ("s.mtx", "--topology", "mesh:4x4", "--objective", "hop-bytes:3,link-load:1")
        rows = self.json("compare", *asked, "--algorithms", "random,identity")
        self.assertEqual(rows[0]["objective"], "hop-bytes:3,link-load:1")
        self.assertEqual(rows[0]["ratio"], 1)
        metrics, baseline = rows[1]["metrics"], rows[1]["baseline"]
        self.assertAlmostEqual(rows[1]["ratio"], 0.75 * metrics["hop_bytes"] / baseline["hop_bytes"]
                               + 0.25 * metrics["max_link_load"] / baseline["max_link_load"])
        self.assertIsNone(rows[0]["bound"])

    def test_worse_than_identity_is_said(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "-o", "s.mtx")
        done = self.call("map", "s.mtx", "--topology", "tree:8x8", "--algorithm", "random",
                         "--json")
        self.assertIn("warning: random is worse than identity", done.stderr)
        found = self.json("map", "s.mtx", "--topology", "tree:8x8")
        self.assertLessEqual(found["metrics"]["hop_bytes"], found["baseline"]["hop_bytes"])

    def test_sums_are_exact_beyond_doubles(self):
        write_mtx("big.mtx", 2, {(0, 1): 2**61 + 1})
        found = self.json("map", "big.mtx", "--topology", "tree:2")
        self.assertEqual(found["metrics"]["hop_bytes"], 2**62 + 2)
        write_mtx("huge.mtx", 2, {(0, 1): 2**63})
        self.refused("map", "huge.mtx", "--topology", "tree:2", says="64 bits")

    def test_every_format_gives_the_same_mapping(self):
        self.call("gen", "geometric", "--ranks", "32", "-o", "g.mtx")
        expected = self.json("map", "g.mtx", "--topology", "tree:4x8")["mapping"]
        for ending in ("csv", "txt", "graph", "grf"):
            self.call("convert", "g.mtx", f"g.{ending}")
            found = self.json("map", f"g.{ending}", "--topology", "tree:4x8")["mapping"]
            self.assertEqual(found, expected, ending)

    def test_a_large_stencil_needs_no_dense_matrix(self):
        self.call("gen", "stencil2d", "--extents", "256x256", "-o", "s.mtx")
        found = self.json("map", "s.mtx", "--topology", "tree:256x256", "--algorithm", "eagermap")
        self.assertEqual(sorted(found["mapping"]), list(range(65536)))
        ranks, cells = read_mtx("s.mtx")
        self.assertEqual((ranks, len(cells)), (65536, 2 * 256 * 255))

    def test_scotch_without_memory_is_an_error(self):
        self.call("gen", "stencil3d", "--extents", "64x64x32", "-o", "stencil.mtx")
        for algorithm, topology in (("scotch", "torus:64x64x32"), ("treematch", "torus:64x64x32"),
                                    ("scotch", "tree:64x2x32x32")):
            size = 120_000 * 1024

            def little_memory():
                resource.setrlimit(resource.RLIMIT_AS, (size, size))

            if subprocess.run([KITH, "--version"], preexec_fn=little_memory,
                              capture_output=True).returncode != 0:
                self.skipTest("the program does not even start in so little memory (a sanitizer)")
            done = self.call("map", "stencil.mtx", "--topology", topology, "--algorithm",
                             algorithm, status=3, preexec_fn=little_memory)
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, r"^kith: [^\n]*(Scotch|memory)[^\n]*\n$")

    def test_machines_that_are_no_trees(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "--permute", "3", "-o", "stencil.mtx")
        pathlib.Path("line.txt").write_text("".join(
            " ".join(str(abs(i - j) * 1.5) for j in range(20)) + "\n" for i in range(20)))
        for spec in ("torus:4x5", "mesh:5x2/2", "hypercube:5", "dragonfly:5,2,2", "matrix:line.txt",
                     "fattree:3,2,2/3", "tree:((2,2),(6,3,8))"):
            for options in (("--algorithm", "auto"), ("--algorithm", "random+refine"),
                            ("--algorithm", "identity", "--forbid", "0-2"),
                            ("--algorithm", "auto", "--fix", "0=7", "--fix", "3=0"),
                            ("--algorithm", "auto", "--forbid", "0,4-15", "--oversubscribe"),
                            ("--algorithm", "random+refine", "--per-slot", "3")):
                with self.subTest(spec=spec, options=options):
                    found = self.json("map", "stencil.mtx", "--topology", spec, *options)
                    slot_of = found["mapping"]
                    self.assertTrue(all(slot in range(found["slots"]) for slot in slot_of))
                    on_each = max(slot_of.count(slot) for slot in slot_of)
                    self.assertLessEqual(on_each, 4 if "--oversubscribe" in options else
                                         3 if "--per-slot" in options else 1)
                    if "--fix" in options:
                        self.assertEqual((slot_of[0], slot_of[3]), (7, 0))
                    elif "auto" in options:
                        objective = found["objective"].replace("-", "_")
                        self.assertLessEqual(found["metrics"][objective],
                                             found["baseline"][objective])
                    if "--forbid" in options:
                        self.assertNotIn(0, slot_of)

    def test_more_effort_is_never_worse_by_time(self):
        for seed in ("2", "3", "4"):
            self.call("gen", "mesh", "--ranks", "64", "--permute", seed, "-o", "mesh.mtx")
            times = [self.json("map", "mesh.mtx", "--topology", "tree:2x4x8", "--objective", "network-time",
                               "--effort", effort)["metrics"]["network_time"]
                     for effort in ("fast", "balanced")]
            self.assertLessEqual(times[1], times[0], seed)

    def test_a_mapping_for_a_part_of_a_machine_says_so(self):
        self.call("gen", "stencil2d", "--extents", "2x4", "--permute", "1", "-o", "s.mtx")
        part = "tree:4x2x4;slots=0-3,16-19"
        self.call("map", "s.mtx", "--topology", part, "-o", "part.map")
        self.assertIn(f"topology={part} ", pathlib.Path("part.map").read_text().splitlines()[0])
        same = self.call("eval", "s.mtx", "--topology", part, "--mapping", "part.map")
        self.assertNotIn("warning", same.stderr)
        whole = self.call("eval", "s.mtx", "--topology", "tree:4x2x4", "--mapping", "part.map")
        self.assertIn(f"part.map was made for {part}, this is tree:4x2x4 (--topology)", whole.stderr)

    def test_a_long_search_says_so_where_nobody_sees_its_progress(self):
        self.call("gen", "stencil2d", "--extents", "8x4", "-o", "s.mtx")
        words = "effort best: the search takes up to a minute"
        asked = ("map", "s.mtx", "--topology", "tree:8x4", "-o", "s.map")
        self.assertIn(words, self.call(*asked, "--effort", "best").stderr)
        self.assertNotIn(words, self.call(*asked).stderr)

    def test_a_matrix_of_threads(self):
        pathlib.Path("t.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n"
                                         "% how often thread j touched memory after thread i; 900 samples\n"
                                         "4 4 4\n1 3 90\n3 1 90\n2 4 90\n4 2 90\n")
        said = self.call("map", "t.mtx", "--topology", "tree:1x2", "--oversubscribe", "-o", "t.map").stderr
        self.assertIn("4 threads on tree:1x2", said)
        self.assertIn("written: t.map; next: kith run --bind t.map -- PROGRAM ...", said)
        self.assertNotIn("--reorder", said)

    def test_choosing_fewer_nodes_than_now(self):
        self.call("gen", "mesh", "--ranks", "16", "--permute", "1", "-o", "mesh.mtx")
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "stencil.mtx")
        done = self.call("map", "stencil.mtx", "--topology", "torus:4x4", "--choose", "--per-slot", "2",
                         "--algorithm", "random", "-o", "hosts")
        self.assertIn("warning: random is worse than identity, but runs on 8 nodes instead of 16: ", done.stderr)
        done = self.call("map", "mesh.mtx", "--topology", "torus:4x4x4/2", "--choose", "--per-slot", "2",
                         "-o", "hosts")
        self.assertNotIn(";slots=", done.stderr)
        self.assertRegex(done.stderr, r"hop-bytes [0-9.]+ of the present order on these nodes\n")

    def test_choosing_nodes(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "stencil.mtx")
        spec = "mesh:8x8/4;slots=0-3,16-19,108-115,140-147,224-227,252-255"
        done = self.call("map", "stencil.mtx", "--topology", spec, "--choose", "-o", "hosts")
        self.assertEqual(pathlib.Path("hosts").read_text(),
                         "".join(f"node{node} slots=4\n" for node in (27, 28, 35, 36)))
        self.assertIn("of 4 nodes", done.stderr)
        found = self.json("map", "stencil.mtx", "--topology", spec, "--choose")
        self.assertEqual([(host["node"], host["ranks"]) for host in found["hosts"]],
                         [(27, 4), (28, 4), (35, 4), (36, 4)])
        self.assertEqual(sorted(found["mapping"]), [*range(108, 116), *range(140, 148)])
        self.assertLess(found["metrics"]["hop_bytes"], found["baseline"]["hop_bytes"])
        listed = self.call("map", "stencil.mtx", "--topology", spec, "--choose", "--format",
                           "nodelist")
        self.assertEqual(listed.stdout, "node[27-28,35-36]\n")
        self.call("map", "stencil.mtx", "--topology", spec, "--choose", "--format", "mapping",
                  "-o", "chosen.map")
        self.call("eval", "stencil.mtx", "--topology", spec, "--mapping", "chosen.map")
        self.refused("map", "stencil.mtx", "--topology", spec, "--format", "hosts",
                     says="--format: expected --choose with it")


if __name__ == "__main__":
    main()
