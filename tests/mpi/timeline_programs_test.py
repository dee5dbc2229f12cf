#!/usr/bin/env python3
"""The timeline of real programs: the bytes that it gives equal the counted ones, cell by cell; loops
take the same room however long they run; a job that is killed leaves one; short memory leaves out the
rest, and says so; times of events are those of the wall clock, also where ranks sleep.
"""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import kithtest as kt

binaries = kt.setting("KITH_BINARY")
kith = kt.setting("KITH")
patterns = binaries / "examples/patterns"
# Point-to-point in every way, collectives of all kinds, one-sided, threads, phases, other jobs.
PROGRAMS = {
    "cg_transpose": (4, [patterns / "cg_transpose"]),
    "halo2d": (4, [patterns / "halo2d"]),
    "halo3d": (3, [patterns / "halo3d"]),
    "neighbour": (4, [patterns / "neighbour"]),
    "rma_halo": (4, [patterns / "rma_halo"]),
    "sends": (3, [binaries / "tests/apps/sends"]),
    "collectives": (4, [binaries / "tests/mpi/collectives"]),
    "rounds": (4, [binaries / "tests/mpi/rounds", "20", "0"]),
    "threads": (2, [binaries / "tests/mpi/threads"]),
}


def timeline_of(trace):
    found = json.loads(kt.run([kith, "info", trace, "--json"]).stdout)
    return found.get("timeline")


def record(name, ranks, program, **settings):
    kt.mpirun(ranks, program, preload=True, settings={"KITH_TRACE": name, **settings}, timeout=200)
    return pathlib.Path(f"{name}.kith")


def size_of(trace):
    return sum(file.stat().st_size for file in (trace / "timeline").iterdir())


def check_conservation():
    for source in ("exact", "model"):
        for name, (ranks, program) in PROGRAMS.items():
            trace = record(f"{name}-{source}", ranks, program, KITH_COLLECTIVES=source)
            timeline = timeline_of(trace)
            kt.check(timeline is not None, f"{name}: no timeline")
            kt.check_equal((timeline["ranks"], timeline["omitted_operations"], timeline["exact"]),
                           (ranks, 0, True), f"{name}, collectives {source}: the timeline's bytes")
        print(f"collectives {source}: {len(PROGRAMS)} programs, each cell of their bytes")


def check_loops():
    brief = record("brief", 4, [binaries / "tests/mpi/rounds", "50", "0"])
    lengthy = record("lengthy", 4, [binaries / "tests/mpi/rounds", "20000", "0"])
    operations = timeline_of(lengthy)["operations"]
    kt.check(operations > 300 * timeline_of(brief)["operations"], f"only {operations} operations")
    kt.check(size_of(lengthy) < size_of(brief) + 1000,
             f"{size_of(brief)} bytes, and {size_of(lengthy)} for {operations} operations")
    print(f"{operations} operations in {size_of(lengthy)} bytes")


def check_off():
    trace = record("off", 3, [binaries / "tests/mpi/rounds", "5", "0"], KITH_TIMELINE="0")
    kt.check(not (trace / "timeline").exists(), "KITH_TIMELINE=0: there is a timeline")
    kt.check("timeline" not in json.loads((trace / "meta.json").read_text()), "meta.json names one")
    done = kt.run([kith, "convert", trace, "off.json", "--to", "perfetto"], status=2)
    kt.check("no timeline" in done.stderr, done.stderr)


def check_short_memory():
    trace = record("short", 3, [binaries / "tests/mpi/timeline/random_program", "5", "2000"],
                   KITH_TIMELINE_MEMORY="64K")
    timeline = timeline_of(trace)
    kt.check(timeline["omitted_operations"] > 0, f"64 KiB have room for all: {timeline}")
    kt.check(0 < timeline["bytes_share"] < 1, f"{timeline}")
    share = json.loads((trace / "meta.json").read_text())["timeline"]
    kt.check_equal((share["operations"], share["operations"] - share["covered_operations"]),
                   (timeline["operations"], timeline["omitted_operations"]), "meta.json's share")
    kt.check(share["covered_sent_bytes"] < share["sent_bytes"], f"{share}")
    told = kt.run([kith, "info", trace]).stdout
    kt.check("KITH_TIMELINE_MEMORY" in told, "kith info does not name the setting")
    kt.check("in what the timeline has of the run, ranks compute " in told, told)
    kt.check(timeline["most_omissions"] >= 2, f"no windows behind the beginning: {timeline}")
    check = binaries / "tests/mpi/timeline/timeline_check"
    covered = kt.run([check, trace, "--covered"], status=None)
    kt.check(covered.returncode == 0, f"{covered.stdout}{covered.stderr}")
    print(covered.stdout.strip())
    print(f"64 KiB: {timeline['omitted_operations']} of {timeline['operations']} operations left out")


