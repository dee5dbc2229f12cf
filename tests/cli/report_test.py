#!/usr/bin/env python3
"""kith report: the data of the page, its size, names that are no text, input that does not fit."""
import base64
import html.parser
import json
import pathlib
import resource
import struct
import subprocess
import unittest
import xml.etree.ElementTree
import zlib

from kithcli import KITH, KithTest, write_mtx

HOSTILE = "</script><img src=x onerror=alert(1)>&\u2028\x1b[2J" + "long" * 100000
PAGE_LIMIT = 5_000_000

P2P = {(0, 1): 1000, (1, 0): 500, (2, 3): 700, (1, 2): 30, (3, 3): 9}
COLL = {(0, 2): 40, (2, 0): 40}
PHASES = [("setup", {(0, 1): 1000, (3, 3): 9}), ("solve", {(1, 0): 500, (2, 3): 700, (1, 2): 30})]


def write_trace(name, program="./app", hosts=("a", "b"), phases=PHASES, order=(0, 1, 2, 3)):
    """A trace of 4 ranks, two on each host, that has all that a trace can have. `order`: the rank of
    each launcher rank."""
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
        write_mtx(trace / f"phases/{number:04}.bytes.mtx", 4, cells)
        listed.append({"name": phase, "file": f"phases/{number:04}.bytes.mtx"})
    (trace / "meta.json").write_text(json.dumps(
        {"format": 1, "kith_version": "0.1.0", "program": program, "ranks": 4,
         "mpi_library": "Some MPI 1.0", "hosts": list(hosts), "phases": listed,
         "sources": {"collectives": "model"}, "partial": False}))
    (trace / "machine.json").write_text(json.dumps(
        {"format": 1, "hosts": [{"name": name, "hardware": 0} for name in hosts],
         "hardware": [{"digest": "", "file": None}],
         "ranks": [{"rank": rank, "launcher_rank": j, "host": j // 2, "cpus": ""}
                   for j, rank in enumerate(order)]}))
    load = ["phase,rank,cpu_outside_s,cpu_inside_s,instructions"]
    load += [f"{phase},{rank},{rank + phase}.0,0.5," for phase in (0, 1, 2) for rank in range(4)]
    (trace / "load.csv").write_text("\n".join(load) + "\n")
    (trace / "sizes.csv").write_text("class,rank,at_most_bytes,messages\np2p,0,1023,4\n"
                                     "p2p,1,0,1\ncoll,2,63,2\np2p,3,63,5\n")


def numbers(text):
    """A list of numbers as the page has it."""
    data = base64.b64decode(text)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def cells(matrix, level=-1):
    """{(row, column): (bytes, messages, level)} of one resolution."""
    flat = matrix["levels"][level]["cells"]
    return {(flat[i], flat[i + 1]): tuple(flat[i + 2:i + 5]) for i in range(0, len(flat), 5)}


class Page(html.parser.HTMLParser):
    """What a browser makes of a page: its elements, and the text of each script."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.inside = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append((dict(attributes), ""))

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)

    def data(self):
        found = [text for attributes, text in self.scripts if attributes.get("id") == "kith-data"]
        assert len(found) == 1, found
        return json.loads(found[0])


def pixels(path):
    """(width, height, rows of (red, green, blue)) of a PNG file with a palette of 8 bits."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    chunks, at = {}, 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        chunks[kind] = chunks.get(kind, b"") + body
        at += 12 + length
    width, height, depth, colours = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, colours) == (8, 3), (depth, colours)
    palette = [tuple(chunks[b"PLTE"][i:i + 3]) for i in range(0, len(chunks[b"PLTE"]), 3)]
    raw, rows, before = zlib.decompress(chunks[b"IDAT"]), [], bytes(width)
    for y in range(height):
        kind, line = raw[y * (width + 1)], raw[y * (width + 1) + 1:(y + 1) * (width + 1)]
        assert kind in (0, 2), "rows as they are, or less the one above"
        before = bytes((a + b * (kind == 2)) % 256 for a, b in zip(line, before))
        rows.append([palette[i] for i in before])
    return width, height, rows


