#!/usr/bin/env python3
"""kith report: seconds of each order, from the timeline of the trace."""
import json
import os
import pathlib
import shutil
import subprocess

from kithcli import CORPUS, main
from reports import ReportTest, write_trace

MAKE = pathlib.Path(os.environ["KITH_BINARY"]).absolute() / "bin" / "made_trace"


class Seconds(ReportTest):
    def setUp(self):
        super().setUp()
        write_trace("t.kith", p2p={(0, 2): 9000, (2, 0): 9000, (1, 3): 9000, (3, 1): 9000})
        pathlib.Path("t.kith/timeline").mkdir()
        shutil.copy(CORPUS / "recorded/uneven-4.timeline", "t.kith/timeline/host-000000.timeline")

    def sentence(self, data):
        """The one about seconds, the last but one."""
        return data["summary"]["sentences"][-2]

    def test_seconds_are_those_of_predict(self):
        self.mapping([0, 2, 1, 3], "a.map")
        data = self.json("report", "t", "--mapping", "a.map")
        said = self.json("predict", "t", "--mapping", "a.map")
        orders = {order["id"]: order["predicted"] for order in data["orders"]}
        for name, order in (("present", said["orders"][0]), ("mapping:0", said["orders"][1])):
            for key in ("seconds", "low", "high", "bound"):
                self.assertEqual(orders[name][key], order[key], (name, key))
            self.assertLessEqual(len(orders[name]["links"]), 6)
            for link, expected in zip(orders[name]["links"], order["links"]):
                self.assertEqual((link["name"], link["busy"]),
                                 (expected["name"], expected["utilisation"]))
                self.assertAlmostEqual(link["bytes"], expected["bytes"], delta=0.5)
        self.assertEqual(data["seconds"]["recorded"], said["recorded_seconds"])
        self.assertEqual(data["seconds"]["simulated"], said["simulated_seconds"])
        lines = self.call("predict", "t").stdout.splitlines()
        self.assertEqual(data["seconds"]["basis"],
                         lines[:next(i for i, line in enumerate(lines) if line.startswith("order "))])
        self.assertNotIn("seconds", self.missing(data))
        self.assertEqual(data, self.json("report", "t", "--mapping", "a.map"))

    def test_words(self):
        data = self.page("t").data()
        self.assertEqual(data["summary"]["verdict"], "keep")
        self.assertRegex(data["summary"]["headline"],
                         r"^Keep the present order: in another one .* but it would save no time; "
                         r"[0-9.]+ s predicted \([0-9.]+ s\.\.[0-9.]+ s\) instead of [0-9.]+ s, "
                         r"9\.12 s measured$")
        self.assertRegex(self.sentence(data),
                         r"^Recorded: 9\.12 s; simulated as recorded: [0-9.]+ s \([+-]\d+%\)\. ")
        self.assertIn("but it would save no time", data["summary"]["sentences"][2])
        self.assertIn("Nothing needs to be done", data["summary"]["sentences"][-1])
        # Where nothing was compared with the clock, only an order that is slower by 2% counts.
        self.assertEqual(self.json("report", "t", "--topology", "tree:2x2")["summary"]["verdict"],
                         "reorder")
        self.mapping([0, 1, 2, 3], "same.map")
        kept = self.json("report", "t", "--topology", "tree:4", "--mapping", "same.map")
        self.assertIn("on another machine than tree:4; simulated on the machine of the run: ",
                      self.sentence(kept))
        self.assertNotIn("measured", kept["summary"]["headline"])
        self.assertNotIn("simulated", kept["seconds"])
        self.assertIn("No order is predicted to take less time than the present order",
                      self.sentence(kept))

    def test_where_the_recorded_run_was_missed(self):
        """What kith predict calls unclear the page does, too, on whatever machine."""
        subprocess.run([MAKE, "u.kith", "4", "3", "0", "1", "100"], check=True)
        machine = json.loads(pathlib.Path("t.kith/machine.json").read_text())
        for rank in machine["ranks"]:
            rank["host"], rank["cpus"] = 0, str(rank["rank"] // 2)
        pathlib.Path("u.kith/machine.json").write_text(json.dumps(machine))
        pathlib.Path("slow.net").write_text("level network bandwidth=0.002 latency=1000\na slots=2\nb slots=2\n")
        asked = ("u", "--topology", "hosts:slow.net")
        self.assertIn("unclear: the simulation misses", self.call("predict", *asked).stdout)
        data = self.json("report", *asked)
        self.assertRegex(data["summary"]["headline"], r"; whether that takes less time is unclear$")
        self.assertRegex(self.sentence(data), r" Whether .* takes less time than the present order is unclear: ")

    def test_what_a_timeline_does_not_say(self):
        subprocess.run([MAKE, "cut.kith", "6", "1", "50", "1", "20"], check=True)
        data = self.json("report", "cut", "--topology", "tree:3x2")
        reason = next(one["reason"] for one in data["missing"] if one["view"] == "seconds")
        self.assertIn("a timeline of the run, or of its first twentieth", reason)
        self.assertTrue(reason.endswith("KITH_TIMELINE_MEMORY."), reason)
        self.assertNotIn("seconds", data)
        shutil.rmtree("t.kith/timeline")
        data = self.json("report", "t")
        self.assertIn("seconds", self.missing(data))
        self.assertNotIn("measured", " ".join(data["summary"]["sentences"]))


if __name__ == "__main__":
    main()
