#!/usr/bin/env python3
"""kith report: the data of the page, names that are no text, input that does not fit."""
import json
import pathlib
import shlex

from kithcli import main, write_mtx
from reports import COLL, P2P, PHASES, ReportTest, cells, numbers, write_trace

HOSTILE = "</script><img src=x onerror=alert(1)>&\u2028\x1b[2J" + "long" * 100000


class Report(ReportTest):
    def test_metrics_are_those_of_eval(self):
        self.call("gen", "stencil3d", "--extents", "4x4x4", "--permute", "3", "-o", "t.mtx")
        for spec in ("tree:4x2x8@100,10.5,1", "torus:4x4/4", "mesh:8x8", "tree:5x16"):
            self.call("map", "t.mtx", "--topology", spec, "--algorithm", "random", "-o", "r.map")
            data = self.json("report", "t.mtx", "--topology", spec, "--mapping", "r.map")
            said = self.json("eval", "t.mtx", "--topology", spec, "--mapping", "r.map")
            orders = {order["id"]: order for order in data["orders"]}
            self.assertEqual(orders["mapping:0"]["metrics"], said["metrics"])
            self.assertEqual(orders["present"]["metrics"], said["baseline"])
            self.assertEqual(data["objective"], said["objective"])
            exact = orders["present"]["exact"]
            self.assertEqual(int(exact["hop_bytes"]), said["baseline"]["hop_bytes"])
            for name in ("sum_com", "max_com", "max_link_load"):
                if isinstance(said["baseline"][name], int):
                    self.assertEqual(exact[name], str(said["baseline"][name]))
            if said["metrics"]["level_bytes"]:
                self.assertEqual(orders["mapping:0"]["level_bytes"],
                                 said["metrics"]["level_bytes"])
            self.assertEqual(sum(orders["present"]["level_bytes"]), data["totals"]["bytes"])

    def test_kiths_order_is_that_of_eval(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "--permute", "3", "-o", "t.mtx")
        data = self.json("report", "t.mtx", "--topology", "tree:8x8")
        kith = next(order for order in data["orders"] if order["id"] == "kith")
        self.mapping(numbers(kith["places"]), "kith.map")
        said = self.json("eval", "t.mtx", "--topology", "tree:8x8", "--mapping", "kith.map")
        self.assertEqual(kith["metrics"], said["metrics"])
        self.assertLess(kith["ratio"], 0.98)
        self.assertAlmostEqual(kith["ratio"],
                               said["metrics"]["hop_bytes"] / said["baseline"]["hop_bytes"])
        self.assertEqual(kith["moved"], sum(a != b for a, b in enumerate(said["mapping"])))
        self.assertEqual(data["summary"]["verdict"], "reorder")
        # As a job between several hosts would, whatever the measure of the page is.
        self.assertIn("kith map t.mtx --topology tree:8x8 --objective network-time --fix 0=0",
                      data["summary"]["sentences"][-1])
        least = data["bound"]["value"] * (1 + data["bound"]["gap"])
        self.assertAlmostEqual(least, min(order["metrics"]["hop_bytes"]
                                          for order in data["orders"]))

    def test_other_slots_are_told(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "--permute", "3", "-o", "t.mtx")
        for machine, is_told in (("tree:8x8", False), ("tree:8x16", True),
                                 ("tree:8x16;slots=0-63", False)):
            said = " ".join(self.json("report", "t.mtx", "--topology", machine)
                            ["summary"]["sentences"])
            self.assertEqual("kith map look at all 128 slots of tree:8x16." in said, is_told, said)

    def test_the_next_command_gives_what_is_shown(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "--permute", "3", "-o", "t.mtx")
        for words in ((), ("--objective", "sum-com", "--effort", "best")):
            data = self.json("report", "t.mtx", "--topology", "tree:8x8@9,1", *words)
            kith = next(order for order in data["orders"] if order["id"] == "kith")
            said = data["summary"]["sentences"][-1]
            command = shlex.split(said[said.index("kith map"):said.index(", then")])
            self.call(*command[1:])
            found = self.json("eval", "t.mtx", "--topology", "tree:8x8@9,1", "--mapping", "t.map")
            self.assertEqual(found["mapping"][0], 0, "rank 0 keeps its process")
            self.assertLessEqual(found["metrics"]["sum_com"], kith["metrics"]["sum_com"])
            for word in words:
                self.assertIn(word, command)

    def test_a_job_is_told_of_the_trace(self):
        write_trace("t.kith", order=(0, 1, 2, 3), hosts=("a", "b"), p2p={(0, 2): 9, (1, 3): 9})
        said = self.json("report", "t.kith")["summary"]["sentences"]
        self.assertIn("leave their host", said[0])
        self.assertIn("kith run --reorder t.kith -- ", said[-1])
        said = self.json("report", "t.kith", "--topology", "tree:2x2")["summary"]["sentences"]
        self.assertIn("leave their node", said[0])
        self.assertIn("kith run --reorder t.kith --topology tree:2x2 -- ", said[-1])
        self.assertIn("kith run --reorder auto --topology tree:2x2 -- ", said[-1])

    def test_the_suggested_machine_has_room(self):
        for ranks in (1, 16, 17, 4096):
            write_mtx("t.mtx", ranks, {})
            said = self.json("report", "t.mtx")["summary"]["sentences"][-1]
            self.call(*shlex.split(said[said.index("kith report"):])[1:])

    def test_long_names_stay_whole_in_commands(self):
        folder = pathlib.Path("/".join(["long" * 20] * 3))
        folder.mkdir(parents=True)
        write_mtx(folder / "t.mtx", 4, P2P)
        said = self.json("report", folder / "t.mtx")["summary"]["sentences"][-1]
        self.assertIn(f"kith report {folder}/t.mtx ", said)

    def test_mappings_of_one_name_are_told_apart(self):
        write_mtx("t.mtx", 4, P2P)
        for folder in ("a", "b"):
            pathlib.Path(folder).mkdir()
            self.mapping([1, 0, 2, 3], f"{folder}/o.map")
        self.mapping([1, 0, 2, 3], "c.map")
        data = self.json("report", "t.mtx", "--topology", "tree:2x2", "--mapping", "a/o.map",
                         "--mapping", "b/o.map", "--mapping", "./c.map")
        self.assertEqual([order["name"] for order in data["orders"][-3:]],
                         ["a/o.map", "b/o.map", "c.map"])

    def test_verdicts_in_words(self):
        def summary(cells, spec, *words):
            write_mtx("t.mtx", 8, cells)
            return self.json("report", "t.mtx", "--topology", spec, *words)["summary"]

        far = {(i, i + 4): 100 for i in range(4)}
        found = summary(far, "tree:4x2")
        self.assertEqual((found["verdict"], found["headline"]),
                         ("reorder", "In a better order the busiest link would be busy for 94% less, and 100% "
                          "fewer bytes leave their node"))
        self.assertIn("100% of the bytes leave their node", found["sentences"][0])
        self.assertIn("hop-bytes 0.50 of that of the present order, 0% of the bytes leave their "
                      "node. The best of these orders is optimal", found["sentences"][1])
        self.assertIn("would reorder: the busiest link would be busy for 94% less, more than the 2%", found["sentences"][2])
        self.assertEqual(summary(far, "tree:4x2@9,1")["headline"],
                         "In a better order messages would cost 89% less, and 100% fewer bytes "
                         "leave their node")
        self.assertEqual(summary(far, "tree:4x2", "--objective", "link-load")["verdict"], "reorder")

        near = {(i, i + 1): 100 for i in range(0, 8, 2)}
        found = summary(near, "tree:4x2")
        self.assertEqual((found["verdict"], found["headline"]),
                         ("keep", "Keep the present order: it is optimal"))
        self.assertIn("no better one", found["sentences"][2])
        self.assertIn("kith compare t.mtx --topology tree:4x2", found["sentences"][3])
        found = summary({(0, 1): 9000, (2, 3): 9000, (4, 6): 90, (5, 7): 90}, "tree:4x2", "--objective",
                        "hop-bytes")
        self.assertEqual(found["verdict"], "keep")
        self.assertRegex(found["headline"], r"^Keep the present order: in the best one found bytes "
                         r"would travel 0\.\d+% less far$")
        self.assertIn("less than the 2% that KITH_MIN_GAIN asks for", found["sentences"][2])
        found = summary({(0, 1): 100000, (2, 3): 100000, (7, 5): 16, (6, 7): 7, (5, 7): 5},
                        "tree:4x2")
        self.assertEqual(found["sentences"][1],
                         "The present order is at most 0.1% above the optimum.")
        found = summary({(3, 3): 5}, "tree:4x2")
        self.assertEqual(found["verdict"], "keep")
        self.assertEqual(found["headline"], "The ranks send each other nothing")
        self.assertIn("there is nothing to gain", " ".join(found["sentences"]))

    def test_a_gain_that_is_not_in_the_goal(self):
        """Every host sends as much as before, but less crosses the switches: no \"gain of 0%\"."""
        pathlib.Path("hosts.net").write_text("".join(f"h{n} leaf{n // 4}\n" for n in range(8)))
        write_mtx("far.mtx", 8, {(r, (r + 4) % 8): 1000 for r in range(8)} |
                  {(r, r ^ 1): 1000 for r in range(8)})
        found = self.json("report", "far.mtx", "--topology", "hosts:hosts.net")["summary"]
        said = " ".join(found["sentences"])
        self.assertEqual(found["verdict"], "reorder", said)
        self.assertIn("bytes would travel less far, at nearly the same network-time", found["headline"])
        self.assertRegex(said, r"network-time stays nearly as it is, but bytes x distance \d+% less than ")
        self.assertNotIn("between hosts instead", said)

    def test_a_machine_that_is_assumed(self):
        """Its name is in the headline, and advice is for machines that exist."""
        write_trace("t.kith")
        own = self.json("report", "t")["summary"]
        self.assertNotIn("not the machine of the run", " ".join([own["headline"], *own["sentences"]]))
        found = self.json("report", "t", "--topology", "tree:4x2x2")["summary"]
        self.assertRegex(found["headline"], r"^On tree:4x2x2, which is not the machine of the run: [a-z]")
        self.assertRegex(found["sentences"][-1], r"^tree:4x2x2 is not the machine of the run, which had \d+ hosts?\. ")
        self.assertIn("kith report t.", found["sentences"][-1])
        self.assertEqual("For that order" in found["sentences"][-1], found["verdict"] == "reorder")
        write_trace("r.kith")
        write_mtx("r.kith/bytes.mtx", 4, {(0, 2): 9000, (1, 3): 9000})
        moved = self.json("report", "r", "--topology", "tree:4x1x2")["summary"]
        self.assertEqual(moved["verdict"], "reorder")
        self.assertIn("For that order in a job on a machine like tree:4x1x2: kith run --reorder r ", moved["sentences"][-1])
        self.assertNotIn("--reorder auto", found["sentences"][-1])

    def test_wall_time_of_phases(self):
        """Where the trace has it."""
        write_trace("t.kith")
        path = pathlib.Path("t.kith/meta.json")
        meta = json.loads(path.read_text())
        for phase, seconds in zip(meta["phases"], (1.5, 2.5)):
            phase["wall_seconds"] = seconds
        path.write_text(json.dumps(meta))
        data = self.page("t").data()
        self.assertEqual([one["seconds"] for one in data["phases"]], [1.5, 2.5])
        self.assertEqual(data["phase_clock"], "wall")
        del meta["phases"][0]["wall_seconds"]
        path.write_text(json.dumps(meta))
        self.assertEqual(self.page("t").data()["phase_clock"], "cpu")

    def test_cells_are_the_matrix(self):
        write_trace("t.kith")
        self.mapping([3, 0, 2, 1], "t.map")
        data = self.json("report", "t", "--mapping", "t.map")
        total = {**P2P, **COLL}
        order = data["orders"][-1]
        rank_at = numbers(order["rank_at"])
        self.assertEqual(rank_at, [1, 3, 2, 0])
        found = {(rank_at[i], rank_at[j]): (byte, messages)
                 for (i, j), (byte, messages, _) in cells(order["matrices"]["all"]).items()}
        self.assertEqual(found, {cell: (weight, 2) for cell, weight in total.items()})
        present = cells(data["orders"][0]["matrices"]["all"])
        self.assertEqual({cell: level for cell, (_, _, level) in present.items()},
                         {(0, 1): 1, (1, 0): 1, (2, 3): 1, (1, 2): 0, (3, 3): -1, (0, 2): 0,
                          (2, 0): 0})
        for index, (_, part) in enumerate(PHASES):
            found = cells(data["orders"][0]["matrices"][f"phase:{index}"])
            self.assertEqual({cell: value[0] for cell, value in found.items()}, part)

    def test_all_that_a_trace_tells(self):
        write_trace("t.kith")
        data = self.page("t").data()
        self.assertEqual(self.missing(data), ["kith", "seconds"])
        self.assertIn("no timeline", data["missing"][1]["reason"])
        self.assertNotIn("seconds", data)
        self.assertNotIn("predicted", data["orders"][0])
        self.assertEqual(data["run"], {
            "program": "./app", "mpi": "Some MPI 1.0", "ranks": 4, "hosts": 2, "partial": False,
            "collectives": "model", "undirected": False})
        self.assertEqual(data["totals"], {
            "bytes": 2319, "self_bytes": 9, "messages": 14, "pairs": 4,
            "classes": {"p2p": 2239, "coll": 80, "rma": 0},
            "exact": {"bytes": "2319", "messages": "14"}})
        self.assertEqual([(one["up_to"], one["count"]) for one in data["sizes"]],
                         [(0, 1), (63, 7), (1023, 4)])
        self.assertEqual(data["sizes"][1]["classes"], {"coll": 2, "p2p": 5})
        self.assertEqual(data["load"], {"ranks": 4, "block": 1, "inside": [0.5] * 4,
                                        "outside": [0, 1, 2, 3]})
        self.assertEqual([(one["name"], one["bytes"], one["seconds"]) for one in data["phases"]],
                         [("setup", 1009, 3), ("solve", 1230, 4)])
        self.assertEqual(data["phase_clock"], "cpu")
        self.assertEqual(data["phases"][1]["similarity"], 0)
        self.assertEqual([(host["name"], host["first_slot"], host["slots"])
                          for host in data["machine"]["hosts"]], [("a", 0, 2), ("b", 2, 2)])
        self.assertEqual([level["name"] for level in data["machine"]["levels"]],
                         ["network", "host"])
        self.assertEqual(data["orders"][0]["hosts"], {"out": [70, 40], "in": [40, 70],
                                                      "between": 110})
        self.assertEqual(data["talkers"][0], {"a": 0, "b": 1, "bytes": 1500, "messages": 4,
                                              "host_a": "a", "host_b": "a", "level": 1})
        self.assertEqual(data["summary"]["verdict"], "keep")

    def test_a_matrix_shows_what_it_has(self):
        write_mtx("t.mtx", 4, P2P)
        data = self.page("t.mtx").data()
        self.assertEqual(set(self.missing(data)), {"machine", "classes", "sizes", "load", "phases"})
        self.assertTrue(all(one["reason"].endswith(".") for one in data["missing"]))
        for part in ("machine", "objective", "load"):
            self.assertNotIn(part, data)
        self.assertNotIn("metrics", data["orders"][0])
        self.assertEqual(data["summary"]["verdict"], "unknown")
        self.assertEqual({cell: value[0] for cell, value
                          in cells(data["orders"][0]["matrices"]["all"]).items()}, P2P)

    def test_graphs_have_no_directions(self):
        pathlib.Path("t.graph").write_text("3 2 001\n2 5\n1 5 3 7\n2 7\n")
        self.assertTrue(self.json("report", "t.graph")["run"]["undirected"])
        pathlib.Path("t.graph").rename("t")
        self.assertTrue(self.json("report", "t")["run"]["undirected"])
        write_mtx("t.mtx", 4, P2P)
        self.assertFalse(self.json("report", "t.mtx")["run"]["undirected"])

    def test_one_for_the_other(self):
        write_trace("t.kith")
        self.call("map", "t", "-o", "t.map")
        for words in (("eval", "t", "--mapping", "t.kith"), ("report", "t", "--mapping", "t.kith", "--json")):
            self.refused(*words, says="expected a mapping (kith map TRACE -o FILE writes one), found a trace")
        for command in ("map", "compare", "predict"):
            self.refused(command, "t.map", says="found a mapping")
        self.refused("map", "t", "--force", says="--force: expected an option of kith map (see ")

    def test_a_recorded_order_is_shown(self):
        write_trace("t.kith", order=(0, 2, 1, 3))
        data = self.json("report", "t")
        orders = {order["id"]: order for order in data["orders"]}
        self.assertEqual(orders["recorded"]["moved"], 2)
        self.assertEqual(numbers(orders["recorded"]["places"]), [0, 2, 1, 3])
        note = "recorded in a reordered run: 2 of 4 ranks were not where the launcher put them"
        self.assertIn(f"order        {note}\n", self.call("info", "t").stdout)
        for command in ("map", "compare"):
            self.assertIn(f"kith: {note}; the present order is the launcher's\n", self.call(command, "t").stderr)
        self.assertNotIn("recorded", [order["id"] for order in
                                      self.json("report", "t", "--topology", "tree:2x2")["orders"]])

    def test_names_are_text(self):
        plain = [HOSTILE[:50], "ordinary"]
        write_trace("plain.kith")
        write_trace("t.kith", program=HOSTILE, hosts=(HOSTILE + "1", HOSTILE + "2"),
                    phases=[(HOSTILE, P2P), ("x" * 500, COLL)])
        meta = pathlib.Path("t.kith/meta.json")
        meta.write_bytes(meta.read_bytes().replace(b"Some MPI", b"Some \\u0000MPI"))
        innocent = self.page("plain.kith")
        page = self.page("t.kith")
        self.assertEqual(page.tags.count("img"), innocent.tags.count("img"))
        self.assertEqual(page.tags.count("script"), innocent.tags.count("script"))
        data = page.data()
        self.assertEqual(data["machine"]["hosts"][0]["name"][:50], plain[0])
        self.assertEqual(data["phases"][0]["name"][:50], plain[0])
        self.assertEqual(data["run"]["program"][:50], plain[0])
        text = pathlib.Path("page.html").read_text(encoding="utf-8")
        self.assertLess(len(text), 300_000)
        self.assertNotIn("\x1b", text)
        self.assertNotIn("onerror", text.replace("onerror=alert(1)\\u003e", "")
                         .replace("onerror=alert(1)&gt;", ""))

    def test_names_that_are_no_utf8(self):
        write_trace("t.kith", program="app-X", hosts=("a-X", "b"))
        for name in ("meta.json", "machine.json"):
            file = pathlib.Path("t.kith") / name
            file.write_bytes(file.read_bytes().replace(b"-X", b"-\xe4\xff"))
        data = self.page("t.kith").data()
        self.assertEqual(data["run"]["program"], "app-\ufffd\ufffd")
        self.assertEqual(data["machine"]["hosts"][0]["name"], "a-\ufffd\ufffd")

    def test_names_of_files_are_text(self):
        name = "a<b>&'\".mtx"
        write_mtx(name, 4, P2P)
        self.mapping([1, 0, 2, 3], "</script>.map".replace("/", "\\"))
        page = self.page(name, "--topology", "tree:2x2", "--mapping", "<\\script>.map")
        self.assertEqual(page.data()["title"], name)
        self.assertNotIn("b", page.tags)
        self.assertIn("'a<b>&'\\''\".mtx'", page.data()["summary"]["sentences"][-1])

    def test_the_same_input_gives_the_same_page(self):
        self.call("gen", "geometric", "--ranks", "300", "-o", "t.mtx")
        pages = []
        for threads in (1, 1, 2):
            self.call("report", "t.mtx", "--topology", "tree:20x16", "--threads", threads, "-o",
                      "page.html")
            pages.append(pathlib.Path("page.html").read_bytes())
        self.assertEqual(pages[0], pages[1])
        self.assertEqual(pages[0], pages[2])

    def test_a_mapping_may_put_several_on_a_slot(self):
        write_mtx("t.mtx", 4, P2P)
        self.mapping([0, 0, 1, 1], "t.map")
        data = self.json("report", "t.mtx", "--topology", "tree:2", "--mapping", "t.map")
        self.assertIn("kith", self.missing(data))
        self.assertEqual(data["orders"][1]["metrics"],
                         self.json("eval", "t.mtx", "--topology", "tree:2", "--mapping",
                                   "t.map")["metrics"])

    def test_input_that_does_not_fit(self):
        write_mtx("t.mtx", 4, P2P)
        self.mapping([0, 1, 2], "short.map")
        self.mapping([0, 1, 2, 4], "beyond.map")
        self.refused("report", "t.mtx", says=["-o", "--json"])
        self.refused("report", "t.mtx", "-o", "p.png", says=["-o", "--png", "'p.png'"])
        self.refused("report", "t.mtx", "--topology", "tree:3", "-o", "p.html",
                     says=["--topology", "4 ranks", "3 slots"])
        self.refused("report", "t.mtx", "--topology", "nonsense:3", "-o", "p.html",
                     says="--topology")
        self.refused("report", "t.mtx", "--mapping", "short.map", "-o", "p.html",
                     says="--topology")
        self.refused("report", "t.mtx", "--topology", "tree:2x2", "--mapping", "short.map", "-o",
                     "p.html", says=["short.map", "4 ranks", "3 ranks"])
        self.refused("report", "t.mtx", "--topology", "tree:2x2", "--mapping", "beyond.map", "-o",
                     "p.html", says=["beyond.map:4", "slot 4"])
        self.refused("report", "t.mtx", "--topology", "tree:2x2", "--effort", "fats", "-o",
                     "p.html", says=["--effort", "fast"])
        self.refused("report", "none.kith", "-o", "p.html", says="none.kith")
        self.refused("report", "t.mtx", "-o", "nowhere/p.html", says="nowhere/p.html", status=3)


if __name__ == "__main__":
    main()
