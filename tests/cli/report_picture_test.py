#!/usr/bin/env python3
"""kith report --svg and --png."""
import pathlib
import struct
import xml.etree.ElementTree
import zlib

from kithcli import main, write_mtx
from reports import P2P, ReportTest


def pixels(path):
    """(width, height, rows of (red, green, blue)) of a PNG file with a palette of 8 bits."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    chunks, at = {}, 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        checksum = struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
        assert zlib.crc32(kind + body) == checksum, kind
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


class ReportPicture(ReportTest):
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
        dark = [path.get("d") for path in root.iter(f"{space}path")
                if path.get("fill") == "#1c1a4f"]
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
        # Half of the most is lighter than its logarithm.
        self.assertLess(sum(shown[1, 0]), sum(linear))

    def test_pictures_of_many_ranks_are_small(self):
        self.call("gen", "rmat", "--scale", "13", "--draws", "200000", "-o", "t.mtx")
        self.call("report", "t.mtx", "--topology", "tree:64x128", "--svg", "p.svg", "--png",
                  "p.png")
        self.assertLess(pathlib.Path("p.svg").stat().st_size, 3_000_000)
        self.assertLess(pathlib.Path("p.png").stat().st_size, 3_000_000)


if __name__ == "__main__":
    main()
