#!/usr/bin/env python3
"""kith info and kith report: where the time of a run goes, from its timeline."""
import json
import pathlib
import re
import shutil

from kithcli import CORPUS, main
from reports import ReportTest, numbers, write_trace

RECORDED = CORPUS / "recorded/uneven-4.timeline"
PHASES = ["start", "level 1", "level 2"]
ACTIVITIES = ["computing", "point_to_point", "completions", "collectives", "one_sided", "setup",
              "files"]


class Time(ReportTest):
    def trace(self, name="t.kith"):
        """A trace with the timeline that tests/corpus has: a ring of 4 ranks, 40 steps with a sum in
        each, then 60 broadcasts; rank 2 computes most."""
        write_trace(name, phases=[(phase, {(0, 1): 10}) for phase in PHASES])
        pathlib.Path(name, "load.csv").unlink()  # of other phases
        folder = pathlib.Path(name, "timeline")
        folder.mkdir()
        shutil.copy(RECORDED, folder / "host-000000.timeline")
        return folder / "host-000000.timeline"

    def test_sums(self):
        self.trace()
        time = self.json("info", "t")["time"]
        calls = {one["name"]: one["calls"] for one in time["operations"]}
        self.assertEqual({name: calls.get(f"MPI_{name}") for name in
                          ("Irecv", "Isend", "Waitall", "Allreduce", "Bcast")},
                         {"Irecv": 320, "Isend": 320, "Waitall": 160, "Allreduce": 160,
                          "Bcast": 240})
        sent = [one["bytes"] for one in time["operations"] if one["name"] == "MPI_Isend"]
        self.assertEqual(sent, [320 * 2048 * 8])
        inside = sum(one["seconds"] for one in time["operations"])
        mean = time["mean"]
        self.assertAlmostEqual(
            inside, 4 * sum(mean[f"{name}_s"] for name in ACTIVITIES if name != "computing"))
        self.assertAlmostEqual(mean["computing_s"], time["computing_s"]["mean"])

    def test_who_waits_for_whom(self):
        self.trace()
        time = self.json("info", "t")["time"]
        self.assertEqual(time["computing_s"]["slowest_rank"], 2)
        self.assertGreater(time["computing_s"]["imbalance"], 1.2)
        neighbours = {(rank, (rank + step) % 4) for rank in range(4) for step in (1, 3)}
        self.assertEqual({(pair["rank"], pair["for"]) for pair in time["waits"]}, neighbours)
        text = self.call("info", "t").stdout
        first = time["waits"][0]
        for part in ("time         a rank on average: ", "computing ", "uneven work: ranks compute",
                     "; rank 2 has ", "MPI_Waitall: ",
                     f"rank {first['rank']} for messages of ranks "):
            self.assertIn(part, text)
        # One Waitall receives from both neighbours: which of them was late is not known.
        together = re.search(f"rank {first['rank']} for messages of ranks ([0-3]), ([0-3]): .* in all", text)
        self.assertEqual({(first["rank"], int(rank)) for rank in together.groups()},
                         {pair for pair in neighbours if pair[0] == first["rank"]})
        self.assertEqual(len([line for line in text.splitlines() if line.endswith(" in all")]), 4, text)
        self.assertNotIn("imbalance (largest / mean)", text)  # once is enough
        self.assertNotIn("KITH_TIMELINE_MEMORY", text)

    def test_phases(self):
        self.trace()
        time = self.json("info", "t")["time"]
        self.assertEqual([phase["name"] for phase in time["phases"]], PHASES)
        for name in ACTIVITIES:
            whole = time["mean"][f"{name}_s"]
            parts = sum(phase[f"{name}_s"] for phase in time["phases"])
            self.assertLessEqual(parts, whole * (1 + 1e-9), name)
        _, ring, tree = time["phases"]
        self.assertGreater(ring["completions_s"], 0)
        self.assertEqual(tree["completions_s"], 0)
        self.assertGreater(tree["collectives_s"], 0)
        text = self.call("info", "t").stdout
        self.assertRegex(text, r"level 1: 10, .*\n +[0-9.]+ m?s of a rank: computing ")

    def test_phases_in_perfetto(self):
        self.trace()
        self.call("convert", "t", "t.json", "--to", "perfetto")
        names = {event["name"] for event in json.loads(pathlib.Path("t.json").read_text())["traceEvents"]
                 if event.get("cat") == "phase"}
        self.assertEqual(names, set(PHASES))

    def test_sleep_in_phases(self):
        self.trace()
        alone = self.json("info", "t")["time"]["phases"]
        self.assertEqual([phase["without_processor_s"] for phase in alone], [0, 0, 0])
        in_level_1 = sum(alone[1][f"{name}_s"] for name in ACTIVITIES)
        wall = [0, 0, 0.95 * in_level_1, 3]  # the run, start, level 1, level 2
        rows = [f"{phase},{rank},0,0,,{seconds:.9f}" for phase, seconds in enumerate(wall) for rank in range(4)]
        pathlib.Path("t.kith/load.csv").write_text(
            "phase,rank,cpu_outside_s,cpu_inside_s,instructions,wall_s\n" + "\n".join(rows) + "\n")
        start, level_1, level_2 = self.json("info", "t")["time"]["phases"]
        self.assertEqual(start, alone[0])  # a clock that says nothing
        self.assertAlmostEqual(sum(level_1[f"{name}_s"] for name in ACTIVITIES), wall[2], places=6)
        asleep = level_2["without_processor_s"]
        self.assertAlmostEqual(asleep + sum(alone[2][f"{name}_s"] for name in ACTIVITIES), 3, places=6)
        text = self.call("info", "t").stdout
        self.assertRegex(text, r" 3 s of a rank: .*asleep or without a processor [0-9.]+ m?s \(")
        # Phases have no more of it than the run.
        table = pathlib.Path("t.kith/load.csv")
        table.write_text(table.read_text().replace(",3.000000000", ",300.000000000"))
        time = self.json("info", "t")["time"]
        level_2 = time["phases"][2]
        self.assertAlmostEqual(level_2["without_processor_s"], time["mean"]["without_processor_s"], places=6)
        parts = sum(level_2[f"{name}_s"] for name in ACTIVITIES)
        self.assertAlmostEqual(parts + level_2["without_processor_s"], 300, places=4)

    def test_without_a_timeline(self):
        write_trace("t.kith")
        self.assertNotIn("time", self.json("info", "t"))
        self.assertIn("CPU outside MPI", self.call("info", "t").stdout)
        self.assertNotIn("time", self.page("t").data())
        self.refused("predict", "t", says=["with a timeline", "found no timeline in it"])
        pathlib.Path("t.kith/load.csv").unlink()
        self.assertRegex(self.call("info", "t").stdout, r"\nnot there .*load\.csv.*: what they tell")

    def test_a_broken_timeline(self):
        file = self.trace()
        whole = file.read_bytes()
        for end in (0, 10, len(whole) // 2, len(whole) - 1):
            file.write_bytes(whole[:end])
            done = self.call("info", "t", status=2)
            self.assertIn("timeline     damaged: where the time went is not known", done.stdout)
            self.assertIn("2 - 3: 700", done.stdout)
            self.assertIn("t.kith/timeline/host-000000.timeline", done.stderr)
            self.refused("info", "t", "--json", says="t.kith/timeline/host-000000.timeline")
            self.refused("report", "t", "-o", "page.html",
                         says="t.kith/timeline/host-000000.timeline")

    def test_the_report(self):
        self.trace()
        data = self.page("t").data()
        time = data["time"]
        self.assertEqual((time["ranks"], time["rows"], time["block"], time["bins"]),
                         (4, 4, 1, 1200))
        shares = numbers(time["shares"])
        self.assertEqual(len(shares), 4 * 1200)
        found = json.loads(self.call("info", "t", "--json").stdout)["time"]
        # Seconds of the picture are those of the sums.
        painted = sum(sum(share >> shift & 255 for shift in (0, 8, 16, 24)) for share in shares)
        self.assertAlmostEqual(painted / 255 * time["ns"] / 1e9 / 1200 / 4,
                               sum(found["mean"][f"{name}_s"] for name in ACTIVITIES),
                               delta=0.03 * time["ns"] / 1e9)
        names = [data["phases"][index]["name"] for index in time["bands"][2::3]]
        self.assertEqual(names, PHASES)
        period = time["period"]
        self.assertEqual((period["shown"], [rank["rank"] for rank in period["ranks"]]),
                         (2, [0, 1, 2, 3]))
        names = {event[0] for event in period["events"]}
        self.assertTrue(names >= {"MPI_Waitall", "MPI_Allreduce"} or names >= {"MPI_Bcast"}, names)
        self.assertEqual(time["waits"][0]["rank"], found["waits"][0]["rank"])

    def test_simulated_beside_measured(self):
        self.trace()
        lines = self.call("info", "t").stdout.splitlines()
        said = self.call("predict", "t").stdout.splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("simulated "))
        self.assertEqual([line[13:] for line in lines[at:at + 2]],
                         [said[0], next(line for line in said if line.startswith("bandwidth"))])
        (pathlib.Path("t.kith") / "machine.json").unlink()
        self.assertNotIn("simulated", self.call("info", "t").stdout)


if __name__ == "__main__":
    main()
