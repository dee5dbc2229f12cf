#!/usr/bin/env python3
"""kith info."""
import json
import os
import pathlib
import subprocess

from kithcli import CORPUS, KITH, KithTest, main, write_mtx

P2P = {(0, 1): 100, (1, 0): 50, (2, 2): 7, (2, 3): 150}
COLL = {(0, 3): 8, (3, 0): 8}


def write_trace(name, phases=()):
    """A trace of 4 ranks on two hosts, as the library writes it."""
    trace = pathlib.Path(name)
    (trace / "classes").mkdir(parents=True)
    (trace / "phases").mkdir()
    total = {**P2P, **COLL}
    write_mtx(trace / "bytes.mtx", 4, total)
    write_mtx(trace / "messages.mtx", 4, {cell: 2 for cell in total})
    write_mtx(trace / "classes/p2p.bytes.mtx", 4, P2P)
    write_mtx(trace / "classes/coll.bytes.mtx", 4, COLL)
    write_mtx(trace / "classes/rma.bytes.mtx", 4, {})
    listed = []
    for number, (phase, cells) in enumerate(phases, 1):
        file = f"phases/{number:04}.bytes.mtx"
        write_mtx(trace / file, 4, cells)
        listed.append({"name": phase, "file": file})
    meta = {"format": 1, "kith_version": "0.1.0", "program": "./app", "ranks": 4,
            "mpi_library": "Some MPI 1.0", "hosts": ["a", "b"], "phases": listed,
            "sources": {"collectives": "model"}, "partial": False,
            "totals": {"bytes": 323, "messages": 12, "p2p_bytes": 307, "coll_bytes": 16,
                       "rma_bytes": 0}}
    (trace / "meta.json").write_text(json.dumps(meta))
    machine = {"format": 1,
               "hosts": [{"name": "a", "hardware": 0}, {"name": "b", "hardware": 0}],
               "hardware": [{"digest": "", "file": None}],
               "ranks": [{"rank": r, "launcher_rank": j, "host": j // 2, "cpus": ""}
                         for j, r in enumerate((0, 2, 1, 3))]}
    (trace / "machine.json").write_text(json.dumps(machine))


class Info(KithTest):
    def test_a_matrix(self):
        write_mtx("t.mtx", 5, {**P2P, **COLL})
        found = self.json("info", "t.mtx")
        self.assertEqual(found["ranks"], 5)
        self.assertEqual(found["entries"], 6)
        self.assertEqual(found["bytes"], 323)
        self.refused("info", "t.kith", says="did you mean t.mtx?")
        self.assertEqual(found["self_bytes"], 7)
        self.assertIsNone(found["messages"])
        self.assertEqual(found["pairs"], 3)
        self.assertEqual(found["degree"], {"mean": 6 / 5, "max": 2})
        self.assertEqual(found["heaviest"], [{"ranks": [0, 1], "bytes": 150},
                                             {"ranks": [2, 3], "bytes": 150},
                                             {"ranks": [0, 3], "bytes": 16}])

    def test_the_heaviest_five(self):
        write_mtx("t.mtx", 10, {(0, j): j * j for j in range(1, 10)})
        self.assertEqual([pair["bytes"] for pair in self.json("info", "t.mtx")["heaviest"]],
                         [81, 64, 49, 36, 25])

    def test_an_empty_matrix(self):
        write_mtx("t.mtx", 3, {})
        found = self.json("info", "t.mtx")
        self.assertEqual((found["bytes"], found["pairs"], found["heaviest"]), (0, 0, []))
        self.call("info", "t.mtx")

    def test_a_trace(self):
        write_trace("t.kith", [("setup", {(0, 1): 5}), ("solve", {(1, 2): 20}),
                               ("setup", {(0, 1): 6})])
        for name in ("t.kith", "t", "t.kith/"):
            found = self.json("info", name)
            self.assertEqual(found["program"], "./app")
            self.assertEqual(found["messages"], 12)
            self.assertEqual(found["classes"], {"p2p": 307, "coll": 16, "rma": 0})
            self.assertEqual(found["phases"],
                             [{"name": "setup", "bytes": 11, "similarity": None},
                              {"name": "solve", "bytes": 20, "similarity": 0}])
            # An older trace tells nothing of these.
            self.assertEqual((found.get("load"), found["sizes"], found["foreign_bytes"]),
                             (None, [], None))
            self.assertEqual(found["places"], [{"host": "a", "ranks": "0,2"},
                                               {"host": "b", "ranks": "1,3"}])
        text = self.call("info", "t").stdout
        for part in ("./app", "Some MPI 1.0", "setup: 11", "a: ranks 0,2", "0 - 1: 150"):
            self.assertIn(part, text)

    def test_phases_that_are_alike(self):
        write_trace("t.kith", [("a", {(0, 1): 30, (1, 2): 40}), ("b", {(0, 1): 300, (1, 2): 400}),
                               ("c", {(0, 1): 40, (1, 2): 30}), ("d", {}), ("e", {(3, 0): 1})])
        found = self.json("info", "t")
        # b is ten times a; between b and c the cosine is (30 x 40 + 40 x 30) / (50 x 50).
        expected = [None, 1, 0.96, None, None]
        for phase, similarity in zip(found["phases"], expected):
            if similarity is None:
                self.assertIsNone(phase["similarity"], phase)
            else:
                self.assertAlmostEqual(phase["similarity"], similarity, places=12)
        self.assertFalse(found["phases_differ"])
        text = self.call("info", "t").stdout
        self.assertIn("c: 70, 96% like the one before", text)
        self.assertNotIn("differ", text)
        write_trace("u.kith", [("a", {(0, 1): 100}), ("b", {(0, 1): 100, (1, 2): 100})])
        self.assertTrue(self.json("info", "u")["phases_differ"])  # 1 / sqrt(2)
        self.assertIn("differ (less than 0.9 alike)", self.call("info", "u").stdout)
        # Nobody orders ranks for a phase without traffic worth speaking of; those around it count.
        solve = {(0, 1): 1000}
        write_trace("v.kith", [("a", solve), ("tiny", {(1, 2): 10}), ("b", solve)])
        found = self.json("info", "v")
        self.assertEqual([phase["similarity"] for phase in found["phases"]], [None, 0, 0])
        self.assertFalse(found["phases_differ"])
        write_trace("w.kith", [("a", solve), ("tiny", {(1, 2): 10}), ("b", {(1, 2): 1000})])
        self.assertTrue(self.json("info", "w")["phases_differ"])

    def test_structure(self):
        extents = (3, 4)
        cells = {}
        for row in range(3):
            for column in range(4):
                here = 4 * row + column
                if column < 3:
                    cells[here, here + 1] = 1000
                cells[here, (here + 4) % 12] = 2000
        cells[0, 6] = 1000
        order = [(5 * rank + 3) % 12 for rank in range(12)]
        write_mtx("grid.mtx", 12, {(order[a], order[b]): w for (a, b), w in cells.items()})
        found = self.json("info", "grid.mtx")["structure"]
        self.assertEqual(sorted(found["extents"]), sorted(extents))
        self.assertEqual(dict(zip(found["extents"], found["periodic"])), {3: True, 4: False})
        self.assertEqual(found["stencil"], "5-point")
        self.assertAlmostEqual(found["explained"], 33 / 34)
        self.assertEqual(found["description"],
                         "2D 5-point stencil 4x3, periodic in dimension 2 of 2")
        self.assertIn("2D 5-point stencil 4x3, periodic in dimension 2 of 2, 97.1% of the bytes",
                      self.call("info", "grid.mtx").stdout)
        write_mtx("none.mtx", 6, {(0, rank): 10 for rank in range(1, 6)})
        self.assertIsNone(self.json("info", "none.mtx")["structure"])
        self.assertRegex(self.call("info", "none.mtx").stdout, "structure +no grid found in the traffic")

    def test_the_structure_of_recorded_programs(self):
        for name, extents, periodic in (("lammps-2x4x2-16", [2, 4, 2], [False, True, False]),
                                        ("lammps-4x4x1-16", [4, 4], [True, True]),
                                        ("nas-cg-a-16", None, None)):
            found = self.json("info", CORPUS / f"recorded/{name}.mtx")["structure"]
            if extents is None:
                self.assertIsNone(found, name)
            else:
                self.assertEqual((found["extents"], found["periodic"]), (extents, periodic), name)

    def test_cartesian(self):
        write_trace("t.kith")
        meta = json.loads(pathlib.Path("t.kith/meta.json").read_text())
        self.assertIsNone(self.json("info", "t")["cartesian"])
        self.assertNotIn("cartesian", self.call("info", "t").stdout)

        def write(**changes):
            grid = {"dims": [2, 2], "periods": [1, 0], "ranks": None, **changes}
            pathlib.Path("t.kith/meta.json").write_text(json.dumps({**meta, "cartesian": grid}))

        write()
        self.assertEqual(self.json("info", "t")["cartesian"],
                         {"dims": [2, 2], "periods": [True, False], "ranks": None})
        self.assertIn("2 (periodic) x 2 by MPI_Cart_create, ranks row by row",
                      self.call("info", "t").stdout)
        write(ranks=[3, 1, 0, 2])
        self.assertEqual(self.json("info", "t")["cartesian"]["ranks"], [3, 1, 0, 2])
        self.assertIn("in an order of its own", self.call("info", "t").stdout)
        for changes, says in (({"dims": [2, 3]}, "/cartesian/dims"), ({"dims": []}, "dims"),
                              ({"dims": [4, 0]}, "dims"), ({"dims": [2**31, 2**31, 2]}, "dims"),
                              ({"periods": [1]}, "/cartesian/periods"),
                              ({"periods": [2, 0]}, "/cartesian/periods/0"),
                              ({"ranks": [0, 1, 2]}, "/cartesian/ranks"),
                              ({"ranks": [0, 1, 2, 2]}, "/cartesian/ranks/3"),
                              ({"ranks": [0, 1, 2, 4]}, "/cartesian/ranks/3")):
            write(**changes)
            self.refused("info", "t", says=["meta.json", says])

    def test_reordered_topologies(self):
        write_trace("t.kith")
        self.assertNotIn("topologies", self.call("info", "t").stdout)
        self.assertNotIn("warning", self.call("map", "t", "-o", "t.map").stderr)
        meta = json.loads(pathlib.Path("t.kith/meta.json").read_text())
        meta["reordered_topologies"] = {"count": 3, "of_world": 1}
        pathlib.Path("t.kith/meta.json").write_text(json.dumps(meta))
        self.assertEqual(self.json("info", "t")["reordered_topologies"], {"count": 3, "of_world": 1})
        self.assertRegex(self.call("info", "t").stdout,
                         "topologies +3 reordered by Kith, 1 of them of all ranks")
        for asked in (("map", "t"), ("compare", "t", "--algorithms", "identity")):
            self.assertIn("warning: the traffic was recorded with topologies reordered by Kith",
                          self.call(*asked).stderr, asked)
        meta["reordered_topologies"] = {"count": 3}
        pathlib.Path("t.kith/meta.json").write_text(json.dumps(meta))
        self.refused("info", "t", says="/reordered_topologies")

    def test_load(self):
        write_trace("t.kith", [("a", {(0, 1): 1})])
        rows = ["phase,rank,cpu_outside_s,cpu_inside_s,instructions",
                "0,0,4.000000000,0.500000000,1000", "0,1,2.000000000,0.500000000,2000",
                "0,3,1.000000000,0.500000000,3000", "0,2,1.000000000,0.500000000,4000",
                *(f"1,{rank},9.0,9.0," for rank in range(4))]
        load = pathlib.Path("t.kith/load.csv")
        load.write_text("\n".join(rows) + "\n")
        self.assertEqual(self.json("info", "t")["load"], {
            "cpu_outside_s": {"mean": 2, "max": 4, "min": 1}, "imbalance": 2,
            "inside_share": 0.2, "instructions": 10000})
        text = self.call("info", "t").stdout
        self.assertIn("mean 2 s, 1 to 4, imbalance (largest / mean) 2.00", text)
        self.assertIn("20.0% of the CPU time inside MPI", text)
        load.write_text("\n".join(rows).replace(",3000", ",") + "\n")
        self.assertIsNone(self.json("info", "t")["load"]["instructions"])
        for old, new, says in (("0,3,1.0", "0,4,1.0", "load.csv:4"),
                               ("0,3,1.0", "0,0,1.0", "load.csv:4"),
                               ("0,3,1.0", "2,3,1.0", "load.csv:4"),
                               ("0,3,1.0", "0,3,-1.0", "load.csv:4"),
                               ("0,3,1.000000000", "0,3,1.0,1.0", "load.csv:4"),
                               ("0,3,1.000000000,0.5", "0,3", "load.csv:4"),
                               ("0,3,1.0", "1,3,1.0", "load.csv"),
                               (",4000", ",-4", "load.csv:5"),
                               ("phase,", "phases,", "load.csv:1")):
            load.write_text("\n".join(rows).replace(old, new) + "\n")
            self.refused("info", "t", says=says)
        load.write_text("\n".join(rows).replace("0,3,1.000000000,0.500000000,3000\n", "") + "\n")
        self.refused("info", "t", says=["load.csv", "rank 3"])

    def test_wall_time(self):
        write_trace("t.kith", [("setup", {(0, 1): 5}), ("solve", {(1, 2): 20})])
        self.assertNotIn("wall_seconds", self.json("info", "t")["phases"][0])
        path = pathlib.Path("t.kith/meta.json")
        meta = json.loads(path.read_text())
        meta["phases"][1]["wall_seconds"] = 2.5
        path.write_text(json.dumps(meta))
        self.assertEqual(self.json("info", "t")["phases"][1]["wall_seconds"], 2.5)
        self.assertIn("solve: 20, at most 2.5 s on a rank", self.call("info", "t").stdout)
        meta["phases"][0]["wall_seconds"] = 1.5
        meta["phases"][0]["name"] = "solve"  # the same phase, twice
        path.write_text(json.dumps(meta))
        self.assertEqual(self.json("info", "t")["phases"][0]["wall_seconds"], 4)
        meta["phases"][1]["wall_seconds"] = "2.5"
        path.write_text(json.dumps(meta))
        self.refused("info", "t", says="/phases/1/wall_seconds")
        # A table of loads has it of each rank; older ones lack the column.
        write_trace("u.kith")
        load = pathlib.Path("u.kith/load.csv")
        rows = ["phase,rank,cpu_outside_s,cpu_inside_s,instructions,wall_s",
                *(f"0,{rank},1.0,1.0,,2.5" for rank in range(4))]
        load.write_text("\n".join(rows) + "\n")
        self.assertEqual(self.json("info", "u")["load"]["cpu_outside_s"]["mean"], 1)
        for old, new, says in (("0,3,1.0,1.0,,2.5", "0,3,1.0,1.0,,-2.5", "load.csv:5"),
                               ("0,3,1.0,1.0,,2.5", "0,3,1.0,1.0,", "load.csv:5"),
                               (",wall_s", ",wall", "load.csv:1")):
            load.write_text("\n".join(rows).replace(old, new) + "\n")
            self.refused("info", "u", says=says)

    def test_sizes_and_totals(self):
        write_trace("t.kith")
        sizes = pathlib.Path("t.kith/sizes.csv")
        rows = ["class,rank,at_most_bytes,messages", "p2p,0,0,1", "p2p,0,1023,4", "rma,1,7,2",
                "p2p,3,0,3", "p2p,3,18446744073709551615,1", "neighbour,2,15,3"]
        sizes.write_text("\n".join(rows) + "\n")
        meta = json.loads(pathlib.Path("t.kith/meta.json").read_text())
        meta["totals"].update({"neighbour_bytes": 9, "self_bytes": 7, "self_messages": 2,
                               "foreign_bytes": 11, "foreign_messages": 2})
        meta["sources"] = {"collectives": "mixed", "note": "one was modelled"}
        pathlib.Path("t.kith/meta.json").write_text(json.dumps(meta))
        found = self.json("info", "t")
        self.assertEqual(found["sizes"], [
            {"class": "p2p", "messages": 9, "half_at_most": 1023, "all_at_most": 2**64 - 1,
             "at_most": [[0, 4], [1023, 4], [2**64 - 1, 1]]},
            {"class": "neighbour", "messages": 3, "half_at_most": 15, "all_at_most": 15,
             "at_most": [[15, 3]]},
            {"class": "rma", "messages": 2, "half_at_most": 7, "all_at_most": 7,
             "at_most": [[7, 2]]}])
        self.assertEqual([found[name] for name in ("neighbour_bytes", "self_messages",
                                                   "foreign_bytes", "foreign_messages")],
                         [9, 2, 11, 2])
        self.assertEqual(found["sources"], meta["sources"])
        text = self.call("info", "t").stdout
        self.assertNotIn("empty", text)
        sizes.write_text("\n".join(rows).replace("p2p,0,0,1", "p2p,0,0,4").replace("1023,4", "1023,1") + "\n")
        self.assertIn("p2p: 9 messages, half of them empty, all below 18446744073709551615 bytes",
                      self.call("info", "t").stdout)
        sizes.write_text("\n".join(rows) + "\n")
        for part in ("mixed; one was modelled", "of them 9 by neighbourhood collectives",
                     "11 in 2 messages to processes outside",
                     "p2p: 9 messages, half below 1024 bytes"):
            self.assertIn(part, text)
        for old, new, says in (("rma,1,7", "rna,1,7", "sizes.csv:4"),
                               ("rma,1,7", "rma,4,7", "sizes.csv:4"),
                               ("rma,1,7", "rma,1,6", "sizes.csv:4"),
                               ("rma,1,7,2", "rma,1,7,two", "sizes.csv:4"),
                               ("p2p,3,0,3", "p2p,3,0,18446744073709551615", "sizes.csv:5")):
            sizes.write_text("\n".join(rows).replace(old, new) + "\n")
            self.refused("info", "t", says=says)
        for cut in (rows[:-1], rows[:1], [*rows[:-1], "neighbour,2,15,33"]):
            sizes.write_text("\n".join(cut) + "\n")
            messages = sum(int(row.split(",")[3]) for row in cut[1:])
            says = f"t.kith/sizes.csv: expected 14 messages in all, as meta.json says (the file " \
                   f"may have been cut off), found {messages}"
            self.refused("info", "t", says=says)
            self.refused("report", "t", "-o", "t.html", says=says)
        sizes.write_text("\n".join(rows))  # the last line's end only
        self.call("info", "t")

    def test_a_phase_without_its_file(self):
        write_trace("t.kith", [("setup", {(0, 1): 5}), ("solve", {(1, 2): 20})])
        pathlib.Path("t.kith/phases/0002.bytes.mtx").unlink()
        self.refused("info", "t", says=["t.kith/phases/0002.bytes.mtx", "solve"])

    def test_control_characters_stay_in_the_trace(self):
        write_trace("t.kith", [("so\x1b[2Jlve\x9b", {(1, 2): 20})])
        for file in ("meta.json", "machine.json"):
            text = pathlib.Path("t.kith", file).read_text()
            pathlib.Path("t.kith", file).write_text(
                text.replace("./app", "./\\u001b]0;x\\u0007\\u009bapp\\u00e9")
                .replace('"name": "a"', '"name": "a\\u001b\\n"')
                .replace("Some MPI", "Some\\rMPI"))
        text = self.call("info", "t").stdout
        self.assertEqual([c for c in text if c != "\n" and (c < " " or "\x7f" <= c < "\xa0")], [])
        for part in ("./ ]0;x  app\xe9", "so [2Jlve : 20", "a  : ranks 0,2", "Some MPI"):
            self.assertIn(part, text)

    def test_hardware_files_that_hold_none(self):
        write_trace("t.kith")
        machine = pathlib.Path("t.kith/machine.json")
        machine.write_text(machine.read_text().replace('"file": null', '"file": "host-0.xml"'))
        for text in ("", "\n"):
            pathlib.Path("t.kith/host-0.xml").write_text(text)
            self.refused("info", "t", says=["t.kith/host-0.xml", "empty"])
        pathlib.Path("t.kith/host-0.xml").write_text('<?xml version="1.0"?><topology versi')
        self.refused("map", "t", says="t.kith/host-0.xml")

    def test_pipes_in_a_trace(self):
        """Nobody will ever write to them: an error, not a wait."""
        for name in ("meta.json", "machine.json", "bytes.mtx", "messages.mtx", "load.csv",
                     "classes/p2p.bytes.mtx", "phases/0001.bytes.mtx"):
            with self.subTest(name):
                trace = pathlib.Path(name.replace("/", "-") + ".kith")
                write_trace(trace, [("one", P2P)])
                (trace / name).unlink(missing_ok=True)
                os.mkfifo(trace / name)
                self.refused("info", trace, says=[name, "a regular file"])

    def test_files_that_are_no_text(self):
        limited = "ulimit -v 400000; exec "
        for name in ("z.mtx", "z.csv", "z.txt", "z.graph", "z.grf", "z.0.prof", "z.map"):
            pathlib.Path(name).symlink_to("/dev/zero")
            self.refused_within(limited, "info", name, says=[name])
        with open("sparse.mtx", "wb") as file:
            file.truncate(1 << 31)
        self.refused_within(limited, "info", "sparse.mtx", says=["sparse.mtx:1:", "NUL"])
        write_mtx("t.mtx", 4, {(0, 1): 1})
        self.refused_within(limited, "map", "t.mtx", "--topology", "tree:4;slots=/dev/zero",
                            says=["/dev/zero:1:", "NUL"])
        for file in ("meta.json", "machine.json"):
            write_trace(f"{file}.kith")
            pathlib.Path(f"{file}.kith", file).unlink()
            pathlib.Path(f"{file}.kith", file).symlink_to("/dev/zero")
            self.refused_within(limited, "info", f"{file}.kith", says=[f"{file}.kith/{file}", "a regular file"])

    def refused_within(self, limits, *words, says):
        done = subprocess.run(["sh", "-c", limits + '"$@"', "sh", KITH, *words], text=True,
                              capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for part in says:
            self.assertIn(part, done.stderr)

    def test_a_byte_order_mark(self):
        files = {"m.mtx": "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 7\n",
                 "m.csv": "0,7\n0,0\n", "m.txt": "0 7\n0 0\n", "m.graph": "2 1 1\n2 7\n1 7\n",
                 "m.grf": "0\n2 2\n0 010\n1 7 1\n1 7 0\n", "no-ending": "0 7\n0 0\n"}
        for name, text in files.items():
            pathlib.Path(name).write_text(text)
            plain = self.json("info", name)
            pathlib.Path(name).write_text(text, encoding="utf-8-sig")
            self.assertEqual(self.json("info", name), plain, name)
        pathlib.Path("m.map").write_text("0 1\n1 0\n", encoding="utf-8-sig")
        self.call("eval", "m.mtx", "--topology", "tree:2", "--mapping", "m.map")

    def test_mappings(self):
        write_trace("t.kith")
        self.call("map", "t", "--topology", "tree:2x2", "-o", "order.txt")
        text = self.call("info", "order.txt").stdout
        self.assertRegex(text, r"^mapping +order.txt\nranks +4, of them \d on the slot of their own number\n"
                               r"slots +0 to 3\nmachine +tree:2x2\n(.*\n)*"
                               r"to judge it +kith eval TRACE --topology tree:2x2 --mapping order.txt\n$")
        pathlib.Path("plain.map").write_text("0 5\n1 1\n")
        self.assertEqual(self.json("info", "plain.map"),
                         {"mapping": "plain.map", "ranks": 2, "unmoved": 1, "least_slot": 1, "most_slot": 5,
                          "topology": None})
        pathlib.Path("empty.map").write_text("")
        for command in (["info", "empty.map"], ["run", "--reorder", "empty.map", "--", "mpirun", "true"]):
            self.refused(*command, says=["empty.map", 'lines "rank slot"'])
        pathlib.Path("wrong.map").write_text("#include <mpi.h>\nint main()\n")
        self.refused("info", "wrong.map", says=["wrong.map:2", "a rank", "int"])

    def test_matrices_of_threads(self):
        pathlib.Path("shared.mtx").write_text(
            "%%MatrixMarket matrix coordinate integer general\n"
            "% how often thread j was seen to touch a line of 64 bytes after thread i; 9 samples\n2 2 1\n1 2 9\n")
        text = self.call("info", "shared.mtx").stdout
        self.assertRegex(text, r"what +how often thread j .*; 9 samples\nthreads +2\ntouches +9\n")
        self.assertNotIn("bytes  ", text)
        self.assertNotRegex(text, r"\branks")
        self.refused("map", "shared.mtx", "--topology", "tree:1x1",
                     says=["expected a slot for each of 2 threads, or --oversubscribe"])
        ring = "".join(f"{i + 1} {(i + 1) % 16 + 1} 100\n" for i in range(16))
        pathlib.Path("ring.mtx").write_text(
            "%%MatrixMarket matrix coordinate integer general\n"
            f"% how often thread j touched a line of 64 bytes after thread i; 900 samples\n16 16 16\n{ring}")
        self.assertRegex(self.call("info", "ring.mtx").stdout, r"structure +1D 3-point stencil 16, periodic, 100.0% of the touches\n")

    def test_phases_and_messages_are_mapped_on_their_own(self):
        write_trace("t.kith", [("setup", {(0, 1): 5}), ("solve", {(1, 2): 20})])
        asked = ("map", "t", "--topology", "tree:2x2", "--algorithm", "identity")
        self.assertEqual(self.json(*asked, "--phase", "solve")["metrics"]["hop_bytes"], 80)
        evaluated = ("eval", "t", *asked[2:4], "--phase", "solve")
        self.assertEqual(self.json(*evaluated)["metrics"]["hop_bytes"], 80)
        self.assertIn("; only phase solve\n", self.call(*evaluated).stdout)
        self.assertEqual(self.json(*asked, "--affinity", "messages")["metrics"]["level_bytes"],
                         [4, 6])
        write_trace("l.kith", [("level 1", {(0, 1): 5}), ("2", {(1, 2): 20}), ("level 2", {(0, 1): 7})])
        asked_of_levels = ("map", "l", *asked[2:])
        self.assertEqual(self.json(*asked_of_levels, "--phase", "1")["metrics"]["hop_bytes"], 10)
        self.assertEqual(self.json(*asked_of_levels, "--phase", "2")["metrics"]["hop_bytes"], 80)
        self.refused(*asked, "--phase", "other", says=["setup", "solve", "other"])
        self.refused(*asked, "--phase", "slove", says='"slove" (did you mean solve?)')
        self.refused(*asked, "--phase", "solve", "--affinity", "messages", says="--affinity")

    def test_the_job_of_a_trace_is_its_machine(self):
        write_trace("t.kith")
        found = self.json("map", "t", "--algorithm", "identity")
        self.assertEqual(found["slots"], 4)
        header = self.call("map", "t").stdout.splitlines()[0]
        self.assertRegex(header, r"^# kith mapping ranks=4 topology=job hosts=[0-9a-f]{16}$")

    def test_what_to_do_with_a_mapping_of_the_job(self):
        write_trace("t.kith", [("all", {(0, 2): 90, (1, 3): 90})])
        self.assertNotIn("next:", self.call("map", "t", "-o", "same.map").stderr)
        said = self.call("map", "t", "--phase", "all", "-o", "t.map").stderr.splitlines()
        self.assertEqual(said[-1], "kith: written: t.map; next: kith run --reorder t.map -- LAUNCHER ... PROGRAM ...")
        for other in (("--format", "json"), ("--topology", "tree:4")):
            self.assertNotIn("next:", self.call("map", "t", "--phase", "all", "-o", "u", *other).stderr, other)
        self.assertNotIn("next:", self.call("map", "t").stderr)

    def test_a_mapping_that_moves_rank_0_says_so(self):
        write_trace("t.kith", [("all", {(0, 2): 90, (1, 3): 90})])
        slot = self.json("map", "t", "--algorithm", "identity")["mapping"][0]
        for fixed, moves in ((f"0={slot + 1}", True), (f"0={slot}", False)):
            said = self.call("map", "t", "-o", "t.map", "--fix", fixed).stderr
            self.assertEqual(f"--fix 0={slot} keeps it" in said, moves, said)


if __name__ == "__main__":
    main()
