#!/usr/bin/env python3
"""kith run: what Hydra, srun and other launchers are given, what is refused, and what is said where nothing was
recorded."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from kithcli import KITH, main, write_mtx
from launching import OPEN_MPI, Launching

HYDRA = "HYDRA build details:\n    Version:                                 4.0.2"
INTEL = "Intel(R) MPI Library for Linux* OS, Version 2021.5 Build 20211102"


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

    def test_auto(self):
        """A word, not a file; where profiles are is named from here."""
        pathlib.Path("auto").write_text("no mapping, no trace")
        nowhere = {"HOME": "", "XDG_STATE_HOME": ""}
        for env, home in (({"KITH_HOME": "profiles/../mine"}, f"{self.here}/mine"),
                          ({"XDG_STATE_HOME": "/state"}, "/state/kith"), (nowhere, None)):
            found = self.launch("--reorder", "auto", "--", "mpiexec", "./app", env=env)
            exports, _ = self.exports(found["words"])
            exports.pop("KITH_RUN_MARK")
            expected = {"LD_PRELOAD": self.library, "KITH_REORDER": "auto"}
            self.assertEqual(exports, expected | ({"KITH_HOME": home} if home else {}))
        self.refused_launch("--reorder", "./auto", "--", "mpiexec", "./app", says="./auto: expected")

    def test_an_order_that_is_not_there(self):
        self.refused_launch("--reorder", "nosuch.map", "--", "mpiexec", "./app",
                            says=["--reorder: expected auto, a mapping file",
                                  "nosuch.map, which does not exist"])
        self.refused_launch("--reorder", "atuo", "--", "mpiexec", "./app", says="did you mean auto?")
        self.refused_launch("--trace", "a-%q", "--", "mpiexec", "./app", says="found %q in a-%q")
        self.refused_launch("--trace", "--force", "--", "mpiexec", "./app", says="begin with '-'")
        self.refused_launch("--trace", "a", "--", "mpirum", "./app", says="did you mean mpirun?")
        self.refused_launch("--trace", "a-%p/b", "--", "mpiexec", "./app", says="last part")
        pathlib.Path("job-7.kith").mkdir()  # of the same job, that starts again
        self.refused_launch("--trace", "job-%j", "--", "mpiexec", "./app", env={"OAR_JOB_ID": "7"},
                            says="a new name, or --force to replace")
        pathlib.Path("c-local.kith").mkdir()  # outside a batch job
        self.refused_launch("--trace", "c-%j", "--", "mpiexec", "./app", says=["a new name, or --force", "c-local.kith"])
        found = self.launch("--trace", "b-%j-%p", "--", "mpiexec", "./app")
        self.assertEqual(self.exports(found["words"])[0]["KITH_TRACE"], f"{self.here}/b-%j-%p")

    def test_a_machine_that_nothing_goes_by(self):
        asked = ("--trace", "t", "--topology", "tree:1x4", "--", "mpiexec", "./app")
        self.launch(*asked)
        self.assertIn("what is recorded does not depend on it: kith compare t --topology tree:1x4 judges that", self.said)
        self.launch("--reorder", "reverse.map", *asked)
        self.assertNotIn("what is recorded", self.said)

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

    def test_topologies_alone(self):
        found = self.launch("--", "srun", "./app", env={"KITH_REORDER_TOPOLOGIES": "on"})
        self.assertCountEqual(self.export_items(found["words"][0]),
                              ["ALL", f"LD_PRELOAD={self.library}", "KITH_REORDER_TOPOLOGIES=on"])

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


class AnyLauncher(Launching):
    """Launchers that Kith does not know, and commands without any."""

    def started(self, *words, status=0, **variables):
        """(What the fake was given, what Kith said.)"""
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("KITH_", "LD_PRELOAD", "OMPI_MCA", "SLURM_"))}
        done = subprocess.run([KITH, "run", *words], capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL, env={**clean, "PATH": self.path, **variables})
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout), done.stderr

    def given(self, found):
        return found["environment"].get("LD_PRELOAD"), found["environment"].get("KITH_TRACE")

    def test_by_environment(self):
        asked = self.library, f"{self.here}/t.kith"
        for name in ("flux", "jsrun", "aprun", "ibrun"):
            self.fake(name, "whatever")
            found, said = self.started("--trace", "t", "--", name, "run", "-n", "4", "./app")
            self.assertEqual(found["words"], ["run", "-n", "4", "./app"])
            self.assertEqual(self.given(found), asked)
            self.assertNotIn("no launcher", said)
        self.fake("mympirun", "a site's own")
        found, said = self.started("--trace", "t", "--", "mympirun", "-n", "4", "./app")
        self.assertEqual(self.given(found), asked)
        self.assertIn("no launcher that Kith knows is in this command: mympirun", said)
        self.assertIn("nothing was recorded", said)  # the launcher of this test starts nobody
        self.assertIn(f"mympirun does not hand its environment to the ranks. By hand, for each rank: "
                      f"LD_PRELOAD={self.library}", said)
        self.assertIn(f"KITH_TRACE={self.here}/t.kith", said)

    def test_a_shell_that_starts_the_launcher(self):
        self.fake("mpirun", OPEN_MPI)
        found, said = self.started("--trace", "t", "--", "sh", "-c", "mpirun -n 2 ./app")
        self.assertEqual(self.given(found), (self.library, f"{self.here}/t.kith"))
        self.assertIn("sh gets the settings in its environment", said)

    def test_a_named_launcher(self):
        self.fake("mympirun", "a site's own")
        self.fake("theirs", OPEN_MPI)
        for words in (("--launcher", "mympirun:openmpi", "--", "mympirun"), ("--launcher", "theirs", "--", "theirs")):
            found, said = self.started("--trace", "t", *words, "-n", "4", "./app")
            self.assertEqual(found["words"][-1], "./app")
            self.assertIn(f"LD_PRELOAD={self.library}", found["words"])
            self.assertNotIn("no launcher", said)
        found, _ = self.started("--trace", "t", "--launcher", "mympirun:slurm", "--", "mympirun", "-n4", "./app")
        self.assertTrue(found["words"][0].startswith("--export="), found["words"])
        self.refused_launch("--launcher", "other", "--", "mympirun", "./app", says=["--launcher", "'other'"])
        self.refused_launch("--launcher", "mympirun:pbs", "--", "mympirun", "./app", says=["openmpi", "'pbs'"])

    def test_all_cpus_reach_the_launcher(self):
        """kith's own OpenMP library binds its main thread under these."""
        self.fake("mpirun", OPEN_MPI)
        for name, value in (("OMP_PROC_BIND", "close"), ("OMP_PLACES", "cores")):
            found, _ = self.started("--trace", "t", "--", "mpirun", "-n", "2", "./app", **{name: value})
            self.assertEqual(found["cpus"], sorted(os.sched_getaffinity(0)), name)

    def test_a_script_that_is_not_executable(self):
        pathlib.Path("job.sh").write_text("#!/bin/sh\nmpirun -n 2 ./app\n")
        self.refused_launch("--trace", "t", "--", "./job.sh",
                            says=["'./job.sh', which is not executable (chmod +x)"])
        self.refused_launch("--trace", "t", "--", "./jop.sh", says=["'./jop.sh', where there is no program"])

    def test_nothing_was_recorded(self):
        """The fake writes no trace, as a program without MPI."""
        self.fake("mpirun", OPEN_MPI)
        _, said = self.started("--trace", "t", "--", "mpirun", "./app")
        self.assertEqual(said.count("kith:"), 1, said)
        self.assertIn(f"nothing was recorded: there is no {self.here}/t.kith", said)
        pathlib.Path("old.kith").mkdir()
        pathlib.Path("old.kith/meta.json").touch()
        _, said = self.started("--trace", "old", "--force", "--", "mpirun", "./app")
        self.assertIn(f"nothing was recorded: no new {self.here}/old.kith; {self.here}/old.kith is of an earlier "
                      "run. ", said)
        self.assertEqual(self.started("--", "mpirun", "./app")[1], "")
        writes = pathlib.Path("bin/mpirun")
        text = writes.read_text()
        writes.write_text(text.replace("exec ", f"mkdir -p {self.here}/u.kith\nexec "))
        self.assertEqual(self.started("--trace", "u", "--", "mpirun", "./app")[1],
                         "kith: recorded: u.kith; next: kith info u.kith\n")
        writes.write_text(text.replace("exec ", f"mkdir -p {self.here}/z.kith\n"
                                       f"echo '{{\"launch\": \"7\"}}' > {self.here}/z.kith/meta.json\nexec "))
        self.assertIn(f"nothing was recorded: no new {self.here}/z.kith; {self.here}/z.kith is of another job that ran "
                      "meanwhile", self.started("--trace", "z", "--", "mpirun", "./app")[1])
        writes.write_text(text.replace("exec ", f"mkdir -p {self.here}/w.kith\nexec "))
        self.assertEqual(self.started("--trace", "w", "--quiet", "--", "mpirun", "./app")[1], "")
        writes.write_text(text.replace("exec ", f"mkdir -p {self.here}/v.kith.partial\nexec "))
        _, said = self.started("--trace", "v", "--", "mpirun", "./app")
        self.assertIn("ended before MPI_Finalize", said)
        self.assertIn("v.kith.partial", said)
        # A new folder may get the number of the one that it replaces.
        pathlib.Path("v.kith.partial/meta.json").write_text("{}")
        writes.write_text(text.replace("exec ", f"touch {self.here}/v.kith.partial/row\nexec "))
        _, said = self.started("--trace", "v", "--force", "--", "mpirun", "./app")
        self.assertIn("what was recorded is in", said)

    def test_one_rank_tells_where_each_starts_kith_run(self):
        """mpirun -n 4 kith run --trace t -- ./app"""
        self.fake("mpirun", OPEN_MPI)
        self.assertEqual(self.started("--trace", "t", "--", "mpirun", "./app", OMPI_COMM_WORLD_RANK="1")[1], "")
        self.assertIn("nothing was recorded",
                      self.started("--trace", "t", "--", "mpirun", "./app", OMPI_COMM_WORLD_RANK="0")[1])
        self.fake("app", OPEN_MPI)
        self.assertEqual(self.started("--trace", "t", "--", "bin/app", PMI_RANK="1")[1], "")
        self.assertIn("no launcher that Kith knows",
                      self.started("--trace", "t", "--", "bin/app", SLURM_PROCID="0")[1])

    def test_options_that_change_nothing_are_told(self):
        self.fake("mpirun", OPEN_MPI)
        launch = ("--", "mpirun", "./app")
        pathlib.Path("made.map").write_text("# kith mapping ranks=2 topology=tree:2x2 hosts=-\n0 1\n1 0\n")
        _, said = self.started("--reorder", "made.map", "--topology", "tree:1x4", *launch)
        self.assertIn("made.map was made for tree:2x2, and is applied as it stands, not for tree:1x4", said)
        self.assertNotIn("was made for",
                         self.started("--reorder", "made.map", "--topology", "tree:2x2", *launch)[1])
        pathlib.Path("far.map").write_text("# kith mapping ranks=2 topology=tree:2x2 hosts=-\n0 3\n1 1\n")
        self.refused_launch("--reorder", "far.map", *launch,
                            says=["far.map:2: expected a slot below 2", "found slot 3 (the mapping is for "
                                  "tree:2x2: name that machine, too; --topology with ;nodes= or ;slots="])
        self.assertNotIn("was made for", self.started("--reorder", "far.map", "--topology",
                                                      "tree:2x2;slots=1,3", *launch)[1])
        pathlib.Path("far.map").write_text("# kith mapping ranks=2 topology=tree:2x2;slots=1,3 hosts=-\n0 3\n1 1\n")
        self.assertNotIn("was made for", self.started("--reorder", "far.map", "--topology",
                                                      "tree:2x2;nodes=node0,node1;slots=1,3", *launch)[1])
        _, said = self.started("--reorder", "made.map", "--algorithm", "scotch", *launch)
        self.assertIn("--algorithm changes nothing: made.map is an order already", said)
        self.assertIn("--algorithm changes nothing: no order is made",
                      self.started("--algorithm", "scotch", *launch)[1])
        self.assertNotIn("changes nothing",
                         self.started("--reorder", "auto", "--algorithm", "scotch", *launch)[1])

    def test_the_folder_is_gone_at_the_end(self):
        """The status is the launcher's all the same."""
        self.fake("mpirun", OPEN_MPI, status=7)
        launcher = pathlib.Path("bin/mpirun")
        launcher.write_text(launcher.read_text().replace(
            "exec ", f"mkdir -p {self.here}/x.kith; rmdir {self.here}/left\nexec "))
        pathlib.Path("left").mkdir()
        done = subprocess.run([KITH, "run", "--trace", f"{self.here}/x", "--", "mpirun", "./app"], text=True,
                              cwd="left", stdin=subprocess.DEVNULL, capture_output=True,
                              env={**os.environ, "PATH": self.path})
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn(f"kith: recorded: {self.here}/x.kith; ", done.stderr)

    def test_a_program_without_a_launcher(self):
        pathlib.Path("th.mtx").touch()
        self.refused_launch("--trace", "th", "--threads", "--", "true", says=["--force", "th.mtx"])
        self.refused_launch("--check", "--bind", "compact", "--", "true", says=["--check", "a launcher's command"])

    def test_no_rank_came(self):
        """The fake's ranks leave the folder that says so; elsewhere nobody knows of them."""
        self.fake("mpirun", OPEN_MPI)
        nobody = "kith: if Kith said nothing else, nothing was reordered: no process of the job called MPI_Init"
        found, said = self.started("--reorder", "auto", "--", "mpirun", "./app")
        self.assertTrue(said.startswith(nobody), said)
        (mark,) = [word for word in found["words"] if word.startswith("KITH_RUN_MARK=")]
        self.assertFalse(pathlib.Path(mark.split("=")[1]).exists())
        for elsewhere in (("--", "mpirun", "--hostfile", "hosts", "./app"), ("--", "mpirun", "-H", "a", "./app")):
            self.assertEqual(self.started("--reorder", "auto", *elsewhere)[1], "")
        self.assertEqual(self.started("--reorder", "auto", "--", "mpirun", "./app", PBS_JOBID="1")[1], "")
        self.assertEqual(self.started("--", "mpirun", "./app")[1], "")
        self.fake("mpirun", OPEN_MPI, status=1)
        said = self.started("--reorder", "auto", "--", "mpirun", "./app", status=1)[1]
        self.assertEqual(said[:68], "kith: nothing was reordered: the launcher ended with status 1. Where")

    def test_standard_input_of_rank_0(self):
        self.fake("mpirun", OPEN_MPI)
        pathlib.Path("moved.map").write_text("0 1\n1 0\n")
        pathlib.Path("kept.map").write_text("0 0\n1 2\n2 1\n")
        pathlib.Path("input").write_text("data\n")
        for mapping, input_file, warned in (("moved.map", "input", True), ("moved.map", "/dev/null", False),
                                            ("kept.map", "input", False)):
            with open(input_file) as stdin:
                done = subprocess.run([KITH, "run", "--reorder", mapping, "--", "mpirun", "./app"], text=True,
                                      stdin=stdin, capture_output=True, env={**os.environ, "PATH": self.path})
            self.assertEqual("moved.map puts rank 0 where launcher rank 1 is" in done.stderr, warned, done.stderr)

    def test_an_old_trace_is_not_the_new_one(self):
        self.fake("mpirun", OPEN_MPI)
        pathlib.Path("t.kith").mkdir()
        pathlib.Path("t.kith/meta.json").write_text("{}")
        _, said = self.started("--trace", "t", "--force", "--", "mpirun", "./app")
        self.assertIn("nothing was recorded", said)

    def test_a_static_program(self):
        if shutil.which("gcc") is None:
            self.skipTest("no gcc")
        pathlib.Path("one.c").write_text("int main(void) { return 0; }\n")
        for options in (["-static"], []):
            subprocess.run(["gcc", *options, "-o", "one", "one.c"], check=True)
            self.fake("mpirun", OPEN_MPI)
            _, said = self.started("--reorder", "reverse.map", "--", "mpirun", "./one", "input")
            self.assertEqual("./one is a static program" in said, bool(options), said)
            alone = self.call("run", "--bind", "compact", "--", "./one").stderr
            self.assertEqual("./one is a static program" in alone, bool(options), alone)