def check_sleep():
    """Rounds with 60 ms of sleep in each: they lie where they were, and the run is as long as it was."""
    trace = record("asleep", 2, [binaries / "tests/mpi/rounds", "8", "60"])
    kt.run([kith, "convert", trace, "asleep.json", "--to", "perfetto"])
    slices = [event for event in json.loads(pathlib.Path("asleep.json").read_text())["traceEvents"]
              if event["ph"] == "X" and event["pid"] == 0]
    sleeps = [event["dur"] / 1e6 for event in slices if event["name"] == "asleep or no processor"]
    kt.check_equal(len(sleeps), 8, "times asleep")
    kt.check(min(sleeps) > 0.05, f"ranks slept 8 times 60 ms; seconds in the timeline: {sleeps}")
    wall = json.loads((trace / "meta.json").read_text())["wall_seconds"]
    end = max(event["ts"] + event["dur"] for event in slices) / 1e6
    kt.check(abs(end - wall) < 0.05 + 0.1 * wall, f"{wall} s of a run, its events end after {end} s")
    print(f"8 times asleep, {min(sleeps):.3f} to {max(sleeps):.3f} s; {end:.3f} s of {wall:.3f} s")


def check_displaced():
    """Three ranks compute 0.3 s each on one processor: they wait for it, and do not sleep."""
    kt.run(["taskset", "-c", "0", "mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", "-x",
            f"LD_PRELOAD={kt.setting('KITH_LIB')}", "-x", "KITH_TRACE=displaced",
            binaries / "tests/mpi/rounds", "2", "0", "work"], {**os.environ, **kt.LAUNCH_ENVIRONMENT})
    found = json.loads(kt.run([kith, "predict", "displaced.kith", "--topology", "tree:3x1", "--json"]).stdout)
    seconds = found["orders"][0]["seconds"]
    kt.check(0.28 < seconds < 0.5, f"0.3 s of computing on a processor each: {seconds} s predicted")
    print(f"0.3 s of computing on a third of a processor; with one each: {seconds:.3f} s predicted")


def check_helpers():
    """What a thread computes for which the rank waits is the rank's work: 0.3 s."""
    trace = record("helpers", 2, [binaries / "tests/mpi/rounds", "2", "0", "thread"])
    times = json.loads(kt.run([kith, "info", trace, "--json"]).stdout)["time"]
    computing = times["mean"]["computing_s"]
    kt.check(0.28 < computing < 0.45, f"0.3 s computed by a thread: {computing} s in the timeline")
    seconds = []
    for factor in ("1x", "0.5x"):
        found = json.loads(kt.run([kith, "predict", trace, "--topology", "tree:2x1", "--what-if",
                                   f"compute={factor}", "--json"]).stdout)
        seconds.append(found["orders"][0]["seconds"])
    # Beside other work the thread also waits for a processor: that is no shorter.
    saved = seconds[0] - seconds[1]
    kt.check(0.12 < saved < 0.25, f"twice as fast, of 0.3 s of computing: {seconds} s predicted")
    print(f"0.3 s of computing in another thread: {computing:.3f} s; twice as fast saves {saved:.3f} s")


def check_killed():
    """Killed after some seconds: what is there reads well, at whatever moment it was."""
    exports = {"LD_PRELOAD": kt.setting("KITH_LIB"), "KITH_TRACE": "killed"}
    words = [word for name, value in exports.items() for word in ("-x", f"{name}={value}")]
    endless = [str(binaries / "tests/mpi/rounds"), "100000000", "0"]
    kt.run(["timeout", "-s", "KILL", "7", "mpirun", "-n", "2", *words, *endless], status=None)
    subprocess.run(["pkill", "-KILL", "-f", " ".join(endless)])
    partial = pathlib.Path("killed.kith.partial")
    kt.check_equal(len(list(partial.glob("rank-*.timeline"))), 2, "timelines of a killed job")
    kt.run([kith, "convert", partial, "killed.json", "--to", "perfetto"])
    kt.check(len(json.loads(pathlib.Path("killed.json").read_text())["traceEvents"]) > 10,
             "the timeline of a killed job is empty")
    print("a killed job leaves the timelines of its ranks")


with kt.work_folder():
    check_conservation()
    check_loops()
    check_off()
    check_short_memory()
    check_sleep()
    check_displaced()
    check_helpers()
    check_killed()
kt.finish()
