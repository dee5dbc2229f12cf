#!/usr/bin/env python3
"""Wrong options and files: exit 2, one line that names the culprit, nothing printed or written."""
import pathlib

from kithcli import KithTest, main, write_mtx

TREE = ("--topology", "tree:2x2")
GEOM = (*TREE, "--algorithm", "geom")
BY_LOAD = (*TREE, "--algorithm", "eagermap-load")

# Words of the command line, and what the message has to name.
OPTIONS = [
    ([], ["subcommand"]),
    (["mpa"], ["mpa", "did you mean map?"]),
    (["infos"], ["did you mean info?"]),
    (["--verison"], ["did you mean --version?"]),
    (["map"], ["kith map", "TRACE"]),
    (["info"], ["kith info", "TRACE"]),
    (["convert", "t.mtx"], ["kith convert", "OUT"]),
    (["gen"], ["kith gen", "PATTERN"]),
    (["info", "t.mtx", "u.mtx"], ["u.mtx"]),
    (["topo", "this", "that"], ["that"]),
    (["algorithms", "all"], ["all"]),
    (["map", "t.mtx", "--tropology", "tree:4"], ["--tropology", "did you mean --topology?"]),
    (["map", "--tropology", "tree:4"], ["--tropology", "did you mean --topology?"]),
    (["map", "t.mtx", "--topology=tree:4", "--jsn"], ["--jsn", "did you mean --json?"]),
    (["map", "t.mtx", "--topo", "tree:4"], ["--topo'", "did you mean --topology?"]),
    (["map", "t.mtx", "-x"], ["-x"]),
    (["map", "t.mtx", "--json=maybe"], ["--json", "maybe"]),
    (["map", "t.mtx"], ["--topology", "none"]),
    (["map", "t.mtx", "--topology"], ["--topology", "a value"]),
    (["map", "t.mtx", "--topology", "tree:4", "--topology", "tree:2"], ["--topology", "once"]),
    (["map", "t.mtx", "--topology", "tere:4"], ["--topology", "tree:", "tere:4"]),
    (["map", "t.mtx", "--topology", "tree:4x0"], ["--topology", "tree:4x0"]),
    (["map", "t.mtx", "--topology", "tree:2x2@1"], ["--topology", "2 costs"]),
    (["map", "t.mtx", "--topology", "tree:2x2@1,x"], ["--topology", "x"]),
    (["map", "t.mtx", "--topology", "tree:99999x99999"], ["--topology"]),
    (["map", "t.mtx", "--topology", "tree:4;slots=9"],
     ["--topology: expected slots below 4, found 9"]),
    (["map", "t.mtx", "--topology", "tree:4;slots=/dev"], ["/dev: expected a readable file"]),
    (["map", "t.mtx", "--topology", "tree:4", "--forbid", "/dev"],
     ["/dev: expected a readable file"]),
    (["map", "t.mtx", "--topology", "tree:(4,(2,2))"], ["--topology", "one depth"]),
    (["map", "t.mtx", "--topology", "tree:(4,"], ["--topology", "character 9", "the end"]),
    (["map", "t.mtx", "--topology", "fattree:4"], ["--topology", "fattree:16,3", "fattree:4"]),
    (["map", "t.mtx", "--topology", "dragonfly:9,4"], ["--topology", "dragonfly:9,4,2"]),
    (["map", "t.mtx", "--topology", "matrix:none.txt"], ["none.txt"]),
    (["map", "t.mtx", "--topology", "matrix:t.mtx"], ["t.mtx:"]),
    (["map", "t.mtx", "--topology", "job"], ["--topology", "job"]),
    (["map", "t.mtx", "--topology", "tree:3"], ["--topology", "4", "3 slots"]),
    (["map", "t.mtx", "--topology", "hwloc:none.xml"], ["none.xml"]),
    (["map", "t.mtx", *TREE, "--granularity", "thread"], ["--granularity", "core", "thread"]),
    (["map", "t.mtx", *TREE, "--algorithm", "eagermop"], ["--algorithm", "eagermap", "eagermop"]),
    (["map", "t.mtx", *TREE, "--algorithm", ""], ["--algorithm"]),
    (["map", "t.mtx", *TREE, "--objective", "hops"], ["--objective", "hop-bytes", "hops"]),
    (["map", "t.mtx", *TREE, "--objective", "link-lod"], ["did you mean link-load?"]),
    (["map", "t.mtx", *TREE, "--objective", "max-com:1,link-load:-2"],
     ["--objective: expected a weight from 0.000001 to 1000000, found '-2'"]),
    (["map", "t.mtx", *TREE, "--objective", "max-com:0"], ["--objective", "weight", "'0'"]),
    (["map", "t.mtx", *TREE, "--objective", "hop-bytes:1e300"], ["--objective", "1000000"]),
    (["map", "t.mtx", *TREE, "--objective", "hop-bytes:1,link-load:1e-300"],
     ["--objective", "0.000001", "'1e-300'"]),
    (["map", "t.mtx", *TREE, "--objective", "max-com:inf"], ["--objective", "'inf'"]),
    (["map", "t.mtx", *TREE, "--objective", "max-com,,sum-com"], ["--objective", "''"]),
    (["map", "t.mtx", *TREE, "--objective", "max-com,max-com"], ["--objective", "once"]),
    (["map", "t.mtx", "--topology", "dragonfly:9,4,2", "--objective", "hop-bytes,link-load"],
     ["--objective", "link-load", "dragonfly:9,4,2"]),
    (["eval", "t.mtx", "--topology", "dragonfly:9,4,2", "--objective", "link-load"],
     ["--objective", "link-load", "dragonfly:9,4,2"]),
    (["eval", "t.mtx", *TREE, "--objective", "hops"], ["--objective", "hop-bytes", "hops"]),
    (["compare", "t.mtx", "--topology", "dragonfly:9,4,2", "--objective", "link-load"],
     ["--objective", "link-load", "dragonfly:9,4,2"]),
    (["map", "t.mtx", *TREE, "--effort", "more"], ["--effort", "fast, balanced, best", "more"]),
    (["map", "t.mtx", *TREE, "--affinity", "packets"], ["--affinity", "packets"]),
    (["map", "t.mtx", *TREE, "--affinity", "messages"], ["t.mtx"]),
    (["map", "t.mtx", *TREE, "--phase", "solve"], ["phase", "t.mtx"]),
    (["map", "t.mtx", *TREE, "--seed", "-1"], ["--seed"]),
    (["map", "t.mtx", *TREE, "--set", "depth"], ["--set", "NAME=VALUE", "depth"]),
    (["map", "t.mtx", *TREE, "--algorithm", "identity", "--set", "depth=1"],
     ["--set", "identity has no settings", "depth"]),
    (["compare", "t.mtx", *TREE, "--set", "no-such=1"], ["--set", "no-such"]),
    (["map", "t.mtx", *TREE, "--sparse-factor", "2"], ["--sparse-factor", "0 to 1", "2"]),
    (["map", "t.mtx", *GEOM, "--coordinates", "2x0"], ["--coordinates", "2x0"]),
    (["map", "t.mtx", *GEOM, "--coordinates", "2x3"], ["--coordinates", "4 ranks", "6"]),
    (["map", "t.mtx", *GEOM, "--coordinates", "none.txt"], ["none.txt"]),
    (["map", "t.mtx", *BY_LOAD, "--loads", "none.txt"], ["none.txt"]),
    (["map", "t.mtx", *BY_LOAD, "--loads", "/dev/null"], ["/dev/null", "a load per line"]),
    (["map", "t.mtx", *BY_LOAD, "--coordinates", "2x2"], ["--coordinates", "eagermap-load"]),
    (["map", "t.mtx", *GEOM, "--loads", "none.txt"], ["--loads", ": eagermap-load", '"geom"']),
    (["map", "t.mtx", *GEOM, "--sparse-factor", "0"],
     ["--sparse-factor", "treematch, scotch", '"geom"']),
    (["map", "t.mtx", *TREE, "--algorithm", "eagermap", "--coordinates", "2x2"],
     ["--coordinates", "gsearch", '"eagermap"']),
    (["map", "t.mtx", *TREE, "--loads", "none.txt"], ["--loads", ": eagermap-load", '"auto"']),
    (["compare", "t.mtx", *TREE, "--algorithms", "random,scotch+refine", "--loads", "none.txt"],
     ["--loads", ": eagermap-load", '"random, scotch+refine"']),
    (["study", "no-such"], ["NAME", "no-such"]),
    (["map", "t.mtx", *TREE, "--seed=-1"], ["--seed", "-1"]),
    (["map", "t.mtx", *TREE, "--seed", "18446744073709551616"], ["--seed"]),
    (["map", "t.mtx", *TREE, "--threads", "0"], ["--threads", "'0'"]),
    (["map", "t.mtx", *TREE, "--time-limit", "0"], ["--time-limit", "'0'"]),
    (["map", "t.mtx", *TREE, "--time-limit", "nan"], ["--time-limit", "nan"]),
    (["map", "t.mtx", *TREE, "--work", "1.5"], ["--work", "1.5"]),
    (["map", "t.mtx", *TREE, "--work", "1", "--time-limit", "1"], ["--work", "--time-limit"]),
    (["map", "t.mtx", *TREE, "--per-slot", "0"], ["--per-slot", "'0'"]),
    (["map", "t.mtx", *TREE, "--per-slot", "2", "--oversubscribe"],
     ["--per-slot", "--oversubscribe"]),
    (["map", "t.mtx", *TREE, "--fix", "1"], ["--fix", "RANK=SLOT", "'1'"]),
    (["map", "t.mtx", *TREE, "--fix", "1=2=3"], ["--fix", "1=2=3"]),
    (["map", "t.mtx", *TREE, "--fix", "4=0"], ["--fix", "4=0"]),
    (["map", "t.mtx", *TREE, "--fix", "0=4"], ["--fix", "0=4"]),
    (["map", "t.mtx", *TREE, "--fix", "0=1", "--fix", "0=2"], ["--fix", "0=2"]),
    (["map", "t.mtx", *TREE, "--fix", "0=1", "--fix", "1=1"], ["--fix", "1=1"]),
    (["map", "t.mtx", *TREE, "--fix", "0=1", "--forbid", "1"], ["--fix", "forbid", "0=1"]),
    (["map", "t.mtx", *TREE, "--fix", "0=1", "--forbid", "1", "--per-slot", "2"],
     ["--fix", "forbid", "0=1"]),
    (["map", "t.mtx", *TREE, "--forbid", "1"], ["--topology", "3 slots", "--forbid"]),
    (["map", "t.mtx", *TREE, "--forbid", "4"], ["--forbid: expected slots below 4, found 4"]),
    (["map", "t.mtx", *TREE, "--forbid", "0-3"], ["--forbid"]),
    (["map", "t.mtx", *TREE, "--forbid", "3-1"], ["--forbid", "3-1"]),
    (["map", "t.mtx", *TREE, "--forbid", "none"], ["--forbid", "none"]),
    (["map", "t.mtx", *TREE, "--format", "rankfiles"], ["--format", "rankfile"]),
    (["eval", "t.mtx", *TREE, "--mapping", "none.map"], ["none.map"]),
    (["eval", "t.mtx", *TREE, "--maping", "x"], ["did you mean --mapping?"]),
    (["report", "t.mtx", *TREE], ["-o PAGE.html"]),
    (["report", "t.mtx", *TREE, "-o", "p.html", "--effort", "fats"], ["--effort", "fast"]),
    (["report", "t.mtx", *TREE, "-o", "p.html", "--threads", "0"], ["--threads", "'0'"]),
    (["report", "t.mtx", *TREE, "-o", "p.html", "--mapings", "x"], ["did you mean --mapping?"]),
    (["report", "t.mtx", *TREE, "-o", "p.html", "--objective", "hops"], ["--objective", "hops"]),
    (["compare", "t.mtx", *TREE, "--algorithms", "identity,eagle"], ["--algorithms", "eagle"]),
    (["compare", "t.mtx", *TREE, "--algorithms", "identity,"], ["--algorithms"]),
    (["compare", "t.mtx", *TREE, "--seed", "x"], ["--seed", "x"]),
    (["compare", "t.mtx", *TREE, "--fix", "4=0"], ["--fix", "4=0"]),
    (["compare", "t.mtx", *TREE, "--coordinates", "2x3"], ["--coordinates", "4 ranks", "6"]),
    (["compare", "t.mtx", *TREE, "--forbid", "0-3"], ["--forbid"]),
    (["compare", "t.mtx", *TREE, "--objective", "hops"], ["--objective", "hop-bytes", "hops"]),
    (["compare", "t.mtx", *TREE, "--per-slot", "2", "--oversubscribe"],
     ["--per-slot", "--oversubscribe"]),
    (["compare", "t.mtx", *TREE, "--affinity", "messages"], ["t.mtx"]),
    (["convert", "tt.mtx", "u.csv"], ["did you mean t.mtx?"]),
    (["info", "tt.mtx"], ["tt.mtx", "nothing of this name", "did you mean t.mtx?"]),
    (["map", "./t.mxt", *TREE], ["./t.mxt", "did you mean t.mtx?"]),
    (["topo", "tree"], ["SPEC", "tree"]),
    (["topo", "tores:4x4"], ["SPEC", "did you mean torus:?"]),
    (["map", "t.mtx", "--topology", "tre:4"], ["--topology", "did you mean tree:?"]),
    (["topo", "cluster.xml"], ["did you mean hwloc:cluster.xml?"]),
    (["topo", "hlwoc:cluster.xml"], ["did you mean hwloc:"]),
    (["gen", "stensil2d", "-o", "g.mtx"], ["did you mean stencil2d?"]),
    (["gen", "dense", "--ranks", "4", "-o", "g", "--format", "metsi"], ["did you mean metis?"]),
    (["convert", "t.mtx", "u", "--to", "dnese"], ["did you mean dense?"]),
    (["map", "t.mtx", *TREE, "--algorithm", "treemacht"], ["did you mean treematch?"]),
    (["map", "t.mtx", *TREE, "--algorithm", "treematch", "--set", "treshold=4"],
     ["did you mean threshold?"]),
    (["map", "t.mtx", *TREE, "--format", "rankfiel"], ["did you mean rankfile?"]),
    (["map", "t.mtx", *TREE, "--effort", "bset"], ["did you mean best?"]),
    (["study", "topolp"], ["did you mean topolb?"]),
    (["profiles", "lsit"], ["did you mean list?"]),
    (["completion", "bsh"], ["SHELL", "did you mean bash?"]),
    (["run", "mpirun", "-n", "2", "./app"], ["kith run: expected -- before the launcher",
                                             "-- mpirun"]),
    (["run", "--trace", "t", "mpirun", "-n", "2"], ["-- before the launcher"]),
    (["probe", "mpirun", "-n", "2"], ["kith probe: expected -- before the launcher"]),
    (["topo", "job"], ["job"]),
    (["report", "t.mtx", "--json", "r.json"], ["--json prints to standard output: --json > r.json"]),
    (["eval", "t.mtx", "t.map"], ["(--mapping t.map?)"]),
    (["predict", "t.mtx", "--what-if", "bandwith=2x"], ["did you mean bandwidth?"]),
    (["predict", "t.mtx", "--what-if", "bandwidth=2"], ["'bandwidth=2' without the x"]),
    (["gen", "stencil4d", "-o", "g.mtx"], ["PATTERN", "stencil4d", "did you mean stencil"]),
    (["gen", "stencil2d", "--extents", "4x4"], ["-o"]),
    (["gen", "stencil2d", "-o", "g.mtx"], ["--extents"]),
    (["gen", "stencil2d", "--extents", "4x4x4", "-o", "g.mtx"], ["--extents", "4x4x4"]),
    (["gen", "stencil3d", "--extents", "4x4", "-o", "g.mtx"], ["--extents", "3 extents", "4x4"]),
    (["gen", "stencil2d", "--extents", "4x0", "-o", "g.mtx"], ["--extents", "'0'"]),
    (["gen", "stencil2d", "--extents", "4,4", "-o", "g.mtx"], ["--extents", "4,4"]),
    (["gen", "stencil2d", "--extents", "99999x99999", "-o", "g.mtx"], ["--extents", "99999x99999"]),
    (["gen", "stencil2d", "--extents", "4x4", "--points", "7", "-o", "g.mtx"], ["--points", "'7'"]),
    (["gen", "stencil2d", "--extents", "4x4", "--weights", "1,2,3", "-o", "g.mtx"],
     ["--weights", "1,2,3"]),
    (["gen", "stencil2d", "--extents", "4x4", "--weights", "x", "-o", "g.mtx"],
     ["--weights", "'x'"]),
    (["gen", "stencil2d", "--extents", "4x4", "--weights", "1", "--weight", "2", "-o", "g.mtx"],
     ["--weight", "--weights"]),
    (["gen", "alltoall", "-o", "g.mtx"], ["--ranks"]),
    (["gen", "alltoall", "--ranks", "0", "-o", "g.mtx"], ["--ranks", "'0'"]),
    (["gen", "cg", "--ranks", "15", "-o", "g.mtx"], ["--ranks", "15"]),
    (["gen", "cg", "--ranks", "36", "-o", "g.mtx"], ["--ranks", "36"]),
    (["gen", "rmat", "-o", "g.mtx"], ["--scale"]),
    (["gen", "rmat", "--scale", "32", "-o", "g.mtx"], ["--scale", "'32'"]),
    (["gen", "rmat", "--scale", "4", "--draws", "0", "-o", "g.mtx"], ["--draws", "'0'"]),
    (["gen", "stencil2d", "--extents", "1000x1000", "--noise", "uniform-additive", "--noise-level",
      "1", "-o", "g.mtx"], ["noise", "499999500000 pairs"]),
    (["gen", "dense", "--ranks", "4", "--permute", "x", "-o", "g.mtx"], ["--permute", "'x'"]),
    (["gen", "dense", "--ranks", "4", "-o", "g"], ["--format", "g"]),
    (["gen", "dense", "--ranks", "4", "-o", "g.prof"], ["prof"]),
    (["gen", "dense", "--ranks", "4", "--format", "xml", "-o", "g"], ["--format", "xml"]),
]

