#!/usr/bin/env python3
"""kith study choicemap: what must hold of the figures of the thesis on ChoiceMap."""

from kithcli import KithTest, main


class StudyChoiceMap(KithTest):
    def test_what_must_hold(self):
        found = self.json("study", "choicemap")
        self.assertEqual(found["study"], "choicemap")
        by_section = {}
        for row in found["rows"]:
            by_section.setdefault(row["section"].split()[0], {})[row["what"]] = row
        for row in by_section["8"].values():
            self.assertEqual(row["ours"], row["paper"], row["what"])
        table = by_section["Communication"]
        for what in ("best", "worst", "choicemap", "eagermap"):
            self.assertEqual(table[what]["ours"], table[what]["paper"], what)
        # The thesis's TreeMatch is not at its best.
        self.assertLessEqual(sum(map(int, table["treematch"]["ours"].split())),
                             sum(map(int, table["treematch"]["paper"].split())))
        lu = {what: float(row["ours"]) for what, row in by_section["LU,"].items()}
        self.assertEqual(lu["compact"], 1)
        self.assertGreater(lu["scatter"], lu["choicemap"])
        self.assertLessEqual(lu["choicemap"], 1.05)


if __name__ == "__main__":
    main()
