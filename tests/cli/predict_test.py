#!/usr/bin/env python3
"""kith predict: seconds of a recorded job under orders and on machines."""
import json
import os
import pathlib
import re
import shutil
import subprocess

from kithcli import CORPUS, KithTest, main
from reports import PHASES, write_trace

MAKE = pathlib.Path(os.environ["KITH_BINARY"]).absolute() / "bin" / "made_trace"
RECORDED = CORPUS / "recorded/uneven-4.timeline"
KEYS = ["name", "mapping", "seconds", "low", "high", "speedup", "bound_by", "links",
        "critical_path"]


class Predict(KithTest):
    def setUp(self):
        super().setUp()
        write_trace("t.kith", phases=[(name, cells) for name, cells in PHASES])
        folder = pathlib.Path("t.kith/timeline")
        folder.mkdir()
        shutil.copy(RECORDED, folder / "host-000000.timeline")

    def mapping(self, name, *slots):
        pathlib.Path(name).write_text("".join(f"{r} {s}\n" for r, s in enumerate(slots)))
        return name

    def present(self, *words):
        return self.json("predict", "t", *words)["orders"][0]

    def test_text(self):
        text = self.call("predict", "t").stdout
        self.assertRegex(text, r"^recorded: 9\.12 s; simulated as recorded: [0-9.]+ s \([+-]\d+%\)\n")
        self.assertRegex(text, r"\nbandwidth between hosts: [0-9.]+ MB/s, so that the recorded order")
        self.assertRegex(text, r"\nassumed: latency between hosts: 20 us; .*; messages wait for each other "
                               r"on links, as over TCP: hosts reach each other at 10 Gbit/s or less")
        fast = self.call("predict", "t", "--link", "network=5000").stdout
        self.assertIn("; messages on a link share it fairly (--sharing)\n", fast)
        self.refused("predict", "t", "--topology", "tree:2x2", "--network", "net",
                     says="'tree:2x2' (--link says speeds of its levels)")
        said = self.call("predict", "t", "--sharing", "fair").stdout
        self.assertNotIn("(--sharing)", said)
        self.assertRegex(text, r"\norder +seconds +between +speed-up +bound by\npresent .* 1\.00x .*\n"
                               r"kith ")
        self.assertRegex(text, r"\ncritical path of \w+:\n +[0-9.]+ m?s  ")
        self.assertEqual(text, self.call("predict", "t.kith").stdout)
        # Told first, before any number that rests on it.
        missed = self.call("predict", "t", "--link", "network=1000").stdout
        self.assertRegex(missed, r"^recorded: .*\nthe simulation misses the recorded run by \d+%: ")

    def test_json(self):
        data = self.json("predict", "t")
        self.assertEqual((data["trace"], data["ranks"]), ("t", 4))
        self.assertAlmostEqual(data["recorded_seconds"], 9.12, delta=0.01)
        self.assertAlmostEqual(data["simulated_seconds"], data["recorded_seconds"], delta=0.2)
        self.assertGreater(data["fitted_megabytes_per_s"], 0)
        self.assertEqual([order["name"] for order in data["orders"]], ["present", "kith"])
        for order in data["orders"]:
            self.assertTrue(set(KEYS) <= set(order), order.keys())
            self.assertEqual(sorted(order["mapping"]), [0, 1, 2, 3])
            self.assertLess(order["low"], order["seconds"])
            self.assertGreater(order["high"], order["seconds"])
            self.assertAlmostEqual(sum(order["bound_by"].values()), 1)
            self.assertEqual(list(order["bound_by"]), ["compute", "network", "wait"])
            self.assertTrue(order["links"])
            for link in order["links"]:
                self.assertTrue(0 <= link["utilisation"] <= 1 + 1e-9, link)
            self.assertLessEqual(sum(part["seconds"] for part in order["critical_path"]),
                                 order["seconds"] * (1 + 1e-9))
        self.assertEqual(data["orders"][0]["speedup"], 1)
        self.assertEqual(data, self.json("predict", "t"))

    def test_orders(self):
        mapping = self.mapping("a.map", 0, 2, 1, 3)
        data = self.json("predict", "t", "--mapping", mapping)
        self.assertEqual([(one["name"], one["mapping"]) for one in data["orders"]],
                         [("present", [0, 1, 2, 3]), ("a.map", [0, 2, 1, 3])])
        both = self.json("predict", "t", "--mapping", mapping, "--mapping",
                         self.mapping("b.map", 0, 1, 2, 3), "--algorithms", "kith,topolb")
        self.assertEqual([one["name"] for one in both["orders"]],
                         ["present", "a.map", "b.map", "kith", "topolb"])
        self.assertEqual(both["orders"][1], data["orders"][1])
        self.assertEqual({**both["orders"][2], "name": "present"}, both["orders"][0])
        for one in both["orders"]:
            self.assertAlmostEqual(one["speedup"], both["orders"][0]["seconds"] / one["seconds"])

    def test_what_if(self):
        now = self.present()["seconds"]
        twice = self.present("--what-if", "bandwidth=2x")["seconds"]
        self.assertLess(twice, 0.8 * now)
        self.assertLess(self.present("--what-if", "bandwidth=2x", "--what-if", "bandwidth=2x")
                        ["seconds"], twice)
        for better in ("latency=1us", "latency=0.5x", "compute=0.5x", "hosts=1"):
            self.assertLessEqual(self.present("--what-if", better)["seconds"], now, better)
        self.assertGreater(self.present("--what-if", "hosts=4")["seconds"], 0)
        self.assertIn("what if: bandwidth=2x, hosts=1; all below",
                      self.call("predict", "t", "--what-if", "bandwidth=2x", "--what-if",
                                "hosts=1").stdout)
        pathlib.Path("net").write_text("h0 a\nh1 a\nh2 b\nh3 b\n")
        switches = ("predict", "t", "--topology", "hosts:net;tree=4", "--what-if")
        self.assertIn("what if: hosts=4 (alike, and all on one switch, not as hosts:net;tree=4 connects them)",
                      self.call(*switches, "hosts=4").stdout)
        self.assertNotIn("on one switch", self.call(*switches, "bandwidth=2x").stdout)
        for what, warned in (("bandwidth=2x", True), ("latency=1us", True), ("compute=2x", False)):
            said = self.call("predict", "t", "--what-if", what, "--what-if", "hosts=1").stderr
            self.assertEqual("change nothing" in said, warned, said)
        # What is known of the links inside a host stays.
        pathlib.Path("fast.net").write_text("level host latency=0.4 bandwidth=8700\nh0\nh1\nh2\nh3\n")
        for words in ((), ("--what-if", "hosts=2")):
            said = self.call("predict", "t", "--topology", "hosts:fast.net;tree=4", *words).stdout
            self.assertIn("memory of a host: 34800 MB/s", said)
            self.assertNotIn("inside a host", said)
        made_up = ("--topology", "tree:1x4", "--what-if", "hosts=4")
        self.assertGreater(self.present(*made_up, "--link", "network=0.1,5")["seconds"],
                           self.present(*made_up)["seconds"])
        self.assertEqual(self.present("--what-if", "latency=1ms")["seconds"],
                         self.present("--what-if", "latency=1000us")["seconds"])
        slow = self.present("--what-if", "latency=1000000us")
        self.assertGreater(slow["seconds"], now)
        self.assertGreater(slow["bound_by"]["wait"], 0.5)

    def test_other_machines(self):
        data = self.json("predict", "t", "--topology", "torus:2x2", "--link", "network=10,3")
        self.assertIsNone(data["simulated_seconds"])
        self.assertEqual([one for one in data["assumptions"] if "between hosts" in one], [])
        self.assertIn("on another machine than torus:2x2",
                      self.call("predict", "t", "--topology", "torus:2x2").stdout)
        # What the simulation misses where it ran is told.
        there = data["simulated_there_seconds"]
        self.assertIn("; simulated on the machine of the run: ",
                      self.call("predict", "t", "--topology", "torus:2x2").stdout)
        self.assertAlmostEqual(there, self.json("predict", "t")["simulated_seconds"])
        # A network of known speed keeps it on other hosts.
        slow = self.present("--topology", "torus:2x2", "--link", "network=1", "--what-if",
                            "hosts=2")["seconds"]
        fast = self.present("--topology", "torus:2x2", "--link", "network=100", "--what-if",
                            "hosts=2")["seconds"]
        self.assertGreater(slow, 1.5 * fast)
        one = self.present("--topology", "tree:1x4", "--cpus", "1")
        self.assertGreater(one["seconds"],  # sleep, of which this run is full, needs none
                           1.1 * self.present("--topology", "tree:1x4")["seconds"])
        self.assertGreater(one["bound_by"]["compute"], 0.9)

    def test_other_machines_than_a_crowded_one(self):
        """How ranks took turns there is not known well: neither are seconds on other machines."""
        def on_one_host(cpus):
            path = pathlib.Path("t.kith/machine.json")
            machine = json.loads(path.read_text())
            for rank in machine["ranks"]:
                rank["host"], rank["cpus"] = 0, str(cpus(rank["rank"]))
            path.write_text(json.dumps(machine))
            return self.json("predict", "t", "--topology", "tree:2x2")

        free = on_one_host(lambda rank: rank)
        crowded = on_one_host(lambda rank: 0)
        there = crowded["simulated_there_seconds"]
        # Time without a processor is sleep, or another rank's turn.
        self.assertLess(there, 0.9 * free["simulated_there_seconds"])
        self.assertAlmostEqual(there, self.json("predict", "t")["simulated_seconds"], places=6)
        present = crowded["orders"][0]
        met = present["seconds"] * crowded["recorded_seconds"] / there
        self.assertLessEqual(present["low"], 1.001 * met)
        self.assertGreaterEqual(1.001 * present["high"], met)
        # Whichever way it misses, shared processors are the first to blame.
        slow = self.call("predict", "t", "--link", "host=0.1").stdout
        pathlib.Path("same.map").write_text("".join(f"{rank} {rank}\n" for rank in range(4)))
        same = self.call("predict", "t", "--link", "host=0.1", "--mapping", "same.map").stdout
        self.assertRegex(same, r"\nsame\.map .* 1\.00x ")
        self.assertRegex(slow, r"simulated as recorded: .* \(\+\d+%\)\nthe simulation misses the recorded "
                               r"run by \d+%: 4 ranks shared 1 processor")
        for other in (["--topology", "tree:2x2"], ["--what-if", "hosts=3"]):
            text = self.call("predict", "t", *other).stdout
            self.assertIn("\nassumed: a processor for each slot (--cpus; when recorded, 4 ranks shared 1 "
                          "processor", text)
        self.assertNotIn("a processor for each slot", slow)
        self.assertRegex(self.call("info", "t").stdout, r"4 ranks shared 1 processor of \S+: most of what they wait")
        few = self.call("predict", "t", "--topology", "tree:2x2", "--cpus", "2").stdout
        self.assertNotIn("a processor for each slot", few)

    def test_progress_and_eager_limit(self):
        calls = self.present("--eager-limit", "0", "--link", "network=5")["seconds"]
        always = self.present("--eager-limit", "0", "--link", "network=5", "--progress",
                              "always")["seconds"]
        self.assertLessEqual(always, calls * 1.01)
        self.assertGreaterEqual(calls, self.present("--link", "network=5")["seconds"] * 0.99)

    def test_long_runs(self):
        """Of millions of operations some are simulated, which takes as long as all of them."""
        subprocess.run([MAKE, "long.kith", "6", "1", "0", "6500"], check=True)
        machine = ("--topology", "tree:3x2", "--link", "level0=10,3")
        some, every = (self.json("predict", "long", *machine, *words)
                       for words in ((), ("--whole-run",)))
        self.assertEqual(some["operations"], every["operations"])
        self.assertEqual(every["simulated_operations"], every["operations"])
        self.assertLess(some["simulated_operations"], 2.1e6)
        self.assertLess(2 * some["simulated_operations"], some["operations"])
        for a, b in zip(some["orders"], every["orders"]):
            self.assertEqual(a["mapping"], b["mapping"])
            self.assertAlmostEqual(a["seconds"] / b["seconds"], 1, delta=0.01)
        self.assertRegex(self.call("predict", "long", *machine).stdout,
                         r"\nsimulated: [0-9.]+ of [0-9.]+ million operations; passes of loops")

    def test_bad_options(self):
        pathlib.Path("elsewhere.net").write_text("x0 s\nx1 s\n")
        for words, says in (
                (("--link", "nosuch=1"), ["--link", "network, host", "'nosuch'"]),
                (("--link", "nosuch=1", "--what-if", "hosts=2"), ["--link", "'nosuch'"]),
                (("--link", "network=abc"), ["--link", "'network=abc'"]),
                (("--link", "network"), ["--link", "LEVEL=MB/s", "'network'"]),
                (("--link", "network=0"), ["--link", "'network=0'"]),
                (("--link", "network=1,"), ["--link"]),
                (("--what-if", "nonsense"), ["--what-if", "bandwidth=2x", "'nonsense'"]),
                (("--what-if", "bandwidth=2"), ["--what-if", "'bandwidth=2'"]),
                (("--what-if", "bandwidth=-1x"), ["--what-if"]),
                (("--what-if", "latency=x"), ["--what-if", "'latency=x'"]),
                (("--what-if", "hosts=0"), ["--what-if hosts"]),
                (("--cpus", "0"), ["--cpus"]),
                (("--progress", "never"), ["--progress", "calls"]),
                (("--eager-limit", "many"), ["--eager-limit"]),
                (("--algorithms", "nosuch"), ["--algorithms", "nosuch"]),
                (("--network", "nosuch.net"), ["nosuch.net"]),
                (("--network", "elsewhere.net"),
                 ["--network: expected a network of the job's hosts", "elsewhere.net names none of"]),
                (("--network", "a.net", "--topology", "tree:2x2"), ["--network: ", "'tree:2x2'"]),
                (("--mapping", "nosuch.map"), ["nosuch.map"])):
            with self.subTest(words):
                self.refused("predict", "t", *words, says=says)

    def test_mappings_that_do_not_fit(self):
        self.refused("predict", "t", "--mapping", self.mapping("few.map", 0, 1, 2),
                     says="few.map")
        self.refused("predict", "t", "--mapping", self.mapping("far.map", 0, 1, 2, 9),
                     says="far.map")

    def test_traces_without_seconds(self):
        self.refused("predict", "none", says=["none: expected a trace", "nothing of that name"])
        self.refused("predict", "t.kith/bytes.mtx", says="found a matrix")
        host = pathlib.Path("t.kith/timeline/host-000000.timeline")
        whole = host.read_bytes()
        for size in range(0, len(whole), len(whole) // 15):
            host.write_bytes(whole[:size])
            self.refused("predict", "t", says="host-000000.timeline")
        host.unlink()
        self.refused("predict", "t", says=["t: expected a trace with a timeline", "KITH_TIMELINE=0"])

    def test_timelines_of_other_ranks(self):
        subprocess.run([MAKE, "six.kith", "6", "1"], check=True)
        self.assertEqual(self.json("predict", "six", "--topology", "tree:3x2")["ranks"], 6)
        self.refused("predict", "six", says="--topology")  # it does not say where it ran
        shutil.rmtree("six.kith/timeline")
        shutil.copytree("t.kith/timeline", "six.kith/timeline")
        self.refused("predict", "six", "--topology", "tree:3x2",
                     says=["a timeline of 6 ranks", "one of 4"])

    def test_timelines_with_omissions(self):
        subprocess.run([MAKE, "cut.kith", "6", "1", "50"], check=True)
        self.assertRegex(self.call("predict", "cut", "--topology", "tree:3x2").stdout,
                         r"\nsimulated: the first \d+% of the run, as the timeline leaves out the rest")
        data = self.json("predict", "cut", "--topology", "tree:3x2")
        self.assertTrue(0.05 < data["covered"] < 1, data["covered"])
        for one in data["orders"]:
            self.assertLessEqual(one["low"], 0.9 * one["seconds"])
        subprocess.run([MAKE, "most.kith", "6", "1", "50", "1", "20"], check=True)
        self.refused("predict", "most", "--topology", "tree:3x2",
                     says=["most: expected a timeline of the run, or of its first twentieth",
                           "KITH_TIMELINE_MEMORY"])

    def test_ranks_without_a_timeline(self):
        subprocess.run([MAKE, "half.kith", "6", "1"], check=True)
        pathlib.Path("half.kith/timeline/host-000001.timeline").unlink()
        self.refused("predict", "half", "--topology", "tree:3x2",
                     says=["a timeline of each rank", "3 ranks without one"])
        pathlib.Path("half.kith").rename("half.kith.partial")
        self.refused("predict", "half.kith.partial", "--topology", "tree:3x2",
                     says=["3 ranks without one (of a job that is killed a rank has one once it has called MPI for "])

    def test_timelines_of_a_killed_job_end_at_different_times(self):
        subprocess.run([MAKE, "cut.kith", "6", "1"], check=True)
        self.assertNotIn("in what the timeline has", self.call("info", "cut.kith").stdout)
        meta = pathlib.Path("cut.kith/meta.json")
        told = json.loads(meta.read_text())
        meta.write_text(json.dumps(told | {"partial": True}))
        said = self.call("info", "cut.kith").stdout
        self.assertIn("in what the timeline has of the run, ranks compute ", said)
        self.assertNotIn("even work", said)


if __name__ == "__main__":
    main()
