#!/usr/bin/env python3
"""What `kith map` says of its mappings, recomputed from the definitions alone: patterns are drawn
here, distances are arithmetic on slot numbers, and nothing of Kith's is used but its answer."""
import itertools
import math

from kithcli import KithTest, main, write_mtx


class Mt19937_64:
    """The generator of Nishimura, Matsumoto: 64-bit Mersenne Twister (2000)."""
    def __init__(self, seed):
        self.state, mask = [seed], (1 << 64) - 1
        for i in range(1, 312):
            last = self.state[-1]
            self.state.append((6364136223846793005 * (last ^ last >> 62) + i) & mask)
        self.at = 312

    def next(self):
        if self.at == 312:
            for i in range(312):
                x = (self.state[i] & 0xFFFFFFFF80000000) | (self.state[(i + 1) % 312] & 0x7FFFFFFF)
                self.state[i] = (self.state[(i + 156) % 312] ^ x >> 1
                                 ^ (0xB5026F5AA96619E9 if x & 1 else 0))
            self.at = 0
        x = self.state[self.at]
        self.at += 1
        x ^= x >> 29 & 0x5555555555555555
        x ^= x << 17 & 0x71D67FFFEDA60000
        x ^= x << 37 & 0xFFF7EEE000000000
        return x ^ x >> 43

    def uniform(self):
        return (self.next() >> 11) * 2.0 ** -53


def permuted(pairs, n, seed):
    rng, p = Mt19937_64(seed), list(range(n))
    for i in range(n - 1, 0, -1):
        j = rng.next() % (i + 1)
        p[i], p[j] = p[j], p[i]
    return {(p[a], p[b]): w for (a, b), w in pairs.items()}


def stencil(*extents):
    strides = [math.prod(extents[d + 1:]) for d in range(len(extents))]
    pairs = {}
    for at in itertools.product(*map(range, extents)):
        here = sum(x * s for x, s in zip(at, strides))
        for x, extent, stride in zip(at, extents, strides):
            if x + 1 < extent:
                pairs[here, here + stride] = 1
    return pairs


def geometric(n, seed):
    rng = Mt19937_64(seed)
    points = [(rng.uniform(), rng.uniform()) for _ in range(n)]
    radius = math.sqrt(16 / (math.pi * n))
    return {(i, j): 1 + rng.next() % 1000 for i in range(n) for j in range(i + 1, n)
            if math.dist(points[i], points[j]) <= radius}


def heavy(n, draws, seed):
    """Few pairs with most of the weight."""
    rng, pairs = Mt19937_64(seed), {}
    for _ in range(draws):
        a, b = rng.next() % n, int(n * rng.uniform() ** 3)
        if a != b:
            key = min(a, b), max(a, b)
            pairs[key] = pairs.get(key, 0) + int(1 / (1 - rng.uniform()) ** 2)
    return pairs


def tree_cost(arities, costs):
    """Top down, as in a SPEC."""
    def cost(a, b):
        level, last = len(arities), 0
        while a != b:
            level -= 1
            a, b, last = a // arities[level], b // arities[level], costs[level]
        return last
    return cost


def tree_hops(*arities):
    return tree_cost(arities, [2 * (len(arities) - level) for level in range(len(arities))])


def torus_hops(extents, node_arities=()):
    inside, size = tree_hops(*node_arities), math.prod(node_arities)

    def hops(a, b):
        if a // size == b // size:
            return inside(a % size, b % size)
        a, b, sum_ = a // size, b // size, 2 * len(node_arities)
        for extent in reversed(extents):
            gap = abs(a % extent - b % extent)
            sum_ += min(gap, extent - gap)
            a, b = a // extent, b // extent
        return sum_
    return hops


CASES = [  # pairs, ranks, SPEC, distance, metric, slots that may be used
    (permuted(stencil(24, 16), 384, 3), 384, "tree:12x2x16@100,10,1",
     tree_cost((12, 2, 16), (100, 10, 1)), "sum_com", range(384)),
    (permuted(stencil(6, 10, 7), 420, 4), 420, "tree:7x3x20", tree_hops(7, 3, 20), "hop_bytes",
     range(420)),
    (geometric(500, 5), 500, "tree:4x5x3x10@1000,100,10,1",
     tree_cost((4, 5, 3, 10), (1000, 100, 10, 1)), "sum_com", range(600)),
    (geometric(200, 6), 200, "tree:8x2x20@50,7,2;slots=0-99,150-163,200-299",
     tree_cost((8, 2, 20), (50, 7, 2)), "sum_com",
     [*range(100), *range(150, 164), *range(200, 300)]),
    (heavy(512, 2500, 7), 512, "tree:16x32@10,1", tree_cost((16, 32), (10, 1)), "sum_com",
     range(512)),
    (permuted(stencil(8, 8, 8), 512, 8), 512, "torus:8x8x8", torus_hops((8, 8, 8)), "hop_bytes",
     range(512)),
    (geometric(480, 9), 480, "torus:5x4x3/2x4", torus_hops((5, 4, 3), (2, 4)), "hop_bytes",
     range(480)),
    (heavy(256, 1500, 10), 256, "hypercube:8", lambda a, b: bin(a ^ b).count("1"), "hop_bytes",
     range(256)),
]


class MapOracle(KithTest):
    def check(self, case, algorithm, effort):
        pairs, ranks, spec, distance, metric, allowed = case
        answer = self.json("map", "p.mtx", "--topology", spec, "--algorithm", algorithm,
                           "--effort", effort)
        mapping = answer["mapping"]
        self.assertEqual(len(mapping), ranks)
        self.assertEqual(len(set(mapping)), ranks, "two ranks on a slot")
        self.assertLessEqual(set(mapping), set(allowed))
        # A symmetric entry stands for both directions.
        of = lambda slots: sum(2 * w * distance(slots[a], slots[b]) for (a, b), w in pairs.items())
        self.assertEqual(answer["metrics"][metric], of(mapping))
        self.assertEqual(answer["baseline"][metric], of(allowed))
        self.assertLessEqual(of(mapping), of(allowed))
        bound = answer["bound"]
        if bound is not None:
            self.assertLessEqual(bound, of(mapping))

    def test_metrics_and_bijection(self):
        for number, case in enumerate(CASES):
            pairs, ranks = case[:2]
            write_mtx("p.mtx", ranks, {(max(pair), min(pair)): w for pair, w in pairs.items()},
                      "symmetric")
            for algorithm, effort in (("kith", "fast"), ("kith", "balanced"), ("auto", "fast")):
                with self.subTest(case=number, spec=case[2], algorithm=algorithm, effort=effort):
                    self.check(case, algorithm, effort)


if __name__ == "__main__":
    main()
