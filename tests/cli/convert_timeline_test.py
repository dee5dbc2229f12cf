#!/usr/bin/env python3
"""kith convert --to smpi, goal and perfetto."""
import collections
import json
import os
import pathlib
import re
import subprocess

from kithcli import KithTest, main, read_mtx

MAKE = pathlib.Path(os.environ["KITH_BINARY"]).absolute() / "bin" / "made_trace"
RANKS = 6


class ConvertTimeline(KithTest):
    def setUp(self):
        super().setUp()
        subprocess.run([MAKE, "t.kith", str(RANKS), "1"], check=True)
        self.bytes = read_mtx("t.kith/bytes.mtx")[1]

    def sent(self, messages):
        sums = collections.Counter()
        for source, target, size in messages:
            sums[source, target] += size
        return {pair: size for pair, size in sums.items() if size}

    def expected(self):
        return {pair: size for pair, size in self.bytes.items() if size}

    def test_simgrid(self):
        self.call("convert", "t", "out", "--to", "smpi")
        files = pathlib.Path("out/index").read_text().split()
        self.assertEqual(len(files), RANKS)
        lines = [line.split() for file in files
                 for line in pathlib.Path(file).read_text().splitlines()]
        self.assertEqual(self.sent((int(line[0]), int(line[2]), int(line[4]))
                                   for line in lines if line[1] in ("send", "isend")),
                         self.expected())
        self.refused("convert", "t.kith", "out", "--to", "smpi", says="out: expected a folder")

    def test_goal(self):
        self.call("convert", "t.kith", "t.goal", "--to", "goal")
        text = pathlib.Path("t.goal").read_text()
        self.assertTrue(text.startswith(f"num_ranks {RANKS}\n"))
        messages, labels = [], set()
        for line in text.splitlines():
            if begin := re.match(r"rank (\d+) {", line):
                rank, labels = int(begin[1]), set()
            elif send := re.match(r"l\d+: send (\d+)b to (\d+) tag \d+$", line):
                messages.append((rank, int(send[2]), int(send[1])))
            if label := re.match(r"(l\d+): ", line):
                labels.add(label[1])
            elif needs := re.match(r"(l\d+) requires (l\d+)$", line):
                self.assertLessEqual({needs[1], needs[2]}, labels)
        self.assertEqual(self.sent(messages), self.expected())

    def test_perfetto(self):
        told = self.call("convert", "t.kith", "-o", "t.json", "--to", "perfetto").stderr
        self.assertRegex(told, r"\d+ slices written; open t.json in ui.perfetto.dev")
        slices = [event for event in json.loads(pathlib.Path("t.json").read_text())["traceEvents"]
                  if event["ph"] == "X"]
        self.assertEqual({event["pid"] for event in slices}, set(range(RANKS)))
        middle = sorted(event["ts"] for event in slices)[len(slices) // 2] / 1e6
        self.call("convert", "t.kith", "half.json", "--to", "perfetto", "--from-time", middle)
        half = [event for event in json.loads(pathlib.Path("half.json").read_text())["traceEvents"]
                if event["ph"] == "X"]
        self.assertLess(len(half), 0.7 * len(slices))
        self.assertGreater(len(half), 0.3 * len(slices))
        told = self.call("convert", "t.kith", "few.json", "--to", "perfetto", "--slices", 30).stderr
        self.assertIn("6 ranks have more than their share", told)
        few = json.loads(pathlib.Path("few.json").read_text())
        self.assertEqual(few["otherData"]["ranks cut there"], RANKS)

    def test_traces_are_found_by_name(self):
        pathlib.Path("t.kith").rename("t.kith.partial")
        for number, name in enumerate(("t", "t/", "t.kith", "t.kith.partial/")):
            self.call("convert", name, f"o{number}/", "--to", "smpi")
            self.assertTrue(pathlib.Path(f"o{number}/index").exists())

    def test_info_says_what_is_covered(self):
        facts = self.json("info", "t.kith")["timeline"]
        self.assertEqual((facts["ranks"], facts["exact"], facts["bytes_share"]), (RANKS, True, 1))
        self.assertIn("of 6 ranks, all bytes and messages", self.call("info", "t.kith").stdout)
        # One message less in the matrix than in the timeline, and all bytes of it.
        path = pathlib.Path("t.kith/messages.mtx")
        lines = path.read_text().splitlines()
        row, column, count = lines[-1].split()
        path.write_text("\n".join([*lines[:-1], f"{row} {column} {int(count) - 1}"]) + "\n")
        facts = self.json("info", "t.kith")["timeline"]
        self.assertEqual((facts["exact"], facts["bytes_share"]), (False, 1))
        path.write_text("\n".join([*lines[:-1], f"{row} {column} {int(count) + 1}"]) + "\n")
        facts = self.json("info", "t.kith")["timeline"]
        self.assertEqual((facts["exact"], facts["messages_share"] < 1), (False, True))
        self.assertRegex(self.call("info", "t.kith").stdout, r"100\.0% of the bytes and 9[0-9.]+% of the")

    def test_what_is_refused(self):
        host = pathlib.Path("t.kith/timeline/host-000000.timeline")
        whole = host.read_bytes()
        for size in range(0, len(whole), 97):
            host.write_bytes(whole[:size])
            self.refused("convert", "t.kith", "out", "--to", "goal", says="host-000000.timeline")
        host.write_bytes(whole)
        self.refused("convert", "t.kith", "-", "--to", "smpi", says=["OUT", "a new folder"])
        self.refused("convert", "t.kith", "o.mtx", "--slices", 3, says=["--slices", "perfetto"])
        self.refused("convert", "t.kith", "o", "--to", "goal", "--collectives", "native",
                     says=["--collectives", "--to smpi"])
        self.refused("convert", "t.kith", "o", "--to", "perfetto", "--from-time", 3, "--to-time", 2,
                     says=["--to-time"])
        self.refused("convert", "none", "o", "--to", "goal", says="none: expected a trace")
        self.refused("convert", "t.kith/bytes.mtx", "o", "--to", "goal", says="found a matrix")
        self.refused("convert", "t.kith", "o", "--to", "goal", "--from", "mtx", says="--from")
        for path in pathlib.Path("t.kith/timeline").iterdir():
            path.unlink()
        self.refused("convert", "t.kith", "o", "--to", "smpi",
                     says=["t.kith: expected a trace with a timeline", "earlier Kith"])
        pathlib.Path("t.kith").rename("t.kith.partial")
        for name in ("t.kith.partial", "t.kith.partial/"):
            self.refused("convert", name, "o", "--to", "smpi", says=["the run ended before"])
            self.refused("predict", name, says=["the run ended before"])


if __name__ == "__main__":
    main()