HEADER = "%%MatrixMarket matrix coordinate integer general\n"

# A file's name and content, and what the message has to name.
FILES = [
    ("empty.mtx", "", ["empty.mtx"]),
    ("banner.mtx", "%%Matrix\n2 2 0\n", ["banner.mtx:1:"]),
    ("size.mtx", HEADER + "2 3 0\n", ["size.mtx:2:"]),
    ("word.mtx", HEADER + "2 2 1\n1 x 5\n", ["word.mtx:3:", "x"]),
    ("range.mtx", HEADER + "2 2 1\n1 3 5\n", ["range.mtx:3:", "3"]),
    ("zero.mtx", HEADER + "2 2 1\n0 1 5\n", ["zero.mtx:3:", "0"]),
    ("short.mtx", HEADER + "2 2 2\n1 2 5\n", ["short.mtx", "2"]),
    ("long.mtx", HEADER + "2 2 1\n1 2 5\n2 1 5\n", ["long.mtx:4:"]),
    ("negative.mtx", HEADER + "2 2 1\n1 2 -5\n", ["negative.mtx:3:", "-5"]),
    ("fraction.mtx", HEADER + "2 2 1\n1 2 0.5\n", ["fraction.mtx:3:", "0.5"]),
    ("huge.mtx", HEADER + "4000000000 4000000000 1\n1 2 5\n", ["huge.mtx:2:"]),
    ("binary.mtx", "\x00\x01\x02\n\x7f\n", ["binary.mtx"]),
    ("ragged.csv", "1,2\n3\n", ["ragged.csv:2:"]),
    ("ragged.txt", "1 2\n3 4 5\n", ["ragged.txt:2:"]),
    ("lonely.graph", "2 1 001\n2 5\n\n", ["lonely.graph"]),
    ("unknown", "hello\nworld\n", ["unknown"]),
    ("no-such-file", None, ["no-such-file"]),
]

