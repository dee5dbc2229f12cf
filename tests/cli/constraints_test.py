#!/usr/bin/env python3
"""Rules for a mapping, whatever the algorithm: --fix, --forbid, --per-slot, --oversubscribe,
--affinity, --phase."""
import json
import pathlib

from kithcli import KithTest, main, write_mtx

MACHINES = {"tree:(2*(4,4),3*(2,3))": 31, "torus:4x4x2": 32}  # and how many slots they have


def write_trace(name, ranks, byte_cells, message_cells, phases):
    """A trace with what the mapping of bytes, messages and phases reads."""
    trace = pathlib.Path(name)
    (trace / "phases").mkdir(parents=True)
    write_mtx(trace / "bytes.mtx", ranks, byte_cells)
    write_mtx(trace / "messages.mtx", ranks, message_cells)
    listed = []
    for number, (phase, cells) in enumerate(phases.items(), 1):
        file = f"phases/{number:04}.bytes.mtx"
        write_mtx(trace / file, ranks, cells)
        listed.append({"name": phase, "file": file})
    (trace / "meta.json").write_text(json.dumps(
        {"format": 1, "kith_version": "0.1.0", "program": "./app", "ranks": ranks,
         "mpi_library": "Some MPI 1.0", "hosts": ["a"], "phases": listed,
         "sources": {"collectives": "model"}, "partial": False}))


class Constraints(KithTest):
    def mappings(self, machine, *options):
        """(algorithm, mapping) of those that can use the machine, with and without refinement."""
        self.call("gen", "geometric", "--ranks", "22", "-o", "g.mtx")
        names = [entry["name"] for entry in self.json("algorithms")]
        names += [name + "+refine" for name in names]
        words = ("g.mtx", "--topology", machine, *options)
        able = [row["algorithm"] for row in self.json("compare", *words, "--algorithms",
                                                      ",".join(names)) if row["metrics"]]
        self.assertLessEqual({"identity", "random+refine", "auto"}, set(able))
        return [(algorithm, self.json("map", *words, "--algorithm", algorithm)["mapping"])
                for algorithm in able]

    def test_fix_and_forbid(self):
        for machine in MACHINES:
            for algorithm, mapping in self.mappings(machine, "--fix", "0=15", "--fix", "21=1",
                                                    "--forbid", "0,4-5"):
                with self.subTest(machine=machine, algorithm=algorithm):
                    self.assertEqual((mapping[0], mapping[21]), (15, 1))
                    self.assertFalse({0, 4, 5} & set(mapping))
                    self.assertEqual(len(set(mapping)), 22)

    def test_per_slot_and_oversubscribe(self):
        for machine, slots in MACHINES.items():
            for options, most, least in ((("--per-slot", "4"), 4, 0),
                                         (("--oversubscribe",), 2, 1)):
                for algorithm, mapping in self.mappings(machine, "--forbid", "9-27", *options,
                                                        "--fix", "7=2"):
                    with self.subTest(machine=machine, algorithm=algorithm, options=options):
                        counts = [mapping.count(slot) for slot in range(32)]
                        left = [*range(9), *range(28, slots)]
                        self.assertLessEqual(max(counts), most)
                        self.assertLessEqual(least, min(counts[slot] for slot in left))
                        self.assertEqual(sum(counts[slot] for slot in left), 22)
                        self.assertEqual(mapping[7], 2)


class Affinity(KithTest):
    def test_messages_bytes_and_phases_each_bring_their_own_partners_together(self):
        # Partners by bytes are i and i + 1, by messages i and i + 4, in a phase i and 7 - i.
        partners = {"bytes": {(i, i + 1): 1000 for i in (0, 2, 4, 6)},
                    "messages": {(i, i + 4): 50 for i in range(4)},
                    "solve": {(i, 7 - i): 10 for i in range(4)}}
        write_trace("t.kith", 8, {**partners["bytes"], **{pair: 1 for pair in partners["messages"]}},
                    {**{pair: 1 for pair in partners["bytes"]}, **partners["messages"]},
                    {"solve": partners["solve"]})
        for words, name in (((), "bytes"), (("--affinity", "bytes"), "bytes"),
                            (("--affinity", "messages"), "messages"),
                            (("--phase", "solve"), "solve")):
            asked = ("t.kith", "--topology", "tree:4x2", *words)
            for algorithm in ("eagermap", "scotch", "auto", "random+refine"):
                found = self.json("map", *asked, "--algorithm", algorithm)
                for a, b in partners[name]:
                    self.assertEqual(found["mapping"][a] // 2, found["mapping"][b] // 2,
                                     (words, algorithm))
                row, = self.json("compare", *asked, "--algorithms", algorithm)
                self.assertEqual(row["metrics"], found["metrics"])


if __name__ == "__main__":
    main()
