#!/usr/bin/env python3
"""Where ranks lie: as the trace knows it from MPI_Cart_create, or as the user says."""
import json
import pathlib
import random

from kithcli import KithTest, main, write_mtx

ROWS, COLUMNS = 3, 4
RANKS = ROWS * COLUMNS
SPEC = f"mesh:{ROWS}x{COLUMNS}"


def write_trace(name, order):
    """Traffic without a grid; the program made one, order[place] sits at each of its places."""
    draw = random.Random(1)
    cells = {(a, b): draw.randrange(1, 100) for a in range(RANKS) for b in range(RANKS) if a != b}
    trace = pathlib.Path(name)
    trace.mkdir()
    write_mtx(trace / "bytes.mtx", RANKS, cells)
    grid = {"dims": [ROWS, COLUMNS], "periods": [0, 0], "ranks": order}
    meta = {"format": 1, "ranks": RANKS, "hosts": [], "phases": [], "cartesian": grid}
    (trace / "meta.json").write_text(json.dumps(meta))


class Coordinates(KithTest):
    def mapping(self, *words):
        return self.json("map", "t", "--topology", SPEC, "--algorithm", "geom", *words)["mapping"]

    def test_the_grid_of_the_program_is_used(self):
        write_trace("t.kith", None)
        self.assertEqual(self.mapping(), self.mapping("--coordinates", f"{ROWS}x{COLUMNS}"))

    def test_its_order_of_the_ranks_too(self):
        order = random.Random(2).sample(range(RANKS), RANKS)
        write_trace("t.kith", order)
        place = {rank: divmod(at, COLUMNS) for at, rank in enumerate(order)}
        points = [f"{place[rank][0]} {place[rank][1]}" for rank in range(RANKS)]
        pathlib.Path("points.txt").write_text("\n".join(points) + "\n")
        given = self.mapping("--coordinates", "points.txt")
        self.assertEqual(self.mapping(), given)
        self.assertNotEqual(self.mapping("--coordinates", f"{ROWS}x{COLUMNS}"), given,
                            "what is given takes the place of what the trace knows")


if __name__ == "__main__":
    main()