MAPPINGS = [
    ("", ["m.map"]),
    ("0 0\n1 1\n2 2\n", ["m.map", "4 ranks", "3 ranks"]),
    ("0 0\n1 1\n2 2\n2 3\n", ["m.map:4:", "rank 2"]),
    ("0 0\n1 1\n2 2\n4 3\n", ["m.map:4:", "rank 4"]),
    ("0 0\n1 1\n2 2\n3 x\n", ["m.map:4:", "x"]),
    ("0 0\n1 1\n2 2\n3 4\n", ["m.map:4:", "slot 4"]),
    ("0 0\n1 1\n2 2\n3\n", ["m.map:4:"]),
    ("# kith mapping ranks=5 topology=tree:2x2 hosts=-\n0 0\n1 1\n2 2\n3 3\n",
     ["m.map:1:", "ranks=5"]),
]


class BadInput(KithTest):
    def setUp(self):
        super().setUp()
        write_mtx("t.mtx", 4, {(0, 1): 3, (2, 3): 4})

    def test_options(self):
        for words, says in OPTIONS:
            with self.subTest(words=words):
                self.refused(*words, says=says)
                # Other options change nothing; in front, as the last one may lack its value.
                if words[:1] in (["map"], ["eval"], ["compare"]):
                    self.refused(words[0], "--json", *words[1:], says=says)
                if words[:1] == ["map"]:
                    self.refused("map", "-o", "out.map", *words[1:], says=says)

    def test_files(self):
        for name, content, says in FILES:
            if content is not None:
                pathlib.Path(name).write_text(content)
            for words in (["info", name], ["map", name, *TREE, "-o", "out.map"],
                          ["eval", name, *TREE], ["compare", name, *TREE],
                          ["report", name, *TREE, "-o", "out.html"],
                          ["convert", name, "out.csv"]):
                with self.subTest(words=words):
                    self.refused(*words, says=says)

    def test_mappings(self):
        for content, says in MAPPINGS:
            with self.subTest(content=content):
                pathlib.Path("m.map").write_text(content)
                self.refused("eval", "t.mtx", *TREE, "--mapping", "m.map", says=says)
                self.refused("report", "t.mtx", *TREE, "--mapping", "m.map", "-o", "out.html",
                             says=says)

    def test_what_the_environment_lacks(self):
        for words in (["gen", "dense", "--ranks", "4", "-o", "none/g.mtx"],
                      ["convert", "t.mtx", "none/g.csv"],
                      ["map", "t.mtx", *TREE, "-o", "none/t.map"],
                      ["report", "t.mtx", *TREE, "-o", "none/t.html"],
                      ["report", "t.mtx", *TREE, "--svg", "none/t.svg"],
                      ["report", "t.mtx", *TREE, "--png", "none/t.png"],
                      ["map", "t.mtx", *TREE, "-o", "none/t.json", "--format", "json"]):
            with self.subTest(words=words):
                self.refused(*words, status=3, says=["none/", "No such file or directory"])


if __name__ == "__main__":
    main()
