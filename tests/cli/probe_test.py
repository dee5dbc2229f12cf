#!/usr/bin/env python3
"""kith probe: what the launcher is given, and what becomes of the lines that come back, by launchers
that print them. (With real ones: tests/mpi and tests/cluster.)"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from kithcli import KITH, KithTest, main, snapshot
from pseudo_terminal import Session

PROGRAM = pathlib.Path(KITH).resolve().parent.parent / "libexec/kith/kith-probe"

FAKE = """#!{python}
import json, os, signal, sys, time
if sys.argv[1:] == ["--version"]:
    print({version!r})
    sys.exit()
json.dump({{"words": sys.argv[1:], "environment": dict(os.environ)}}, open({log!r}, "w"))
print({output!r}, end="", flush=True)
{then}
sys.exit({status})
"""
# A launcher's last act: it ends with status 9 at the signal, or fails by itself.
ENDS_WHEN_ASKED = """
def end(*_):
    print("asked to end", file=sys.stderr, flush=True)
    sys.exit(9)
signal.signal({number}, end)
open("ready", "w").close()
time.sleep(100)"""
OPEN_MPI = "mpirun (Open MPI) 4.1.4"
HYDRA = "HYDRA build details:\n    Version:   4.0.2"


def lines(*texts, mark="kith-probe: "):
    return "".join(f"{mark}{text}\n" for text in texts)


def report(*parts, ranks=8):
    return lines(f"begin {ranks}", "took 2.5 0", *parts, f"end {len(parts) + 1}")


def wait_for_file(name):
    deadline = time.monotonic() + 60
    while not os.path.exists(name):
        if time.monotonic() > deadline:
            raise TimeoutError(name)
        time.sleep(0.02)


def asked_to_end(job, number):
    """What it says; asked again where a loaded machine has not heard."""
    for _ in range(12):
        job.send_signal(number)
        try:
            return job.communicate(timeout=5)[1]
        except subprocess.TimeoutExpired:
            print(f"asked again with signal {number}", file=sys.stderr)
    job.kill()
    raise TimeoutError(job.communicate()[1])


def pairs(hosts, size):
    """Of `size` hosts to a switch: 85 ns a byte within, 270 across."""
    return [f"pair {a} {b} " + ("85123.4 14.25 11.9 30123 2.5 23.4 65480" if a // size == b // size else "270123 19 3.7 0 2.5 0 0")
            for a in range(hosts) for b in range(a + 1, hosts)]


TWO_SWITCHES = [*(f"host h{i} 2" for i in range(4)), *pairs(4, 2),
                "inside package 1 210 0.5 4000 0 0.2 0 0", "inside package 1 200 0.5 4000 0 0.2 0 0",
                "inside host 0 0 0 0 0 0 9000 0"]
NETWORK_FILE = """\
level network cost=270000 latency=19 bandwidth=3.7 overhead=2.5
level switch cost=85100 latency=14.3 bandwidth=11.9 burst=30100 overhead=2.5 shared=23.4 eager=65480
level host shared=9000
level package cost=205 latency=0.5 bandwidth=4000 overhead=0.2
h0 slots=2 switch0
h1 slots=2 switch0
h2 slots=2 switch1
h3 slots=2 switch1
"""


class Probing(KithTest):
    def setUp(self):
        super().setUp()
        if not PROGRAM.exists():
            self.skipTest("kith-probe is not built")
        self.log = os.path.realpath("given.json")
        pathlib.Path("bin").mkdir()

    def fake(self, output="", name="mpirun", version=OPEN_MPI, status=0, then=""):
        """A launcher that prints `output`, does `then` and ends with `status`."""
        file = pathlib.Path("bin") / name
        file.write_text(FAKE.format(python=sys.executable, version=version, log=self.log,
                                    output=output, then=then, status=status))
        file.chmod(0o755)

    def environment(self, **more):
        return {"PATH": f"{os.path.realpath('bin')}:{os.environ['PATH']}", "LD_PRELOAD": "", **more}

    def probe(self, *words, status=0, **more):
        return self.call("probe", *words, status=status, env=self.environment(**more))

    def given(self):
        return json.loads(pathlib.Path(self.log).read_text())


class Waiting(Probing):
    def test_what_is_being_done(self):
        """A launcher that waits for us to have seen it."""
        self.fake(lines("progress 3 of 6 pairs"),
                  then="for _ in range(1200):\n    if os.path.exists('go'): break\n"
                       "    time.sleep(0.05)")
        session = Session(("probe", "--", "mpirun", "-n", "8"), ("stderr",),
                          env=self.environment())
        line = r"\r\x1b\[Kkith: 3 of 6 pairs, \d+ s"  # redrawn, as time goes on
        self.assertTrue(session.read_until(line + line), session.text)
        pathlib.Path("go").touch()
        shown = session.finish()
        self.assertEqual(session.status, 3)
        self.assertRegex(shown.rsplit("\r\x1b[K", 1)[1], "^kith: mpirun ended well, but no report")

    def test_signals_go_to_the_launcher(self):
        """Also those that come while the line is drawn."""
        self.fake(lines("progress 3 of 6 pairs"), then=ENDS_WHEN_ASKED.format(number=15))
        session = Session(("probe", "--", "mpirun", "-n", "8"), ("stderr",),
                          env=self.environment())
        self.assertTrue(session.read_until("3 of 6 pairs"), session.text)
        wait_for_file("ready")
        session.process.send_signal(signal.SIGTERM)
        self.assertIn("asked to end", session.finish())
        self.assertEqual(session.status, 9)


class Launching(Probing):
    def test_the_program_stands_behind_the_options(self):
        self.fake(report(*TWO_SWITCHES))
        self.probe("--", "mpirun", "-n", "8", "--map-by", "node", "--mca", "btl", "self,tcp")
        self.assertEqual(self.given()["words"],
                         ["-n", "8", "--map-by", "node", "--mca", "btl", "self,tcp", str(PROGRAM),
                          "--time-limit", "60"])
        self.probe("--time-limit", "7.5", "--", "mpirun", "-n", "1", ":", "-n", "2")
        self.assertEqual(self.given()["words"],
                         ["-n", "1", str(PROGRAM), "--time-limit", "7.5", ":",
                          "-n", "2", str(PROGRAM), "--time-limit", "7.5"])

    def test_other_launchers(self):
        self.fake(report(*TWO_SWITCHES), name="mpiexec", version=HYDRA)
        self.probe("--", "mpiexec", "-genv", "A=1", "-n", "2", "-genv", "B", "2")
        self.assertEqual(self.given()["words"],
                         ["-genv", "A=1", "-n", "2", "-genv", "B", "2", str(PROGRAM),
                          "--time-limit", "60"])
        self.fake(report(*TWO_SWITCHES), name="srun", version="slurm 23.02")
        self.probe("--", "env", "X=1", "srun", "-n4", "-N", "2")
        self.assertEqual(self.given()["words"], ["-n4", "-N", "2", str(PROGRAM), "--time-limit",
                                                 "60"])
        self.assertEqual(self.given()["environment"]["X"], "1")

    def test_libkith_is_not_preloaded(self):
        self.fake(report(*TWO_SWITCHES))
        self.probe("--", "mpirun", LD_PRELOAD="/some/libkith.so.0:libdl.so.2 /x/libkith.so")
        self.assertEqual(self.given()["environment"].get("LD_PRELOAD"), "libdl.so.2")
        self.probe("--", "mpirun", LD_PRELOAD="/some/libkith.so")
        self.assertNotIn("LD_PRELOAD", self.given()["environment"])

    def test_what_is_refused(self):
        self.fake(report(*TWO_SWITCHES))
        pathlib.Path("app").write_text("#!/bin/sh\n")
        pathlib.Path("app").chmod(0o755)
        for words, says in (
                ([], ["kith probe", "no --"]),
                (["--"], ["nothing behind --"]),
                (["--", "./app"], ["kith probe", "mpirun", "./app"]),
                (["--", "mpirun", "-n", "2", "./app", "x"], ["brings its own program", "./app"]),
                (["--", "mpirun", "-n", "2", ":", "./app"], ["brings its own program", "./app"]),
                (["--", "mpirun", "--app", "list"], ["brings its own", "--app"]),
                (["--time-limit", "0", "--", "mpirun"], ["--time-limit", "'0'"]),
                (["--time-limit", "x", "--", "mpirun"], ["--time-limit", "'x'"])):
            self.refused("probe", *words, says=says, env=self.environment())
        self.assertFalse(os.path.exists(self.log), "a launcher was started")

    def test_a_file_that_cannot_be_written_is_found_before(self):
        self.fake(report(*TWO_SWITCHES))
        self.refused("probe", "-o", "none/machine.net", "--", "mpirun", says="none/machine.net",
                     status=3, env=self.environment())
        self.assertFalse(os.path.exists(self.log), "the launcher was started")

    def test_without_the_program(self):
        shutil.copy(KITH, "bin/kith")
        self.fake()
        done = subprocess.run(["bin/kith", "probe", "--", "bin/mpirun"], capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("kith-probe", done.stderr)
        self.assertIn("MPI library", done.stderr)


class Answers(Probing):
    def test_the_file(self):
        self.fake(report(*TWO_SWITCHES))
        self.probe("-o", "machine.net", "--", "mpirun")
        self.assertEqual(pathlib.Path("machine.net").read_text(), NETWORK_FILE)

    def test_the_text(self):
        self.fake(report(*TWO_SWITCHES))
        text = self.probe("-o", "machine.net", "--", "mpirun").stdout
        rows = {words[0]: words[1:] for words in map(str.split, text.splitlines())}
        self.assertEqual(rows["network"], ["19", "3.7", "270000", "4", "hosts"])
        self.assertEqual(rows["switch"], ["14.3", "11.9", "85100", "2", "x", "2", "hosts"])
        self.assertEqual(rows["package"], ["0.5", "4000", "205"])
        self.assertEqual(rows["switch1:"], ["h2", "h3"])
        self.assertIn("kith topo hosts:machine.net", text)
        self.assertIn("KITH_NETWORK=machine.net", text)
        self.assertNotIn("KITH_NETWORK=machine.net", self.probe("--", "mpirun").stdout)

    def test_ranks_that_shared_processors(self):
        self.fake(report(*TWO_SWITCHES[:4], "crowded 1 4 2", "crowded 3 4 2", *TWO_SWITCHES[4:]))
        self.assertEqual("kith: 4 ranks shared 2 processors of h1, and likewise on 1 more host: the "
                         "numbers also tell how long they waited for these; start at most one rank "
                         "for each processor\n", self.probe("--json", "--", "mpirun").stderr)
        self.fake(report(*TWO_SWITCHES))
        self.assertEqual(self.probe("--", "mpirun").stderr, "")

    def test_json(self):
        self.fake(report(*TWO_SWITCHES))
        answer = json.loads(self.probe("--json", "-o", "m.net", "--", "mpirun").stdout)
        self.assertEqual(answer["ranks"], 8)
        self.assertEqual(answer["pairs"], 6)
        self.assertEqual(answer["complete"], True)
        self.assertEqual(answer["file"], "m.net")
        self.assertEqual([level["name"] for level in answer["levels"]], ["network", "switch"])
        self.assertEqual(answer["levels"][1], {"name": "switch", "cost": 85100, "latency_us": 14.3,
                                               "megabytes_per_s": 11.9, "burst_bytes": 30100,
                                               "overhead_us": 2.5, "shared_megabytes_per_s": 23.4,
                                               "eager_bytes": 65480})
        self.assertEqual([level["name"] for level in answer["host_levels"]], ["host", "package"])
        self.assertEqual(answer["hosts"][2], {"name": "h2", "slots": 2, "switches": ["switch1"]})

    def test_lines_of_others_and_words_before_ours(self):
        text = report(*TWO_SWITCHES).replace("kith-probe: ", "[1,0]<stdout>:kith-probe: ")
        text = text.replace("\n", "\r\n").replace("[1,0]", "a module speaks\n[1,0]", 3)
        self.fake(text)
        done = self.probe("-o", "machine.net", "--", "mpirun")
        self.assertEqual(pathlib.Path("machine.net").read_text(), NETWORK_FILE)
        self.assertEqual(done.stderr.count("a module speaks"), 3)

    def test_time_that_ran_out_is_told(self):
        self.fake(report(*TWO_SWITCHES).replace("took 2.5 0", "took 2.5 1"))
        done = self.probe("--json", "--time-limit", "2", "--", "mpirun")
        self.assertIn("--time-limit 2", done.stderr)
        self.assertEqual(json.loads(done.stdout)["complete"], False)


class Failures(Probing):
    def failed(self, status, *says, words=()):
        before = snapshot()
        done = self.probe("-o", "machine.net", *words, "--", "mpirun", status=status)
        os.unlink(self.log)
        self.assertEqual(done.stdout, "")
        for part in says:
            self.assertIn(part, done.stderr)
        self.assertEqual(snapshot(), before, "files after a failure")

    def test_status_of_the_launcher(self):
        self.fake(report(*TWO_SWITCHES), status=7)
        self.failed(7, "mpirun failed with status 7")
        self.fake("", then="os.kill(os.getpid(), signal.SIGKILL)")
        self.failed(128 + signal.SIGKILL, "status 137")

    def test_reports_that_do_not_come_back_whole(self):
        whole = report(*TWO_SWITCHES).splitlines(keepends=True)
        for kept, says in ((whole[:-1], "no report came back"), ([], "no report came back"),
                           (whole[:4] + whole[5:], "damaged"), (whole[:3] + whole[3:4] + whole[3:],
                                                                "damaged")):
            self.fake("".join(kept))
            self.failed(3, says)
        for part in ("pair 0 9 1 1 1 0 1 0 0", "pair 1 1 1 1 1 0 1 0 0", "pair 0 1 -1 1 1 0 1 0 0", "pair 0 1 1 1 1 1 1 1",
                     "host h0", "host h0 x", "crowded 9 3 2", "crowded 0 3", "inside l3 1 2 nan 3 0 1 0 0", "nonsense 1"):
            self.fake(report(*TWO_SWITCHES[:4], part))
            self.failed(3, "damaged")

    def test_one_rank(self):
        self.fake(report("host h0 2", ranks=1))
        self.failed(2, "at least two ranks", "one rank")

    def test_ranks_that_do_not_know_of_each_other(self):
        alone = report("host h0 2", ranks=1)
        self.fake(lines("begin 1") + alone.replace("took", "took 1 0\nkith-probe: took") + alone)
        self.failed(3, "do not know of each other", "mpirun")

    def test_a_program_that_does_not_end(self):
        """One that would wait for longer than kith is waited for here."""
        self.fake(lines("begin 4"), then="time.sleep(1000)")
        self.failed(3, "did not end in time", words=("--time-limit", "0.1"))

    def test_signals_go_to_the_launcher(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self.fake(then=ENDS_WHEN_ASKED.format(number=int(number)))
            job = subprocess.Popen([KITH, "probe", "-o", "machine.net", "--", "mpirun"], text=True,
                                   stderr=subprocess.PIPE, env={**os.environ, **self.environment()})
            wait_for_file("ready")
            os.unlink("ready")
            errors = asked_to_end(job, number)
            self.assertEqual(job.returncode, 9, errors)
            self.assertIn("asked to end", errors)
            self.assertEqual([str(path) for path in pathlib.Path().glob("machine.net*")], [])


if __name__ == "__main__":
    main()
