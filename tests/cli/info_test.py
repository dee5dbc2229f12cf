#!/usr/bin/env python3
"""kith info."""
import json
import pathlib
import subprocess
import unittest

from kithcli import KITH, KithTest, write_mtx

P2P = {(0, 1): 100, (1, 0): 50, (2, 2): 7, (2, 3): 150}
COLL = {(0, 3): 8, (3, 0): 8}


def write_trace(name, phases=()):
    """A trace of 4 ranks on two hosts, as the library writes it."""
    trace = pathlib.Path(name)
    (trace / "classes").mkdir(parents=True)
    (trace / "phases").mkdir()
    total = {**P2P, **COLL}
    write_mtx(trace / "bytes.mtx", 4, total)
    write_mtx(trace / "messages.mtx", 4, {cell: 2 for cell in total})
    write_mtx(trace / "classes/p2p.bytes.mtx", 4, P2P)
    write_mtx(trace / "classes/coll.bytes.mtx", 4, COLL)
    write_mtx(trace / "classes/rma.bytes.mtx", 4, {})
    listed = []
    for number, (phase, cells) in enumerate(phases, 1):
        file = f"phases/{number:04}.bytes.mtx"
        write_mtx(trace / file, 4, cells)
        listed.append({"name": phase, "file": file})
    meta = {"format": 1, "kith_version": "0.1.0", "program": "./app", "ranks": 4,
            "mpi_library": "Some MPI 1.0", "hosts": ["a", "b"], "phases": listed,
            "sources": {"collectives": "model"}, "partial": False,
            "totals": {"bytes": 323, "messages": 12, "p2p_bytes": 307, "coll_bytes": 16,
                       "rma_bytes": 0}}
    (trace / "meta.json").write_text(json.dumps(meta))
    machine = {"format": 1,
               "hosts": [{"name": "a", "hardware": 0}, {"name": "b", "hardware": 0}],
               "hardware": [{"digest": "", "file": None}],
               "ranks": [{"rank": r, "launcher_rank": j, "host": j // 2, "cpus": ""}
                         for j, r in enumerate((0, 2, 1, 3))]}
    (trace / "machine.json").write_text(json.dumps(machine))


class Info(KithTest):
    def test_a_matrix(self):
        write_mtx("t.mtx", 5, {**P2P, **COLL})
        found = self.json("info", "t.mtx")
        self.assertEqual(found["ranks"], 5)
        self.assertEqual(found["entries"], 6)
        self.assertEqual(found["bytes"], 323)
        self.assertEqual(found["self_bytes"], 7)
        self.assertIsNone(found["messages"])
        self.assertEqual(found["pairs"], 3)
        self.assertEqual(found["degree"], {"mean": 6 / 5, "max": 2})
        self.assertEqual(found["heaviest"], [{"ranks": [0, 1], "bytes": 150},
                                             {"ranks": [2, 3], "bytes": 150},
                                             {"ranks": [0, 3], "bytes": 16}])

    def test_the_heaviest_five(self):
        write_mtx("t.mtx", 10, {(0, j): j * j for j in range(1, 10)})
        self.assertEqual([pair["bytes"] for pair in self.json("info", "t.mtx")["heaviest"]],
                         [81, 64, 49, 36, 25])

    def test_an_empty_matrix(self):
        write_mtx("t.mtx", 3, {})
        found = self.json("info", "t.mtx")
        self.assertEqual((found["bytes"], found["pairs"], found["heaviest"]), (0, 0, []))
        self.call("info", "t.mtx")

    def test_a_trace(self):
        write_trace("t.kith", [("setup", {(0, 1): 5}), ("solve", {(1, 2): 20}),
                               ("setup", {(0, 1): 6})])
        for name in ("t.kith", "t", "t.kith/"):
            found = self.json("info", name)
            self.assertEqual(found["program"], "./app")
            self.assertEqual(found["messages"], 12)
            self.assertEqual(found["classes"], {"p2p": 307, "coll": 16, "rma": 0})
            self.assertEqual(found["phases"], [{"name": "setup", "bytes": 11},
                                               {"name": "solve", "bytes": 20}])
            self.assertEqual(found["places"], [{"host": "a", "ranks": "0,2"},
                                               {"host": "b", "ranks": "1,3"}])
        text = self.call("info", "t").stdout
        for part in ("./app", "Some MPI 1.0", "setup: 11", "a: ranks 0,2", "0 - 1: 150"):
            self.assertIn(part, text)

    def test_a_phase_without_its_file(self):
        write_trace("t.kith", [("setup", {(0, 1): 5}), ("solve", {(1, 2): 20})])
        pathlib.Path("t.kith/phases/0002.bytes.mtx").unlink()
        self.refused("info", "t", says=["t.kith/phases/0002.bytes.mtx", "solve"])

    def test_control_characters_stay_in_the_trace(self):
        write_trace("t.kith", [("so\x1b[2Jlve\x9b", {(1, 2): 20})])
        for file in ("meta.json", "machine.json"):
            text = pathlib.Path("t.kith", file).read_text()
            pathlib.Path("t.kith", file).write_text(
                text.replace("./app", "./\\u001b]0;x\\u0007\\u009bapp\\u00e9")
                .replace('"name": "a"', '"name": "a\\u001b\\n"')
                .replace("Some MPI", "Some\\rMPI"))
        text = self.call("info", "t").stdout
        self.assertEqual([c for c in text if c != "\n" and (c < " " or "\x7f" <= c < "\xa0")], [])
        for part in ("./ ]0;x  app\xe9", "so [2Jlve : 20", "a  : ranks 0,2", "Some MPI"):
            self.assertIn(part, text)

    def test_hardware_files_that_hold_none(self):
        write_trace("t.kith")
        machine = pathlib.Path("t.kith/machine.json")
        machine.write_text(machine.read_text().replace('"file": null', '"file": "host-0.xml"'))
        for text in ("", "\n"):
            pathlib.Path("t.kith/host-0.xml").write_text(text)
            self.refused("info", "t", says=["t.kith/host-0.xml", "empty"])
        pathlib.Path("t.kith/host-0.xml").write_text('<?xml version="1.0"?><topology versi')
        self.refused("map", "t", says="t.kith/host-0.xml")

    def test_files_that_are_no_text(self):
        limited = "ulimit -v 400000; exec "
        for name in ("z.mtx", "z.csv", "z.txt", "z.graph", "z.grf", "z.0.prof", "z.map"):
            pathlib.Path(name).symlink_to("/dev/zero")
            self.refused_within(limited, "info", name, says=[name])
        with open("sparse.mtx", "wb") as file:
            file.truncate(1 << 31)
        self.refused_within(limited, "info", "sparse.mtx", says=["sparse.mtx:1:", "NUL"])
        write_mtx("t.mtx", 4, {(0, 1): 1})
        self.refused_within(limited, "map", "t.mtx", "--topology", "tree:4;slots=/dev/zero",
                            says=["/dev/zero:1:", "NUL"])
        for file in ("meta.json", "machine.json"):
            write_trace(f"{file}.kith")
            pathlib.Path(f"{file}.kith", file).unlink()
            pathlib.Path(f"{file}.kith", file).symlink_to("/dev/zero")
            self.refused_within(limited, "info", f"{file}.kith", says=[f"{file}.kith/{file}", "NUL"])

    def refused_within(self, limits, *words, says):
        done = subprocess.run(["sh", "-c", limits + '"$@"', "sh", KITH, *words], text=True,
                              capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for part in says:
            self.assertIn(part, done.stderr)

    def test_a_byte_order_mark(self):
        files = {"m.mtx": "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 7\n",
                 "m.csv": "0,7\n0,0\n", "m.txt": "0 7\n0 0\n", "m.graph": "2 1 1\n2 7\n1 7\n",
                 "m.grf": "0\n2 2\n0 010\n1 7 1\n1 7 0\n", "no-ending": "0 7\n0 0\n"}
        for name, text in files.items():
            pathlib.Path(name).write_text(text)
            plain = self.json("info", name)
            pathlib.Path(name).write_text(text, encoding="utf-8-sig")
            self.assertEqual(self.json("info", name), plain, name)
        pathlib.Path("m.map").write_text("0 1\n1 0\n", encoding="utf-8-sig")
        self.call("eval", "m.mtx", "--topology", "tree:2", "--mapping", "m.map")

    def test_phases_and_messages_are_mapped_on_their_own(self):
        write_trace("t.kith", [("setup", {(0, 1): 5}), ("solve", {(1, 2): 20})])
        asked = ("map", "t", "--topology", "tree:2x2", "--algorithm", "identity")
        self.assertEqual(self.json(*asked, "--phase", "solve")["metrics"]["hop_bytes"], 80)
        self.assertEqual(self.json(*asked, "--affinity", "messages")["metrics"]["level_bytes"],
                         [4, 6])
        self.refused(*asked, "--phase", "other", says=["setup", "solve", "other"])
        self.refused(*asked, "--phase", "solve", "--affinity", "messages", says="--affinity")

    def test_the_job_of_a_trace_is_its_machine(self):
        write_trace("t.kith")
        found = self.json("map", "t", "--algorithm", "identity")
        self.assertEqual(found["slots"], 4)
        header = self.call("map", "t").stdout.splitlines()[0]
        self.assertRegex(header, r"^# kith mapping ranks=4 topology=job hosts=[0-9a-f]{16}$")


if __name__ == "__main__":
    unittest.main()
