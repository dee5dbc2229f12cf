#!/usr/bin/env python3
"""What people see at a terminal: heatmap, bars, lines, colours; and that files never get them."""
import json
import math
import pathlib
import re

from info_test import write_trace
from kithcli import KithTest, main, read_mtx, write_mtx
from pseudo_terminal import SGR, on_terminal, without_colors

PLAIN = {"LC_ALL": "C"}
LINES = str.maketrans({"├": "+", "└": "`", "─": "-", "│": "|"})


def picture_of(text):
    """The heatmap below what `kith info` says."""
    return text.split("\n\n", 1)[1].splitlines()


def tile_sums(path, size):
    """{(row, column): bytes} of squares of `size` ranks, from a symmetric matrix."""
    ranks, cells = read_mtx(path)
    sums = {}
    for (i, j), weight in cells.items():
        for a, b in {(i, j), (j, i)}:
            if a != b:
                tile = (a // size, b // size)
                sums[tile] = sums.get(tile, 0) + weight
    return ranks, sums


class Heatmap(KithTest):
    def test_every_cell_of_a_small_matrix(self):
        write_mtx("t.mtx", 4, {(0, 1): 1, (1, 0): 10, (1, 2): 100, (2, 3): 1000, (3, 0): 10000,
                               (2, 2): 10 ** 9})
        text = on_terminal("info", "t.mtx", env={**PLAIN, "NO_COLOR": "1"})
        self.assertEqual(picture_of(text), [
            "bytes from ranks (down) to ranks (across), a tile per pair",
            "   0",
            "0    ..",
            "   ::  ++",
            "         ##",
            "   @@",
            "   blank: none, . from 1, : from 7, + from 40, # from 252, @ from 1.5 KiB, at",
            "   most 9.8 KiB"])
        blocks = on_terminal("info", "t.mtx", env={"NO_COLOR": "1"})
        self.assertEqual(picture_of(blocks)[2:6], ["0    ░░", "   ▒▒  ▓▓", "         ██", "   ██"])

    def test_tiles_hold_the_sums_of_their_ranks(self):
        self.call("gen", "rmat", "--scale", "10", "--draws", "3000", "--seed", "4", "-o", "r.mtx")
        for columns, tile in ((80, 32), (40, 64)):
            lines = picture_of(on_terminal("info", "r.mtx", columns=columns, env={"NO_COLOR": "1"}))
            self.assertIn(f"{tile} x {tile} ranks", " ".join(lines[:2]))
            ranks, sums = tile_sums("r.mtx", tile)
            tiles = ranks // tile
            first = next(i for i, line in enumerate(lines) if re.fullmatch(r" +0 +\d.*", line)) + 1
            rows = [line[6:].ljust(2 * tiles)
                    for line in lines[first:first + tiles]]
            least, most = min(sums.values()), max(sums.values())
            for row, text in enumerate(rows):
                for column in range(tiles):
                    value = sums.get((row, column), 0)
                    place = value and math.log(value / least) / math.log(most / least)
                    wanted = "░▒▓█"[min(3, int(4 * place + 1e-9))] if value else " "
                    self.assertEqual(text[2 * column:2 * column + 2], 2 * wanted, (row, column))

    def test_two_tiles_in_a_character(self):
        """With colours and blocks, one line shows two rows of tiles."""
        write_mtx("t.mtx", 64, {(0, 1): 1, (1, 3): 1000, (2, 4): 1, (3, 4): 1000})
        lines = picture_of(on_terminal("info", "t.mtx"))
        dark, light = "38;5;17m", "38;5;228m"
        self.assertIn(f"{dark}▀", lines[2])
        self.assertIn(f"{light}▄", lines[2])
        self.assertEqual(without_colors(lines[2]), " 0   ▀ ▄")
        self.assertEqual(without_colors(lines[3]), "        ▀")
        self.assertIn(f"\x1b[{dark}\x1b[4{light[1:]}▀", lines[3])
        self.assertEqual(len(lines), 1 + 1 + 32 + 1)
        self.assertIn("from 1 to 1000, logarithmic", lines[-1])

    def test_it_fits_the_terminal(self):
        self.call("gen", "stencil2d", "--extents", "100x200", "-o", "s.mtx")
        for columns in (32, 40, 80, 200):
            for env in ({}, PLAIN, {"NO_COLOR": "1"}):
                lines = picture_of(on_terminal("info", "s.mtx", columns=columns, env=env))
                self.assertLessEqual(len(lines), 45)
                for line in lines:
                    self.assertLessEqual(len(without_colors(line)), columns, line)

    def test_traffic_without_a_picture(self):
        write_mtx("empty.mtx", 3, {})
        write_mtx("own.mtx", 2, {(0, 0): 5})
        for name in ("empty.mtx", "own.mtx"):
            self.assertEqual(on_terminal("info", name), self.call("info", name).stdout)
        write_mtx("even.mtx", 2, {(0, 1): 2048, (1, 0): 2048})
        self.assertIn("all others: 2.0 KiB", on_terminal("info", "even.mtx"))

    def test_files_get_it_only_where_asked(self):
        write_mtx("t.mtx", 2, {(0, 1): 5})
        plain = self.call("info", "t.mtx").stdout
        self.assertNotIn("across", plain)
        drawn = self.call("info", "t.mtx", "--picture", env={"LC_ALL": "C.UTF-8"}).stdout
        self.assertTrue(drawn.startswith(plain))
        self.assertIn("█", drawn)
        self.assertNotIn("\x1b", drawn)
        ascii_only = self.call("info", "t.mtx", "--picture", env=PLAIN).stdout
        self.assertTrue(ascii_only.isascii())
        self.assertIn("@@", ascii_only)
        json.loads(on_terminal("info", "t.mtx", "--json"))
        for other in ("--json", "--places"):
            self.refused("info", "t.mtx", "--picture", other, says=["--picture", other])


class Colors(KithTest):
    def setUp(self):
        super().setUp()
        write_mtx("t.mtx", 4, {(0, 1): 5, (1, 2): 7, (3, 0): 900})
        self.commands = (("info", "t.mtx"), ("topo", "torus:3x3"), ("topo", "tree:2x2"),
                         ("compare", "t.mtx", "--topology", "tree:2x2", "--algorithms",
                          "identity,random,auto"))

    def test_only_where_they_are_wanted(self):
        for words in self.commands:
            self.assertIn("\x1b[", on_terminal(*words), words)
            for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
                self.assertNotIn("\x1b", on_terminal(*words, env=env), (words, env))
            self.assertNotIn("\x1b", on_terminal(*words, "--color", "never"), words)
            self.assertNotIn("\x1b", self.call(*words).stdout, words)
            self.assertNotIn("\x1b", self.call(*words, "--color", "auto").stdout, words)
            always = self.call(*words, "--color", "always", env={"NO_COLOR": "1"}).stdout
            if words[0] == "topo":
                self.assertEqual(without_colors(always), self.call(*words).stdout)
                self.assertIn("\x1b[1m", always)
            self.refused(*words, "--color", "sometimes", says=["--color", "auto, always, never"])

    def test_each_line_ends_as_it_began(self):
        """No colour is left on for the next line, or for the shell behind the last one."""
        for words in self.commands:
            for line in on_terminal(*words).splitlines():
                codes = SGR.findall(line)
                if codes:
                    self.assertEqual(codes[-1], "\x1b[0m", (words, line))

    def test_nothing_of_a_trace_reaches_the_terminal_as_an_escape(self):
        write_trace("t.kith", [("so\x1b[2Jlve\x9b", {(1, 2): 20})])
        for file in ("meta.json", "machine.json"):
            text = pathlib.Path("t.kith", file).read_text()
            pathlib.Path("t.kith", file).write_text(
                text.replace("./app", "./\\u001b]0;x\\u0007\\u009b\\u202eap\\u2066p\\u200f")
                .replace('"name": "a"', '"name": "a\\u001b[31m\\n"')
                .replace("Some MPI", "Some\\rMPI"))
        pathlib.Path("hostile.map").write_text(
            "# kith mapping ranks=4 topology=tree:\x1b[31m4 hosts=-\n0 0\n1 1\n2 2\n3 3\n")
        for words in (("info", "t.kith"), ("info", "t.kith", "--places"), ("topo", "t.kith"),
                      ("compare", "t.kith", "--algorithms", "identity"),
                      ("eval", "t.kith", "--mapping", "hostile.map"),
                      ("map", "t.kith", "--format", "rankfile"), ("map", "t.kith", "--choose")):
            text = without_colors(on_terminal(*words, streams=("stdout", "stderr"), status=None))
            found = [c for c in text if c != "\n" and (c < " " or "\x7f" <= c < "\xa0"
                                                   or c in "\u202e\u2066\u200f")]
            self.assertEqual(found, [], (words, text))


class Lines(KithTest):
    def test_a_machine_is_the_same_in_either_way(self):
        for spec in ("tree:4x2x8@100,10,1", "tree:(2*(8,8),(4,4))", "torus:4x5", "mesh:30x30",
                     "torus:3x3x3/2x4", "hypercube:3", "fattree:4,2", "dragonfly:9,4,2",
                     "tree:2x4;slots=0-3"):
            drawn = on_terminal("topo", spec)
            plain = self.call("topo", spec).stdout
            self.assertEqual(without_colors(drawn).translate(LINES), plain, spec)
            self.assertTrue(plain.isascii())
            self.assertEqual(on_terminal("topo", spec, env={**PLAIN, "NO_COLOR": "1"}), plain)
        self.assertIn("└─ 2 x level2", on_terminal("topo", "tree:4x2x8"))

    def test_a_file_is_plain_wherever_it_is_written_from(self):
        on_terminal("topo", "torus:4x5", "-o", "torus.txt")
        self.assertEqual(pathlib.Path("torus.txt").read_text(),
                         self.call("topo", "torus:4x5").stdout)


class Bars(KithTest):
    def compare(self, *more, **options):
        words = ("compare", "s.mtx", "--topology", "tree:4x16", "--algorithms",
                 "identity,random,auto,eagermap-load", *more)
        drawn = re.split("\x1b\\[[0-9]+A\x1b\\[J", on_terminal(*words, **options))
        self.assertGreater(len(drawn), 1)  # rows as they are found
        return self.json(*words), drawn[-1]

    def test_as_long_as_the_ratio(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "-o", "s.mtx")
        for columns in (80, 160):
            rows, text = self.compare(columns=columns, env=PLAIN)
            lines = without_colors(text).splitlines()[4:]
            able = [row for row in rows if row["metrics"]]
            for line in lines[:len(able)]:  # below them stands what is missing
                self.assertLessEqual(len(line), columns)
            bars = [re.search(r"#*( *\|)?$", line)[0] for line in lines[:len(able)]]
            lengths = [bar.count("#") for bar in bars]
            longest = max(row["ratio"] for row in able)
            for row, bar, length in zip(able, bars, lengths):
                self.assertLessEqual(abs(length - row["ratio"] / longest * max(lengths)), 0.51)
                self.assertEqual("|" in bar, row["ratio"] < 1, row)
            one = next(length for row, length in zip(able, lengths) if row["ratio"] == 1)
            marked = next(bar for bar in bars if "|" in bar)
            self.assertEqual(len(marked), one)  # the mark is where identity's bar ends
            missing = " ".join(lines[len(able):])
            self.assertIn("no answer from eagermap-load: --loads", missing)
            for row in rows[len(able):]:
                self.assertIn(row["algorithm"], missing)

    def test_colors_say_better_or_worse(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "-o", "s.mtx")
        _, text = self.compare()
        looks = {line.split()[0]: line for line in text.splitlines()[4:]}
        self.assertRegex(looks["auto"], "\x1b\\[32m█")
        self.assertRegex(looks["random"], "\x1b\\[31m█")
        self.assertRegex(looks["identity"], "  █")
        self.assertNotIn("\x1b", looks["identity"])

    def test_no_room_and_no_terminal(self):
        self.call("gen", "stencil2d", "--extents", "8x8", "-o", "s.mtx")
        words = ("compare", "s.mtx", "--topology", "tree:4x16", "--algorithms", "identity")
        self.assertNotIn("#", on_terminal(*words, columns=50, env=PLAIN).split("\n", 3)[3])
        self.assertEqual(self.call(*words).stdout.splitlines()[4].split()[0:4:3],
                         ["identity", "544"])
        self.assertRegex(self.call(*words, "--picture", env=PLAIN).stdout, "  #+\n$")
        self.refused(*words, "--picture", "--json", says=["--picture", "--json"])


if __name__ == "__main__":
    main()