class Waiting(Launching):
    """Kith beside the launcher: it speaks before it returns, and passes on what reaches it."""

    def begin(self, script):
        """`kith run` with a launcher of these lines, which have begun."""
        file = pathlib.Path("bin/flux")
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        run = subprocess.Popen([KITH, "run", "--trace", "t", "--", "flux", "run", "./app"], text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               env={**os.environ, "PATH": self.path})
        self.addCleanup(run.kill)
        return run

    def wait_for(self, name):
        for _ in range(1200):
            if pathlib.Path(name).exists():
                return
            time.sleep(0.05)
        self.fail(f"no {name}")

    def test_it_speaks_before_the_next_command(self):
        run = self.begin("exit 0")
        run.wait()
        os.set_blocking(run.stderr.fileno(), False)
        self.assertIn("nothing was recorded", run.stderr.read() or "")
        run.stderr.close()

    def test_signals_and_the_status(self):
        run = self.begin("trap 'echo USR1 >> got' USR1; trap 'echo TERM >> got; exit 7' TERM; : > begun\n"
                         "while :; do sleep 0.05; done")
        self.wait_for("begun")
        run.send_signal(signal.SIGUSR1)
        self.wait_for("got")
        run.send_signal(signal.SIGTERM)
        said = run.communicate(timeout=60)[1]
        self.assertEqual((run.returncode, pathlib.Path("got").read_text()), (7, "USR1\nTERM\n"))
        self.assertIn("; the launcher ended with status 7. Where it says why, mend that first; if it did start the "
                      "program, ", said)

    def test_a_launcher_that_a_signal_ends(self):
        run = self.begin("kill -USR2 $$")
        said = run.communicate(timeout=60)[1]
        self.assertEqual(run.returncode, -signal.SIGUSR2)
        self.assertIn("the launcher ended with signal 12", said)

    def test_it_does_not_outlive_kith(self):
        run = self.begin("echo $$ > number; mv number begun; exec sleep 60")
        self.wait_for("begun")
        launcher = int(pathlib.Path("begun").read_text())
        run.kill()
        run.communicate(timeout=60)
        for _ in range(200):
            try:
                os.kill(launcher, 0)
            except ProcessLookupError:
                return
            time.sleep(0.05)
        self.fail("the launcher lives on")


class Refusals(Launching):
    def test_what_is_missing(self):
        self.fake("mpirun", OPEN_MPI)
        self.refused_launch("--trace", "t", says="--")
        self.refused_launch("--trace", "t", "--", says="--")
        self.refused_launch("--trace", "t", "mpirun", "./app", says="mpirun")
        self.refused_launch("--trace", "t", "--", "./app", says=["mpirun", "srun", "./app", "LD_PRELOAD=", "KITH_TRACE="])
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
        self.refused_launch("--reorder", "auto", *asked, says="KITH_TOPOLOGY: expected ",
                            env={"KITH_TOPOLOGY": "foo"})
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


if __name__ == "__main__":
    main()
