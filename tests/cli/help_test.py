#!/usr/bin/env python3
"""What --help teaches: its examples do what they say, its options are those that there are."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from kithcli import KITH, KithTest, main, write_mtx
from launching import LIBRARY, OPEN_MPI
from probe_test import FAKE as PROBE_FAKE
from probe_test import PROGRAM, TWO_SWITCHES, report
from profiles_test import HEADER

RANKS = 16
# A launcher that has nothing to do: kith run only has to start it.
LAUNCHER = """#!/bin/sh
if [ "$1" = --version ]; then echo '{version}'; fi
"""
TOPOLOGY_CONF = "SwitchName=s0 Nodes=tux[0-7]\nSwitchName=s1 Nodes=tux[8-15]\n" \
                "SwitchName=top Switches=s[0-1]\n"


def examples(text):
    """The command lines below "Examples:", without their comments."""
    lines = text.split("\nExamples:\n")[1].split("\n\n")[0].splitlines()
    return [re.split(r"\s+# ", line.strip())[0] for line in lines if line.strip()]


def subcommands(overview):
    return re.findall(r"(?m)^  ([a-z]+) +[A-Z]", overview.split("Options:")[0])


UNLISTED = ("study",)  # with help and a manual page, but not for those who only use Kith


class Help(KithTest):
    def setUp(self):
        super().setUp()
        self.overview = self.call("--help").stdout

    def test_every_subcommand_says_what_it_is_for(self):
        for name in (*subcommands(self.overview), *UNLISTED):
            text = self.call(name, "--help").stdout
            purpose = text.split("\n\nUsage: kith " + name)[0]
            self.assertGreater(len(purpose.split()), 8, name)
            self.assertTrue(purpose.endswith("."), name)
            count = len(examples(text))
            self.assertTrue(2 <= count <= 9, f"{name}: {count} examples")

    def test_many_options_are_grouped(self):
        for name in ("map", "compare", "gen"):
            text = self.call(name, "--help").stdout
            headings = re.findall(r"(?m)^([A-Z][A-Za-z ]+):$", text)
            self.assertGreater(len(headings), 3, name)
            self.assertEqual(headings[-2:], ["Options", "Examples"], name)
            alone = text.split("\nOptions:\n")[1].split("\n\n")[0]
            self.assertEqual(re.findall(r"(?m)^  (-\S.*?)  ", alone), ["-h, --help"], name)

    def test_what_does_not_go_together(self):
        text = " ".join(self.call("map", "--help").stdout.split())
        self.assertIn("Up to K ranks on a slot (not with --oversubscribe)", text)
        self.assertIn("the share (with --from)", text)
        self.assertIn("--nodes N How many nodes the job wants (required)",
                      " ".join(self.call("allocate", "--help").stdout.split()))

    def test_help_as_a_word(self):
        self.assertEqual(self.call("help").stdout, self.overview)
        self.assertEqual(self.call("help", "map").stdout, self.call("map", "--help").stdout)
        self.refused("help", "mpa", says="did you mean map?")


class Examples(KithTest):
    """Every example of every subcommand, in a folder with what they speak of."""

    def setUp(self):
        super().setUp()
        self.here = pathlib.Path(os.path.realpath("."))
        (self.here / "bin").mkdir()
        (self.here / "bin/kith").symlink_to(KITH)
        self.environment = {"PATH": f"{self.here}/bin:{os.environ['PATH']}",
                            "HOME": str(self.here), "LC_ALL": "C.UTF-8", "LD_PRELOAD": ""}
        for name in ("KITH_HOME", "XDG_STATE_HOME"):
            os.environ.pop(name, None)

    def fake(self, name, version, text=LAUNCHER):
        file = self.here / "bin" / name
        file.write_text(text.format(version=version))
        file.chmod(0o755)

    def write_inputs(self):
        cells = {(i, (i + step) % RANKS): 1000 * step for i in range(RANKS) for step in (1, 4)}
        trace = self.here / "app.kith"
        (trace / "classes").mkdir(parents=True)
        for name in ("bytes", "messages"):
            write_mtx(trace / f"{name}.mtx", RANKS, cells)
        for name in ("p2p", "coll", "rma"):
            write_mtx(trace / f"classes/{name}.bytes.mtx", RANKS, cells if name == "p2p" else {})
        total = sum(cells.values())
        (trace / "meta.json").write_text(json.dumps(
            {"format": 1, "kith_version": "0.1.0", "program": "./app", "ranks": RANKS,
             "mpi_library": "Some MPI 1.0", "hosts": ["tux0", "tux1"], "phases": [],
             "sources": {"collectives": "model"}, "partial": False,
             "totals": {"bytes": total, "messages": 1, "p2p_bytes": total, "coll_bytes": 0,
                        "rma_bytes": 0}}))
        (trace / "machine.json").write_text(json.dumps(
            {"format": 1, "hosts": [{"name": f"tux{h}", "hardware": 0} for h in range(2)],
             "hardware": [{"digest": "d", "file": "host0.xml"}],
             "ranks": [{"rank": r, "launcher_rank": r, "host": r // 8, "cpus": str(r % 8)}
                       for r in range(RANKS)]}))
        self.call("topo", "tree:1x8", "--format", "hwloc", "-o", trace / "host0.xml")
        (trace / "threads").mkdir()
        write_mtx(trace / "threads/0.mtx", 1, {})
        pathlib.Path("openmp_program").write_text("#!/bin/sh\n")
        pathlib.Path("openmp_program").chmod(0o755)
        write_mtx("matrix.mtx", RANKS, cells)
        write_mtx("app.mtx", RANKS, cells)
        dense = [" ".join(str(cells.get((i, j), 0)) for j in range(RANKS)) for i in range(RANKS)]
        pathlib.Path("matrix.data").write_text("\n".join(dense) + "\n")
        pathlib.Path("topology.conf").write_text(TOPOLOGY_CONF)
        pathlib.Path("machine.net").write_text("tux0\ntux1\n")
        pathlib.Path("app.map").write_text("".join(f"{r} {r ^ 1}\n" for r in range(RANKS)))
        pathlib.Path("job.slots").write_text("0-511\n")
        store = pathlib.Path(".local/state/kith/profiles")
        store.mkdir(parents=True)
        name = "app-16-1b2c3d4e"
        (store / f"{name}.mtx").write_text(HEADER.format(name=name, check="0" * 16))

    def run_examples(self, name, status=lambda line: 0):
        self.write_inputs()
        lines = examples(self.call(*([name] if name else []), "--help").stdout)
        self.assertTrue(lines)
        for line in lines:
            with self.subTest(line):
                self.assertRegex(line, r"^(\w+=\S+ )*(kith |eval )")
                records = "--trace app" in line  # which takes a name that is free
                if records:
                    pathlib.Path("app.kith").rename("kept")
                # The trace of this test has no timeline: those of convert_timeline_test.py and
                # predict_test.py have.
                of_timeline = re.search(r"--to (smpi|goal|perfetto)|^kith predict | --seconds", line)
                self.call_shell(line, 2 if of_timeline else status(line))
                if records:
                    pathlib.Path("kept").rename("app.kith")

    def call_shell(self, line, status):
        done = subprocess.run(["bash", "-o", "pipefail", "-c", line], text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=400,
                              env={**os.environ, **self.environment})
        self.assertEqual(done.returncode, status, f"{line}\n{done.stdout[-2000:]}{done.stderr}")

    def test_with_launchers(self):
        if not os.path.exists(LIBRARY):
            self.skipTest("libkith.so is not built")
        self.fake("mpirun", OPEN_MPI)
        self.fake("mympirun", "of the site")
        self.fake("srun", "slurm 22.05")
        # No rank reports to the check: that is what it says, by its status.
        self.run_examples("run", lambda line: 3 if "--check" in line else 0)

    def test_with_launchers_of_all(self):
        if not os.path.exists(LIBRARY):
            self.skipTest("libkith.so is not built")
        self.fake("mpirun", OPEN_MPI)
        self.run_examples("")

    def test_profiles(self):
        if not os.path.exists(LIBRARY):
            self.skipTest("libkith.so is not built")
        self.fake("mpirun", OPEN_MPI)
        self.run_examples("profiles")

    def test_probe(self):
        if not PROGRAM.exists():
            self.skipTest("kith-probe is not built")
        text = PROBE_FAKE.format(python=sys.executable, version="mpirun (Open MPI) 4.1.4",
                                 log=str(self.here / "log"), output=report(*TWO_SWITCHES), then="",
                                 status=0)
        self.fake("mpirun", "", text.replace("{", "{{").replace("}", "}}"))
        self.fake("srun", "", text.replace("mpirun (Open MPI) 4.1.4", "slurm 22.05")
                  .replace("{", "{{").replace("}", "}}"))
        self.run_examples("probe")

    def test_man(self):
        if shutil.which("man") is None:
            self.skipTest("no program 'man'")
        self.run_examples("man")

    def test_all_others(self):
        for name in (*subcommands(self.call("--help").stdout), *UNLISTED):
            if name in ("run", "profiles", "probe", "man"):
                continue
            shutil.rmtree("app.kith", ignore_errors=True)
            shutil.rmtree(".local", ignore_errors=True)
            self.run_examples(name)


if __name__ == "__main__":
    main()
