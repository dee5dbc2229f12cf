#!/usr/bin/env python3
"""kith run: what Open MPI's mpirun is given, by one that prints it, and the installed one."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys

from kithcli import KITH, main
from launching import OPEN_MPI, Launching

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

PRRTE = "mpirun (PRRTE) 3.0.1\n\nReport bugs to https://github.com/openpmix/prrte"


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
                              env={**os.environ, **kt.LAUNCH_ENVIRONMENT})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def test_every_rank_of_an_mpmd_command(self):
        if not kt.starts_several_programs():
            self.skipTest("mpirun A : B does not work here (it crashes in Debian 13)")
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
    main()
