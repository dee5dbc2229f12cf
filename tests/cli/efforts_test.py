#!/usr/bin/env python3
"""kith map: --effort, --work, --time-limit and --threads of kith and auto behave as they say."""

from kithcli import KithTest, main

MACHINE = "tree:8x4x8@100,10,1"
PATTERNS = {
    "geometric": ["--ranks", 256, "--seed", 3, "--permute", 1],
    "rmat": ["--scale", 8, "--seed", 3],
    "stencil2d": ["--extents", "16x16", "--permute", 1],
}


class Efforts(KithTest):
    def setUp(self):
        super().setUp()
        for pattern, options in PATTERNS.items():
            self.call("gen", pattern, *options, "-o", f"{pattern}.mtx")

    def answer(self, pattern, *options, algorithm="auto", machine=MACHINE):
        return self.json("map", f"{pattern}.mtx", "--topology", machine, "--algorithm", algorithm,
                         *options)

    def check_never_worse(self, pattern, steps, **how):
        """Each of `steps`, lists of options, gives no more than the one before, and no more than
        the identity."""
        least = None
        for options in steps:
            found = self.answer(pattern, *options, **how)
            cost = found["metrics"]["sum_com"]
            if least is None:
                least = found["baseline"]["sum_com"]
            self.assertLessEqual(cost, least, (pattern, options, how))
            least = cost
        return least

    def test_more_effort_is_never_worse(self):
        for pattern in PATTERNS:
            for algorithm in "kith", "auto":
                self.check_never_worse(pattern, [["--effort", "fast"], ["--effort", "balanced"],
                                                 ["--effort", "best", "--work", 3_000_000]],
                                       algorithm=algorithm)

    def test_more_work_is_never_worse_and_ends_at_what_the_effort_finds(self):
        for pattern in PATTERNS:
            amounts = [["--effort", "fast", "--work", work]
                       for work in (0, 5, 1000, 20_000, 100_000, 10**12)]
            least = self.check_never_worse(pattern, amounts)
            whole = self.answer(pattern, "--effort", "fast")
            self.assertEqual(least, whole["metrics"]["sum_com"], pattern)

    def test_little_work_leaves_the_present_order_and_says_so(self):
        found = self.answer("geometric", "--effort", "fast", "--work", 5)
        self.assertEqual(found["mapping"], list(range(256)))
        self.assertEqual(found["stopped"], "work")
        self.assertIn("the work did not suffice", found["explanation"][0])
        again = self.answer("geometric", "--effort", "fast", "--work", 50_000)
        self.assertEqual(again["mapping"],
                         self.answer("geometric", "--effort", "fast", "--work", 50_000)["mapping"])

    def test_a_time_limit_that_never_comes_is_no_worse_than_none(self):
        for pattern in PATTERNS:
            whole = self.answer(pattern, "--effort", "fast")
            found = self.answer(pattern, "--effort", "fast", "--time-limit", 1000)
            self.assertLessEqual(found["metrics"]["sum_com"], whole["metrics"]["sum_com"], pattern)
            self.assertEqual(found["stopped"], "done", pattern)

    def test_no_time_suffices_for_a_breadth_first_order(self):
        found = self.answer("geometric", "--time-limit", "0.000001")
        self.assertEqual(found["stopped"], "time")
        self.assertIn("breadth-first order", found["explanation"][0])
        self.assertNotIn("no grid", found["explanation"][0])
        self.assertLess(found["metrics"]["sum_com"], found["baseline"]["sum_com"])

    def test_a_time_limit_ends_a_search_that_takes_longer(self):
        # `best` takes 5 seconds here. On a busy machine half a second may find nothing.
        found = self.answer("rmat", "--effort", "best", "--time-limit", 0.5)
        self.assertEqual(found["stopped"], "time")
        self.assertLessEqual(found["metrics"]["sum_com"], found["baseline"]["sum_com"])

    def test_a_search_that_is_cut_is_no_worse_than_a_small_one(self):
        asked = ("--objective", "network-time")
        quick = self.answer("geometric", *asked, "--effort", "fast")  # a tenth of a second
        found = self.answer("geometric", *asked, "--effort", "best", "--time-limit", 4)
        self.assertEqual(found["stopped"], "time")
        self.assertLessEqual(found["metrics"]["network_time"],
                             1.002 * quick["metrics"]["network_time"])

    def test_threads_change_nothing(self):
        for machine in MACHINE, "torus:8x8x4":
            for options in ["--effort", "fast"], ["--effort", "balanced", "--work", 300_000]:
                alone = self.answer("geometric", *options, "--threads", 1, machine=machine)
                for threads in 2, 4:
                    found = self.answer("geometric", *options, "--threads", threads,
                                        machine=machine)
                    self.assertEqual(found["mapping"], alone["mapping"], (machine, options))

    def test_values_that_mean_nothing_are_refused(self):
        for option, value in [("--effort", "hasty"), ("--effort", ""), ("--work", "-1"),
                              ("--work", "many"), ("--work", "1.5"), ("--time-limit", "0"),
                              ("--time-limit", "-1"), ("--time-limit", "soon"),
                              ("--time-limit", "nan"), ("--threads", "0"), ("--threads", "-2"),
                              ("--threads", "two")]:
            self.refused("map", "rmat.mtx", "--topology", MACHINE, option, value,
                         says=[option, value or "found"])
        self.refused("map", "rmat.mtx", "--topology", MACHINE, "--work", 5, "--time-limit", 1,
                     says=["--work", "--time-limit"])


if __name__ == "__main__":
    main()
