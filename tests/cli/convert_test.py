#!/usr/bin/env python3
"""kith convert."""
import pathlib

from kithcli import KithTest, main, read_mtx, write_mtx

CELLS = {(0, 1): 3, (1, 0): 4, (2, 0): 11, (3, 2): 2, (1, 1): 9}


class Convert(KithTest):
    def setUp(self):
        super().setUp()
        write_mtx("t.mtx", 4, CELLS)

    def test_directed_formats_keep_every_cell(self):
        for ending in ("csv", "txt", "mtx"):
            self.call("convert", "t.mtx", f"there.{ending}")
            self.call("convert", f"there.{ending}", "back.mtx")
            self.assertEqual(read_mtx("back.mtx"), (4, CELLS))

    def test_undirected_formats_keep_pair_totals(self):
        totals = {(0, 1): 7, (0, 2): 11, (2, 3): 2}
        for ending in ("graph", "grf"):
            self.call("convert", "t.mtx", f"there.{ending}")
            self.call("convert", f"there.{ending}", "back.mtx")
            self.assertEqual(read_mtx("back.mtx"), (4, totals))

    def test_names_without_a_known_ending(self):
        self.call("convert", "t.mtx", "there", "--to", "csv")
        self.call("convert", "there", "back.data", "--from", "eagermap", "--to", "mtx")
        self.assertEqual(read_mtx("back.data"), (4, CELLS))
        # EagerMap's CSV begins with the last rank's row.
        self.assertEqual(pathlib.Path("there").read_text().splitlines()[0].replace(" ", ""),
                         "0,0,2,0")

    def test_what_cannot_be_written(self):
        self.refused("convert", "t.mtx", "there", says=["--to", "there", "perfetto"])
        self.refused("convert", "t.mtx", "there.prof", says="there.prof")
        self.refused("convert", "t.mtx", "there.x", "--to", "prof", says="--to")
        self.refused("convert", "t.mtx", "there.x", "--to", "xml", says=["--to", "xml"])
        self.refused("convert", "t.mtx", "there.mtx", "--from", "xml", says=["--from", "xml"])
        self.refused("convert", "none.mtx", "there.csv", says="none.mtx")
        self.refused("convert", "t.mtx", "there.csv", "--from", "dense", says="t.mtx:1:")


if __name__ == "__main__":
    main()