class Report(KithTest):
    def page(self, *words):
        self.call("report", *words, "-o", "page.html")
        return Page(pathlib.Path("page.html").read_text(encoding="utf-8"))

    def missing(self, data):
        return [one["view"] for one in data["missing"]]

    def mapping(self, slots, name):
        pathlib.Path(name).write_text("".join(f"{r} {s}\n" for r, s in enumerate(slots)))

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
            self.assertEqual(int(orders["present"]["exact"]["hop_bytes"]),
                             said["baseline"]["hop_bytes"])
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
        self.assertIn("kith map t.mtx --topology tree:8x8", data["summary"]["sentences"][-1])
        least = data["bound"]["value"] * (1 + data["bound"]["gap"])
        self.assertAlmostEqual(least, min(order["metrics"]["hop_bytes"]
                                          for order in data["orders"]))

    def test_verdicts_in_words(self):
        def summary(cells, spec, *words):
            write_mtx("t.mtx", 8, cells)
            return self.json("report", "t.mtx", "--topology", spec, *words)["summary"]

        far = {(i, i + 4): 100 for i in range(4)}
        found = summary(far, "tree:4x2")
        self.assertEqual((found["verdict"], found["headline"]),
                         ("reorder", "In a better order bytes would travel 50% less far"))
        self.assertIn("100% of the bytes leave their node", found["sentences"][0])
        self.assertIn("hop-bytes 0.50 of that of the present order, 0% of the bytes leave their "
                      "node. The best of these orders is optimal", found["sentences"][1])
        self.assertIn("predicts a gain of 50%, more than the 2%", found["sentences"][2])
        self.assertEqual(summary(far, "tree:4x2@9,1")["headline"],
                         "In a better order messages would cost 89% less")
        self.assertEqual(summary(far, "tree:4x2", "--objective", "link-load")["verdict"], "reorder")

        near = {(i, i + 1): 100 for i in range(0, 8, 2)}
        found = summary(near, "tree:4x2")
        self.assertEqual((found["verdict"], found["headline"]),
                         ("keep", "Keep the present order: it is optimal"))
        self.assertIn("no better one", found["sentences"][2])
        self.assertIn("kith compare t.mtx --topology tree:4x2", found["sentences"][3])
        found = summary({(0, 1): 9000, (2, 3): 9000, (4, 6): 90, (5, 7): 90}, "tree:4x2")
        self.assertEqual(found["verdict"], "keep")
        self.assertRegex(found["headline"], r"^Keep the present order: in the best one found bytes "
                         r"would travel 0\.\d+% less far$")
        self.assertIn("less than the 2% that KITH_MIN_GAIN asks for", found["sentences"][2])
        found = summary({(3, 3): 5}, "tree:4x2")
        self.assertEqual(found["verdict"], "keep")
        self.assertEqual(found["headline"], "The ranks send each other nothing")
        self.assertIn("there is nothing to gain", " ".join(found["sentences"]))

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
        self.assertEqual(self.missing(data), ["kith"])
        self.assertEqual(data["run"], {
            "program": "./app", "mpi": "Some MPI 1.0", "ranks": 4, "hosts": 2, "partial": False,
            "collectives": "model", "undirected": False})
        self.assertEqual(data["totals"], {
            "bytes": 2319, "self_bytes": 9, "messages": 14, "pairs": 4,
            "classes": {"p2p": 2239, "coll": 80, "rma": 0}})
        self.assertEqual([(one["up_to"], one["count"]) for one in data["sizes"]],
                         [(0, 1), (63, 7), (1023, 4)])
        self.assertEqual(data["sizes"][1]["classes"], {"coll": 2, "p2p": 5})
        self.assertEqual(data["load"], {"ranks": 4, "block": 1, "inside": [0.5] * 4,
                                        "outside": [0, 1, 2, 3]})
        self.assertEqual([(one["name"], one["bytes"], one["seconds"]) for one in data["phases"]],
                         [("setup", 1009, 3), ("solve", 1230, 4)])
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

    def test_a_recorded_order_is_shown(self):
        write_trace("t.kith", order=(0, 2, 1, 3))
        data = self.json("report", "t")
        orders = {order["id"]: order for order in data["orders"]}
        self.assertEqual(orders["recorded"]["moved"], 2)
        self.assertEqual(numbers(orders["recorded"]["places"]), [0, 2, 1, 3])
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

    def test_svg(self):
        name = "<b>&\x1b.mtx"
        write_mtx(name, 4, P2P)
        self.mapping([3, 2, 1, 0], "r.map")
        self.call("report", name, "--topology", "tree:2x2", "--mapping", "r.map", "--svg", "p.svg")
        root = xml.etree.ElementTree.parse("p.svg").getroot()
        space = "{http://www.w3.org/2000/svg}"
        texts = [node.text for node in root.iter(f"{space}text")]
        self.assertEqual(texts[0], "<b>& .mtx")
        for part in ("present order", "3", "9 bytes", "1000 bytes", "logarithmic scale"):
            self.assertIn(part, texts)
        self.assertTrue(any(text.startswith("r.map: hop-bytes 1.00") for text in texts))
        self.assertIn("<b>&", root.find(f"{space}title").text)
        self.assertFalse(pathlib.Path("page.html").exists())
        # The darkest colour is that of the heaviest pair alone, in both heatmaps and the legend.
        dark = [path.get("d") for path in root.iter(f"{space}path") if path.get("fill") == "#1c1a4f"]
        self.assertEqual(dark[0].count("h128v128"), 2)

    def test_png(self):
        write_mtx("t.mtx", 4, P2P)
        self.call("report", "t.mtx", "--topology", "tree:2x2", "--png", "p.png")
        width, height, rows = pixels("p.png")
        self.assertEqual((width, height), (2 * 584, 2 * 668))
        left, top, side = 2 * 56, 2 * 80, 2 * 128
        shown = {(i, j): rows[top + i * side + 20][left + j * side + 20]
                 for i in range(4) for j in range(4)}
        white = (255, 255, 255)
        self.assertEqual({cell for cell, colour in shown.items() if colour != white}, set(P2P))
        by_weight = sorted(P2P, key=P2P.get)
        self.assertEqual(shown[by_weight[-1]], (0x1C, 0x1A, 0x4F))
        lightness = [sum(shown[cell]) for cell in by_weight]
        self.assertEqual(lightness, sorted(lightness, reverse=True))
        self.assertEqual(len(set(lightness)), len(P2P))
        self.call("report", "t.mtx", "--topology", "tree:2x2", "--png", "again.png")
        self.assertEqual(pathlib.Path("p.png").read_bytes(), pathlib.Path("again.png").read_bytes())
        self.call("report", "t.mtx", "--topology", "tree:2x2", "--linear", "--png", "linear.png")
        linear = pixels("linear.png")[2][top + side + 20][left + 20]
        self.assertLess(sum(shown[1, 0]), sum(linear))  # half of the most: lighter than its logarithm

    def test_pictures_of_many_ranks_are_small(self):
        self.call("gen", "rmat", "--scale", "13", "--draws", "200000", "-o", "t.mtx")
        self.call("report", "t.mtx", "--topology", "tree:64x128", "--svg", "p.svg", "--png", "p.png")
        self.assertLess(pathlib.Path("p.svg").stat().st_size, 3_000_000)
        self.assertLess(pathlib.Path("p.png").stat().st_size, 3_000_000)

    def large(self, *words):
        """The page of 131072 ranks in little memory, two mappings beside."""
        self.call("gen", "stencil3d", "--extents", "64x64x32", *words, "-o", "large.mtx")
        spec = "tree:512x4x64"
        for seed in (1, 2):
            self.call("map", "large.mtx", "--topology", spec, "--algorithm", "random", "--seed",
                      seed, "-o", f"{seed}.map")
        limit = 1 << 30
        subprocess.run([KITH, "report", "large.mtx", "--topology", spec, "--mapping", "1.map",
                        "--mapping", "2.map", "-o", "page.html"], check=True, timeout=110,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        text = pathlib.Path("page.html").read_text(encoding="utf-8")
        self.assertLess(len(text.encode()), PAGE_LIMIT)
        data = Page(text).data()
        self.assertEqual([order["id"] for order in data["orders"] if order["id"] != "kith"],
                         ["present", "mapping:0", "mapping:1"])
        for order in data["orders"]:
            self.assertGreaterEqual(order["matrices"]["all"]["levels"][0]["side"], 64)
            for level in range(len(order["matrices"]["all"]["levels"])):
                found = cells(order["matrices"]["all"], level).values()
                self.assertEqual(sum(cell[0] for cell in found), data["totals"]["bytes"])

    def test_131072_ranks_with_6_neighbours(self):
        self.large()

    def test_131072_ranks_with_26_neighbours(self):
        self.large("--points", "27")

    def test_many_mappings_and_phases(self):
        pairs = [(i, j) for i in range(4) for j in range(4)]
        phases = [(f"phase {i}", {pair: 10**9 + i for pair in pairs}) for i in range(600)]
        write_trace("t.kith", phases=phases)
        maps = []
        for i in range(40):
            self.mapping([i % 4, (i + 1) % 4, (i + 2) % 4, (i + 3) % 4], f"{i}.map")
            maps += ["--mapping", f"{i}.map"]
        data = self.page("t", *maps).data()
        self.assertLess(pathlib.Path("page.html").stat().st_size, PAGE_LIMIT)
        self.assertEqual(len(data["phases"]), 512)
        self.assertEqual(data["phases_truncated"], 88)
        self.assertEqual(len(data["orders"]), 41)
        self.assertIn("matrices", self.missing(data))
        self.assertIn("all", data["orders"][0]["matrices"])

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
    unittest.main()
