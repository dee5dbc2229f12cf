#!/usr/bin/env python3
"""kith compare."""
import json
import os
import pathlib
import shutil
import subprocess

from kithcli import CORPUS, KithTest, main, write_mtx
from reports import write_trace

MAKE = pathlib.Path(os.environ["KITH_BINARY"]).absolute() / "bin" / "made_trace"


class Compare(KithTest):
    def test_a_stencil_in_three_dimensions(self):
        self.call("gen", "stencil3d", "--extents", "8x8x8", "--points", "27", "-o", "s.mtx")
        rows = self.json("compare", "s.mtx", "--topology", "tree:8x4x16", "--algorithms", "all")
        names = [row["algorithm"] for row in rows]
        listed = [entry["name"] for entry in self.json("algorithms")]
        self.assertCountEqual(names, listed + ["eagermap+refine", "scotch+refine"])
        able = [row for row in rows if row["metrics"]]
        self.assertEqual(able, rows[:len(able)])
        for row in rows[len(able):]:
            self.assertIn(row["algorithm"], row["problem"])
        values = [row["metrics"]["hop_bytes"] for row in able]
        self.assertEqual(values, sorted(values))
        for row in able:
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
        self.assertEqual(len(text), 4 + 3)
        self.assertIn("sum-com", text[3])

    def test_how_far_from_the_best_there_is(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "-o", "s.mtx")
        asked = ("compare", "s.mtx", "--topology", "tree:4x16", "--algorithms", "identity,auto")
        rows = self.json(*asked)
        for row in rows:
            self.assertIn("heaviest partners", row["bound_reason"])
            self.assertAlmostEqual(row["gap"], row["metrics"]["hop_bytes"] / row["bound"] - 1)
        self.assertEqual(rows[0]["gap"], 0)
        self.assertAlmostEqual(rows[1]["gap"], 544 / 512 - 1)  # rows of 16 for squares
        lines = self.call(*asked).stdout.splitlines()
        self.assertEqual(lines[2], f"no mapping is below {rows[0]['bound']}: " +
                         rows[0]["bound_reason"])
        self.assertEqual(lines[3].split()[-3:], ["gap", "took", "(s)"])
        self.assertEqual([line.split()[-2] for line in lines[4:]],
                         ["0.0000", f"{rows[1]['gap']:.4f}"])

    def test_what_one_algorithm_proves_holds_for_all(self):
        write_mtx("pairs.mtx", 6, {(0, 3): 5, (1, 4): 6, (2, 5): 7, (0, 5): 1, (1, 3): 2})
        rows = self.json("compare", "pairs.mtx", "--topology", "mesh:2x3", "--algorithms",
                         "kith,identity")
        self.assertEqual([row["bound_reason"] for row in rows], 2 * ["exhaustive search"])
        self.assertEqual((rows[0]["bound"], rows[0]["gap"]), (rows[0]["metrics"]["hop_bytes"], 0))
        self.assertGreater(rows[1]["gap"], 0)

    def test_what_one_algorithm_cannot_do_is_a_row(self):
        # Distances from nowhere: some algorithms need to know more of a machine.
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        pathlib.Path("any.txt").write_text("".join(
            " ".join(str((i - j) ** 2 % 7 + (i != j)) for j in range(18)) + "\n"
            for i in range(18)))
        asked = ("compare", "s.mtx", "--topology", "matrix:any.txt", "--algorithms", "all")
        rows = self.json(*asked)
        answers = [row for row in rows if row["metrics"]]
        refusals = [row for row in rows if not row["metrics"]]
        self.assertEqual(rows, answers + refusals)
        self.assertLessEqual({"identity", "random", "auto"},
                             {row["algorithm"] for row in answers})
        self.assertTrue(refusals)
        text = self.call(*asked).stdout
        for row in refusals:
            self.assertIn(row["algorithm"].removesuffix("+refine"), row["problem"])
            self.assertIn(row["problem"], text)
            self.assertIsNone(row["ratio"])

    def test_more_ranks_than_slots(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        self.refused("compare", "s.mtx", "--topology", "tree:2x2",
                     says=["--topology", "16", "--oversubscribe, or --per-slot K"])
        for options in (("--oversubscribe",), ("--per-slot", "8")):
            words = ("s.mtx", "--topology", "tree:2x2", *options)
            for row in self.json("compare", *words, "--algorithms", "all"):
                if row["metrics"]:
                    self.check_against_map(row, *words)
        # A job takes no order in which ranks share a slot.
        self.call("gen", "stencil2d", "--extents", "4x4", "--permute", "3", "-o", "p.mtx")
        for options, ends in ((("tree:4x4",), True), (("tree:2x4", "--oversubscribe"), False)):
            said = self.call("compare", "p.mtx", "--topology", *options).stderr
            self.assertIn("in that order the busiest node sends or receives ", said)
            self.assertEqual("kith run --reorder p.mtx looks for an order by this measure" in said, ends, said)

    def check_against_map(self, row, *words):
        """A row is what `kith map` says to the same words."""
        found = self.json("map", *words, "--algorithm", row["algorithm"])
        for key in ("metrics", "baseline", "made_by", "objective", "bound", "bound_reason", "gap"):
            self.assertEqual(row[key], found[key], (row["algorithm"], words, key))

    def test_the_options_are_those_of_map(self):
        self.call("gen", "geometric", "--ranks", "20", "-o", "g.mtx")
        for words in (("--fix", "3=30", "--fix", "0=1"), ("--forbid", "0-3,9"),
                      ("--objective", "sum-com"), ("--objective", "hop-bytes"),
                      ("--seed", "5", "--effort", "fast"), ("--work", "10")):
            words = ("g.mtx", "--topology", "tree:4x2x4@50,7,1", *words)
            for row in self.json("compare", *words, "--algorithms",
                                 "identity,random+refine,eagermap,auto"):
                if row["metrics"]:
                    self.check_against_map(row, *words)

    def test_a_recorded_trace(self):
        trace = CORPUS / "recorded/lammps-2x4x2-16.mtx"
        found = self.json("info", trace)
        rows = self.json("compare", trace, "--topology", f"tree:{found['ranks']}x2")
        self.assertGreater(len(rows), 5)


class QuickLook(KithTest):
    """What kith compare says where no algorithm is named."""

    def test_one_sentence_first(self):
        write_mtx("pairs.mtx", 8, {(i, i + 4): 1000 * (i + 1) for i in range(4)})
        done = self.call("compare", "pairs.mtx", "--topology", "tree:2x4")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "Kith's order sends nothing between nodes of tree:2x4 instead of "
                                   "9.8 KiB.")
        self.assertEqual(done.stderr, "kith: in that order the busiest node sends or receives nothing "
                                      "instead of 9.8 KiB: kith run --reorder pairs.mtx looks for an order by "
                                      "this measure\n")
        self.assertEqual(lines[3].split(), ["algorithm", "hop-bytes", "ratio", "gap", "took", "(s)"])
        names = [line.split()[0] for line in lines[4:]]
        self.assertEqual(names[0], "kith")
        self.assertIn("identity", names)
        self.assertNotIn("found none", "\n".join(lines))

    def test_what_a_job_gains_is_a_share_of_the_recorded_run(self):
        """Where the network's bandwidth is known: 73% of hardly anything is not worth a new order."""
        pathlib.Path("fast.net").write_text("level network bandwidth=1250\na slots=2\nb slots=2\n")
        pathlib.Path("t.kith").mkdir()
        write_mtx("t.kith/bytes.mtx", 4, {(0, 2): 10**7, (1, 3): 10**7})
        asked = ("t.kith", "--topology", "hosts:fast.net")
        small = "(0.15% of the recorded run of 10 s)"
        for seconds, is_small in ((10, True), (0.1, False)):
            pathlib.Path("t.kith/meta.json").write_text(json.dumps(
                {"format": 1, "kith_version": "0.1.0", "program": "./app", "ranks": 4,
                 "mpi_library": "Some MPI 1.0", "hosts": ["a", "b"], "phases": [],
                 "wall_seconds": seconds, "sources": {"collectives": "model"}, "partial": False}))
            with self.subTest(seconds=seconds):
                done = self.call("compare", *asked)
                said = "a job keeps its present order where less than 2% is to be gained " + small
                self.assertEqual(said in done.stdout.splitlines()[0], is_small, done.stdout)
                self.assertEqual("--reorder t.kith looks for an order by this measure" in done.stderr, not is_small)
                said = self.call("map", *asked, "-o", f"{seconds}.map").stderr
                self.assertEqual(f"the gain is small {small}: where" in said, is_small, said)
                summary = self.json("report", *asked)["summary"]
                self.assertEqual(summary["verdict"], "keep" if is_small else "reorder")
                self.assertEqual(small in summary["headline"], is_small, summary["headline"])
                said = " ".join(summary["sentences"])
                self.assertEqual(f"{small}, less than the 2% that" in said, is_small, said)

    def test_an_order_on_more_nodes_than_the_present_one_says_so(self):
        """A job keeps to its slots: what another machine gives is not what --reorder gives."""
        pathlib.Path("cluster.net").write_text("node[0-7] sw0\n")
        write_mtx("all.mtx", 8, {(i, j): 10**6 for i in range(8) for j in range(8) if i != j})
        asked = ("all.mtx", "--topology", "hosts:cluster.net;tree=4")
        done = self.call("compare", *asked)
        self.assertRegex(done.stdout.splitlines()[0], r"^Kith's order .*, on [3-8] nodes instead of 2\b")
        self.assertIn("a job with --reorder keeps to the slots that it has: --topology "
                      "'hosts:cluster.net;tree=4;slots=0-7' says", done.stderr)
        self.assertRegex(self.call("map", *asked, "-o", "r.map").stderr,
                         r"kith: this order runs on [3-8] nodes instead of 2; ;slots=0-7 behind the machine")
        done = self.call("compare", asked[0], asked[1], asked[2] + ";nodes=node[0-6]")
        self.assertTrue(done.stderr.endswith("; a job with --reorder keeps to the slots that it has\n"), done.stderr)
        done = self.call("compare", asked[0], asked[1], asked[2] + ";slots=0-7")
        self.assertNotIn("nodes instead of", done.stdout)

    def test_where_nothing_can_be_gained(self):
        write_mtx("pairs.mtx", 4, {(0, 1): 7, (2, 3): 7})
        said = self.call("compare", "pairs.mtx", "--topology", "tree:2x2").stdout
        self.assertTrue(said.startswith("The present order is optimal: no other one has less hop-bytes.\nA job on "
                                        "several hosts minimises network-time (the time of its busiest cable), not hop-bytes: --obj"))
        self.assertTrue(self.call("compare", "pairs.mtx", "--topology", "tree:1x4").stdout.startswith(
            "The present order is optimal: no other one has less hop-bytes.\n4 ranks on tree:1x4 "))

    def test_an_order_of_as_much_network_time_and_less_distance(self):
        write_mtx("two.mtx", 8, {(r, (r + 4) % 8): 100000 for r in range(8)} | {(r, r ^ 1): 100000 for r in range(8)})
        pathlib.Path("two.net").write_text("n[0-3] leaf0\nn[4-7] leaf1\n")
        said = self.call("compare", "two.mtx", "--topology", "hosts:two.net").stdout
        self.assertTrue(said.startswith("No order has less network-time than the present one. Kith's has as much and "),
                        said)
        self.assertRegex(said, r"and [0-9]+% less bytes x distance: a job with --reorder takes it\.\n")

    def test_the_bound_is_that_of_the_report(self):
        subprocess.run([MAKE, "t.kith", "8", "1"], check=True, capture_output=True)
        pathlib.Path("two.net").write_text("n[0-3] leaf0\nn[4-7] leaf1\n")
        asked = ("t.kith", "--topology", "hosts:two.net")
        page = self.json("report", *asked)
        row = self.json("compare", *asked)[0]
        self.assertAlmostEqual(page["bound"]["value"], row["bound"], delta=1e-9 * row["bound"])

    def test_a_gain_for_which_no_job_changes_its_order(self):
        cells = {(i, i + 1): 1000000 for i in range(0, 8, 2)}
        write_mtx("little.mtx", 8, {**cells, (0, 4): 1000})
        asked = ("little.mtx", "--topology", "tree:2x4")
        self.assertEqual(self.call("compare", *asked).stdout.splitlines()[0],
                         "Kith's order sends nothing between nodes of tree:2x4 instead of 1000 bytes; a job "
                         "keeps its present order where less than 2% is to be gained.")
        self.assertIn("where less than 2% is to be gained, --reorder with a trace, or auto, keeps the present order",
                      self.call("map", *asked).stderr)
        write_mtx("much.mtx", 8, {**cells, (0, 4): 1000000})
        asked = ("much.mtx", *asked[1:])
        self.assertNotIn("a job keeps", self.call("compare", *asked).stdout)
        self.assertNotIn("keeps the present order", self.call("map", *asked).stderr)

    def test_only_the_best_three_others_are_shown(self):
        self.call("gen", "geometric", "--ranks", "60", "-o", "g.mtx")
        asked = ("compare", "g.mtx", "--topology", "tree:4x16")
        rows = self.json(*asked)
        self.assertLess(len(rows), len(self.json(*asked, "--algorithms", "all")))
        others = [row["algorithm"] for row in rows if row["algorithm"] not in ("kith", "identity")]
        self.assertGreater(len(others), 3)
        text = self.call(*asked).stdout
        for name in others[:3]:
            self.assertIn(f"\n{name} ", text)
        self.assertIn(f"{len(others) - 3} more published algorithms gave no better order than the best", text)

    def test_what_takes_long_is_left_out_and_named(self):
        self.call("gen", "rmat", "--scale", "13", "-o", "r.mtx")
        asked = ("compare", "r.mtx", "--topology", "tree:64x4x32")
        said = self.call(*asked).stdout
        self.assertRegex(said, r"not tried, to answer soon: .*mpipp")
        # Who asks for a long search gets it.
        row = next(row for row in self.json(*asked, "--work", "10") if row["algorithm"] == "kith")
        self.assertEqual(row["stopped"], "work")

    def test_what_goes_by_an_input_is_asked(self):
        self.call("gen", "geometric", "--ranks", "16", "-o", "g.mtx")
        pathlib.Path("loads.txt").write_text("".join(f"{rank + 1}\n" for rank in range(16)))
        rows = self.json("compare", "g.mtx", "--topology", "tree:4x4", "--loads", "loads.txt")
        self.assertIn("eagermap-load", [row["algorithm"] for row in rows])

    def test_seconds_where_they_are_known_at_once(self):
        write_trace("t.kith")
        pathlib.Path("t.kith/timeline").mkdir()
        shutil.copy(CORPUS / "recorded/uneven-4.timeline", "t.kith/timeline/host-000000.timeline")
        self.assertRegex(self.call("compare", "t").stdout, r"algorithm .* predicted +between\n")
        self.assertNotIn("predicted", self.call("compare", "t", "--algorithms", "kith").stdout)

    def test_a_hopeless_simulation_shows_no_seconds(self):
        """What is three times as long as the run: nobody sees seconds of it who did not ask for them."""
        write_trace("t.kith")
        subprocess.run([MAKE, "u.kith", "4", "7", "0", "1", "1000"], check=True)
        machine = json.loads(pathlib.Path("t.kith/machine.json").read_text())
        for rank in machine["ranks"]:
            rank["host"], rank["cpus"] = 0, "0"
        pathlib.Path("u.kith/machine.json").write_text(json.dumps(machine))
        misses = "the simulation misses the recorded run by [0-9]+%: 4 ranks shared 1 processor of a"
        said = self.call("compare", "u", "--topology", "tree:2x2")
        self.assertRegex(said.stderr, f"no seconds are shown: {misses}")
        self.assertNotIn("predicted", said.stdout)
        self.assertRegex(self.call("info", "u").stdout, f"simulated +not: {misses}")
        asked = self.call("predict", "u", "--topology", "tree:2x2").stdout
        self.assertRegex(asked, misses)
        self.assertIn("critical path: not shown, as the simulation is that far off\n", asked)

    def test_why_a_quick_look_has_no_seconds(self):
        write_trace("t.kith")
        subprocess.run([MAKE, "u.kith", "4", "7", "0", "1", "1000"], check=True)
        asked = ("compare", "u", "--topology", "torus:4")
        self.assertIn("no seconds are shown, as the trace does not say where its ranks ran; --seconds",
                      self.call(*asked).stderr)
        # More messages than a quick look simulates.
        messages = pathlib.Path("u.kith/messages.mtx")
        lines = messages.read_text().splitlines()
        messages.write_text("\n".join([*lines[:2], *(line + "00000" for line in lines[2:])]) + "\n")
        machine = json.loads(pathlib.Path("t.kith/machine.json").read_text())
        pathlib.Path("u.kith/machine.json").write_text(json.dumps(machine))
        self.assertIn("no seconds are shown, as to predict them takes more than a second or two: --seconds",
                      self.call(*asked).stderr)
        for rank in machine["ranks"]:
            rank["host"], rank["cpus"] = 0, "0"
        pathlib.Path("u.kith/machine.json").write_text(json.dumps(machine))
        self.assertIn("no seconds are shown, as 4 ranks shared 1 processor of a when it was recorded; --seconds",
                      self.call(*asked).stderr)

    def test_small_grids_are_searched_to_the_bound(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "--periodic", "-o", "s.mtx")
        pathlib.Path("net").write_text("level network cost=640 latency=5 bandwidth=3000\n"
                                       "level switch cost=85 latency=1.5 bandwidth=12000\n"
                                       "n[0-1] swA\nn[2-3] swB\n")
        self.call("gen", "stencil2d", "--extents", "4x4", "--periodic", "--permute", "1", "-o", "p.mtx")
        rows = self.json("compare", "p.mtx", "--topology", "hosts:net;tree=4")
        self.assertEqual(rows[0]["algorithm"], "kith")

    def test_ranks_that_fit_on_one_node_of_many_are_told(self):
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")
        words = "in the present order all ranks are on 1 of 64 nodes, so that nothing is sent between nodes"
        self.assertIn(words, self.call("compare", "s.mtx", "--topology", "tree:64x2x8").stdout)
        self.assertNotIn("on 1 of", self.call("compare", "s.mtx", "--topology", "tree:64x2x4").stdout)

    def test_a_damaged_timeline_is_told(self):
        write_trace("t.kith")
        pathlib.Path("t.kith/timeline").mkdir()
        host = pathlib.Path("t.kith/timeline/host-000000.timeline")
        host.write_bytes((CORPUS / "recorded/uneven-4.timeline").read_bytes()[:-100])
        said = self.call("compare", "t")
        self.assertNotIn("predicted", said.stdout)
        self.assertRegex(said.stderr, f"no seconds are shown: t.kith/timeline/{host.name}")


