#!/usr/bin/env python3
"""kith map --from MAPPING --move-cost C: mapping from where the ranks are."""
import pathlib

from kithcli import KithTest, main, read_mapping, write_mtx

OLD = "# kith mapping ranks=16 topology=tree:4x4 hosts=-\n"


def moved(old, new):
    return sum(before != after for before, after in zip(old, new))


class MapFrom(KithTest):
    def setUp(self):
        super().setUp()
        self.call("gen", "stencil2d", "--extents", "4x4", "-o", "s.mtx")

    def write_old(self, slots, header=""):
        text = header + "".join(f"{rank} {slot}\n" for rank, slot in enumerate(slots))
        pathlib.Path("old.map").write_text(text)

    def test_no_move_where_the_old_mapping_is_the_answer(self):
        self.call("map", "s.mtx", "--topology", "tree:4x4", "-o", "old.map")
        for algorithm in ("kith", "auto"):
            done = self.call("map", "s.mtx", "--topology", "tree:4x4", "--from", "old.map",
                             "--algorithm", algorithm)
            self.assertEqual(done.stdout, pathlib.Path("old.map").read_text())
            self.assertIn("0 of 16 ranks move,", done.stderr)

    def test_the_cost_decides_who_moves(self):
        """Pairs (0, 2) and (1, 3), one heavy and one light, apart from each other."""
        write_mtx("pairs.mtx", 8, {(0, 2): 100, (4, 6): 1})
        self.write_old(range(8))
        words = ("map", "pairs.mtx", "--topology", "tree:4x2", "--from", "old.map", "--algorithm",
                 "kith")
        for options, moves in (((), 4), (("--move-cost", "0"), 4), (("--move-cost", "50"), 2),
                               (("--move-cost", "1000"), 0)):
            found = self.json(*words, *options)
            self.assertEqual(found["moved"], moves, options)
            self.assertEqual(moved(range(8), found["mapping"]), moves)
            self.assertEqual((found["displaced"], found["new_ranks"]), (0, 0))

    def test_the_proof_counts_the_moves(self):
        """The objective alone could be lower: that is what bound and gap are about."""
        write_mtx("pair.mtx", 4, {(0, 2): 100})
        self.write_old(range(4))
        words = ("map", "pair.mtx", "--topology", "tree:2x2", "--from", "old.map")
        found = self.json(*words, "--move-cost", "1000")
        self.assertTrue(found["optimal"])
        self.assertEqual((found["moved"], found["bound"], found["gap"]), (0, 200, 1))
        self.assertNotIn("exhaustive", found["bound_reason"])
        self.assertIn("optimal, moves included: proven by exhaustive search",
                      self.call(*words, "--move-cost", "1000").stderr)
        found = self.json(*words)
        self.assertEqual((found["moved"], found["bound"], found["gap"]), (2, 200, 0))
        self.assertEqual(found["bound_reason"], "exhaustive search")

    def test_lost_slots_and_new_ranks(self):
        self.write_old([*range(12), 90, 13, 14])
        words = ("s.mtx", "--topology", "tree:5x4", "--forbid", "0-3", "--from", "old.map",
                 "--move-cost", "100000000000")
        found = self.json("map", *words)
        self.assertEqual((found["moved"], found["displaced"], found["new_ranks"]), (5, 5, 1))
        self.assertEqual(found["mapping"][4:12], list(range(4, 12)))
        self.assertIn("5 of 16 ranks move, 5 of them since their slots are gone, 1 ranks are new",
                      self.call("map", *words).stderr)

    def test_published_algorithms_are_turned(self):
        """The same objective as without --from, with more ranks in place."""
        self.call("map", "s.mtx", "--topology", "tree:4x4", "--algorithm", "random", "-o",
                  "random.map")
        words = ("map", "s.mtx", "--topology", "tree:4x4", "--algorithm", "eagermap")
        plain = self.json(*words)
        self.assertNotIn("moved", plain)
        shuffled = [4 * (3 - slot // 4) + (slot + 1) % 4 for slot in plain["mapping"]]
        self.write_old(shuffled)
        found = self.json(*words, "--from", "old.map")
        self.assertEqual(found["mapping"], shuffled)
        self.assertEqual(found["moved"], 0)
        self.assertEqual(found["metrics"], plain["metrics"])
        found = self.json(*words, "--from", "random.map")
        self.assertEqual(found["metrics"]["hop_bytes"], plain["metrics"]["hop_bytes"])

    def test_costs_have_the_units_of_the_objective(self):
        """Bringing the pair together saves 100 x (2.5 - 0.5) for two moves."""
        write_mtx("pair.mtx", 4, {(0, 2): 100})
        self.write_old(range(4))
        words = ("map", "pair.mtx", "--topology", "tree:2x2@2.5,0.5", "--from", "old.map",
                 "--algorithm", "kith")
        self.assertEqual(self.json(*words, "--move-cost", "99.9")["moved"], 2)
        self.assertEqual(self.json(*words, "--move-cost", "100.1")["moved"], 0)
        self.refused(*words, "--move-cost", "0.25", says=["--move-cost", "1/10", "'0.25'"])

    def test_a_mapping_of_another_machine_is_told(self):
        self.write_old(range(16), OLD)
        told = self.call("map", "s.mtx", "--topology", "tree:5x4", "--from", "old.map").stderr
        self.assertIn("note: old.map was made for tree:4x4; its slots are taken as those of "
                      "tree:5x4", told)
        told = self.call("map", "s.mtx", "--topology", "tree:4x4", "--from", "old.map").stderr
        self.assertNotIn("note", told)
        self.call("map", "s.mtx", "--topology", "tree:5x4;slots=0-15", "-o", "part.map")
        told = self.call("map", "s.mtx", "--topology", "tree:5x4;slots=4-19", "--from", "part.map").stderr
        self.assertNotIn("note", told)

    def test_refusals(self):
        words = ("map", "s.mtx", "--topology", "tree:5x4")
        self.write_old(range(17), "# where they were\n")
        self.refused(*words, "--from", "old.map", says=["old.map:18", "16 ranks", "rank 16"])
        self.write_old(range(16))
        self.refused(*words, "--from", "none.map", says="none.map")
        self.refused(*words, "--move-cost", "3", says=["--move-cost", "--from"])
        for cost in ("-1", "x", "1.5", "1e3", "99999999999999999999"):
            self.refused(*words, "--from", "old.map", f"--move-cost={cost}",
                         says=["--move-cost", "a whole number from 0 on", f"'{cost}'"])
        self.refused(*words, "--from", "old.map", "--choose", says=["--choose", "--from"])
        pathlib.Path("bad.map").write_text("0 0\n1 x\n")
        self.refused(*words, "--from", "bad.map", says="bad.map:2")

    def test_the_mapping_written_is_the_one_told(self):
        self.write_old(reversed(range(16)))
        words = ("map", "s.mtx", "--topology", "tree:4x4", "--from", "old.map", "--move-cost", "3")
        self.assertEqual(read_mapping(self.call(*words).stdout), self.json(*words)["mapping"])


if __name__ == "__main__":
    main()
