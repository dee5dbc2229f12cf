#!/usr/bin/env python3
"""kith study topolb-network: what the text of the paper says of its figures 7 to 11."""

from kithcli import KithTest, main


class StudyTopoLbNetwork(KithTest):
    def setUp(self):
        super().setUp()
        found = self.json("study", "topolb-network")
        self.rows = {row["what"]: row["ours"] for row in found["rows"]}

    def ours(self, what):
        return float(self.rows[what].split()[0])

    def latency(self, bandwidth, algorithm):
        return self.ours(f"{bandwidth} MB/s, {algorithm}")

    def test_random_placement_congests_first(self):
        for bandwidth in (50, 100):
            self.assertGreater(self.ours(f"{bandwidth} MB/s, random against topolb"), 2)
            self.assertGreater(self.latency(bandwidth, "random"),
                               1.5 * self.latency(bandwidth, "topolb"))

    def test_topolb_is_before_topocentlb(self):
        for bandwidth in (50, 100, 200, 400):
            self.assertGreaterEqual(self.ours(f"{bandwidth} MB/s, topocentlb against topolb"), 1)

    def test_latency_falls_with_bandwidth(self):
        for algorithm in ("random", "topocentlb", "topolb"):
            found = [self.latency(b, algorithm) for b in (50, 100, 200, 400, 800, 1600)]
            self.assertEqual(found, sorted(found, reverse=True))

    def test_a_mesh_takes_no_less_under_random_placement(self):
        self.assertGreater(self.ours("random, mesh against torus"), 1)


if __name__ == "__main__":
    main()
