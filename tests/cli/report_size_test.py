#!/usr/bin/env python3
"""kith report: pages stay small, whatever the trace."""
import pathlib
import resource
import subprocess

from kithcli import KITH, main
from reports import Page, ReportTest, cells, write_trace

PAGE_LIMIT = 5_000_000


class ReportSize(ReportTest):
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


if __name__ == "__main__":
    main()
