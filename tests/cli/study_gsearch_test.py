#!/usr/bin/env python3
"""kith study gsearch: a sample of the paper's cases shows what the paper reports."""
import unittest

from kithcli import KithTest


class StudyGsearch(KithTest):
    def test_the_sample(self):
        report = self.json("study", "gsearch")
        ours = {row["what"]: row["ours"] for row in report["rows"]}
        counts = [int(value) for what, value in ours.items()
                  if what.startswith("allocations with")]
        self.assertEqual(sum(counts), 200_000)
        # Seen over all 10,518,300 allocations: 31.5%, 35.3%, 21.5% need 0, 1, 2 swaps.
        for count, share in zip(counts, (0.315, 0.353, 0.215)):
            self.assertAlmostEqual(count / 200_000, share, delta=0.01)
        self.assertLessEqual(int(ours["most swaps"]), 12)

        self.assertTrue(0.2 < float(ours["mean of swaps / n, n from 64 on"]) < 0.25)
        within, jobs = ours["jobs within 0.35 n + 20 swaps"].split(" of ")
        self.assertEqual(within, jobs)

        self.assertEqual(ours["jobs that gsearch maps worse than geom"], "0")
        self.assertTrue(40 < float(ours["jobs that it maps better"].rstrip("%")) < 65)
        for name, fewer in (("gsearch-rank", 12), ("gsearch-best", 35)):
            swaps = float(ours[f"{name}, swaps against gsearch"].rstrip("%"))
            self.assertAlmostEqual(swaps, -fewer, delta=6)
            hops = float(ours[f"{name}, average hops against gsearch"].rstrip("%"))
            self.assertAlmostEqual(hops, 0, delta=1)


if __name__ == "__main__":
    unittest.main()
