#!/usr/bin/env python3
"""The engine of a job: how many there are, on which CPUs they run, and what they make of requests that
are none."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt
from engine_messages import HEADER, PROBLEM, VERSION, message, threads_of_answers

programs = kt.setting("KITH_BINARY") / "tests/mpi"
halo = kt.setting("KITH_BINARY") / "examples/patterns/halo2d"
idle = kt.setting("KITH_BINARY") / "tests/apps/whereami"


def starts(library, engine):
    """At MPI_Init one engine on each host, whatever is asked (hardware, network, order); one more at
    MPI_Finalize where a profile is renewed; none where nothing is asked."""
    folder = pathlib.Path().absolute()
    started = folder / "started"
    kt.write_engine(engine, f"echo x >> {started}\nexec {kt.engine()}")
    kt.write_mapping("reverse.map", [3, 2, 1, 0])
    pathlib.Path("hosts.net").write_text("small0 s0\nsmall1 s1\n")
    network = {"KITH_NETWORK": folder / "hosts.net"}
    mapping = {"KITH_REORDER": "reverse.map"}
    auto = {"KITH_REORDER": "auto", "KITH_HOME": folder / "home"}
    here, hosts_of_two = [library], [library, programs / "libsmall_hosts.so"]

    for name, expected, settings, preload, said in (
            ("nothing asked", 0, {}, here, ""),
            ("a mapping", 1, mapping, here, "ranks reordered"),
            ("a mapping and a network", 1, {**mapping, **network}, here, "ranks reordered"),
            ("a trace is written", 1, {"KITH_TRACE": "t"}, here, ""),
            ("by a trace", 1, {"KITH_REORDER": "t.kith", **network}, here, "order unchanged"),
            ("auto, first run", 2, {**auto, **network}, here, "recorded as profile"),
            ("auto, second run", 2, {**auto, **network}, here, "run 2"),
            ("a mapping, two hosts", 2, {**mapping, **network}, hosts_of_two, "ranks reordered"),
            ("auto, two hosts", 3, {**auto, **network}, hosts_of_two, "run 3")):
        started.unlink(missing_ok=True)
        words = [word for key, value in settings.items() for word in ("-x", f"{key}={value}")]
        done = kt.run(["mpirun", "-n", 4, "-x", f"LD_PRELOAD={':'.join(map(str, preload))}", *words,
                       halo, 64, 2048, 12])
        count = len(started.read_text().splitlines()) if started.exists() else 0
        kt.check_equal(count, expected, f"{name}: engines\n{done.stderr}")
        kt.check(said in done.stderr, f"{name}: no '{said}' in {done.stderr}")
        print(f"{name}: {count} engines")


def cpus(library, engine):
    """It runs on the CPUs of all ranks of its host, not of the one that asks: the others wait for its
    answer."""
    usable = len(os.sched_getaffinity(0))
    if usable < 2:
        kt.not_tried("CPUs: one alone")
        return
    answers = pathlib.Path("answers").absolute()
    kt.write_engine(engine, f"{kt.engine()} | tee {answers}")
    pathlib.Path("traffic.mtx").write_text(
        "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 7\n")
    for binding, expected in (("core", 2), ("none", usable)):
        kt.run(["mpirun", "-n", 2, "--bind-to", binding, "-x", f"LD_PRELOAD={library}", "-x",
                "KITH_REORDER=traffic.mtx", idle])
        kt.check_equal(threads_of_answers(answers.read_bytes()), [expected],
                       f"threads for two ranks, bound to {binding}")
    print(f"2 threads for two bound ranks, {usable} for free ones")


def requests():
    """Requests that are none, or of another version, get an answer that says so."""
    def ask(name, request, status, problem):
        done = subprocess.run([kt.engine()], input=request, capture_output=True, timeout=60)
        kt.check_equal(done.returncode, status, f"{name}: exit status")
        if problem is None:
            kt.check_equal(done.stdout, b"", f"{name}: answer")
        else:
            kt.check_equal(HEADER.unpack_from(done.stdout)[2], PROBLEM, f"{name}: kind of answer")
            kt.check(problem.encode() in done.stdout, f"{name}: {done.stdout}")
        print(f"{name}: {problem or 'silence'}")

    ask("no request", b"", 0, None)
    ask("another language", b"GET / HTTP/1.1\r\nHost: kith\r\n\r\n", 2, "does not begin like one")
    ask("half a header", b"kith\2\0", 2, "was cut short")
    ask("half a request", message(1, b"\1", size=100), 0, "was cut short")
    ask("another version", message(1, b"\0", version=VERSION + 1), 2,
        f"of version {VERSION + 1} of the protocol, not {VERSION}")
    ask("an unknown kind", message(77, b""), 0, "does not know requests of kind 77")
    ask("an answer", message(2, b""), 0, "does not know requests of kind 2")
    ask("too few parts", message(1, b""), 0, "was cut short")
    ask("too many parts", message(1, b"\0\0"), 0, "longer than its parts")
    one = message(77, b"")
    done = subprocess.run([kt.engine()], input=one + one, capture_output=True, timeout=60)
    kt.check_equal(done.stdout.count(b"of kind 77"), 2, "answers to two requests")
    done = subprocess.run([kt.engine(), "--help"], capture_output=True, text=True, timeout=60)
    kt.check_equal((done.returncode, done.stdout), (2, ""), "by hand")
    kt.check("not by hand" in done.stderr, done.stderr)


with kt.work_folder():
    requests()
    place = kt.library_alone()
    starts(*place)
    cpus(*place)
kt.finish()
