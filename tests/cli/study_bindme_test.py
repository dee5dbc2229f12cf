#!/usr/bin/env python3
"""kith study bindme: what must hold of policies of binding."""
import re

from kithcli import KithTest, main


class StudyBindMe(KithTest):
    def test_what_must_hold(self):
        found = self.json("study", "bindme")
        by_section = {}
        for row in found["rows"]:
            by_section.setdefault(row["section"], {})[row["what"]] = row
        self.assertEqual(len(by_section), 2 * 4 + 1)
        for section, rows in by_section.items():
            if section.startswith("Table 6.7"):
                self.assertTrue(rows["treematch"]["paper"].startswith("1.762 of compact's"))
                continue
            volume, pairs = {}, {}
            for policy, row in rows.items():
                number = re.match(r"([\d.]+) of compact's between nodes.*; pairs ([\d.]+) of the best",
                                  row["ours"])
                volume[policy], pairs[policy] = float(number[1]), float(number[2])
            self.assertEqual(volume["compact"], 1, section)
            self.assertEqual(min(volume, key=lambda policy: (volume[policy], policy != "kith")), "kith", section)
            self.assertGreaterEqual(volume["scatter"], volume["choicemap"], section)
            self.assertGreaterEqual(min(pairs.values()), 0.999, section)


if __name__ == "__main__":
    main()
