#!/usr/bin/env python3
"""kith run: what each kind of launcher is given, by launchers that print it, and Open MPI itself."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

from kithcli import KITH, KithTest, write_mtx

LIBRARY = os.environ.get("KITH_LIB", "")
OPEN_MPI = "mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/"
PRRTE = "mpirun (PRRTE) 3.0.1\n\nReport bugs to https://github.com/openpmix/prrte"
HYDRA = "HYDRA build details:\n    Version:                                 4.0.2"
INTEL = "Intel(R) MPI Library for Linux* OS, Version 2021.5 Build 20211102"

FAKE = """#!/bin/sh
if [ "$1" = --version ]; then
  cat <<'END'
{version}
END
  exit 0
fi
exec {python} -c 'import json, os, sys
print(json.dumps({{"words": sys.argv[1:], "environment": dict(os.environ)}}))
sys.exit({status})' "$@"
"""


class Launching(KithTest):
    """A folder with fake launchers first in PATH and a mapping `reverse.map`."""

    def setUp(self):
        super().setUp()
        if not os.path.exists(LIBRARY):
            self.skipTest("libkith.so is not built")
        self.here = os.path.realpath(os.getcwd())
        pathlib.Path("bin").mkdir()
        self.path = f"{self.here}/bin:{os.environ['PATH']}"
        pathlib.Path("reverse.map").write_text("0 3\n1 2\n2 1\n3 0\n")
        self.library = os.path.realpath(LIBRARY)

    def fake(self, name, version, status=0):
        file = pathlib.Path("bin") / name
        file.write_text(FAKE.format(version=version, status=status, python=sys.executable))
        file.chmod(0o755)

    def launch(self, *words, env=None, status=0):
        """What the fake launcher was given."""
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("KITH_", "LD_PRELOAD", "OMPI_MCA", "SLURM_"))}
        done = subprocess.run([KITH, "run", *words], capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL,
                              env={**clean, "PATH": self.path, **(env or {})})
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)

    def refused_launch(self, *words, says, status=2, env=None):
        self.refused("run", *words, says=says, status=status,
                     env={"PATH": self.path, **(env or {})})


class OpenMpi(Launching):
    def setUp(self):
        super().setUp()
        self.fake("mpirun", OPEN_MPI)

    def exports(self, words):
        """{name: value} of the -x at the front, and the rest."""
        found = {}
        while words[:1] == ["-x"]:
            name, value = words[1].split("=", 1)
            self.assertNotIn(name, found)
            found[name] = value
            words = words[2:]
        return found, words

    def test_trace(self):
        found = self.launch("--trace", "t", "--", "mpirun", "-n", "4", "./app", "--trace", "x")
        exports, rest = self.exports(found["words"])
        self.assertEqual(exports, {"LD_PRELOAD": self.library, "KITH_TRACE": f"{self.here}/t.kith"})
        self.assertEqual(rest, ["-n", "4", "./app", "--trace", "x"])
        self.assertNotIn("LD_PRELOAD", found["environment"])

    def test_everything(self):
        found = self.launch("--trace", "sub/../t.kith", "--force", "--reorder", "reverse.map",
                            "--algorithm", "eagermap+refine", "--topology", "tree:2x2@10,1",
                            "--quiet", "--", "mpirun", "-n", "4", "./app")
        exports, _ = self.exports(found["words"])
        self.assertEqual(exports, {
            "LD_PRELOAD": self.library, "KITH_TRACE": f"{self.here}/t.kith", "KITH_FORCE": "1",
            "KITH_REORDER": f"{self.here}/reverse.map", "KITH_ALGORITHM": "eagermap+refine",
            "KITH_TOPOLOGY": "tree:2x2@10,1", "KITH_VERBOSE": "0"})

    def test_settings_of_the_environment_travel(self):
        found = self.launch("--reorder", "reverse.map", "--", "mpirun", "./app",
                            env={"KITH_MIN_GAIN": "5%", "KITH_ALGORITHM": "scotch",
                                 "KITH_VERBOSE": "2"})
        exports, _ = self.exports(found["words"])
        self.assertEqual(exports["KITH_MIN_GAIN"], "5%")
        self.assertEqual(exports["KITH_ALGORITHM"], "scotch")
        self.assertEqual(exports["KITH_VERBOSE"], "2")
        exports, _ = self.exports(self.launch("--algorithm", "random", "--quiet", "--", "mpirun",
                                              "./app", env={"KITH_REORDER": "reverse.map",
                                                            "KITH_ALGORITHM": "scotch"})["words"])
        self.assertEqual(exports["KITH_ALGORITHM"], "random")
        self.assertEqual(exports["KITH_REORDER"], f"{self.here}/reverse.map")

    def test_the_command_s_own_settings_beat_the_environment(self):
        found = self.launch("--trace", "t", "--", "mpirun", "-x", "KITH_MIN_GAIN=9%", "-x",
                            "KITH_TRACE=other", "./app", env={"KITH_MIN_GAIN": "5%"})
        exports, rest = self.exports(found["words"])
        self.assertEqual(exports["KITH_MIN_GAIN"], "9%")
        self.assertEqual(exports["KITH_TRACE"], f"{self.here}/t.kith")
        self.assertEqual(rest, ["./app"])

    def test_other_preloads_come_behind(self):
        asked = ("--trace", "t", "--", "mpirun", "-n", "2")
        found = self.launch(*asked, "./app", env={"LD_PRELOAD": "libdl.so.2"})
        self.assertEqual(self.exports(found["words"])[0]["LD_PRELOAD"],
                         f"{self.library}:libdl.so.2")
        found = self.launch(*asked, "-x", "LD_PRELOAD=/o/a.so /o/b.so", "./app")
        exports, rest = self.exports(found["words"])
        self.assertEqual(exports["LD_PRELOAD"], f"{self.library}:/o/a.so:/o/b.so")
        self.assertEqual(rest, ["-n", "2", "./app"])
        found = self.launch(*asked, "-x", f"LD_PRELOAD={self.library}:/o/a.so", "./app")
        self.assertEqual(self.exports(found["words"])[0]["LD_PRELOAD"], f"{self.library}:/o/a.so")

    def test_the_application_s_arguments_are_its_own(self):
        own = ["./app", "-x", "LD_PRELOAD=mine.so", "-x", "KITH_TRACE=mine"]
        pathlib.Path("app").write_text("#!/bin/sh\n")
        pathlib.Path("app").chmod(0o755)
        for options in (["-n", "2"], ["--mca", "btl", "self"], ["--new-option", "-np", "2"],
                        ["--new-option", "value"], ["--bind-to", "none", "--oversubscribe"]):
            found = self.launch("--trace", "t", "--", "mpirun", *options, *own)
            self.assertEqual(self.exports(found["words"])[1], options + own)

    def test_every_program_of_an_mpmd_command(self):
        found = self.launch("--trace", "t", "--", "mpirun", "-n", "1", "./a", "1", ":", "-n", "2",
                            "-x", "LD_PRELOAD=b.so", "-x", "B=1", "./b", ":", "./c")
        words = found["words"]
        first, words = words[:words.index(":")], words[words.index(":") + 1:]
        second, third = words[:words.index(":")], words[words.index(":") + 1:]
        base = {"KITH_TRACE": f"{self.here}/t.kith"}
        self.assertEqual(self.exports(first),
                         ({**base, "LD_PRELOAD": self.library}, ["-n", "1", "./a", "1"]))
        # Ours first, then the options in their order.
        self.assertEqual(second[-5:], ["-n", "2", "-x", "B=1", "./b"])
        self.assertEqual(self.exports(second[:-5]),
                         ({**base, "LD_PRELOAD": f"{self.library}:b.so"}, []))
        self.assertEqual(self.exports(third), ({**base, "LD_PRELOAD": self.library}, ["./c"]))

    def test_words_before_the_launcher_are_kept(self):
        found = self.launch("--trace", "t", "--", "env", "X=1", "nice", f"{self.here}/bin/mpirun",
                            "./app")
        self.assertEqual(found["environment"]["X"], "1")
        self.assertEqual(self.exports(found["words"])[1], ["./app"])

    def test_the_parameter_for_variables(self):
        # Open MPI refuses -x beside mca_base_env_list.
        found = self.launch("--trace", "t", "--", "mpirun", "--mca", "mca_base_env_list",
                            "A=1;LD_PRELOAD=a.so", "-n", "2", "./app")
        self.assertNotIn("-x", found["words"])
        value = found["words"][2].split(";")
        self.assertCountEqual(value, ["A=1", f"LD_PRELOAD={self.library}:a.so",
                                      f"KITH_TRACE={self.here}/t.kith"])
        found = self.launch("--trace", "t", "--topology", "tree:4x2;slots=0-3", "--", "mpirun",
                            "./app", env={"OMPI_MCA_mca_base_env_list": "A=1"})
        self.assertEqual(found["words"], ["./app"])
        value = found["environment"]["OMPI_MCA_mca_base_env_list"].split(";")
        self.assertCountEqual(value, ["A=1", f"LD_PRELOAD={self.library}", "KITH_TOPOLOGY",
                                      f"KITH_TRACE={self.here}/t.kith"])
        self.assertEqual(found["environment"]["KITH_TOPOLOGY"], "tree:4x2;slots=0-3")

    def test_an_appfile_cannot_be_served(self):
        self.refused_launch("--trace", "t", "--", "mpirun", "--app", "file", says="--app")

    def test_prrte(self):
        self.fake("mpirun", PRRTE)
        found = self.launch("--trace", "t", "--", "mpirun", "-n", "2", "./app")
        self.assertIn("LD_PRELOAD", self.exports(found["words"])[0])

    def test_status(self):
        self.fake("mpirun", OPEN_MPI, status=77)
        self.launch("--trace", "t", "--", "mpirun", "./app", status=77)

    def test_signals_are_as_they_were(self):
        # Kith ignores SIGPIPE for itself; the launcher must not inherit that.
        file = pathlib.Path("bin/mpirun")
        file.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && echo '{OPEN_MPI.splitlines()[0]}' && "
                        "exit\nexec grep SigIgn /proc/self/status\n")
        for set_up, ignored in ((signal.SIG_DFL, 0), (signal.SIG_IGN, 1)):
            done = subprocess.run([KITH, "run", "--trace", "t", "--", "mpirun", "./app"], text=True,
                                  capture_output=True, timeout=60, restore_signals=False,
                                  preexec_fn=lambda: signal.signal(signal.SIGPIPE, set_up),
                                  env={**os.environ, "PATH": self.path})
            self.assertEqual(done.returncode, 0, done.stderr)
            mask = int(done.stdout.split()[1], 16)
            self.assertEqual(mask >> (signal.SIGPIPE - 1) & 1, ignored)

    def test_files_in_a_topology_become_absolute(self):
        pathlib.Path("slots").write_text("0-3\n")
        found = self.launch("--trace", "t", "--topology", "tree:4x2;slots=slots", "--", "mpirun",
                            "./app")
        self.assertEqual(self.exports(found["words"])[0]["KITH_TOPOLOGY"],
                         f"tree:4x2;slots={self.here}/slots")

    def test_every_file_of_a_topology_becomes_absolute(self):
        pathlib.Path("h.net").write_text("h0 s0\nh1 s1\n")
        pathlib.Path("held").write_text("h1\n")
        for given, expected in (
                ("hosts:h.net;tree=2;nodes=held",
                 f"hosts:{self.here}/h.net;tree=2;nodes={self.here}/held"),
                ("hosts:h.net;slots=0;nodes=h0", f"hosts:{self.here}/h.net;slots=0;nodes=h0"),
                ("job;network=h.net", f"job;network={self.here}/h.net")):
            found = self.launch("--trace", "t", "--topology", given, "--", "mpirun", "./app")
            self.assertEqual(self.exports(found["words"])[0]["KITH_TOPOLOGY"], expected)

    def test_the_network_file_becomes_absolute(self):
        found = self.launch("--trace", "t", "--", "mpirun", "./app", env={"KITH_NETWORK": "h.net"})
        self.assertEqual(self.exports(found["words"])[0]["KITH_NETWORK"], f"{self.here}/h.net")

    def test_what_is_no_file_in_a_topology_stays(self):
        for name in ("2x2", "4", "core:4 pu:2"):
            pathlib.Path(name).mkdir()
        for spec in ("tree:2x2", "tree:4", "hwloc:core:4 pu:2"):
            found = self.launch("--trace", "t", "--topology", spec, "--", "mpirun", "./app")
            self.assertEqual(self.exports(found["words"])[0]["KITH_TOPOLOGY"], spec)
        xml = ('<topology version="2.0"><object type="Machine" os_index="0" cpuset="0x1" '
               'complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1">'
               '<object type="NUMANode" os_index="0" cpuset="0x1" complete_cpuset="0x1" '
               'nodeset="0x1" complete_nodeset="0x1"/><object type="PU" os_index="0" '
               'cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1"/>'
               '</object></topology>')
        pathlib.Path("host.xml").write_text(xml)
        found = self.launch("--trace", "t", "--topology", "hwloc:host.xml", "--", "mpirun", "./app")
        self.assertEqual(self.exports(found["words"])[0]["KITH_TOPOLOGY"],
                         f"hwloc:{self.here}/host.xml")
        pathlib.Path("d.txt").write_text("0 1\n1 0\n")
        found = self.launch("--trace", "t", "--topology", "matrix:d.txt;slots=0", "--", "mpirun",
                            "./app")
        self.assertEqual(self.exports(found["words"])[0]["KITH_TOPOLOGY"],
                         f"matrix:{self.here}/d.txt;slots=0")
        pathlib.Path("ring.tgt").write_text("torus2D 2 2\n")
        for spec, meant in (("scotch:ring.tgt", f"scotch:{self.here}/ring.tgt"),
                            ("scotch:torus2D 2 2", "scotch:torus2D 2 2")):
            found = self.launch("--trace", "t", "--topology", spec, "--", "mpirun", "./app")
            self.assertEqual(self.exports(found["words"])[0]["KITH_TOPOLOGY"], meant)


class Hydra(Launching):
    def setUp(self):
        super().setUp()
        self.fake("mpiexec", HYDRA)

    def exports(self, words):
        found = {}
        while words[:1] == ["-genv"] and "=" not in words[1]:  # ours are two words each
            self.assertNotIn(words[1], found)
            found[words[1]] = words[2]
            words = words[3:]
        return found, words

    def test_trace(self):
        for version in (HYDRA, INTEL):
            self.fake("mpiexec", version)
            found = self.launch("--trace", "t", "--", "mpiexec", "-n", "4", "./app", "-genv", "A")
            exports, rest = self.exports(found["words"])
            self.assertEqual(exports, {"LD_PRELOAD": self.library,
                                       "KITH_TRACE": f"{self.here}/t.kith"})
            self.assertEqual(rest, ["-n", "4", "./app", "-genv", "A"])

    def test_mpmd_needs_them_once(self):
        found = self.launch("--trace", "t", "--", "mpiexec", "-n", "1", "./a", ":", "-n", "2",
                            "./b")
        self.assertEqual(self.exports(found["words"])[1],
                         ["-n", "1", "./a", ":", "-n", "2", "./b"])

    def test_own_settings(self):
        found = self.launch("--trace", "t", "--", "mpiexec", "-genv", "LD_PRELOAD", "a.so", "-genv",
                            "KITH_MIN_GAIN=3%", "-genv", "A=1", "-n", "1", "./a", ":", "-env",
                            "LD_PRELOAD", "b.so", "-env", "KITH_TRACE", "x", "-n", "2", "./b")
        exports, rest = self.exports(found["words"])
        self.assertEqual(exports["LD_PRELOAD"], f"{self.library}:a.so")
        self.assertEqual(exports["KITH_MIN_GAIN"], "3%")
        self.assertEqual(exports["KITH_TRACE"], f"{self.here}/t.kith")
        self.assertEqual(rest, ["-genv", "A=1", "-n", "1", "./a", ":", "-env", "LD_PRELOAD",
                                f"{self.library}:b.so", "-n", "2", "./b"])

    def test_known_by_name(self):
        self.fake("mpiexec.hydra", "nothing that helps")
        found = self.launch("--trace", "t", "--", "mpiexec.hydra", "./app")
        self.assertIn("LD_PRELOAD", self.exports(found["words"])[0])


class Srun(Launching):
    def setUp(self):
        super().setUp()
        self.fake("srun", "slurm 23.02.1")

    def export_items(self, word):
        self.assertTrue(word.startswith("--export="), word)
        return word.removeprefix("--export=").split(",")

    def test_trace(self):
        found = self.launch("--trace", "t", "--", "srun", "-n4", "./app", "--export=NONE")
        self.assertCountEqual(self.export_items(found["words"][0]),
                              ["ALL", f"LD_PRELOAD={self.library}",
                               f"KITH_TRACE={self.here}/t.kith"])
        self.assertEqual(found["words"][1:], ["-n4", "./app", "--export=NONE"])
        self.assertNotIn("LD_PRELOAD", found["environment"])

    def test_an_export_of_the_command(self):
        for given in (["--export=A=1,B,LD_PRELOAD=a.so"], ["--export", "A=1,B,LD_PRELOAD=a.so"]):
            found = self.launch("--trace", "t", "--", "srun", *given, "-n", "4", "./app")
            self.assertCountEqual(self.export_items(found["words"][0]),
                                  ["A=1", "B", f"LD_PRELOAD={self.library}:a.so",
                                   f"KITH_TRACE={self.here}/t.kith"])
            self.assertEqual(found["words"][1:], ["-n", "4", "./app"])

    def test_none_and_the_variable(self):
        for given, environment in ((["--export=NONE"], {}), ([], {"SLURM_EXPORT_ENV": "NONE"})):
            found = self.launch("--trace", "t", "--", "srun", *given, "./app", env=environment)
            self.assertCountEqual(self.export_items(found["words"][0]),
                                  [f"LD_PRELOAD={self.library}", f"KITH_TRACE={self.here}/t.kith"])

    def test_values_with_commas_go_by_name(self):
        found = self.launch("--trace", "t", "--topology", "tree:2x2@10,1", "--", "srun",
                            "--export=NONE", "./app")
        self.assertIn("KITH_TOPOLOGY", self.export_items(found["words"][0]))
        self.assertEqual(found["environment"]["KITH_TOPOLOGY"], "tree:2x2@10,1")


class Refusals(Launching):
    def test_what_is_missing(self):
        self.fake("mpirun", OPEN_MPI)
        self.refused_launch("--trace", "t", says="--")
        self.refused_launch("--trace", "t", "--", says="--")
        self.refused_launch("--", "mpirun", "./app", says=["--trace", "--reorder"])
        self.refused_launch("--trace", "t", "mpirun", "./app", says="mpirun")
        self.refused_launch("--trace", "t", "--", "./app", says=["mpirun", "srun", "./app"])
        self.refused_launch("--trace", "t", "--", "mpiexec.none", "./app", status=3,
                            says="mpiexec.none")
        self.refused_launch("--trace", "t", "--", "./mpirun.sh", "./app", says="./mpirun.sh")

    def test_a_launcher_of_an_unknown_kind(self):
        self.fake("mpirun", "Something Else 1.0")
        self.refused_launch("--trace", "t", "--", "mpirun", "./app", status=3,
                            says="Something Else 1.0")

    def test_an_existing_trace(self):
        self.fake("mpirun", OPEN_MPI)
        pathlib.Path("t.kith").mkdir()
        asked = ("--", "mpirun", "./app")
        self.refused_launch("--trace", "t", *asked, says=["--trace", "--force", "t.kith"])
        self.refused_launch("--trace", "t.kith/", *asked, says="--force")
        # What is no trace is not replaced either.
        self.refused_launch("--trace", "t", "--force", *asked, says=["--force", "t.kith"])
        self.refused_launch("--reorder", "reverse.map", *asked, says="KITH_TRACE",
                            env={"KITH_TRACE": "t"})
        pathlib.Path("t.kith/meta.json").write_text("{}")
        self.launch("--trace", "t", "--force", *asked)

    def test_a_folder_that_is_not_there(self):
        self.fake("mpirun", OPEN_MPI)
        asked = ("--", "mpirun", "./app")
        self.refused_launch("--trace", "none/t", *asked, status=3, says=f"{self.here}/none")
        self.refused_launch("--trace", "x" * 300, *asked, status=3, says="name too long")
        pathlib.Path("file").write_text("")
        self.refused_launch("--trace", "file/t", *asked, status=3, says="Not a directory")

    def test_what_is_to_be_applied_is_read_first(self):
        self.fake("mpirun", OPEN_MPI)
        asked = ("--", "mpirun", "./app")
        self.refused_launch("--reorder", "none", *asked, says="none")
        pathlib.Path("twice.map").write_text("0 1\n0 2\n")
        self.refused_launch("--reorder", "twice.map", *asked, says="twice.map:2:")
        pathlib.Path("broken.mtx").write_text("%%MatrixMarket matrix coordinate integer general\nx")
        self.refused_launch("--reorder", "broken.mtx", *asked, says="broken.mtx:2:")
        write_mtx("good.mtx", 2, {(0, 1): 1})
        self.launch("--reorder", "good.mtx", *asked)
        self.refused_launch("--reorder", "good.mtx", "--algorithm", "eagle", *asked,
                            says=["--algorithm", "eagle"])
        self.refused_launch("--reorder", "good.mtx", "--topology", "tree:0", *asked,
                            says="--topology")
        self.launch("--reorder", "good.mtx", "--topology", "job", *asked)

    def test_a_mapping_that_is_no_order_of_the_ranks(self):
        self.fake("mpirun", OPEN_MPI)
        asked = ("--", "mpirun", "./app")
        tree = ("--topology", "tree:4x2;slots=0-1,4-7")
        for text, options, says in [
                ("0 1\n# two\n1 1\n", (), ["bad.map:3:", "line 1", "slot 1 again"]),
                ("0 0\n1 2\n", (), ["bad.map:2:", "below 2", "slot 2"]),
                ("0 0\n1 2\n", ("--topology", "job"), ["bad.map:2:", "slot 2"]),
                ("0 0\n1 2\n", tree, ["bad.map:2:", "allows", "slot 2"]),
                ("0 0\n1 1\n2 8\n", tree, ["bad.map:3:", "slot 8"]),
                ("1 4\n0 4\n2 0\n", tree, ["bad.map:1:", "line 2", "slot 4 again"]),
                ("0 0\n1 7\n", tree, ["bad.map:2:", "first 2 slots", "slot 7"])]:
            pathlib.Path("bad.map").write_text(text)
            self.refused_launch("--reorder", "bad.map", *options, *asked, says=says)
        self.refused_launch("--reorder", "bad.map", *asked, says=["bad.map:2:", "slot 7"],
                            env={"KITH_TOPOLOGY": tree[1]})
        pathlib.Path("good.map").write_text("0 4\n1 0\n2 1\n")
        self.launch("--reorder", "good.map", *tree, *asked)
        self.launch("--reorder", "good.map", *asked, env={"KITH_TOPOLOGY": tree[1]})
        self.launch("--reorder", "reverse.map", *asked)


class RealOpenMpi(Launching):
    """The installed mpirun; ranks are shells that print their environment."""

    def setUp(self):
        super().setUp()
        self.path = os.environ["PATH"]
        mpirun = shutil.which("mpirun")
        version = subprocess.run([mpirun, "--version"], capture_output=True, text=True) \
            if mpirun else None
        if version is None or "Open MPI" not in version.stdout:
            self.skipTest("mpirun is not Open MPI's")

    def start(self, *words, options=("--trace", "t"), status=0, **more):
        done = subprocess.run([KITH, "run", *options, "--", *words], capture_output=True, text=True,
                              timeout=60, **more,
                              env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                   "OMPI_MCA_rmaps_base_oversubscribe": "1"})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def test_every_rank_of_an_mpmd_command(self):
        show = ["sh", "-c", 'echo "$OMPI_COMM_WORLD_RANK $LD_PRELOAD $KITH_TRACE"']
        done = self.start("mpirun", "-n", "2", *show, ":", "-n", "1", *show)
        self.assertEqual(sorted(done.stdout.splitlines()),
                         [f"{r} {self.library} {self.here}/t.kith" for r in range(3)])

    def test_the_parameter_for_variables(self):
        done = self.start("mpirun", "--mca", "mca_base_env_list", "A=1;B=2", "-n", "1", "sh", "-c",
                          'echo "$A $B $LD_PRELOAD $KITH_TRACE"')
        self.assertEqual(done.stdout, f"1 2 {self.library} {self.here}/t.kith\n")

    def test_status_and_input_are_the_launcher_s(self):
        done = self.start("mpirun", "-n", "1", "sh", "-c", "cat; exit 5", status=5, input="hello\n")
        self.assertEqual(done.stdout.splitlines()[0], "hello")

    def test_a_traced_program(self):
        compiler = shutil.which("mpicc")
        if not compiler:
            self.skipTest("no mpicc")
        pathlib.Path("ring.c").write_text(r"""
#include <mpi.h>
int main(int argc, char** argv) {
  int rank, size;
  char data[1000] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Sendrecv_replace(data, 1000, MPI_CHAR, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return MPI_Finalize();
}
""")
        subprocess.run([compiler, "ring.c", "-o", "ring"], check=True)
        self.start("mpirun", "-n", "3", "./ring")
        found = self.json("info", "t")
        self.assertEqual((found["ranks"], found["bytes"], found["messages"]), (3, 3000, 3))
        self.call("run", "--trace", "t", "--", "mpirun", "-n", "3", "./ring", status=2)
        self.assertEqual(self.json("map", "t", "--topology", "tree:3")["ranks"], 3)
        pathlib.Path("cycle.map").write_text("0 1\n1 2\n2 0\n")
        self.start("mpirun", "-n", "3", "./ring",
                   options=("--reorder", "cycle.map", "--trace", "after"))
        found = self.json("info", "after")
        self.assertEqual((found["ranks"], found["bytes"]), (3, 3000))


if __name__ == "__main__":
    unittest.main()