class CompareSeconds(KithTest):
    def setUp(self):
        super().setUp()
        write_trace("t.kith")
        pathlib.Path("t.kith/timeline").mkdir()
        shutil.copy(CORPUS / "recorded/uneven-4.timeline", "t.kith/timeline/host-000000.timeline")

    def test_seconds_are_those_of_predict(self):
        names = ["identity", "kith", "random"]
        rows = self.json("compare", "t", "--seconds", "--algorithms", ",".join(names))
        said = self.json("predict", "t", "--algorithms", ",".join(names))
        orders = {order["name"]: order for order in said["orders"]}
        self.assertCountEqual([row["algorithm"] for row in rows], names)
        for row in rows:
            for key in ("seconds", "low", "high"):
                self.assertEqual(row["seconds_predicted"][key], orders[row["algorithm"]][key])
                self.assertEqual(row["baseline_seconds_predicted"][key], orders["present"][key])
            for key in ("recorded_seconds", "simulated_seconds", "fitted_megabytes_per_s",
                        "assumptions", "one_ended_messages"):
                self.assertEqual(row[key], said[key], key)
            self.assertLess(row["seconds"], 5, "seconds stay those of the mapping")
        plain = self.json("compare", "t", "--algorithms", "identity")
        self.assertFalse({"seconds_predicted", "recorded_seconds"} & set(plain[0]))

    def test_seconds_stand_beside_what_was_measured(self):
        lines = self.call("compare", "t", "--seconds", "--algorithms",
                          "identity,kith").stdout.splitlines()
        said = self.call("predict", "t").stdout.splitlines()
        first = next(i for i, line in enumerate(lines) if line.startswith("recorded: "))
        basis = next(i for i, line in enumerate(said) if line.startswith("order "))
        self.assertEqual(lines[first:first + basis], said[:basis])
        self.assertRegex(lines[first + basis], r"^the present order, predicted: [0-9.]+ s, [0-9.]+ s\.\.")
        self.assertEqual(lines[first + basis + 1].split()[-5:],
                         ["ratio", "took", "(s)", "predicted", "between"])
        for line in lines[first + basis + 2:]:
            self.assertRegex(line, r" [0-9.]+ s +[0-9.]+ s\.\.[0-9.]+ s$")

    def test_what_is_advised_is_shown(self):
        """Of the orders that take as long as the quickest, within 2%, the one with the least objective; of equals Kith's."""
        not_the_quickest = 0
        for seed in (3, 4, 9):
            name = f"made{seed}.kith"
            subprocess.run([MAKE, name, "12", str(seed)], check=True)
            words = ("compare", name, "--topology", "tree:2x2x3", "--seconds",
                     "--algorithms", "all")
            better = [row for row in self.json(*words) if row["ratio"] is not None and row["ratio"] < 1]
            seconds = {row["algorithm"]: row["seconds_predicted"]["seconds"] for row in better}
            ratio = {row["algorithm"]: row["ratio"] for row in better}
            as_quick = [name for name in seconds if seconds[name] <= 1.02 * min(seconds.values())]
            advised = min(as_quick, key=lambda name: (ratio[name], name != "kith", seconds[name]))
            text = self.call(*words).stdout
            whose = "Kith's order" if advised == "kith" else f"The order of {advised}"
            self.assertTrue(text.startswith(whose + " "), (seed, advised, text))
            self.assertIn(f"\n{advised} ", text)
            not_the_quickest += advised != min(seconds, key=lambda name: (seconds[name], ratio[name]))
        self.assertGreater(not_the_quickest, 0, "no example of it")

    def test_another_machine_is_not_compared_with_the_clock(self):
        words = ("compare", "t", "--seconds", "--topology", "torus:2x2", "--algorithms", "kith")
        self.assertIn("on another machine than torus:2x2; simulated on the machine of the run: ",
                      self.call(*words).stdout)
        self.assertIsNone(self.json(*words)[0]["simulated_seconds"])

    def test_no_seconds_without_a_timeline(self):
        self.refused("compare", "t.kith/bytes.mtx", "--seconds", "--topology", "tree:2x2",
                     says=["a trace with a timeline", "a matrix"])
        self.refused("compare", "none", "--seconds", says="nothing of that name")
        subprocess.run([MAKE, "cut.kith", "6", "1", "50", "1", "20"], check=True)
        self.refused("compare", "cut", "--seconds", "--topology", "tree:3x2",
                     says=["cut: expected a timeline of the run, or of its first twentieth",
                           "KITH_TIMELINE_MEMORY"])
        shutil.rmtree("t.kith/timeline")
        self.refused("compare", "t", "--seconds",
                     says=["t: expected a trace with a timeline", "KITH_TIMELINE=0"])


if __name__ == "__main__":
    main()
