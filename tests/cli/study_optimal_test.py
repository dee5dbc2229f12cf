#!/usr/bin/env python3
"""kith study optimal: nobody is below the optimum (the study itself refuses that), everybody
reaches it now and then, refinement helps, auto is close."""
import re

from kithcli import KithTest, main

OURS = re.compile(r" *([\d.]+)% of (\d+) optimal, mean ([\d.]+), worst ([\d.]+)")


class Optimal(KithTest):
    def test_how_often_each_mapper_is_optimal(self):
        names = [entry["name"] for entry in self.json("algorithms")]
        found = {}
        for row in self.json("study", "optimal")["rows"]:
            share, problems, mean, worst = map(float, OURS.fullmatch(row["ours"]).groups())
            self.assertLess(0, share, row)
            self.assertLessEqual(share, 100, row)
            self.assertLessEqual(1, mean, row)
            self.assertLessEqual(mean, worst, row)
            self.assertLessEqual(10, problems, row)
            found[row["section"], row["what"]] = (share, mean)
        for name in names:
            plain = found["as published", name]
            refined = found["followed by swap refinement", name + "+refine"]
            self.assertLessEqual(plain[0], refined[0], name)
            self.assertLessEqual(refined[1], plain[1], name)
        self.assertLess(found["as published", "random"][0], 20)
        self.assertLess(60, found["as published", "auto"][0])
        self.assertLess(found["as published", "auto"][1], 1.05)
        self.assertLessEqual(99, found["by effort", "kith, best"][0])
        self.assertLessEqual(99, found["by effort", "auto, best"][0])
        for name in ("kith", "auto"):
            self.assertLessEqual(found["by effort", name + ", fast"][1], 1.02)


if __name__ == "__main__":
    main()
