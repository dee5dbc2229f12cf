"""How many neighbours of a grid lie in other blocks. An extent below 0 stands for a periodic one."""
import itertools
import math


def cut_of(extents, block):
    """Edges, both ways, that leave the blocks of a grid (negative extent: periodic)."""
    cut = 0
    for place in itertools.product(*(range(abs(e)) for e in extents)):
        for d, extent in enumerate(extents):
            for way in (-1, 1):
                to = place[d] + way
                if extent < 0:
                    to %= -extent
                elif not 0 <= to < extent:
                    continue
                cut += to // block[d] != place[d] // block[d]
    return cut


def best_cut(extents, width):
    """Of all tilings by equal blocks."""
    blocks = itertools.product(*([b for b in range(1, abs(e) + 1) if e % b == 0] for e in extents))
    return min(cut_of(extents, block) for block in blocks if math.prod(block) == width)
